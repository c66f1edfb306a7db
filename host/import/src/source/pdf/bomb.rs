//! Compressed streams that inflate without end. The library that reads PDF inflates whatever it is given, so each stream is
//! inflated once before, into a buffer that is thrown away.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use crate::limits::{STREAM_BYTES_MAX, STREAMS_BYTES_MAX};

const KEYWORD: &[u8] = b"stream";
const BUFFER_BYTES: usize = 64 * 1024;

/// Whether a stream, or all of them together, inflates to more than is read. What is encrypted, or compressed by another method
/// than deflate, is not seen.
pub(super) fn inflates_too_far(bytes: &[u8]) -> bool {
    let mut sum = 0;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| find(rest, KEYWORD)) {
        at += found + KEYWORD.len();
        let Some(data) = bytes.get(at..) else { return false };
        let data = data.strip_prefix(b"\r").unwrap_or(data);
        let data = data.strip_prefix(b"\n").unwrap_or(data);
        // The two bytes that zlib begins with are a multiple of 31, and the method is 8.
        let [first, second, ..] = *data else { return false };
        if first & 0x0F != 8 || !(u16::from(first) * 256 + u16::from(second)).is_multiple_of(31) {
            continue;
        }
        let size = inflated(data);
        sum += size;
        if size > STREAM_BYTES_MAX || sum > STREAMS_BYTES_MAX {
            return true;
        }
    }
    false
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// How many bytes come of a stream, counted until one more than are read.
fn inflated(mut data: &[u8]) -> u64 {
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut size: u64 = 0;
    loop {
        let result = inflate(&mut state, data, &mut buffer, MZFlush::None);
        size = size.saturating_add(u64::try_from(result.bytes_written).unwrap_or(u64::MAX));
        data = data.get(result.bytes_consumed..).unwrap_or_default();
        let stuck = result.bytes_written == 0 && result.bytes_consumed == 0;
        if size > STREAM_BYTES_MAX || stuck || !matches!(result.status, Ok(MZStatus::Ok)) {
            return size;
        }
    }
}
