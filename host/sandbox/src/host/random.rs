//! `random`: bytes that are the same whenever the call is made again.

use sha2::{Digest, Sha256};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::random;
use crate::failure::Stop;
use crate::limits::RANDOM_BYTES_MAX;
use crate::state::State;

impl random::Host for State {
    fn bytes(&mut self, length: u32) -> Result<Vec<u8>> {
        self.enter()?;
        if length > RANDOM_BYTES_MAX {
            let reason = format!("it asked for {length} random bytes at once; it may have {RANDOM_BYTES_MAX}");
            return Err(Stop::limit("hook.limit", reason));
        }
        // SHA-256 in counter mode: plain, portable, and the same in every version of every library.
        let mut bytes = Vec::with_capacity(length as usize + 32);
        while bytes.len() < length as usize {
            let mut hash = Sha256::new();
            hash.update(self.invocation.seed);
            hash.update(self.usage.random_bytes.to_le_bytes());
            bytes.extend_from_slice(&hash.finalize());
            self.usage.random_bytes = self.usage.random_bytes.saturating_add(1);
        }
        bytes.truncate(length as usize);
        Ok(bytes)
    }
}
