//! The arguments of the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// How to serve.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes a free one. Beyond loopback only with people and passcodes.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7420")]
    pub(crate) addr: SocketAddr,

    /// Does not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,

    /// A name under which the server is asked, apart from its address and the loopback names.
    #[arg(long, value_name = "NAME")]
    pub(crate) host_name: Vec<String>,

    /// The file of people, made with `people add`. [default: people.json in the data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) people: Option<PathBuf>,

    /// Without people: lets the one person look at runs as a researcher too.
    #[arg(long)]
    pub(crate) researcher: bool,

    /// Something in front of the server speaks https: cookies are for https alone.
    #[arg(long)]
    pub(crate) https: bool,

    /// Seconds that a run waits for an answer before it is parked. An answer later takes it up again.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) park_after: u64,
}

/// What is done with people.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum PeopleSub {
    /// Lists them.
    List,
    /// Adds one, or gives one another passcode and other roles. The passcode is asked for, or read from standard input.
    Add {
        /// The name.
        name: String,
        /// What they may do.
        #[arg(long, value_name = "ROLE", value_enum, default_value = "teacher")]
        role: Vec<RoleName>,
    },
    /// Takes one away; sessions and memory stay.
    Remove {
        /// The name.
        name: String,
    },
}

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleName {
    /// Works with the assistant.
    Teacher,
    /// Looks at runs, under pseudonyms.
    Researcher,
}
