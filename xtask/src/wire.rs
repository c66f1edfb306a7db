//! Recorded exchanges with the providers, whoever recorded them: each must be read rightly or refused by name.

use std::path::PathBuf;

use crate::problem::{Problem, Result};

/// What to read.
#[derive(clap::Args)]
pub struct Options {
    /// A folder of YAML files: one document an exchange, `when` the request and `then` the response.
    folder: PathBuf,
}

/// Prints what became of every exchange.
///
/// # Errors
/// Where the folder cannot be read, or an exchange was read wrongly.
pub fn run(options: &Options) -> Result<()> {
    let report = ta_models::wire_report(&options.folder).map_err(|error| Problem::at(&options.folder, error))?;
    print!("{report}");
    if report.sound() { Ok(()) } else { Err(Problem::new("not every exchange was read rightly")) }
}
