//! What came of an import, for people and for programs.

use serde_json::{Value, json};
use ta_import::doubt::Doubt;
use ta_runtime::surface::visible;

use super::Made;
use crate::args::{ImportArgs, ImportKind};
use crate::out::outln;

/// Doubts of one kind that are shown to a person.
const SHOWN_MAX: usize = 8;

pub(super) fn object(made: &Made, args: &ImportArgs) -> Value {
    let mut object = json!({
        "source": made.source,
        "sha256": made.document.sha256,
        "format": made.document.format,
        "pages": made.document.pages,
        "file": made.path.display().to_string(),
        "written": !args.preview,
        "entries": made.count,
        "doubts": made.doubts,
    });
    if let Some(fields) = object.as_object_mut().filter(|_| args.preview) {
        fields.insert("text".to_owned(), json!(made.text));
    }
    object
}

/// For a person: the file, or where it was written; what was uncertain goes to standard error, kind by kind.
pub(super) fn show(made: &Made, args: &ImportArgs) {
    let what = if args.kind == ImportKind::Outcomes { "outcomes" } else { "questions and sections" };
    let pages = made.document.pages.map(|pages| format!(" on {pages} pages")).unwrap_or_default();
    if args.preview {
        outln!("{}", visible(&made.text));
        anstream::eprintln!("would write {}: {} {what}{pages}", made.path.display(), made.count);
    } else {
        outln!("wrote {}: {} {what}{pages}", made.path.display(), made.count);
    }
    let mut doubts: Vec<&Doubt> = made.doubts.iter().collect();
    doubts.sort_by_key(|doubt| (doubt.kind, doubt.place));
    let mut rest = doubts.as_slice();
    while let Some(kind) = rest.first().map(|doubt| doubt.kind) {
        let count = rest.iter().take_while(|doubt| doubt.kind == kind).count();
        anstream::eprintln!("{} ({count})", kind.name());
        let (own, others) = rest.split_at(count);
        for doubt in own.iter().take(SHOWN_MAX) {
            let place = doubt.place.map(|place| format!("{place}: ")).unwrap_or_default();
            let code = doubt.code.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
            anstream::eprintln!("  {place}{code}{}", visible(&doubt.message));
        }
        if count > SHOWN_MAX {
            anstream::eprintln!("  and {} more; --output json lists all", count - SHOWN_MAX);
        }
        rest = others;
    }
}
