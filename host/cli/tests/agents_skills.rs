//! Skills with parameters, called by name.

use serde_json::json;

use crate::support::team::Team;

#[test]
fn a_skill_is_asked_once_with_its_values_and_no_tools() {
    let team = Team::new();
    let call = team.scripted(&["/summarise", "a long {{length}} text", "length=short"], &json!(["A text."])).expect(0);
    assert_eq!(call.json()["output"], "A text.");
    let events = team.events(&call);
    let expected = "Sum up the following text. Length: short.\n\nText:\na long {{length}} text";
    assert_eq!(events[0]["input"], expected, "what stands in a value is no place");
    assert_eq!(events[0]["limits"]["max_turns"], 1);
    let prompt = events.iter().find(|it| it["type"] == "prompt.assembled").unwrap();
    assert_eq!(prompt["tools"], json!([]));
    let default = team.scripted(&["/summarise", "text"], &json!(["A text."])).expect(0);
    assert!(team.events(&default)[0]["input"].as_str().unwrap().contains("Length: medium."));
}

#[test]
fn a_skill_may_be_done_by_an_agent() {
    let team = Team::new();
    let call = team.scripted(&["/review", "src/auth", "focus=security and speed"], &json!(["Fine."])).expect(0);
    assert!(call.err.contains("Running /review using Senior Engineer. Starting."), "{}", call.err);
    let events = team.events(&call);
    assert_eq!(events[0]["agent"], "senior-engineer");
    assert_eq!(events[0]["input"], "Review src/auth.\n\nLook above all at: security and speed.");
}

#[test]
fn what_is_missing_or_of_the_wrong_type_is_told() {
    let team = Team::new();
    team.write(
        ".agent/skills/count.md",
        "---\nname: count\ndescription: Counts.\nparameters:\n  to: { type: number, required: true }\n---\nCount to {{to}}.\n",
    );
    for (arguments, part) in [
        (&["/summarise"][..], "`text` is missing; /summarise text=… [length=…]"),
        (&["/count", "to=many"], "`many` is no number for `to`"),
        (&["/count", "ten"], "is no value of a parameter"),
    ] {
        let error = team.run(&[arguments, &["--output", "json"]].concat()).expect(2).json();
        assert_eq!(error["error"]["code"], "skill.arguments");
        assert!(error["error"]["message"].as_str().unwrap().contains(part), "{error}");
    }
    let error = team.run(&["/sumarise", "x", "--output", "json"]).expect(2).json();
    assert_eq!(error["error"]["code"], "skill.unknown");
    assert!(error["error"]["hint"].as_str().unwrap().contains("did you mean `/summarise`?"), "{error}");
}
