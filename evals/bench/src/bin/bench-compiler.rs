//! Compiles components for the benchmarks, as the host's own program does for itself.

use std::process::ExitCode;

fn main() -> ExitCode {
    ta_sandbox::compile_child(std::env::args_os()).unwrap_or(ExitCode::FAILURE)
}
