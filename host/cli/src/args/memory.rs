//! Arguments about what is remembered.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum MemorySub {
    /// Lists the files.
    List,
    /// Prints a file: `MEMORY.md`, `releases/1.4.0/MEMORY.md`.
    Show {
        /// The file.
        path: String,
    },
    /// Adds a note to a file.
    Add {
        /// The file.
        path: String,
        /// The note, one line.
        note: String,
        /// What it is about: one of the kinds that plugins declare. [default: from its words]
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
    },
    /// Opens a file in the editor named by VISUAL or EDITOR, or takes its text from a file.
    Edit {
        /// The file.
        path: String,
        /// Takes the text from here; `-` reads standard input.
        #[arg(long, value_name = "FILE|-")]
        from: Option<String>,
    },
    /// Takes a file out of memory, or one note of it. Runs that were shown it keep what they were shown.
    Delete {
        /// The file.
        path: String,
        /// Only this note.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Writes all files as markdown, with what is known about each note, into a directory that does not exist yet.
    Export {
        /// The directory.
        directory: PathBuf,
    },
    /// Shows who read and wrote what, and what was decided about proposals, the newest first.
    Audit {
        /// Only this file.
        path: Option<String>,
        /// How many.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
}
