//! The tool `check_answer`: whether a learner's answer is right, by `ta_maths` and not by a model.
//!
//! Start reading at [`check_answer`].

use serde_json::{Value, json};
use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_maths::expr::Angle;
use ta_maths::form::Form;
use ta_maths::judge::{Options, judge};
use ta_maths::same::{PLACES_MAX, Place};

const CHECK_ANSWER: &str = r#"{
    "type": "object", "required": ["question", "expected", "given"], "additionalProperties": false,
    "properties": {
        "question": { "type": "string", "description": "The question as the learner saw it" },
        "expected": { "type": "string", "description": "The right answer in plain text: 5*sqrt(3), x = 2 or x = -3, 12*tan(35°)" },
        "given": { "type": "string", "description": "What the learner wrote, letter for letter" },
        "options": {
            "type": "object", "additionalProperties": false, "description": "What is judged besides the value; what is left out is not judged",
            "properties": {
                "angle": { "type": "string", "enum": ["degrees", "radians"], "description": "What angles without a degree sign are measured in" },
                "round": {
                    "type": "object", "additionalProperties": false, "description": "Where the expected value is rounded: dp or sf",
                    "properties": {
                        "dp": { "type": "integer", "minimum": 0, "description": "Decimal places" },
                        "sf": { "type": "integer", "minimum": 1, "description": "Significant figures" }
                    }
                },
                "form": { "type": "string", "enum": ["exact", "simplified", "mixed", "decimal", "percent", "scientific", "ordered"] },
                "units": { "type": "string", "description": "The unit that the expected number is in, such as cm^2" }
            }
        }
    }
}"#;

ta_guest::tool!(definitions, call);

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "check_answer".into(),
        description:
            "Says whether a learner's answer to a question is right, wrong, or cannot be judged (undecided), and why, \
                      in a sentence for the learner that does not give the answer away. Numbers are compared exactly."
                .into(),
        input_schema: CHECK_ANSWER.into(),
        idempotent: true,
        only_reads: true,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "check_answer" => check_answer(call),
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is check_answer."))),
    }
}

fn check_answer(call: &ToolCall) -> Result<String, Failure> {
    let arguments = Arguments::parse(call, CHECK_ANSWER)?;
    // The schema has been checked; the nested options are read from the JSON itself.
    let whole: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    let options = options(whole.get("options").unwrap_or(&Value::Null))?;
    let text = |name: &str| arguments.text(name).unwrap_or_default();
    let found = judge(text("question"), text("expected"), text("given"), &options);
    Ok(json!({ "verdict": found.verdict.word(), "why": found.why }).to_string())
}

fn options(value: &Value) -> Result<Options, Failure> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let form = |word: &str| Form::named(&ta_guest::arguments::folded(word));
    Ok(Options {
        angle: text("angle").map(|angle| match ta_guest::arguments::folded(angle).as_str() {
            "radians" => Angle::Radians,
            _ => Angle::Degrees,
        }),
        round: round(value.get("round").unwrap_or(&Value::Null))?,
        form: text("form").and_then(form),
        units: text("units").map(str::to_owned).filter(|units| !units.trim().is_empty()),
    })
}

fn round(value: &Value) -> Result<Option<Place>, Failure> {
    let number = |name: &str| value.get(name).filter(|number| !number.is_null()).and_then(Value::as_f64);
    let places = |number: f64| {
        if number > f64::from(PLACES_MAX) {
            let message = format!("`options.round`: at most {PLACES_MAX} places, found {number}.");
            return Err(Failure::new("arguments", message));
        }
        Ok(number as u32)
    };
    match (number("dp"), number("sf")) {
        (Some(_), Some(_)) => Err(Failure::new(
            "arguments",
            "`options.round`: give dp or sf, not both: an answer is rounded to one place.",
        )),
        (Some(decimals), None) => Ok(Some(Place::Decimals(places(decimals)?))),
        (None, Some(figures)) => Ok(Some(Place::Figures(places(figures)?))),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use ta_guest::types::ToolCall;

    use super::check_answer;

    fn checked(arguments: Value) -> Result<Value, String> {
        let call = ToolCall { id: "1".into(), name: "check_answer".into(), arguments: arguments.to_string() };
        match check_answer(&call) {
            Ok(text) => Ok(serde_json::from_str(&text).unwrap()),
            Err(failure) => {
                assert_eq!(failure.code, "arguments");
                Err(failure.message)
            }
        }
    }

    fn verdict(expected: &str, given: &str, options: Value) -> String {
        let found =
            checked(json!({ "question": "", "expected": expected, "given": given, "options": options })).unwrap();
        assert!(!found["why"].as_str().unwrap().is_empty());
        found["verdict"].as_str().unwrap().to_owned()
    }

    #[test]
    fn options_are_obeyed() {
        for (expected, given, options, expected_verdict) in [
            ("12*tan(35)", "8.4", json!({"angle": "degrees", "round": {"dp": 1}}), "right"),
            ("12*tan(35)", "8.402", json!({"angle": "degrees", "round": {"dp": 1}}), "wrong"),
            ("12*tan(35)", "5.69", json!({"angle": "degrees", "round": {"dp": 2}}), "wrong"),
            ("5049", "5050", json!({"round": {"sf": 3}}), "right"),
            ("12", "12 cm^2", json!({"units": "cm^2"}), "right"),
            ("12", "12", json!({"units": "cm^2"}), "wrong"),
            ("1/2", "50%", json!({"form": "percent", "angle": null}), "right"),
            ("x = 2 or x = -3", "-3, 2", json!({}), "right"),
            ("5", "", json!({}), "undecided"),
        ] {
            assert_eq!(
                verdict(expected, given, options.clone()),
                expected_verdict,
                "{given} for {expected} with {options}"
            );
        }
    }

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        let of = |options: Value| checked(json!({ "question": "", "expected": "1", "given": "1", "options": options }));
        assert!(of(json!({"round": {"dp": 1, "sf": 2}})).unwrap_err().contains("not both"));
        assert!(of(json!({"round": {"dp": 1000}})).unwrap_err().contains("at most 30 places"));
        assert!(of(json!({"form": "nice"})).unwrap_err().contains("expected one of exact"));
        assert!(of(json!({"colour": "red"})).unwrap_err().contains("there is no such argument"));
        assert!(checked(json!({"question": "", "given": "1"})).unwrap_err().contains("`expected`: missing"));
    }
}
