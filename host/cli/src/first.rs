//! The first argument where it is no verb and no `plugin:command`: a skill, an old name, or what somebody wants in their own words.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use ta_runtime::models::Asked;
use ta_runtime::project::layers::{model_of_capability, tiers};
use ta_runtime::project::routing::{Route, Routes, Tier};
use ta_runtime::project::{WORKBENCH, aliases};
use ta_runtime::surface::{nearest, visible};
use ta_runtime::{Host, RunRequest, RuntimeError};

use crate::args::{Args, Output};
use crate::commands::run_request;

/// Milliseconds of a minute.
const MINUTE_MS: u32 = 60_000;

/// The run that the words ask for; none where the first of them is a `plugin:command`, which is read elsewhere.
pub(crate) async fn request(host: &Host, args: &Args, first: &str) -> Result<Option<RunRequest>, RuntimeError> {
    if let Some(name) = first.strip_prefix('/') {
        return slash(host, args, name).await.map(Some);
    }
    let text = first.contains(char::is_whitespace) || after_dashes(first);
    if text {
        let words: Vec<&str> = std::iter::once(first).chain(further(args)).collect();
        return free(host, args, &words.join(" ")).await.map(Some);
    }
    if first.contains(':') || args.input.is_some() {
        return Ok(None);
    }
    Err(unknown_word(host, first))
}

/// Whether a word stands behind `--`, where it is text whatever it looks like.
fn after_dashes(word: &str) -> bool {
    let mut words = std::env::args().skip_while(|it| it != "--").skip(1);
    words.any(|it| it == word)
}

/// The words behind the first.
fn further(args: &Args) -> impl Iterator<Item = &str> {
    args.input.iter().chain(&args.words).map(String::as_str)
}

/// A skill, or an old name where the project understands those.
async fn slash(host: &Host, args: &Args, name: &str) -> Result<RunRequest, RuntimeError> {
    let routes = Routes::open(host)?;
    let words: Vec<String> = further(args).map(str::to_owned).collect();
    if let Some(skill) = routes.project.plugin.templates.get(name) {
        let values = skill.values(&words).map_err(|why| {
            let hint = format!("call it as {}", skill.usage());
            RuntimeError::usage("skill.arguments", format!("/{name}: {why}"), hint)
        })?;
        if let Some(agent) = &skill.agent {
            tell(&format!("Running /{name} using {}. Starting.", routes.project.agent_name(agent)));
        }
        let command = format!("{}{name}", ta_runtime::plugin::OF_SKILL);
        return run_request(args, WORKBENCH, &command, skill.asked(&values), None);
    }
    let old = format!("/{name}");
    if let Some(capability) = aliases::capability(&routes.project, &old) {
        let route = routes.named(&capability)?;
        tell(&format!("Alias: {old} → {capability}"));
        tell(&format!(
            "{old} is an old name and will go: say what you want in your own words, or use {WORKBENCH}:{capability}"
        ));
        tell(&route.narration);
        let text = if words.is_empty() { format!("Do a {capability}.") } else { words.join(" ") };
        return of_capability(host, args, &routes, &route, text);
    }
    let known: Vec<&str> = routes.project.plugin.templates.keys().map(String::as_str).collect();
    let near = nearest(name, &known).map(|near| format!("did you mean `/{near}`? ")).unwrap_or_default();
    let old = match aliases::is_known(&routes.project, &old) {
        true => "It is an old name: `compat_mode: true` in .agent/config.yaml lets those be used. ",
        false => "",
    };
    let list: Vec<String> = known.iter().map(|name| format!("/{name}")).collect();
    let hint = format!("{near}{old}The skills are: {}", list.join(", "));
    Err(RuntimeError::usage("skill.unknown", format!("there is no skill `/{name}`"), hint))
}

/// What somebody wants in their own words.
async fn free(host: &Host, args: &Args, text: &str) -> Result<RunRequest, RuntimeError> {
    let routes = Routes::open(host)?;
    let asked = args.run.model.asked();
    let route = routes.route(host, text, Some(&asked)).await;
    for notice in &route.notices {
        tell(&format!("note: {notice}"));
    }
    if route.tier == Tier::Unsure {
        confirmed(args, &routes, &route)?;
        let sure = routes.named(&route.capability)?;
        tell(&sure.narration);
    } else {
        tell(&route.narration);
    }
    of_capability(host, args, &routes, &route, text.to_owned())
}

/// A line for the person, whatever is printed for programs.
fn tell(line: &str) {
    anstream::eprintln!("{}", visible(line));
}

/// The best guess is asked about, never taken: at the terminal, or by who answers all questions alike.
fn confirmed(args: &Args, routes: &Routes, route: &Route) -> Result<(), RuntimeError> {
    let name = &route.capability;
    let unsure = || {
        let place = routes.capability(name).map_or(WORKBENCH, |it| it.plugin.as_str());
        let message = format!("it is not clear what this is for. {}", route.narration);
        let hint =
            format!("say it in other words, or name it: teacher-assist {place}:{name} \"…\"; `routes` lists all");
        RuntimeError::usage("route.unsure", message, hint)
    };
    let yes = match args.places.answers.as_deref() {
        Some(answers) => answers == "accept",
        None if args.places.output == Output::Text && std::io::stdin().is_terminal() => {
            anstream::eprint!("{} Go on with that? [y/N] ", visible(&route.narration));
            let _ = std::io::stderr().flush();
            let mut line = String::new();
            let _ = std::io::stdin().lock().read_line(&mut line);
            ["y", "yes"].contains(&line.trim().to_lowercase().as_str())
        }
        None => false,
    };
    if yes { Ok(()) } else { Err(unsure()) }
}

/// A run of a capability, within what its layers say where the command line says nothing.
fn of_capability(
    host: &Host,
    args: &Args,
    routes: &Routes,
    route: &Route,
    text: String,
) -> Result<RunRequest, RuntimeError> {
    let Some(capability) = routes.capability(&route.capability) else {
        return Err(routes.named(&route.capability).err().unwrap_or_else(|| {
            RuntimeError::usage("capability.unknown", "there is no such capability", "`routes` lists them")
        }));
    };
    let mut request = run_request(args, &capability.plugin, &route.capability, text, None)?;
    request.max_turns = request.max_turns.or(capability.max_turns.as_ref().map(|it| it.value));
    let minutes = capability.timeout_ms.as_ref().map(|it| it.value.div_ceil(MINUTE_MS));
    request.max_minutes = request.max_minutes.or(minutes);
    if request.asked.provider.is_none() && request.asked.model.is_none() {
        let chosen = model_of_capability(&tiers(&host.grants()?.models), capability);
        if let Some((provider, model)) = chosen {
            request.asked = Asked { provider: Some(provider), model: Some(model), ..request.asked };
        }
    }
    Ok(request)
}

fn unknown_word(host: &Host, word: &str) -> RuntimeError {
    use clap::CommandFactory as _;
    let command = Args::command();
    let verbs = command.get_subcommands().filter(|it| !it.is_hide_set()).map(|it| it.get_name().to_owned());
    let skills = Routes::open(host).map(|routes| routes.project.plugin.templates.keys().cloned().collect::<Vec<_>>());
    let skills = skills.unwrap_or_default().into_iter().map(|name| format!("/{name}"));
    let known: Vec<String> = verbs.chain(skills).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let near = nearest(word, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let hint = format!(
        "{near}say which command: teacher-assist lesson-planning:create-lesson \"iteration for 3B\"; --list shows them; \
         one word as a request stands behind `--`"
    );
    RuntimeError::usage("command.form", format!("`{word}` is no command"), hint)
}
