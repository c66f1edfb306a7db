//! A project's own agents: written to begin with, their configuration, routes and checks shown.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde_json::json;
use ta_runtime::models::Asked;
use ta_runtime::project::check::Checked;
use ta_runtime::project::routing::{Routes, SignalLine};
use ta_runtime::project::{DIRECTORY, show};
use ta_runtime::surface::visible;
use ta_runtime::{Host, RuntimeError};

use crate::args::{Args, ConfigSub, Output, Sub};
use crate::commands::print_json;
use crate::exit::{self, Code};
use crate::out::outln;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// What `new` writes, below the directory.
const FILES: [(&str, &str); 4] = [
    ("config.yaml", include_str!("project/config.yaml")),
    ("agents/changelog-writer.md", include_str!("project/changelog-writer.md")),
    ("skills/summarise.md", include_str!("project/summarise.md")),
    ("signals/changelog.yaml", include_str!("project/changelog.yaml")),
];

/// What is asked about agents of somebody's own; nothing for any other verb.
pub(crate) async fn run(host: &Host, args: &Args) -> Result<Code, RuntimeError> {
    let output = args.places.output;
    let Some(what) = &args.subcommand else { return Ok(exit::SUCCESS) };
    match what {
        Sub::New { directory } => new(directory),
        Sub::Routes => routes(host, output),
        Sub::Route { text, no_model, model } => {
            let asked = (!no_model).then(|| model.asked());
            route(host, text, asked.as_ref(), output).await
        }
        Sub::Config { action: ConfigSub::Show { origin } } => config(host, *origin, output),
        _ => Ok(exit::SUCCESS),
    }
}

/// Writes agents to begin with. Nothing is overwritten.
fn new(directory: &Path) -> Result<Code, RuntimeError> {
    let own = directory.join(DIRECTORY);
    if own.exists() {
        let message = format!("{} exists already", own.display());
        return Err(RuntimeError::usage("project.exists", message, "give another directory; nothing is overwritten"));
    }
    for (name, text) in FILES {
        let path = own.join(name);
        let parent = path.parent().unwrap_or(&own);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            RuntimeError::environment("path.io", message, "look at the disk: space, rights")
        })?;
        outln!("wrote {}", path.display());
    }
    outln!("next: cd {} && teacher-assist validate", directory.display());
    Ok(exit::SUCCESS)
}

/// The routing table.
fn routes(host: &Host, output: Output) -> Result<Code, RuntimeError> {
    let routes = Routes::open(host)?;
    if output == Output::Text {
        for (name, capability) in &routes.project.capabilities {
            let who = routes.project.agent_name(&capability.agent.value);
            let instead = capability.instead_of.as_ref().map(|it| format!(", for want of `{it}`")).unwrap_or_default();
            outln!("{BOLD}{name}{BOLD:#} → {GREEN}{}{GREEN:#} ({}{instead})", visible(&who), capability.plugin);
            outln!("  {}", visible(&capability.description));
            for line in routes.table().iter().filter(|line| line.capability == *name) {
                signal(line);
            }
        }
    } else {
        print_json(&json!({ "routes": routes.table(), "capabilities": routes.project.capabilities }));
    }
    Ok(exit::SUCCESS)
}

fn signal(line: &SignalLine) {
    let pattern = line.pattern.as_ref().map(|it| format!("/{it}/"));
    let words: Vec<String> = pattern.into_iter().chain(line.keywords.iter().cloned()).collect();
    let place = visible(&format!("{}:{}", line.file, line.line));
    outln!("    {:.2}  {}  {DIM}{place}{DIM:#}", line.confidence, visible(&words.join(", ")));
}

/// Where a request would go.
async fn route(host: &Host, text: &str, asked: Option<&Asked>, output: Output) -> Result<Code, RuntimeError> {
    let route = Routes::open(host)?.route(host, text, asked).await;
    for notice in &route.notices {
        anstream::eprintln!("note: {}", visible(notice));
    }
    if output == Output::Text {
        outln!("{}", visible(&route.narration));
        outln!("{DIM}{} → {}, confidence {:.2}{DIM:#}", route.capability, route.agent, route.confidence);
    } else {
        print_json(&route);
    }
    Ok(exit::SUCCESS)
}

/// Every value of the configuration.
fn config(host: &Host, origin: bool, output: Output) -> Result<Code, RuntimeError> {
    let values = show::values(host)?;
    if output != Output::Text {
        print_json(&values);
        return Ok(exit::SUCCESS);
    }
    for it in values {
        let from = if origin { format!("  {DIM}{}{DIM:#}", visible(&it.origin)) } else { String::new() };
        outln!("{BOLD}{}{BOLD:#} = {}{from}", it.key, visible(&it.value.to_string()));
    }
    Ok(exit::SUCCESS)
}

/// The seven checks, a line each; with `verbose` the tables that they looked at.
pub(crate) fn checks(checked: &Checked, verbose: bool) {
    for check in &checked.checks {
        let style = match check.status {
            "passed" => GREEN,
            "warning" => YELLOW,
            _ => RED,
        };
        outln!("{style}{:<8}{style:#} {}", check.status, check.id);
        for finding in &check.findings {
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            let text = format!("{}{line}: {} [{}]", finding.file, finding.message, finding.code);
            outln!("           {}\n           {DIM}{}{DIM:#}", visible(&text), visible(&finding.hint));
        }
    }
    if !verbose {
        return;
    }
    outln!("{BOLD}capabilities{BOLD:#}");
    for (name, it) in &checked.capabilities {
        outln!("  {name:<28} {}  {DIM}{}{DIM:#}", it.agent.value, visible(&it.agent.file));
    }
    outln!("{BOLD}routes{BOLD:#}");
    for line in &checked.routes {
        outln!("  {}", line.capability);
        signal(line);
    }
}
