//! The check as a program: the event on standard input, the answer on standard output. It is what a hook is where hooks
//! are shell commands; it does nothing else.

use std::io::Read as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut event = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut event) {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    match bench_check::check_event(&event) {
        Ok(answer) => {
            println!("{}", answer.to_json());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
