//! What is drawn beside a message: a kind with its parameters, a caption, and the same in words.
//!
//! The page draws it, the validator reads it, the guard against leaking answers reads its labels; the JSON Schema that they
//! share is `schemas/visual.json` of the plugin.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value as Json, json};

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Visual {
    /// The kind with its parameters.
    #[serde(flatten)]
    pub tool: Tool,
    /// What stands below it.
    pub caption: String,
    /// The same in words, for somebody who does not see it.
    pub alternative: String,
}

/// The kinds of drawings, each with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "toolName", content = "parameters", rename_all = "camelCase")]
pub enum Tool {
    /// A triangle with a right angle at the second vertex.
    RightTriangle(RightTriangle),
    /// The circle of radius 1 with an angle.
    UnitCircle(UnitCircle),
    /// A line of numbers with marks on it.
    NumberLine(NumberLine),
    /// Bars cut into equal parts, some of them shaded.
    FractionBars(FractionBars),
    /// The graph of a straight line, or of a sine or cosine.
    FunctionGraph(FunctionGraph),
    /// A balance with something on each side.
    Balance(Balance),
}

/// A triangle with a right angle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RightTriangle {
    /// Its three corners, such as `ABC`; the right angle is at the second one.
    pub vertices: String,
    /// The corner whose angle is marked.
    pub angle_at: String,
    /// What stands at the marked angle; empty for nothing.
    #[serde(default, deserialize_with = "label")]
    pub angle: String,
    /// What stands at the side across from the marked angle; empty for nothing.
    #[serde(default, deserialize_with = "label")]
    pub opposite: String,
    /// What stands at the side beside the marked angle.
    #[serde(default, deserialize_with = "label")]
    pub adjacent: String,
    /// What stands at the longest side.
    #[serde(default, deserialize_with = "label")]
    pub hypotenuse: String,
    /// By how many degrees it is turned.
    #[serde(default)]
    pub turned: f64,
}

/// The circle of radius 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UnitCircle {
    /// The angle in degrees.
    pub angle: f64,
    /// Whether sine and cosine are drawn as lengths.
    #[serde(default)]
    pub lengths: bool,
}

/// A line of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NumberLine {
    /// The number at its left end.
    pub from: f64,
    /// The number at its right end.
    pub to: f64,
    /// Into how many equal parts it is cut.
    pub parts: f64,
    /// What is marked.
    #[serde(default)]
    pub marks: Vec<Mark>,
}

/// A mark on a line of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// What stands there.
    #[serde(deserialize_with = "label")]
    pub label: String,
}

/// Bars cut into equal parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FractionBars {
    /// The bars, from above.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// Equal parts.
    pub parts: f64,
    /// How many of them are shaded.
    pub shaded: f64,
    /// What stands beside it.
    #[serde(default, deserialize_with = "label")]
    pub label: String,
}

/// The graph of a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FunctionGraph {
    /// `line`, `sine` or `cosine`.
    pub function: Function,
    /// The factor: of a line its gradient.
    pub factor: f64,
    /// What is added: of a line where it crosses the vertical axis.
    #[serde(default)]
    pub constant: f64,
    /// Left end of what is shown.
    pub from: f64,
    /// Right end of what is shown.
    pub to: f64,
}

/// A function that can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Function {
    /// A straight line.
    Line,
    /// The sine of an angle in degrees.
    Sine,
    /// The cosine of an angle in degrees.
    Cosine,
}

/// A balance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// What lies on the left, such as `3x + 2`.
    #[serde(deserialize_with = "label")]
    pub left: String,
    /// What lies on the right.
    #[serde(deserialize_with = "label")]
    pub right: String,
}

/// A label: a text, or a number as it is written.
fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Json::deserialize(deserializer)? {
        Json::String(text) => Ok(text),
        Json::Number(number) => Ok(number.as_f64().map_or_else(|| number.to_string(), |value| value.to_string())),
        other => Err(D::Error::custom(format!("`{other}` is no label"))),
    }
}

impl Visual {
    /// Reads a drawing.
    ///
    /// # Errors
    /// A sentence, where there is no such kind or its parameters are other ones.
    pub fn read(
        tool_name: &str,
        parameters: &BTreeMap<String, Json>,
        caption: String,
        alternative: String,
    ) -> Result<Self, String> {
        let tool = json!({ "toolName": tool_name, "parameters": parameters });
        let tool = serde_json::from_value(tool).map_err(|error| format!("`{tool_name}` cannot be drawn: {error}"))?;
        if alternative.trim().is_empty() {
            return Err("a drawing needs its `alternative` in words".to_owned());
        }
        Ok(Self { tool, caption, alternative })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = include_str!("../../../../plugins/tutor-maths/schemas/visual.json");

    /// One of each kind, with every parameter.
    fn samples() -> Vec<Tool> {
        let text = || "x".to_owned();
        let mark = Mark { at: 0.5, label: text() };
        vec![
            Tool::RightTriangle(RightTriangle {
                vertices: "ABC".to_owned(),
                angle_at: "A".to_owned(),
                angle: text(),
                opposite: text(),
                adjacent: text(),
                hypotenuse: text(),
                turned: 90.0,
            }),
            Tool::UnitCircle(UnitCircle { angle: 30.0, lengths: true }),
            Tool::NumberLine(NumberLine { from: 0.0, to: 1.0, parts: 4.0, marks: vec![mark] }),
            Tool::FractionBars(FractionBars { bars: vec![Bar { parts: 4.0, shaded: 3.0, label: text() }] }),
            Tool::FunctionGraph(FunctionGraph {
                function: Function::Line,
                factor: 2.0,
                constant: 1.0,
                from: 0.0,
                to: 5.0,
            }),
            Tool::Balance(Balance { left: text(), right: text() }),
        ]
    }

    /// Every field of the value is one that the schema has, and every one that it requires is there.
    fn fits(schema: &Json, value: &Json) {
        if let (Some(known), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
            assert!(fields.keys().all(|name| known.contains_key(name)), "{value} has fields that {schema} has not");
            let required = schema["required"].as_array().unwrap();
            assert!(required.iter().all(|name| fields.contains_key(name.as_str().unwrap())), "{value}");
            fields.iter().for_each(|(name, value)| fits(&known[name], value));
        }
        if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
            values.iter().for_each(|value| fits(items, value));
        }
    }

    #[test]
    fn the_schema_has_every_kind_with_its_parameters() {
        let schema: Json = serde_json::from_str(SCHEMA).unwrap();
        let kinds = schema["oneOf"].as_array().unwrap();
        assert_eq!(kinds.len(), samples().len());
        for tool in samples() {
            let visual = Visual { tool, caption: "Below it".to_owned(), alternative: "In words".to_owned() };
            let value = serde_json::to_value(&visual).unwrap();
            let kind = kinds.iter().find(|kind| kind["properties"]["toolName"]["const"] == value["toolName"]).unwrap();
            fits(kind, &value);
            assert_eq!(serde_json::from_value::<Visual>(value).unwrap(), visual);
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        let read = |name: &str, parameters: Json, alternative: &str| {
            let parameters = serde_json::from_value(parameters).unwrap();
            Visual::read(name, &parameters, String::new(), alternative.to_owned())
        };
        let balance = read("balance", json!({ "left": "x", "right": 21.0 }), "a balance").unwrap().tool;
        assert_eq!(balance, Tool::Balance(Balance { left: "x".to_owned(), right: "21".to_owned() }));
        assert!(read("balance", json!({ "left": "x" }), "a balance").unwrap_err().contains("missing field `right`"));
        assert!(read("pyramid", json!({}), "a pyramid").unwrap_err().contains("`pyramid` cannot be drawn"));
        assert!(read("balance", json!({ "left": "x", "right": "2" }), " ").unwrap_err().contains("`alternative`"));
    }
}
