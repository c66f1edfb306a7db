//! Arguments of `curriculum`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum CurriculumSub {
    /// Turns a published PDF, HTML, DOCX, CSV or text into a file of the workspace, and reports what was uncertain.
    Import(ImportArgs),
    /// Checks the curriculum files of the workspace as a whole: gaps, duplicates, unknown codes, broken progressions. Exit
    /// code 1 where something is wrong.
    Check {
        /// A directory of curriculum files. [default: curriculum in the workspace]
        directory: Option<PathBuf>,
        /// The same as --output json.
        #[arg(long)]
        json: bool,
    },
}

/// What is imported, and as what.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ImportArgs {
    /// A file, or a directory, of which every PDF, HTML, DOCX, CSV and text is imported into a file of its own.
    #[arg(value_name = "FILE|DIR")]
    pub(crate) source: PathBuf,
    /// What it is.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: ImportKind,
    /// The subject. [default: from the organiser of its codes]
    #[arg(long, value_name = "NAME")]
    pub(crate) subject: Option<String>,
    /// The curriculum: `cfe`, one with a pattern file in `frameworks` of the workspace, or a pattern file.
    #[arg(long, value_name = "NAME|FILE", default_value = "cfe")]
    pub(crate) framework: String,
    /// The version or year of the document.
    #[arg(long, value_name = "TEXT")]
    pub(crate) edition: Option<String>,
    /// The title. [default: from subject and curriculum]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The document as others find it, such as its address. [default: the file's name]
    #[arg(long, value_name = "TEXT")]
    pub(crate) from: Option<String>,
    /// A code that questions and sections without one exercise; may be given several times. Not for outcomes.
    #[arg(long = "code", value_name = "CODE")]
    pub(crate) codes: Vec<String>,
    /// Where it is written; with a directory, a directory. [default: curriculum or papers in the workspace]
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Shows what would be written, and writes nothing.
    #[arg(long = "dry-run")]
    pub(crate) preview: bool,
    /// Writes over a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// What a source is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportKind {
    /// A curriculum: codes with their texts.
    #[default]
    Outcomes,
    /// A course specification.
    Specification,
    /// A question paper.
    PastPaper,
    /// Marking instructions.
    Marking,
}

impl ImportKind {
    /// What the plugin calls it, where it is a paper.
    pub(crate) const fn paper(self) -> Option<&'static str> {
        match self {
            Self::Outcomes => None,
            Self::Specification => Some("specification"),
            Self::PastPaper => Some("past-paper"),
            Self::Marking => Some("marking"),
        }
    }
}
