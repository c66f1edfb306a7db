//! The little of WASI that language runtimes need to start: clocks and randomness from the journal, an empty
//! environment, closed standard streams. No directory is opened, no address allowed, no name looked up.

use std::time::Duration;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx};

use crate::limits::WASI_RANDOM_BYTES_MAX;

struct JournalClock {
    now_ms: u64,
}

impl HostWallClock for JournalClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::from_millis(self.now_ms)
    }
}

impl HostMonotonicClock for JournalClock {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    // Time stands still within a call: whoever waits for it to pass waits until the deadline.
    fn now(&self) -> u64 {
        0
    }
}

pub(crate) fn context(now_ms: u64, seed: [u8; 32]) -> WasiCtx {
    let insecure = u128::from_le_bytes(std::array::from_fn(|index| seed.get(index).copied().unwrap_or(0)));
    WasiCtx::builder()
        .secure_random(StdRng::from_seed(seed))
        .insecure_random(StdRng::from_seed(seed))
        .insecure_random_seed(insecure)
        .max_random_size(WASI_RANDOM_BYTES_MAX)
        .wall_clock(JournalClock { now_ms })
        .monotonic_clock(JournalClock { now_ms })
        .allow_tcp(false)
        .allow_udp(false)
        .allow_ip_name_lookup(false)
        .build()
}
