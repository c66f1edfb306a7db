//! Reads a folder of recorded exchanges with the providers, whoever recorded them, and reports what became of each: it must
//! be read rightly or refused by name. `cargo xtask wire` runs this.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(std::path::PathBuf::from) else {
        eprintln!(
            "error: name a folder of YAML files: one document an exchange, `when` the request, `then` the response"
        );
        return ExitCode::from(2);
    };
    match ta_models::wire_report(&folder) {
        Ok(report) => {
            print!("{report}");
            if report.sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
