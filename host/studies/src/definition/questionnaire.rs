//! Questionnaires, which are data: `questionnaires/NAME.toml`.

use std::collections::BTreeMap;

use serde_json::Value;
use ta_runtime::surface::{Fields, Problem, toml};

use super::files::StudyFiles;

/// Items of a questionnaire at the most.
const ITEMS_MAX: usize = 60;
/// Points of a scale at the most.
const POINTS_MAX: i64 = 101;

/// A questionnaire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Questionnaire {
    /// Its name.
    pub name: String,
    /// What participants read above it.
    pub title: String,
    /// Its items in order.
    pub items: Vec<Item>,
}

/// One thing to be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name, the column in the tables.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// Its scale; none where words are wanted.
    pub scale: Option<Scale>,
}

/// A scale of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    /// The lowest.
    pub from: i64,
    /// The highest.
    pub to: i64,
    /// What the lowest means.
    pub low: String,
    /// What the highest means.
    pub high: String,
}

/// The questionnaires of these names.
pub(super) fn all<'a>(
    files: &StudyFiles,
    study: &str,
    names: impl Iterator<Item = &'a String>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, Questionnaire> {
    let mut all = BTreeMap::new();
    for name in names {
        if !all.contains_key(name) {
            let found = read(files, study, name, problems);
            all.insert(name.clone(), found);
        }
    }
    all.into_iter().filter_map(|(name, found)| Some((name, found?))).collect()
}

fn read(files: &StudyFiles, study: &str, name: &str, problems: &mut Vec<Problem>) -> Option<Questionnaire> {
    let path = format!("questionnaires/{name}.toml");
    let text = files.text_or_problem(&path, study, None, problems)?;
    let fields = toml(&files.shown(&path), &text).map_err(|problem| problems.push(problem)).ok()?;
    fields.only(&["title", "items", "about"], problems);
    let title = fields.required("title", "title = \"How it went\"", problems);
    let items = fields.fields.get("items").and_then(|field| field.value.as_array()).cloned().unwrap_or_default();
    if items.is_empty() || items.len() > ITEMS_MAX {
        wrong(&fields, format!("a questionnaire has 1 to {ITEMS_MAX} items"), problems);
    }
    let mut read = Vec::new();
    for (at, value) in items.iter().enumerate() {
        match item(value) {
            Ok(item) if read.iter().any(|other: &Item| other.id == item.id) => {
                wrong(&fields, format!("the item `{}` is there twice", item.id), problems);
            }
            Ok(item) => read.push(item),
            Err(why) => wrong(&fields, format!("item {}: {why}", at + 1), problems),
        }
    }
    Some(Questionnaire { name: name.to_owned(), title, items: read })
}

fn wrong(fields: &Fields, message: String, problems: &mut Vec<Problem>) {
    let hint = "write `[[items]]` with `id`, `text`, and for a scale `from`, `to`, `low`, `high`";
    problems.push(super::problem(fields, "items", "study.questionnaire", message, hint));
}

fn item(value: &Value) -> Result<Item, String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let number = |name: &str| value.get(name).map(|it| it.as_i64().ok_or(format!("`{name}` is no whole number")));
    let known = ["id", "text", "from", "to", "low", "high"];
    if let Some(other) = value.as_object().and_then(|it| it.keys().find(|name| !known.contains(&name.as_str()))) {
        return Err(format!("there is no field `{other}`"));
    }
    let id = text("id").ok_or("it has no `id`")?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !id.chars().all(plain) {
        return Err(format!("`{id}` is no name of a column: small letters, digits and `_`"));
    }
    let asked = text("text").ok_or("it has no `text`")?;
    let scale = match (number("from").transpose()?, number("to").transpose()?) {
        (None, None) => None,
        (Some(from), Some(to)) if from < to && to - from < POINTS_MAX => {
            let end = |name: &str| text(name).unwrap_or_default().to_owned();
            Some(Scale { from, to, low: end("low"), high: end("high") })
        }
        _ => return Err(format!("a scale goes from a number to a higher one, with {POINTS_MAX} points at the most")),
    };
    Ok(Item { id: id.to_owned(), text: asked.to_owned(), scale })
}
