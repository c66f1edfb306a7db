//! Templates of skills: `{{name}}` and `{{name | "default"}}`.
//!
//! What is put in is data: a value that looks like a place is text, and nothing in it is put in again.

use std::collections::BTreeMap;

use ta_fields::fields::nearest;

/// A template, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Place { name: String, default: Option<String> },
}

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

impl Template {
    /// Takes a text apart. Places name parameters; these are all that there are.
    ///
    /// # Errors
    /// What is wrong, each with its line in the text, counted from 1: a place that does not end, that names no parameter, or whose
    /// default is not in quotes.
    pub fn read(text: &str, parameters: &[&str]) -> Result<Self, Vec<(usize, String)>> {
        let (mut pieces, mut wrong, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((before, from)) = rest.split_once(OPEN) {
            pieces.push(Piece::Text(before.to_owned()));
            let line = text.len() - from.len();
            let line = text.get(..line).unwrap_or_default().matches('\n').count() + 1;
            let Some((inside, behind)) = from.split_once(CLOSE).filter(|(inside, _)| !inside.contains('\n')) else {
                wrong.push((line, "a place that begins with `{{` does not end with `}}` in its line".to_owned()));
                rest = "";
                break;
            };
            match place(inside, parameters) {
                Ok(place) => pieces.push(place),
                Err(why) => wrong.push((line, why)),
            }
            rest = behind;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        if wrong.is_empty() { Ok(Self { pieces }) } else { Err(wrong) }
    }

    /// The text with these values in their places. A place without a value has its default, or nothing.
    #[must_use]
    pub fn fill(&self, values: &BTreeMap<String, String>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Place { name, default } => {
                    text.push_str(values.get(name).or(default.as_ref()).map(String::as_str).unwrap_or_default());
                }
            }
        }
        text
    }

    /// Names of the places.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Place { name, .. } => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

fn place(inside: &str, parameters: &[&str]) -> Result<Piece, String> {
    let (name, default) = match inside.split_once('|') {
        None => (inside.trim(), None),
        Some((name, default)) => (name.trim(), Some(default.trim())),
    };
    if !parameters.contains(&name) {
        let near = nearest(name, parameters).map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("the template names `{name}`, which is no parameter{near}"));
    }
    let quoted = |text: &str| text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).map(str::to_owned);
    let default = match default.map(|text| quoted(text).filter(|_| text.len() > 1)) {
        None => None,
        Some(Some(default)) => Some(default),
        Some(None) => {
            return Err(format!("the default of `{name}` is not in quotes: write {{{{{name} | \"medium\"}}}}"));
        }
    };
    Ok(Piece::Place { name: name.to_owned(), default })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, values: &[(&str, &str)]) -> String {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Template::read(text, &["text", "length"]).unwrap().fill(&values)
    }

    #[test]
    fn values_and_defaults() {
        let text = "Length: {{length | \"medium\"}}.\n\n{{ text }}!";
        assert_eq!(filled(text, &[("text", "a")]), "Length: medium.\n\na!");
        assert_eq!(filled(text, &[("text", "a"), ("length", "short")]), "Length: short.\n\na!");
        assert_eq!(filled("{{text}} } {", &[]), " } {");
    }

    #[test]
    fn a_value_is_data() {
        assert_eq!(filled("{{text}}{{length}}", &[("text", "{{length}}"), ("length", "x")]), "{{length}}x");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = Template::read("a\n{{txt}}\n{{length | medium}}\n{{open", &["text", "length"]).unwrap_err();
        let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 4]);
        assert!(wrong[0].1.contains("did you mean `text`?"), "{wrong:?}");
    }
}
