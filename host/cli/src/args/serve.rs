//! The arguments of the server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use ta_server::Role;

/// Where to listen.
const HERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7420);
/// Seconds until a run that waits is parked.
const PARK_AFTER: u64 = 120;

/// How to serve.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes a free one. Beyond loopback only with people and passcodes.
    #[arg(long, value_name = "HOST:PORT", default_value_t = HERE)]
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
    #[arg(long, value_name = "SECONDS", default_value_t = PARK_AFTER)]
    pub(crate) park_after: u64,
}

impl Default for ServeArgs {
    fn default() -> Self {
        Self {
            addr: HERE,
            no_open: false,
            host_name: Vec::new(),
            people: None,
            researcher: false,
            https: false,
            park_after: PARK_AFTER,
        }
    }
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
    /// Gives one another name; sessions and memory stay theirs.
    Rename {
        /// The name.
        name: String,
        /// The other name.
        other: String,
    },
    /// Ends all sign-ins of one.
    SignOut {
        /// The name.
        name: String,
    },
    /// Takes one away; sessions and memory stay, and nobody who is added later inherits them.
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
    /// Says who may sign in.
    Operator,
}

impl RoleName {
    /// The role.
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::Teacher => Role::Teacher,
            Self::Researcher => Role::Researcher,
            Self::Operator => Role::Operator,
        }
    }
}
