//! Arguments of `study`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use ta_studies::withdraw::REASONS;

/// A study, and what is done with it.
#[derive(Debug, Clone, Args)]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    pub(crate) action: StudySub,

    /// The directory of studies, each in a directory of its name; one there wins over the one of its name inside the program.
    #[arg(long, global = true, value_name = "DIR", default_value = "studies", env = "TEACHER_ASSIST_STUDIES")]
    pub(crate) studies: PathBuf,
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum StudySub {
    /// Writes a new study, commented and valid: conditions, tasks, questionnaires, consent.
    New {
        /// Its name.
        study: String,
    },
    /// Looks at a study: every file and digest, the balance, the power of the design, what participants will see.
    Check {
        /// The study.
        study: String,
    },
    /// Shows what the design gives to so many participants, from a seed of its own.
    Assign {
        /// The study.
        study: String,
        /// How many participants.
        #[arg(long, value_name = "N")]
        participants: usize,
        /// Only shows it; a study's own assignment is made participant by participant, when each begins.
        #[arg(long)]
        dry_run: bool,
        /// The seed, to see the same again. [default: a fresh one]
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
    },
    /// Starts a study: pins everything that it rests on, and draws its seed.
    Start {
        /// The study.
        study: String,
    },
    /// Gives access codes to participants. They are printed once.
    Codes {
        /// The study.
        study: String,
        /// How many.
        #[arg(long, value_name = "N")]
        count: usize,
        /// For minimisation: the level of a factor that all of them have.
        #[arg(long, value_name = "FACTOR=LEVEL")]
        level: Vec<String>,
    },
    /// Serves the page on which participants work: they come with their codes, and never read the name of a condition.
    Serve {
        /// The study.
        study: String,
        /// Where to listen; port 0 takes a free one. Beyond loopback put something in front that speaks https.
        #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7430")]
        addr: SocketAddr,
        /// A name under which the server is asked, apart from its address and the loopback names.
        #[arg(long, value_name = "NAME")]
        host_name: Vec<String>,
    },
    /// Goes on with a participant's session: --answers says who answers.
    Run {
        /// The study.
        study: String,
        /// The participant's access code.
        #[arg(long, value_name = "CODE", env = "TEACHER_ASSIST_CODE", hide_env_values = true)]
        code: String,
    },
    /// Shows how a study goes: cells, drop-outs, drift.
    Status {
        /// The study.
        study: String,
    },
    /// Writes a study out: tables as CSV, events as JSON lines, a codebook, scripts in R and Python that print descriptive tables.
    Export {
        /// The study.
        study: String,
        /// A directory that does not exist yet. [default: NAME-export, or NAME-blinded]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Participants and conditions are codes, times are shifted, nothing that was written is in it.
        #[arg(long)]
        blinded: bool,
        /// Also the words that participants wrote.
        #[arg(long, conflicts_with = "blinded")]
        texts: bool,
    },
    /// Opens the key of a blinded export. That it was opened is kept.
    Unblind {
        /// The study.
        study: String,
        /// The export, by the digest that was printed, or its beginning.
        export: String,
    },
    /// Makes all runs of a study again from the journal; with --swap, what another component would have said in a hook's place.
    Replay {
        /// The study.
        study: String,
        /// Another component in a hook's place: `scope-check=mine.wasm`.
        #[arg(long, value_name = "HOOK=FILE")]
        swap: Option<String>,
    },
    /// Erases what a participant did, for good, and frees the cell; says what cannot be reached.
    Withdraw {
        /// The study.
        study: String,
        /// The participant's public id, such as P07.
        participant: String,
        /// The class of the reason.
        #[arg(long, value_name = "CLASS", value_parser = REASONS, default_value = "asked")]
        reason: String,
    },
    /// Notes that a participant goes no further: what they did stays, and the cell is free again.
    DropOut {
        /// The study.
        study: String,
        /// The participant's public id, such as P07.
        participant: String,
    },
    /// Closes a study: no session begins any more, and its seed is shown.
    Close {
        /// The study.
        study: String,
    },
}
