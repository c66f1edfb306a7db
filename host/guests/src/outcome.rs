//! What a call came to, as a case keeps it: without what differs from one machine or build to the next.

use serde_json::Value;
use similar::TextDiff;
use ta_runtime::hook_run::HookReport;
use ta_runtime::tool_run::ToolReport;

/// What depends on the machine, the build or the moment.
const LEFT_OUT: [&str; 3] = ["elapsed_us", "fuel", "sha256"];

/// What a hook said.
#[must_use]
pub fn of_hook(report: &HookReport) -> Value {
    kept(serde_json::to_value(report).unwrap_or_default())
}

/// What a tool answered.
#[must_use]
pub fn of_tool(report: &ToolReport) -> Value {
    let mut value = serde_json::to_value(report).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        // The same once more, taken apart.
        fields.remove("json");
    }
    kept(value)
}

fn kept(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        LEFT_OUT.into_iter().for_each(|name| drop(fields.remove(name)));
    }
    without_empty(value)
}

/// The same without fields that say nothing, so that a case names what counts.
#[must_use]
pub fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let said =
                |(name, value): (String, Value)| Some((name, without_empty(value))).filter(|(_, it)| !is_empty(it));
            Value::Object(fields.into_iter().filter_map(said).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(without_empty).collect()),
        plain => plain,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
    }
}

/// What differs, line by line as a person reads it; none where it is the same.
#[must_use]
pub fn difference(expected: &Value, found: &Value) -> Option<String> {
    if expected == found {
        return None;
    }
    let [expected, found] = [expected, found].map(|value| format!("{value:#}\n"));
    let difference = TextDiff::from_lines(&expected, &found);
    Some(difference.unified_diff().header("expected", "found").to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_says_nothing_is_left_out_and_a_difference_names_both() {
        let value =
            without_empty(json!({ "verdict": "pass", "code": null, "findings": [], "declined": false, "line": 0 }));
        assert_eq!(value, json!({ "verdict": "pass", "line": 0 }));
        assert_eq!(difference(&value, &value), None);
        let said = difference(&value, &json!({ "verdict": "abort", "line": 0 })).unwrap();
        assert!(said.contains("-  \"verdict\": \"pass\"") && said.contains("+  \"verdict\": \"abort\""), "{said}");
    }
}
