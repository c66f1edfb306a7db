//! What came of an import, for people and for programs.

use serde_json::{Value, json};
use ta_runtime::surface::visible;

use super::Made;
use crate::args::ImportArgs;
use crate::out::outln;

pub(super) fn object(made: &Made, args: &ImportArgs) -> Value {
    let mut object = json!({
        "source": made.source,
        "sha256": made.document.sha256,
        "format": made.document.reading.format,
        "pages": made.document.reading.pages,
        "file": made.path.display().to_string(),
        "written": !args.preview,
        "entries": made.draft.entries,
        "doubts": made.draft.doubts,
    });
    if let Some(fields) = object.as_object_mut().filter(|_| args.preview) {
        fields.insert("text".to_owned(), json!(made.draft.text));
    }
    object
}

/// For a person: the file, or where it was written; what was uncertain goes to standard error, kind by kind.
pub(super) fn show(made: &Made, args: &ImportArgs) {
    let what = format!("{} {}", made.draft.entries, visible(&made.draft.entries_are));
    let pages = made.document.reading.pages.map(|pages| format!(" on {pages} pages")).unwrap_or_default();
    if args.preview {
        outln!("{}", visible(&made.draft.text));
        anstream::eprintln!("would write {}: {what}{pages}", made.path.display());
    } else {
        outln!("wrote {}: {what}{pages}", made.path.display());
    }
    for line in &made.draft.told {
        anstream::eprintln!("{}", visible(line));
    }
}
