//! Requests that somebody labelled: the working half, and the lists of the tests.

use std::error::Error;
use std::path::Path;

/// What a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    In,
    Out,
    Unsure,
}

/// A labelled request.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) text: String,
    pub(crate) label: Label,
    pub(crate) group: String,
}

/// The items of a file of JSON lines.
pub(crate) fn read(path: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let mut items = Vec::new();
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        let item: serde_json::Value = serde_json::from_str(line)?;
        let field = |name: &str| item.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let label = match field("label").as_str() {
            "in" => Label::In,
            "out" => Label::Out,
            _ => Label::Unsure,
        };
        items.push(Item { text: field("text"), label, group: field("group") });
    }
    Ok(items)
}

/// The lines of the two lists.
pub(crate) fn lists(directory: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let mut items = Vec::new();
    for (name, label) in [("in_scope.txt", Label::In), ("out_of_scope.txt", Label::Out)] {
        let text = std::fs::read_to_string(directory.join(name))?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        items.extend(lines.map(|line| Item { text: line.to_owned(), label, group: "list".to_owned() }));
    }
    Ok(items)
}
