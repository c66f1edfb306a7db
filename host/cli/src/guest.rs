//! `guest`: the commands of who writes guests. Each is one call, then what came of it is printed.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use ta_guests::cases::{self, Ran, Verdict};
use ta_guests::project::Project;
use ta_guests::trial::{self, Around, Call, Done};
use ta_guests::{Language, add, build, doctor, files, junit, new, record};
use ta_runtime::surface::visible;
use ta_runtime::{Host, RuntimeError};

use crate::args::{GuestSub, Output, Places};
use crate::commands::{print_json, read_event};
use crate::exit::{self, Code};
use crate::out::outln;

type Result<T> = std::result::Result<T, RuntimeError>;

const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const DIM: Style = Style::new().dimmed();

/// Microseconds of a millisecond, bytes of a KiB.
const MILLISECOND_US: u64 = 1_000;
const KIB: u64 = 1_024;

pub(crate) async fn run(host: &Host, action: &GuestSub, places: &Places) -> Result<Code> {
    let (here, output) = (Path::new("."), places.output);
    match action {
        GuestSub::New { name, point, language } => {
            let exported = point.parse().map_err(|why: String| usage("point.unknown", why))?;
            let begun = new::begin(Path::new(name), name, exported, self::language(language)?)?;
            print_new(&begun, output);
            Ok(exit::SUCCESS)
        }
        GuestSub::Build => {
            let built = build::build(host, &Project::open(here)?)?;
            print_built(&built, output);
            Ok(exit::SUCCESS)
        }
        GuestSub::Test { cases: names, accept, junit } => {
            let project = Project::open(here)?;
            let all = cases::run(host, &project, names, *accept).await?;
            print_cases(&project, &all, junit.as_deref(), output)?;
            Ok(if all.iter().all(Ran::is_good) { exit::SUCCESS } else { exit::CONFIGURATION })
        }
        GuestSub::Run { event, world } => {
            let project = Project::open(here)?;
            let around = world.as_deref().map(cases::json::<Around>).transpose()?.flatten().unwrap_or_default();
            let workspace = places.workspace.clone();
            let call = Call { event: read_event(event)?, around, workspace, memory: None };
            let done = trial::call(host, &project, &project.component(), &call).await?;
            print_done(&done, output);
            let waits = done.outcome.get("question").is_some();
            Ok(if waits { exit::PARKED } else { exit::SUCCESS })
        }
        GuestSub::Add { component, plugin, name } => {
            let added = add::add(host, add::Wanted { component, plugin, name: name.as_deref() })?;
            print_added(&added, output);
            Ok(exit::SUCCESS)
        }
        GuestSub::Doctor { language: named } => {
            let own = Project::open(here).ok().map(|project| project.language);
            let languages = match (named, own) {
                (Some(name), _) => vec![language(name)?],
                (None, Some(own)) => vec![own],
                (None, None) => Language::ALL.to_vec(),
            };
            let found = doctor::look(&languages, here);
            print_tools(&found, output);
            Ok(if found.iter().all(|it| it.complete) { exit::SUCCESS } else { exit::CONFIGURATION })
        }
        GuestSub::Record { run, hook, into, scrub } => {
            let recorded = record::record(host, run, hook, into, scrub).await?;
            print_recorded(&recorded, output);
            Ok(exit::SUCCESS)
        }
    }
}

fn usage(code: &str, why: String) -> RuntimeError {
    RuntimeError::usage(code, why, "--help shows what there is")
}

fn language(name: &str) -> Result<Language> {
    name.parse().map_err(|why| usage("guest.language", why))
}

fn print_new(begun: &new::Begun, output: Output) {
    if output != Output::Text {
        return print_json(begun);
    }
    outln!("{GREEN}begun{GREEN:#} {} with the contract {}", begun.directory.display(), begun.contract.version);
    begun.files.iter().for_each(|file| outln!("  {file}"));
    outln!("{DIM}next:{DIM:#}");
    begun.next.iter().for_each(|line| outln!("  {line}"));
}

fn print_built(built: &build::Built, output: Output) {
    if output != Output::Text {
        return print_json(built);
    }
    outln!("{GREEN}built{GREEN:#} {}, {} bytes", built.component.display(), built.bytes);
    outln!("  sha256  {}", built.sha256);
    outln!("  exports {}", built.exports.join(", "));
    outln!("  needs   {}", if built.needs.is_empty() { "nothing".to_owned() } else { built.needs.join(", ") });
    if !built.foreign.is_empty() {
        outln!("  {DIM}beside that, called by nobody: {}{DIM:#}", visible(&built.foreign.join(", ")));
    }
}

fn print_cases(project: &Project, all: &[Ran], junit: Option<&Path>, output: Output) -> Result<()> {
    if let Some(path) = junit {
        let xml = junit::of(&project.name, all);
        if path == Path::new("-") {
            outln!("{}", xml.trim_end());
            return Ok(());
        }
        files::write(path, xml.as_bytes())?;
    }
    if output != Output::Text {
        all.iter().for_each(print_json);
        return Ok(());
    }
    for ran in all {
        let (style, word) = match ran.verdict {
            Verdict::Passed => (GREEN, "pass"),
            Verdict::Accepted => (YELLOW, "new "),
            Verdict::Failed => (RED, "FAIL"),
            Verdict::Refused => (RED, "NOT "),
        };
        outln!(
            "{style}{word}{style:#} {}  {DIM}{}{DIM:#}",
            visible(&ran.name),
            ran.call.as_ref().map(used).unwrap_or_default()
        );
        if let (Some(why), false) = (&ran.why, ran.is_good()) {
            visible(why).lines().for_each(|line| outln!("     {line}"));
        }
    }
    let good = all.iter().filter(|ran| ran.is_good()).count();
    let style = if good == all.len() { GREEN } else { RED };
    outln!("{style}{good} of {} cases{style:#}", all.len());
    Ok(())
}

/// Time, fuel and memory, each beside its limit.
fn used(done: &Done) -> String {
    format!(
        "{}.{:03} of {} ms, {} of {} fuel, {} of {} KiB",
        done.elapsed_us / MILLISECOND_US,
        done.elapsed_us % MILLISECOND_US,
        done.cpu_ms_max,
        done.fuel,
        done.fuel_max,
        done.memory_bytes / KIB,
        done.memory_bytes_max / KIB
    )
}

fn print_done(done: &Done, output: Output) {
    if output != Output::Text {
        return print_json(done);
    }
    outln!("{}", visible(&format!("{:#}", done.outcome)));
    outln!("{DIM}{}{DIM:#}", used(done));
}

fn print_added(added: &add::Added, output: Output) {
    if output != Output::Text {
        return print_json(added);
    }
    if let Some(directory) = &added.copied {
        outln!("{DIM}copied the plugin from the binary to {}{DIM:#}", directory.display());
    }
    outln!("{GREEN}added{GREEN:#} {} to {}", added.component, added.manifest.display());
    outln!("  runs at {}", added.runs_at.join(", "));
    outln!("  sha256  {}", added.sha256);
    if let Some(before) = &added.replaced {
        outln!("  {DIM}in the place of {before}{DIM:#}");
    }
    match &added.grant {
        Some(lines) => {
            outln!(
                "{YELLOW}not granted yet{YELLOW:#}; the operator writes into teacher-assist.toml beside the workspace:\n"
            );
            lines.lines().for_each(|line| outln!("{line}"));
            outln!("");
        }
        None => outln!("  {DIM}all that it asks for is granted{DIM:#}"),
    }
    outln!("{}", added.next);
}

fn print_tools(all: &[doctor::Tools], output: Output) {
    if output != Output::Text {
        return print_json(&all);
    }
    for found in all {
        let (style, word) = if found.complete { (GREEN, "ready") } else { (RED, "not ready") };
        outln!("{style}{}: {word}{style:#}", found.language);
        for tool in &found.tools {
            let version = tool.found.as_deref().unwrap_or("not found");
            let needed = tool.needed.as_ref().map(|it| format!(", {it} or newer is needed")).unwrap_or_default();
            match tool.good {
                true => outln!("  {GREEN}✓{GREEN:#} {:<24} {DIM}{}{DIM:#}", tool.name, visible(version)),
                false => outln!("  {RED}✗{RED:#} {:<24} {}{needed}: {}", tool.name, visible(version), tool.install),
            }
        }
    }
}

fn print_recorded(all: &[record::Recorded], output: Output) {
    if output != Output::Text {
        return print_json(&all);
    }
    for it in all {
        outln!(
            "{GREEN}cut{GREEN:#} {}  {DIM}record {}, {}, {} places scrubbed{DIM:#}",
            it.directory.display(),
            it.seq,
            it.verdict,
            it.scrubbed
        );
        if !it.same {
            outln!("  {YELLOW}what was scrubbed changes the verdict: look at expected.json{YELLOW:#}");
        }
    }
    outln!("{DIM}read them before you share them: only mail, telephone numbers and named words were taken out{DIM:#}");
}
