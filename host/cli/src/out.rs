//! Standard output. Whoever reads it may go away at any time: that is no reason to panic, nor to stop a run.

use std::io::{ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether writing has failed: it is said once.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Writes a line, with the colours that the terminal can show.
pub(crate) fn line(text: &str) {
    let written = writeln!(anstream::stdout(), "{text}").and_then(|()| anstream::stdout().flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
        && !FAILED.swap(true, Ordering::Relaxed)
    {
        let _ = writeln!(std::io::stderr(), "error: standard output cannot be written: {error} [output.io]");
    }
}

/// Whether everything could be written, apart from what nobody wanted to read.
pub(crate) fn failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

/// Writes a line, as `println!` would.
macro_rules! outln {
    ($($argument:tt)*) => {
        $crate::out::line(&format!($($argument)*))
    };
}
pub(crate) use outln;
