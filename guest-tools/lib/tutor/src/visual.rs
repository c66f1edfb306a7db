//! What is drawn beside a message: a kind with its parameters, a caption, and the same in words.
//!
//! The page draws it, the validator reads it, the guard against leaking answers reads its labels; the JSON Schema that they
//! share is `schemas/visual.json` of the plugin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
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
    #[serde(default)]
    pub angle: String,
    /// What stands at the side across from the marked angle; empty for nothing.
    #[serde(default)]
    pub opposite: String,
    /// What stands at the side beside the marked angle.
    #[serde(default)]
    pub adjacent: String,
    /// What stands at the longest side.
    #[serde(default)]
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
    #[serde(default)]
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
    pub left: String,
    /// What lies on the right.
    pub right: String,
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
