//! The arguments.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

mod anywhere;
mod curriculum;
mod earlier;
mod guest;
mod memory;
mod models;
mod serve;
mod study;

pub(crate) use anywhere::in_order;
pub(crate) use curriculum::{CurriculumSub, ImportArgs, ImportKind};
pub(crate) use earlier::{EraseArgs, ExportArgs};
pub(crate) use guest::{GuestSub, HookSub, ToolSub};
pub(crate) use memory::MemorySub;
pub(crate) use models::{Budget, ModelArgs, ModelFiles};
pub(crate) use serve::{PeopleSub, ServeArgs};
pub(crate) use study::{StudyArgs, StudySub};

/// Flags that do what verbs do.
const FLAGS: &str = "Flags instead of a verb";
/// What holds for every verb.
const EVERYWHERE: &str = "With every verb";

/// Runs agents with a person in the loop, through sandboxed hooks and tools.
#[derive(Debug, Parser)]
#[command(name = "teacher-assist", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(group(clap::ArgGroup::new("instead").args(["list", "sessions", "trace", "serve", "interactive", "dry_run"])))]
#[command(
    after_help = "Exit codes: 0 success, 1 configuration or validation error, 2 usage, 3 parked (waits for an answer),\n\
    4 aborted by a hook, 5 a limit was reached, 6 provider, disk or journal error, 7 declined.\n\n\
    Examples:\n  teacher-assist run lesson-planning:create-lesson \"iteration for 3B\"\n  \
    teacher-assist sessions\n  teacher-assist resume 3f2a81c9\n  \
    teacher-assist hook run lesson-planning:scope-check --point pre-loop --event event.json"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) subcommand: Option<Sub>,

    /// The same as `run`: what to run, as `plugin:command`; a skill, as `/name`; or what you want in your own words, in quotes. With
    /// --resume, the next request of the session.
    #[arg(value_name = "PLUGIN:COMMAND|/SKILL|TEXT", conflicts_with_all = ["list", "sessions", "trace", "serve"])]
    pub(crate) command: Option<String>,

    /// The request, such as "iteration for 3B"; of a skill, its text and its parameters as NAME=VALUE.
    #[arg(value_name = "INPUT")]
    pub(crate) input: Option<String>,

    /// Further words for a skill.
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,

    /// The same as `list`.
    #[arg(long, help_heading = FLAGS)]
    pub(crate) list: bool,

    /// The same as `resume`.
    #[arg(long, value_name = "SESSION", help_heading = FLAGS, conflicts_with_all = ["list", "sessions", "trace", "serve"])]
    pub(crate) resume: Option<String>,

    /// The same as `sessions`.
    #[arg(long, help_heading = FLAGS)]
    pub(crate) sessions: bool,

    /// With --sessions: only those of this plugin.
    #[arg(long, value_name = "NAME", requires = "sessions", help_heading = FLAGS)]
    pub(crate) plugin: Option<String>,

    /// With --sessions: how many.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "sessions", help_heading = FLAGS)]
    pub(crate) limit: usize,

    /// The same as `trace`.
    #[arg(long, value_name = "RUN", help_heading = FLAGS)]
    pub(crate) trace: Option<String>,

    /// The same as `serve`, with everything as usual.
    #[arg(long, help_heading = FLAGS)]
    pub(crate) serve: bool,

    /// The same as `run --interactive`.
    #[arg(long, short = 'i', help_heading = FLAGS)]
    pub(crate) interactive: bool,

    /// The same as `run --dry-run`.
    #[arg(long, help_heading = FLAGS)]
    pub(crate) dry_run: bool,

    /// With --resume: what you say to the flow that waits.
    #[arg(long, value_name = "TEXT", requires = "resume", help_heading = FLAGS)]
    pub(crate) say: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) places: Places,
}

impl Args {
    /// The verbs that are also flags, as those flags.
    pub(crate) fn without_verb(mut self) -> Self {
        match self.subcommand.take() {
            Some(Sub::Run { command, input, interactive, dry_run, run }) => {
                Self { command: Some(command), input, interactive, dry_run, run, ..self }
            }
            Some(Sub::Resume { session, input, say, run }) => {
                Self { resume: Some(session), command: input, say, run, ..self }
            }
            Some(Sub::List) => Self { list: true, ..self },
            Some(Sub::Sessions { plugin, limit }) => Self { sessions: true, plugin, limit, ..self },
            Some(Sub::Trace { run }) => Self { trace: Some(run), ..self },
            None if self.serve => Self { subcommand: Some(Sub::Serve(ServeArgs::default())), ..self },
            subcommand => Self { subcommand, ..self },
        }
    }
}

/// How a run runs.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "How a run runs")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) budget: Budget,

    /// Runs another component in a hook's place, for this run: `scope-check=mine.wasm`.
    #[arg(long, value_name = "HOOK=FILE")]
    pub(crate) swap: Vec<String>,

    /// Runs this hook of the plugin after the agent's own.
    #[arg(long, value_name = "NAME")]
    pub(crate) hook: Vec<String>,

    /// Runs without memory: nothing of it is shown to the model, nothing is remembered.
    #[arg(long)]
    pub(crate) no_memory: bool,

    /// The agent works alone: no subagents, no handing over. To compare one agent with several on the same input.
    #[arg(long)]
    pub(crate) single_agent: bool,
}

impl RunArgs {
    /// The first flag that says how a run runs, where any was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let own = [
            ("--swap", !self.swap.is_empty()),
            ("--hook", !self.hook.is_empty()),
            ("--no-memory", self.no_memory),
            ("--single-agent", self.single_agent),
        ];
        let own = own.into_iter().find_map(|(flag, given)| given.then_some(flag));
        self.model.first_given().or_else(|| self.budget.first_given()).or(own)
    }
}

/// Where things are, what is printed, who answers.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = EVERYWHERE)]
pub(crate) struct Places {
    /// The workspace directory. [default: ./workspace]
    #[arg(long, global = true, value_name = "DIR", env = "TEACHER_ASSIST_WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,

    /// A directory of plugins; one there wins over the one of its name inside the binary. [default: ./plugins]
    #[arg(long, global = true, value_name = "DIR", env = "TEACHER_ASSIST_PLUGINS")]
    pub(crate) plugins: Option<PathBuf>,

    /// The operator's file of grants. [default: teacher-assist.toml beside the workspace]
    #[arg(long, global = true, value_name = "FILE", env = "TEACHER_ASSIST_OPERATOR")]
    pub(crate) operator: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) models: ModelFiles,

    /// Where the journal is. [default: teacher-assist in the user's data directory]
    #[arg(long, global = true, value_name = "DIR", env = "TEACHER_ASSIST_DATA")]
    pub(crate) data_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) telemetry: TelemetryArgs,

    /// Where compiled components are kept. [default: teacher-assist in the user's cache directory]
    #[arg(long, global = true, value_name = "DIR", env = "TEACHER_ASSIST_CACHE")]
    pub(crate) cache_dir: Option<PathBuf>,

    /// For whom: memory and sessions are kept apart by owner. `--teacher` is the same. [default: local]
    #[arg(long, alias = "teacher", global = true, value_name = "NAME", env = "TEACHER_ASSIST_OWNER")]
    pub(crate) owner: Option<String>,

    /// What is printed: text for people; `json`, one object; `jsonl`, the journal's events as they come.
    #[arg(long, global = true, value_enum, default_value_t)]
    pub(crate) output: Output,

    /// Who answers questions: a file of answers, `accept` or `dismiss`. Without it the terminal is asked; without a
    /// terminal the run is parked.
    #[arg(long, global = true, value_name = "FILE|accept|dismiss")]
    pub(crate) answers: Option<String>,
}

/// Whether runs are told to a collector of OpenTelemetry.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = EVERYWHERE)]
pub(crate) struct TelemetryArgs {
    /// Sends each run as spans to this collector, over OTLP/HTTP, when it has ended or waits: http://127.0.0.1:4318.
    #[arg(long, global = true, value_name = "URL", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub(crate) otel: Option<String>,

    /// With --otel: also what was said, prompts and answers, arguments and results.
    #[arg(long, global = true)]
    pub(crate) otel_content: bool,
}

/// What is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// One JSON object for each event.
    Jsonl,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sub {
    /// Runs a command of a plugin.
    Run {
        /// What to run, as `plugin:command`; `list` shows them.
        #[arg(value_name = "PLUGIN:COMMAND")]
        command: String,
        /// The request, such as "iteration for 3B".
        #[arg(value_name = "INPUT", required_unless_present = "interactive")]
        input: Option<String>,
        /// Goes on from request to request at the terminal, with questions asked inline.
        #[arg(long, short = 'i', conflicts_with = "dry_run")]
        interactive: bool,
        /// Prints the assembled prompt and the tools, without calling a model.
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Goes on with a session: with the run that waits, with words for the flow that waits for them, or with a next request.
    Resume {
        /// The session, or a run of it.
        #[arg(value_name = "SESSION")]
        session: String,
        /// The next request of a session whose run is over.
        #[arg(value_name = "INPUT")]
        input: Option<String>,
        /// What you say to the flow that waits.
        #[arg(long, value_name = "TEXT", conflicts_with = "input")]
        say: Option<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Lists the plugins and their commands.
    List,
    /// Lists sessions, newest first.
    Sessions {
        /// Only those of this plugin.
        #[arg(long, value_name = "NAME")]
        plugin: Option<String>,
        /// How many.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Shows the trace of a run, or of a session's latest run.
    Trace {
        /// The run, or the session.
        #[arg(value_name = "RUN|SESSION")]
        run: String,
    },
    /// Tries hooks.
    Hook {
        #[command(subcommand)]
        action: HookSub,
    },
    /// Tries tools.
    Tool {
        #[command(subcommand)]
        action: ToolSub,
    },
    /// Begins, builds, tries and adds guests: hooks and tools of your own.
    Guest {
        #[command(subcommand)]
        action: GuestSub,
    },
    /// Shows what a component exports, imports, asks for and is granted. Nothing of it is compiled or runs.
    Inspect {
        /// A `.wasm` file, or `plugin:name`.
        component: String,
        /// Also what its tools are called. Only the component knows, so it is compiled and asked, with nothing granted.
        #[arg(long)]
        tools: bool,
    },
    /// Checks every file of every plugin and of the workspace; with --journal, whether each record of the journal belongs
    /// where it stands.
    Validate {
        /// The journal instead: of one session or the session of a run, or all of it.
        #[arg(long, value_name = "RUN|SESSION", num_args = 0..=1, default_missing_value = "")]
        journal: Option<String>,
        /// Also the routing table and the capability map.
        #[arg(long)]
        verbose: bool,
    },
    /// Writes a directory with agents of your own to begin with: .agent/ with its configuration, an agent, a skill, signals.
    New {
        /// Where; it may be there already, but without .agent/.
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Shows which words lead to which capability, and who does it.
    Routes,
    /// Says where a request would go, and runs nothing.
    Route {
        /// The request.
        #[arg(value_name = "TEXT")]
        text: String,
        /// Asks no model where the signals are not sure.
        #[arg(long)]
        no_model: bool,
        #[command(flatten)]
        model: ModelArgs,
    },
    /// Shows the configuration of the agents here.
    Config {
        #[command(subcommand)]
        action: ConfigSub,
    },
    /// Studies: who works under which condition, in which order, and what came of it.
    Study(StudyArgs),
    /// Compiles the components within the binary, and writes their code beside it: a step of packaging.
    #[command(hide = true)]
    ShipComponents,
    /// Shows and changes what is remembered about the owner and the subjects.
    Memory {
        #[command(subcommand)]
        action: MemorySub,
    },
    /// Finds earlier sessions by words, subject and days.
    Search {
        /// Words that must occur; one may end in `*`. Without any, the newest sessions.
        words: Vec<String>,
        /// Only sessions about this, such as a class. `--class` is the same.
        #[arg(long, alias = "class", value_name = "ID")]
        subject: Option<String>,
        /// Only sessions from this day on.
        #[arg(long, value_name = "YYYY-MM-DD")]
        since: Option<String>,
        /// Only sessions up to this day.
        #[arg(long, value_name = "YYYY-MM-DD")]
        until: Option<String>,
        /// Only sessions of this plugin.
        #[arg(long, value_name = "NAME")]
        plugin: Option<String>,
        /// How many.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Makes runs again from the journal, with no model and no person, and says whether all came out the same; with
    /// --swap, what another component would have said in a hook's place.
    Replay {
        /// Runs, or sessions, whose latest run is meant.
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
        /// Another component in a hook's place: `scope-check=mine.wasm`.
        #[arg(long, value_name = "HOOK=FILE")]
        swap: Option<String>,
    },
    /// Makes a run that shares the past of another up to a record, and goes on from there.
    Fork {
        /// The run, or a session, whose latest run is meant.
        run: String,
        /// The last record that is shared; --trace numbers them.
        #[arg(long, value_name = "SEQ")]
        at: u64,
        #[command(flatten)]
        model: ModelArgs,
        /// Another component in a hook's place from there on.
        #[arg(long, value_name = "HOOK=FILE")]
        swap: Vec<String>,
    },
    /// Prints a file of the workspace as it was before a run first changed it.
    Before {
        /// The run, or a session, whose latest run is meant.
        run: String,
        /// The file, below the workspace.
        path: String,
    },
    /// Lists the providers: whether there is a key, which models, what they cost.
    Models {
        /// Asks every provider that there is a key for, with one small call each, which costs a little.
        #[arg(long)]
        check: bool,
        /// Only this provider.
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
        /// With --check: this model. [default: the provider's usual one]
        #[arg(long, value_name = "NAME", requires = "provider")]
        model: Option<String>,
        /// Where the provider is.
        #[arg(long, value_name = "URL", requires = "provider")]
        base_url: Option<String>,
    },
    /// Serves the page in the browser and the HTTP API. Prints the address; one person signs in by the link in it, once.
    Serve(serve::ServeArgs),
    /// Says who may sign in to `serve`, where it is for several people.
    People {
        #[command(subcommand)]
        action: serve::PeopleSub,
    },
    /// Brings published curricula and papers into the workspace, and checks its curriculum files.
    Curriculum {
        #[command(subcommand)]
        action: CurriculumSub,
    },
    /// Makes a document of what a session came to, or of a file: Word, PDF, or what else a plugin writes.
    Export(ExportArgs),
    /// Copies the journal into a new file, also while it is written. What runs wrote are files of the workspace.
    Backup {
        /// The file; it must not exist yet.
        file: PathBuf,
    },
    /// Puts a backup in the journal's place. What was there is set aside.
    Restore {
        /// The backup.
        file: PathBuf,
    },
    /// Takes a session, or with --owner everything of an owner, out of the journal for good: what was said, what is
    /// remembered of it, what is found by words. Says what is left.
    Erase(EraseArgs),
    /// Prints a script with which a shell completes verbs and options: `teacher-assist completions bash > FILE`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Writes a manual page for each verb, as `man` reads it.
    Man {
        /// A directory, which is made where there is none.
        directory: PathBuf,
    },
    /// Writes the sample workspace.
    Init {
        /// Where; it must not exist yet.
        #[arg(default_value = "workspace")]
        directory: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigSub {
    /// Prints every value.
    Show {
        /// Also where each comes from.
        #[arg(long)]
        origin: bool,
    },
}
