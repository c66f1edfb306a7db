//! `teacher-assist`: the command line.
//!
//! Reads arguments, prints what happens, asks the person, says how it ended. It decides nothing: everything that it
//! does is one call of the runtime.
//!
//! Start reading at [`args`], then [`commands`].

mod args;
mod commands;
mod exit;
mod failure;
mod init;
mod people;
mod places;
mod progress;
mod prompt;
mod render;
mod report;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to standard output and are no error.
            let code = if error.use_stderr() { exit::USAGE } else { exit::SUCCESS };
            let _ = error.print();
            return code.into();
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            anstream::eprintln!("error: the runtime does not start: {error}");
            return exit::ENVIRONMENT.into();
        }
    };
    let output = args.places.output;
    let code = match runtime.block_on(commands::run(args)) {
        Ok(code) => code,
        Err(error) => failure::print(&error, output),
    };
    // A thread may still wait for a line that nobody will type.
    runtime.shutdown_background();
    code.into()
}
