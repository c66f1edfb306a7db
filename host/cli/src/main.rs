//! `teacher-assist`: the command line.
//!
//! Reads arguments, prints what happens, asks the person, says how it ended. It decides nothing: everything that it
//! does is one call of the runtime.
//!
//! Start reading at [`args`], then [`commands`].

mod args;
mod backup;
mod check;
mod commands;
mod curriculum;
mod earlier;
mod erase;
mod exit;
mod export;
mod failure;
mod first;
mod formula;
mod guest;
mod init;
mod interactive;
mod manual;
mod memory;
mod models;
mod out;
mod people;
mod places;
mod progress;
mod project;
mod prompt;
mod render;
mod report;
mod serve;
mod study;
mod tool;

use clap::Parser;

fn main() -> std::process::ExitCode {
    if let Some(code) = ta_runtime::compiler::child() {
        return code;
    }
    let args = match args::Args::try_parse_from(args::in_order(std::env::args_os().collect())) {
        Ok(args) => args,
        Err(error) => {
            return unreadable(&error).into();
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
    let code = if code == exit::SUCCESS && out::failed() { exit::ENVIRONMENT } else { code };
    // A thread may still wait for a line that nobody will type.
    runtime.shutdown_background();
    code.into()
}

/// Help and version go to standard output and are no error. A program that asked for JSON reads its error as JSON.
fn unreadable(error: &clap::Error) -> exit::Code {
    if !error.use_stderr() {
        let _ = error.print();
        return exit::SUCCESS;
    }
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let json = words.iter().any(|word| word.starts_with("--output=json"))
        || words.windows(2).any(|pair| matches!(pair, [flag, kind] if flag == "--output" && kind.starts_with("json")));
    if !json {
        let _ = error.print();
        return exit::USAGE;
    }
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let error = ta_runtime::RuntimeError::usage("usage.arguments", message, "--help shows what there is");
    failure::print(&error, args::Output::Json)
}
