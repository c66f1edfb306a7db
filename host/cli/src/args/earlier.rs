//! Arguments of `erase` and `export`: what is done with earlier sessions.

use clap::Args as ClapArgs;

/// What `erase` is asked for.
#[derive(Debug, ClapArgs)]
pub(crate) struct EraseArgs {
    /// The session. With --owner as well: only where it is theirs.
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// An access code, or its id, with the session that it opened.
    #[arg(long, value_name = "CODE", conflicts_with = "session")]
    pub(crate) code: Option<String>,
    /// Also the sessions that share its past.
    #[arg(long)]
    pub(crate) with_forks: bool,
    /// Also the files that its runs made, where nobody has changed them since.
    #[arg(long)]
    pub(crate) files: bool,
}

/// What `export` is asked for.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// A session or a run, or a file of markdown.
    #[arg(value_name = "SESSION|FILE.md")]
    pub(crate) source: String,
    /// What to make, such as docx, pdf or md.
    #[arg(long, value_name = "FORM")]
    pub(crate) form: String,
    /// Only a part of it that the plugin can write by itself. [default: all of it]
    #[arg(long, value_name = "PART")]
    pub(crate) part: Option<String>,
    /// The plugin that writes it. [default: the session's own where it can, else the only one that can]
    #[arg(long, value_name = "NAME")]
    pub(crate) plugin: Option<String>,
    /// Where to, replacing what is there; `-` is standard output. [default: a new file here, named by the plugin]
    #[arg(long, value_name = "FILE|-")]
    pub(crate) out: Option<String>,
}
