//! What each way of calling does: one call of the runtime, then print.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use ta_runtime::components::Swap;
use ta_runtime::erase::{EraseRequest, What};
use ta_runtime::hook_run::{HookReport, HookRequest, hook_run};
use ta_runtime::person::{Nobody, Person, Saying};
use ta_runtime::providers::Look;
use ta_runtime::surface::{OWNER_DEFAULT, Point, SessionFilter, SessionRow, State};
use ta_runtime::tried::{Used, World};
use ta_runtime::{
    ForkRequest, Host, Observer as _, RunRequest, RuntimeError, history, inspect, memory as owner_memory, plugin, run,
};

use crate::args::{Args, EraseArgs, HookSub, Output, Places, StudyArgs, StudySub, Sub};
use crate::exit::{self, Code};
use crate::out::{self, outln};
use crate::people::Room;
use crate::progress::Progress;
use crate::{
    backup, check, curriculum, earlier, erase, export, failure, first, guest, init, interactive, manual, memory,
    models, people, places, project, render, report, serve, study, tool,
};

/// The most that is read from standard input.
const EVENT_BYTES_MAX: u64 = 16 * 1024 * 1024;

type Result<T> = std::result::Result<T, RuntimeError>;

pub(crate) async fn run(args: Args) -> Result<Code> {
    let args = args.without_verb();
    let host = Host::open(places::config(&args.places))?;
    if let Some(Sub::Serve(how)) = &args.subcommand {
        return serve::serve(host, &args, how).await;
    }
    if let Some(Sub::Study(wanted @ StudyArgs { action: StudySub::Serve { .. }, .. })) = &args.subcommand {
        return study::serve(host, &args, wanted).await;
    }
    let done = dispatch(&host, args).await;
    for problem in host.telemetry.flush().await {
        anstream::eprintln!("note: spans were not sent: {problem}");
    }
    done
}

async fn dispatch(host: &Host, args: Args) -> Result<Code> {
    match &args.subcommand {
        // Above: it keeps the host.
        Some(
            Sub::Serve(_) | Sub::Run { .. } | Sub::Resume { .. } | Sub::List | Sub::Sessions { .. } | Sub::Trace { .. },
        ) => Ok(exit::SUCCESS),
        Some(Sub::Completions { shell }) => Ok(manual::completions(*shell)),
        Some(Sub::Man { directory }) => manual::pages(directory, args.places.output),
        Some(Sub::People { action }) => serve::people(host, action, args.places.output),
        Some(Sub::Hook { action }) => hook(host, action, &args.places).await,
        Some(Sub::Tool { action }) => tool::run(host, action, &args.places).await,
        Some(Sub::Guest { action }) => guest::run(host, action, &args.places).await,
        Some(Sub::Inspect { component, tools }) => inspect_component(host, component, *tools, args.places.output).await,
        Some(Sub::ShipComponents) => ship_components(host).await,
        Some(Sub::Validate { journal, verbose }) => {
            check::run(host, journal.as_deref(), *verbose, args.places.output).await
        }
        Some(Sub::New { .. } | Sub::Routes | Sub::Route { .. } | Sub::Config { .. }) => project::run(host, &args).await,
        Some(Sub::Models { check, provider, model, base_url }) => {
            let (provider, model) = (provider.as_deref(), model.as_deref());
            let look = Look { check: *check, provider, model, base_url: base_url.as_deref() };
            models::run(host, look, args.places.output).await
        }
        Some(Sub::Study(wanted)) => study::run(host, &args, wanted).await,
        Some(Sub::Curriculum { action }) => curriculum::run(host, action, args.places.output).await,
        Some(Sub::Export(wanted)) => {
            if !export::is_file(&wanted.source) {
                of_owner(host, &args, &wanted.source).await?;
            }
            export::run(host, wanted, args.places.output).await
        }
        Some(Sub::Erase(wanted)) => {
            let request = to_erase(host, &args, wanted).await?;
            erase::run(host, &request, args.places.output).await
        }
        Some(Sub::Backup { file }) => backup::backup(host, file, args.places.output).await,
        Some(Sub::Restore { file }) => backup::restore(host, file, args.places.output),
        Some(Sub::Init { directory }) => sample_workspace(directory),
        Some(Sub::Memory { action }) => memory::run(host, owner(&args)?, action, args.places.output).await,
        Some(Sub::Search { words, subject, since, until, plugin, limit }) => {
            let (subject, since, until) = (subject.as_deref(), since.as_deref(), until.as_deref());
            let plugin = plugin.as_deref();
            let wanted = earlier::Wanted { words, subject, since, until, plugin, limit: *limit };
            earlier::print_hits(&earlier::search(host, owner(&args)?, &wanted).await?, args.places.output);
            Ok(exit::SUCCESS)
        }
        Some(Sub::Replay { runs, swap }) => {
            for id in runs {
                of_owner(host, &args, id).await?;
            }
            earlier::replay(host, runs, swap.as_deref(), args.places.output).await
        }
        Some(Sub::Fork { run, at, model, swap: swaps }) => {
            of_owner(host, &args, run).await?;
            let swaps = swaps.iter().map(|text| swap(text)).collect::<Result<_>>()?;
            let request = ForkRequest { run: run.clone(), at: *at, asked: model.asked(), swaps };
            earlier::fork(host, &args, &request).await
        }
        Some(Sub::Before { run, path }) => {
            of_owner(host, &args, run).await?;
            earlier::before(host, run, path).await
        }
        None => without_verb(host, &args).await,
    }
}

/// What flags ask for: a run, or what stands for a verb.
async fn without_verb(host: &Host, args: &Args) -> Result<Code> {
    match &args.trace {
        _ if args.interactive => interactive::run(host, args).await,
        _ if args.list => list(host, args.places.output),
        _ if args.sessions => sessions(host, args).await,
        Some(id) => {
            of_owner(host, args, id).await?;
            trace(host, id, args.places.output).await
        }
        None => plan(host, args).await,
    }
}

/// Writes the sample workspace.
fn sample_workspace(directory: &Path) -> Result<Code> {
    let written = init::init(directory)?;
    outln!("wrote {written} files to {}", directory.display());
    Ok(exit::SUCCESS)
}

/// Compiles what is shipped, beside the program: a step of packaging it.
async fn ship_components(host: &Host) -> Result<Code> {
    let program = host.config.shipped_with.clone().unwrap_or_default();
    let count = ta_runtime::compiler::ship(host, &program).await?;
    outln!("compiled {count} components beside {}", program.display());
    Ok(exit::SUCCESS)
}

/// What is to be erased: a session, or everything of the owner that the command line names.
async fn to_erase(host: &Host, args: &Args, wanted: &EraseArgs) -> Result<EraseRequest> {
    let what = match (&wanted.session, &wanted.code) {
        (Some(id), _) => {
            of_owner(host, args, id).await?;
            What::Session(id.clone())
        }
        (None, Some(code)) => What::Code(code.clone()),
        (None, None) if erase::names_owner() => What::Owner(owner(args)?.to_owned()),
        (None, None) => {
            let hint = "give --session ID, --code CODE, or --owner NAME for everything of an owner";
            return Err(RuntimeError::usage("erase.what", "nothing is named that is to be erased", hint));
        }
    };
    Ok(EraseRequest { what, with_forks: wanted.with_forks, files: wanted.files })
}

/// The owner for whom this call is.
pub(crate) fn owner(args: &Args) -> Result<&str> {
    match &args.places.owner {
        Some(name) => owner_memory::owner(name),
        None => Ok(OWNER_DEFAULT),
    }
}

/// Whoever names an owner sees nothing of another's; whoever names none looks after the host and may look at any run.
async fn of_owner(host: &Host, args: &Args, id: &str) -> Result<()> {
    if args.places.owner.is_some() {
        run::own_session(host, id, owner(args)?).await?;
    }
    Ok(())
}

pub(crate) fn print_json(value: &impl serde::Serialize) {
    out::json(value);
}

fn list(host: &Host, output: Output) -> Result<Code> {
    let mut problems = Vec::new();
    let plugins = plugin::all(host.config.plugins.as_deref(), &mut problems)?;
    if output == Output::Text {
        render::plugins(&plugins);
    } else {
        let commands = |it: &plugin::Plugin| -> Vec<Value> {
            let name = &it.manifest.name;
            it.commands.values().map(|command| json!({ "command": format!("{name}:{}", command.name), "agent": command.agent, "flow": command.flow, "description": command.description })).collect()
        };
        let plugins: Vec<Value> = plugins
            .iter()
            .map(|it| json!({ "plugin": it.manifest.name, "version": it.manifest.version, "description": it.manifest.description, "commands": commands(it) }))
            .collect();
        print_json(&plugins);
    }
    if problems.is_empty() { Ok(exit::SUCCESS) } else { Err(RuntimeError::problems("a plugin", problems)) }
}

async fn sessions(host: &Host, args: &Args) -> Result<Code> {
    let owner = Some(owner(args)?.to_owned());
    let filter = SessionFilter { plugin: args.plugin.clone(), owner, ..SessionFilter::newest(args.limit) };
    let rows = as_they_are(host, host.store_to_read()?.sessions(filter).await?);
    match args.places.output {
        Output::Text => render::sessions(&rows),
        Output::Json => print_json(&rows),
        Output::Jsonl => rows.iter().for_each(print_json),
    }
    Ok(exit::SUCCESS)
}

/// The rows of a list. One that says a run is going stands for a process that was killed, where nobody else has the journal:
/// that run waits.
pub(crate) fn as_they_are(host: &Host, mut rows: Vec<SessionRow>) -> Vec<SessionRow> {
    let going = |row: &SessionRow| row.state == State::Running;
    if rows.iter().any(going) && host.store().is_ok() {
        rows.iter_mut().filter(|row| going(row)).for_each(|row| row.state = State::Parked);
    }
    rows
}

async fn trace(host: &Host, id: &str, output: Output) -> Result<Code> {
    let store = host.store_to_read()?;
    match output {
        Output::Text => render::trace(&history::trace_of(&*store, id).await?),
        Output::Json => print_json(&history::trace_of(&*store, id).await?),
        Output::Jsonl => out::json_lines(&history::records_of(&*store, id).await?),
    }
    Ok(exit::SUCCESS)
}

/// A run: a new one, a next one in a session, or one that waits.
async fn plan(host: &Host, args: &Args) -> Result<Code> {
    let room = Room::of(args)?;
    let (person, progress) = (&*room.person, &*room.progress);
    let end = match (&args.resume, &args.command) {
        (Some(id), None) => {
            as_it_began(args, id)?;
            where_it_began(host, args, id).await?;
            match &args.say {
                Some(text) => {
                    let person = Saying::once(text.clone(), person);
                    run::resume(host, id, owner(args)?, &person, progress).await?
                }
                None => run::resume(host, id, owner(args)?, person, progress).await?,
            }
        }
        _ => {
            let request = request(host, args).await?;
            if args.dry_run {
                let prompt = run::dry_run(host, &request).await?;
                match args.places.output {
                    Output::Text => render::prompt(&prompt),
                    _ => print_json(&prompt),
                }
                return Ok(exit::SUCCESS);
            }
            run::start(host, &request, person, progress).await?
        }
    };
    progress.quiet();
    Ok(report::end(&end, args.places.output, &host.config.workspace))
}

/// A run that waits goes on in the workspace in which it began, as long as that is there: another one is refused where the command
/// line names it, and passed over with a word where it only stands in the environment.
pub(crate) async fn where_it_began(host: &Host, args: &Args, id: &str) -> Result<()> {
    if args.places.workspace.is_none() {
        return Ok(());
    }
    let Some(began) = history::workspace(&*host.store_to_read()?, id).await? else { return Ok(()) };
    let same = std::fs::canonicalize(&began).ok() == std::fs::canonicalize(&host.config.workspace).ok();
    if same || !began.is_dir() {
        return Ok(());
    }
    let began = began.display();
    if !said("--workspace") {
        Room::of(args)?.progress.notice(&format!("the run goes on in the workspace in which it began, {began}"));
        return Ok(());
    }
    let message =
        format!("a run that waits goes on in the workspace in which it began, {began}: --workspace cannot change it");
    let hint =
        "leave --workspace away; or, once the run is over, give it with the next request: --resume ID \"what next\"";
    Err(RuntimeError::usage("resume.changed", message, hint))
}

/// Whether the command line itself has an option, which may stand in the environment as well.
pub(crate) fn said(option: &str) -> bool {
    std::env::args_os().any(|word| {
        word.to_string_lossy().strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

/// A run that waits goes on as it began: what would change how it runs is refused rather than passed over.
fn as_it_began(args: &Args, id: &str) -> Result<()> {
    let Some(flag) = args.run.first_given() else { return Ok(()) };
    let message = format!("a run that waits goes on as it began: {flag} cannot change it");
    let fork = match args.run.model.first_given() {
        Some(_) => format!(
            "or share its past with another model: teacher-assist fork {id} --at SEQ --provider NAME --model NAME, where \
             --trace {id} numbers the records; "
        ),
        None => String::new(),
    };
    let hint = format!(
        "leave {flag} away; {fork}or, once it is over, give {flag} with the next request: --resume {id} \"what next\""
    );
    Err(RuntimeError::usage("resume.changed", message, hint))
}

/// `plugin:command "input"`, or with --resume only the input: then the session's plugin and command.
async fn request(host: &Host, args: &Args) -> Result<RunRequest> {
    if let (None, Some(first)) = (&args.resume, &args.command)
        && let Some(request) = first::request(host, args, first).await?
    {
        return Ok(request);
    }
    if let Some(word) = args.words.first() {
        let message = format!("`{word}` is one word too many");
        return Err(RuntimeError::usage("usage.words", message, "put the request in quotes"));
    }
    let words = [args.command.clone(), args.input.clone()];
    let (name, input, session) = match (&args.resume, words) {
        (_, [Some(name), Some(input)]) => (name, input, args.resume.clone()),
        (Some(id), [Some(input), None]) => {
            let session = run::own_session(host, id, owner(args)?).await?;
            (format!("{}:{}", session.plugin, session.command), input, Some(session.id))
        }
        (None, [Some(name), None]) => return Err(incomplete(&name)),
        _ => {
            let hint = "say what to do: teacher-assist run lesson-planning:create-lesson \"iteration for 3B\"; --help shows everything";
            return Err(RuntimeError::usage("usage.nothing", "there is nothing to do", hint));
        }
    };
    let Some((plugin, command)) = name.split_once(':') else {
        let message = format!("`{name}` is no command");
        return Err(RuntimeError::usage(
            "command.form",
            message,
            "a command is written plugin:command; `list` shows them",
        ));
    };
    run_request(args, plugin, command, input, session)
}

/// A run of this command with what the arguments say about it.
pub(crate) fn run_request(
    args: &Args,
    plugin: &str,
    command: &str,
    input: String,
    session: Option<String>,
) -> Result<RunRequest> {
    Ok(RunRequest {
        plugin: plugin.to_owned(),
        command: command.to_owned(),
        input,
        session,
        begins: None,
        owner: Some(owner(args)?.to_owned()),
        no_memory: args.run.no_memory,
        single_agent: args.run.single_agent,
        asked: args.run.model.asked(),
        max_turns: args.run.budget.max_turns,
        max_budget_usd: args.run.budget.max_budget_usd,
        max_tokens: args.run.budget.max_tokens,
        context_window: args.run.budget.context_window,
        max_minutes: args.run.budget.max_minutes,
        hooks: args.run.hook.clone(),
        swaps: args.run.swap.iter().map(|text| swap(text)).collect::<Result<_>>()?,
        ..RunRequest::default()
    })
}

fn incomplete(name: &str) -> RuntimeError {
    if name.contains(':') {
        let hint = format!("say what you want: teacher-assist {name} \"iteration for 3B\"");
        return RuntimeError::usage("usage.input", format!("`{name}` needs a request"), hint);
    }
    let hint =
        "say which command: teacher-assist lesson-planning:create-lesson \"iteration for 3B\"; `list` shows them";
    RuntimeError::usage("command.form", format!("`{name}` is no command"), hint)
}

fn pair<'a>(text: &'a str, what: &str) -> Result<(&'a str, &'a str)> {
    let form = || RuntimeError::usage("usage.pair", format!("`{text}` is no {what}"), format!("write it as {what}"));
    text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or_else(form)
}

pub(crate) fn swap(text: &str) -> Result<Swap> {
    let (hook, file) = pair(text, "HOOK=FILE")?;
    Ok(Swap { hook: hook.to_owned(), file: PathBuf::from(file) })
}

async fn hook(host: &Host, action: &HookSub, places: &Places) -> Result<Code> {
    let HookSub::Run { component, point, event, config, grant } = action;
    let point: Point = point
        .parse()
        .map_err(|reason: String| RuntimeError::usage("point.unknown", reason, "give one of them with --point"))?;
    let mut settings = BTreeMap::new();
    for text in config {
        let (name, value) = pair(text, "KEY=VALUE")?;
        settings.insert(name.to_owned(), value.to_owned());
    }
    let request = HookRequest {
        component: component.clone(),
        point,
        event: read_event(event)?,
        workspace: places.workspace.clone(),
        config: settings,
        grants: grant.clone(),
        declared: None,
        world: World::default(),
    };
    let person: Box<dyn Person> = match &places.answers {
        Some(answers) => people::person(Some(answers), places.output, &Arc::new(Progress::new(places.output)))?,
        None => Box::new(Nobody),
    };
    match hook_run(host, &request, &*person).await {
        Ok(report) => {
            match places.output {
                Output::Text => render::hook(&report),
                _ => print_json(&report),
            }
            Ok(if report.verdict == "parked" { exit::PARKED } else { exit::SUCCESS })
        }
        // A component that is refused has a verdict of its own for programs: it failed, and why.
        Err(error) if places.output != Output::Text && refused(&error) => {
            print_json(&refusal(&error));
            eprintln!("error: {} [{}]\nhint: {}", ta_runtime::surface::visible(&error.message), error.code, error.hint);
            Ok(exit::of_error(&error))
        }
        Err(error) => Ok(failure::print(&error, places.output)),
    }
}

pub(crate) fn refused(error: &RuntimeError) -> bool {
    let of_component = ["plugin.", "hook.", "host.", "sandbox.", "component."];
    of_component.iter().any(|prefix| error.code.starts_with(prefix))
}

fn refusal(error: &RuntimeError) -> HookReport {
    HookReport {
        verdict: "failed",
        code: Some(error.code.clone()),
        reason: Some(error.message.clone()),
        notes: Vec::new(),
        findings: Vec::new(),
        observations: Vec::new(),
        declined: false,
        elapsed_us: 0,
        fuel: 0,
        sha256: String::new(),
        change: None,
        question: None,
        logs: Vec::new(),
        used: Used::default(),
    }
}

pub(crate) fn read_event(source: &str) -> Result<Value> {
    let unreadable = |why: String| {
        RuntimeError::usage(
            "event.unreadable",
            format!("the event cannot be read: {why}"),
            "give a JSON file with --event, or - for standard input",
        )
    };
    let mut text = String::new();
    if source == "-" {
        std::io::stdin()
            .take(EVENT_BYTES_MAX)
            .read_to_string(&mut text)
            .map_err(|error| unreadable(error.to_string()))?;
    } else {
        text = std::fs::read_to_string(source).map_err(|error| unreadable(format!("{source}: {error}")))?;
    }
    serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
}

async fn inspect_component(host: &Host, component: &str, tools: bool, output: Output) -> Result<Code> {
    let mut report = inspect::inspect(host, component)?;
    if tools {
        report.tools = Some(inspect::tools(host, component).await?);
    }
    match output {
        Output::Text => render::inspection(&report),
        _ => print_json(&report),
    }
    Ok(exit::SUCCESS)
}
