//! Standard output. Whoever reads it may go away at any time: that is no reason to panic, nor to stop a run.

use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether writing has failed: it is said once.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Bytes of many lines that are written together.
const TOGETHER_BYTES: usize = 64 * 1024;

/// Writes a line, with the colours that the terminal can show.
pub(crate) fn line(text: &str) {
    told(writeln!(anstream::stdout(), "{text}").and_then(|()| anstream::stdout().flush()));
}

/// Writes a value as a line of JSON. JSON escapes what a terminal would act on, so that nothing has to be taken out of it.
pub(crate) fn json(value: &impl serde::Serialize) {
    json_lines(std::slice::from_ref(value));
}

/// Writes each value as a line of JSON, many at a time.
pub(crate) fn json_lines(values: &[impl serde::Serialize]) {
    let mut lines = Vec::new();
    for value in values {
        let before = lines.len();
        match serde_json::to_writer(&mut lines, value) {
            Ok(()) => lines.push(b'\n'),
            // Nothing that is printed has no JSON.
            Err(_) => lines.truncate(before),
        }
        if lines.len() > TOGETHER_BYTES {
            raw(&lines);
            lines.clear();
        }
    }
    raw(&lines);
}

fn raw(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    told(out.write_all(bytes).and_then(|()| out.flush()));
}

fn told(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
        && !FAILED.swap(true, Ordering::Relaxed)
    {
        let _ = writeln!(io::stderr(), "error: standard output cannot be written: {error} [output.io]");
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
