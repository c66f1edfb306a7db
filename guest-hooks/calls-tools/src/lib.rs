//! A hook that calls a tool, at pre-loop and at pre-tool, and refuses a tool by its name.
//!
//! It adds what the tool answered to the prompt, and notes it: an example of a guardrail that lets a tool look something
//! up. Its configuration says which tool: `tool`, `with` (the arguments as JSON), `times`; `guarded` (a tool on whose calls it
//! calls one as well); `refused` (a tool that it does not let pass). Start reading at [`looked_up`].

use ta_guest::{Context, config, config_or, pre_loop, pre_tool, tools};

ta_guest::pre_loop!(begin);
ta_guest::pre_tool!(guard);

/// What the configured tool answers, each time that it is called.
fn looked_up() -> Vec<String> {
    let Some(name) = config::get("tool") else { return Vec::new() };
    let with = config::get("with").unwrap_or_else(|| "{}".into());
    let answer = |_| match tools::call(&name, &with) {
        Ok(text) => text,
        Err(failure) => format!("{}: {}", failure.code, failure.message),
    };
    (0..config_or("times", 1)).map(answer).collect()
}

fn begin(_: &Context, _: &pre_loop::Event) -> pre_loop::Response {
    let answers = looked_up();
    if answers.is_empty() {
        return pre_loop::Response::pass();
    }
    let addition = |text: &String| pre_loop::Addition {
        title: "Looked up".into(),
        text: text.clone(),
        source: "calls-tools".into(),
    };
    let additions = answers.iter().map(addition).collect();
    let verdict = pre_loop::Verdict::Modify(pre_loop::Change { input: None, additions });
    pre_loop::Response::from(verdict).notes(answers)
}

fn guard(_: &Context, event: &pre_tool::Event) -> pre_tool::Response {
    if config::get("refused").as_deref() == Some(event.call.name.as_str()) {
        return pre_tool::Verdict::Refuse("it is not let pass".into()).into();
    }
    if config::get("guarded").as_deref() == Some(event.call.name.as_str()) {
        return pre_tool::Response::pass().notes(looked_up());
    }
    pre_tool::Response::pass()
}
