//! Subagents and handoffs through the binary: the plugin's own agents, and a scripted model.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Call, Home, plugins};

const REVIEWER: &str = "---\nname: reviewer\ndescription: Reads a draft as a colleague would.\nmodel: m\nprovider: offline\n\
                        tools: [read_file]\nhooks: [privacy]\n---\n\nRead the draft.\n";
const MAKER: &str = "---\nname: maker\ndescription: Makes worksheets.\nmodel: m\nprovider: offline\ntools: [read_file]\n\
                     hooks: [privacy, teacher-adjudication]\nhandoffs: [planner]\n---\n\nMake a worksheet.\n";
const LESSON: &str = "# Iteration\n\n## Starter (10 min)\n\nThree questions on variables.\n\n## Main activities (40 min)\n\nTrace the \
                      loop on paper.\n";
pub(crate) const REVIEW: &str =
    "Sound.\n\n## Decisions\n- Shorten the starter.\n\n## Constraints\n- Keep the paper.\n\n## Open questions\nnone\n";

/// The shipped plugin with a planner that may give work to two more agents, and no hooks that ask.
pub(crate) fn home() -> Home {
    let home = Home::new();
    let plugin = home.path("plugins/lesson-planning");
    support::copy(&plugins().join("lesson-planning"), &plugin);
    let planner = std::fs::read_to_string(plugin.join("agents/planner.md")).unwrap();
    let line = |name: &str, value: &str, text: String| -> String {
        let mut lines: Vec<String> =
            text.lines().filter(|line| !line.starts_with(&format!("{name}:"))).map(str::to_owned).collect();
        lines.insert(1, format!("{name}: {value}"));
        lines.join("\n") + "\n"
    };
    let planner = line("hooks", "[scope-check, privacy]", planner);
    let planner = line("subagents", "[reviewer]", planner);
    let planner = line("handoffs", "[maker]", planner);
    std::fs::write(plugin.join("agents/planner.md"), planner).unwrap();
    std::fs::write(plugin.join("agents/reviewer.md"), REVIEWER).unwrap();
    std::fs::write(plugin.join("agents/maker.md"), MAKER).unwrap();
    home
}

pub(crate) fn run(home: &Home, script: &Value, more: &[&str]) -> Call {
    let script = home.write("script.json", &script.to_string()).display().to_string();
    let mut arguments =
        vec![CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--output", "json"];
    arguments.extend(more);
    let plugins = home.path("plugins");
    Call::of(&home.command(&arguments).env("TEACHER_ASSIST_PLUGINS", plugins).output().unwrap())
}

fn session(call: &Call) -> String {
    call.json()["session"].as_str().unwrap().to_owned()
}

pub(crate) fn spawn() -> Value {
    json!({ "name": "spawn_subagent", "arguments": {
        "agent": "reviewer", "task": "Review the draft.", "decisions": ["50 minutes"], "constraints": [], "context": LESSON } })
}

fn transfer(to: &str) -> Value {
    json!({ "name": format!("transfer_to_{to}"), "arguments": {
        "reason": "a worksheet is wanted", "decisions": ["3B"], "constraints": ["one page"], "open_questions": [] } })
}

fn spans(home: &Home, session: &str) -> Vec<Value> {
    let trace = home.run(&["--trace", session, "--output", "json"]).expect(0).json();
    trace["spans"].as_array().unwrap().clone()
}

#[test]
fn a_subagent_reviews_and_the_trace_shows_its_work_below_its_own_span() {
    let home = home();
    let script = json!({
        "answers": [
            { "calls": [spawn()], "usage": { "input_tokens": 100, "output_tokens": 10 }, "cost_usd": 0.01 },
            { "text": LESSON, "when": "Shorten the starter.", "usage": { "input_tokens": 200, "output_tokens": 20 }, "cost_usd": 0.02 },
        ],
        "agents": { "reviewer": [
            { "calls": [{ "name": "read_file", "arguments": { "path": "classes/3B.md" } }], "when": "Review the draft.",
              "usage": { "input_tokens": 10, "output_tokens": 1 }, "cost_usd": 0.04 },
            { "text": REVIEW, "when": "3B", "usage": { "input_tokens": 10, "output_tokens": 1 }, "cost_usd": 0.05 },
        ] },
    });
    let call = run(&home, &script, &[]).expect(0);
    let end = call.json();
    assert_eq!(end["status"], "success", "{end}");
    assert!((end["cost_usd"].as_f64().unwrap() - 0.12).abs() < 1e-9, "one ledger: {end}");
    let spans = spans(&home, &session(&call));
    let start = spans.iter().find(|span| span["kind"] == "subagent-start").unwrap();
    let below: Vec<&Value> = spans.iter().filter(|span| span["parent"] == start["seq"]).collect();
    let kinds: Vec<&str> = below.iter().map(|span| span["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"prompt") && kinds.contains(&"model") && kinds.contains(&"tool"), "{kinds:?}");
    // The subagent's own guardrail stood before its first turn and before its tool.
    assert!(below.iter().any(|span| span["kind"] == "hook" && span["name"] == "privacy"), "{kinds:?}");
    assert!(below.iter().all(|span| span["agent"] == "reviewer"));
    let back = spans.iter().find(|span| span["kind"] == "subagent").unwrap();
    assert_eq!(back["attributes"]["summary"]["decisions"], json!(["Shorten the starter."]));
    // It replays, and nobody is asked anything.
    let replay = home.run(&["replay", &session(&call)]).expect(0);
    assert!(replay.out.starts_with("the same"), "{}", replay.out);
}

#[test]
fn a_subagents_answer_that_was_cut_off_or_declined_comes_back_as_a_failure() {
    let half = "Sound.\n\n## Decisions\n- Shorten the star";
    let cut = json!({ "text": half, "stop": "length" });
    let refused = json!({ "text": half, "stop": "refusal" });
    for (reviewer, status) in [
        (json!([cut, cut]), "error_max_output"),
        (json!([refused]), "error_refusal"),
        (json!([cut, { "text": REVIEW }]), "success"),
    ] {
        let home = home();
        let script =
            json!({ "answers": [{ "calls": [spawn()] }, { "text": LESSON }], "agents": { "reviewer": reviewer } });
        let call = run(&home, &script, &[]).expect(0);
        let events = home.events(&session(&call));
        let back = events.iter().find(|event| event["type"] == "subagent.finished").unwrap();
        assert_eq!(back["status"], status, "{back}");
        assert_eq!(back["summary"].is_null(), status != "success", "nothing of what was cut comes back: {back}");
        let told = back["text"].as_str().unwrap();
        assert_eq!(told.contains(&format!("ended with {status}")), status != "success", "{told}");
        let replay = home.run(&["replay", &session(&call)]).expect(0);
        assert!(replay.out.starts_with("the same"), "{}", replay.out);
    }
}

#[test]
fn one_agent_and_several_on_the_same_input() {
    let home = home();
    let script = json!({ "answers": [{ "calls": [spawn(), transfer("maker")] }, { "text": LESSON }], "agents": {
        "reviewer": [{ "text": REVIEW }] } });
    let alone = run(&home, &script, &["--single-agent"]).expect(0);
    let events = home.events(&session(&alone));
    assert!(!events.iter().any(|event| event["type"].as_str().unwrap().starts_with("subagent")));
    let offered = events.iter().find(|event| event["type"] == "prompt.assembled").unwrap()["tools"].to_string();
    assert!(!offered.contains("spawn_subagent") && !offered.contains("transfer_to"), "{offered}");
    let several = run(&home, &script, &["--answers", "accept"]).expect(0);
    let kinds: Vec<String> =
        home.events(&session(&several)).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect();
    for kind in ["subagent.started", "subagent.finished", "handoff.made"] {
        assert!(kinds.iter().any(|it| it == kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn a_handoff_changes_agent_prompt_tools_and_hooks_and_goes_on_in_another_process() {
    let home = home();
    let script = json!({ "answers": [
        { "calls": [transfer("maker")] },
        { "calls": [{ "name": "read_file", "arguments": { "path": "classes/3B.md" } }], "when": "a worksheet is wanted" },
        { "text": "# Worksheet\n\n## Tasks\n\n1. Trace it.\n" },
    ] });
    // The maker's own hook asks about the sections: nobody is there.
    let parked = run(&home, &script, &[]).expect(3);
    let session = session(&parked);
    let mut resume = home.command(&["--resume", &session, "--output", "json", "--answers", "accept"]);
    let end = Call::of(&resume.env("TEACHER_ASSIST_PLUGINS", home.path("plugins")).output().unwrap()).expect(0);
    assert_eq!(end.json()["status"], "success");
    let events = home.events(&session);
    let prompts: Vec<&Value> = events.iter().filter(|event| event["type"] == "prompt.assembled").collect();
    assert_eq!(prompts.len(), 2);
    assert!(prompts[1]["system"].as_str().unwrap().contains(" name=\"maker\">"));
    let tools = prompts[1]["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    assert_eq!(tools.collect::<Vec<_>>(), ["read_file", "transfer_to_planner"]);
    let mut after = events.iter().skip_while(|event| event["type"] != "handoff.made");
    assert!(after.any(|event| event["hook"] == "privacy" && event["context"]["agent"] == "maker"));
    let replay = home.run(&["replay", &session]).expect(0);
    assert!(replay.out.starts_with("the same"), "{}", replay.out);
}

#[test]
fn an_agent_that_is_not_there_is_a_problem_of_the_file() {
    let home = home();
    let file = home.path("plugins/lesson-planning/agents/maker.md");
    std::fs::write(&file, MAKER.replace("handoffs: [planner]", "subagents: [reviwer]")).unwrap();
    let call =
        Call::of(&home.command(&["validate"]).env("TEACHER_ASSIST_PLUGINS", home.path("plugins")).output().unwrap());
    assert!(
        call.code != 0 && (call.out.clone() + &call.err).contains("did you mean `reviewer`?"),
        "{}{}",
        call.out,
        call.err
    );
}
