//! Arguments of `guest`, `hook` and `tool`: what the authors of guests call.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum GuestSub {
    /// Begins a guest in a new directory: sources, native tests, cases, and beside them the contract and the SDK.
    New {
        /// Its name, and that of the directory.
        name: String,
        /// What it exports: a lifecycle point, or `tool`.
        #[arg(long, value_name = "POINT|tool")]
        point: String,
        /// What it is written in: rust, c, javascript, python.
        #[arg(long, value_name = "NAME", default_value = "rust")]
        language: String,
    },
    /// Builds the guest's component with the tools of its language, and looks at it.
    Build,
    /// Runs the built component on the guest's cases, in the real sandbox. Exit code 0 where all pass, 1 where one fails or is
    /// refused.
    Test {
        /// Only these cases. [default: all]
        cases: Vec<String>,
        /// Writes down what each case comes to as what is expected of it.
        #[arg(long)]
        accept: bool,
        /// Also writes the results as JUnit's XML; `-` is standard output, in the place of everything else there.
        #[arg(long, value_name = "FILE|-")]
        junit: Option<PathBuf>,
    },
    /// Makes one call of the built component: what it said, with time, fuel and memory beside their limits.
    Run {
        /// A file with the event as JSON, for a tool with `tool` and `arguments`; `-` reads standard input.
        #[arg(long, value_name = "FILE|-")]
        event: String,
        /// What stands around the call, as `world.json` of a case.
        #[arg(long, value_name = "FILE")]
        world: Option<PathBuf>,
    },
    /// Puts a component into a plugin: pinned by its digest, with its points and capabilities. A plugin that is inside the binary
    /// is copied to the directory of plugins first. Prints what the operator has to grant.
    Add {
        /// The component's file.
        #[arg(value_name = "FILE.wasm")]
        component: PathBuf,
        /// The plugin.
        #[arg(long, value_name = "NAME")]
        plugin: String,
        /// Its name in the plugin. [default: the guest's, or that of the file]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Says which tools of a language are there, and the line that installs each that is not. Exit code 1 where one is missing.
    Doctor {
        /// The language. [default: the guest's in this directory, or all]
        #[arg(long, value_name = "NAME")]
        language: Option<String>,
    },
    /// Cuts cases from the calls of a hook in a real run. Addresses of mail, telephone numbers and named words are taken out.
    Record {
        /// The run, or a session, whose latest run is meant.
        run: String,
        /// The hook.
        #[arg(long, value_name = "NAME")]
        hook: String,
        /// Where to. [default: cases]
        #[arg(long, value_name = "DIR", default_value = "cases")]
        into: PathBuf,
        /// A word to be taken out, such as a name, and what is put in its place.
        #[arg(long, value_name = "WORD[=INSTEAD]")]
        scrub: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookSub {
    /// Runs one component on one event.
    Run {
        /// A `.wasm` file, or `plugin:hook`.
        component: String,
        /// The lifecycle point, such as `post-loop`.
        #[arg(long)]
        point: String,
        /// A file with the event as JSON; `-` reads standard input.
        #[arg(long, value_name = "FILE|-")]
        event: String,
        /// Configuration of the component.
        #[arg(long, value_name = "KEY=VALUE")]
        config: Vec<String>,
        /// A right on top, such as `wasi` or `workspace:notes=read-write`.
        #[arg(long, value_name = "RIGHT")]
        grant: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolSub {
    /// Calls one tool once. What it writes is shown, and put in place only with --apply.
    Run {
        /// A `.wasm` file, or `plugin:component`.
        component: String,
        /// The tool, where the component offers several.
        #[arg(long, value_name = "NAME")]
        tool: Option<String>,
        /// Its arguments: a JSON object, or `@FILE`.
        #[arg(long, value_name = "JSON|@FILE")]
        arguments: String,
        /// A right on top, such as `wasi` or `workspace:notes=read-write`.
        #[arg(long, value_name = "RIGHT")]
        grant: Vec<String>,
        /// Puts what the tool writes in place.
        #[arg(long)]
        apply: bool,
    },
}
