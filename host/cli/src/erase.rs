//! What a session or an owner left in the journal, taken out for good.

use ta_runtime::erase::{self, EraseRequest, Report};
use ta_runtime::{Host, RuntimeError};

use crate::args::Output;
use crate::commands::{print_json, said};
use crate::exit::{self, Code};
use crate::out::outln;

/// Erases, and says what is left.
pub(crate) async fn run(host: &Host, request: &EraseRequest, output: Output) -> Result<Code, RuntimeError> {
    let report = erase::erase(host, request).await?;
    if output == Output::Text {
        told(&report)
    } else {
        print_json(&report)
    }
    Ok(exit::SUCCESS)
}

fn told(report: &Report) {
    let Report { tombstone, bytes, removed, left } = report;
    let sessions = tombstone.sessions.len();
    let (records, blobs) = (tombstone.records, tombstone.blobs);
    outln!("erased {sessions} session(s): {records} records, {blobs} texts beside them, {bytes} bytes");
    for path in removed {
        outln!("deleted {path}");
    }
    for left in left {
        outln!("left: {}: {}", ta_runtime::surface::visible(&left.what), left.why);
    }
}

/// Nothing is erased for a name that only the environment holds.
pub(crate) fn names_owner() -> bool {
    ["--owner", "--teacher"].into_iter().any(said)
}
