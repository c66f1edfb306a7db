//! One writer of a session at a time.

use std::sync::Arc;

use super::{Outcome, refused, same};
use crate::error::StoreError;
use crate::store::Store;

const HOUR_MS: u64 = 3_600_000;

pub(super) async fn one_writer(store: Arc<dyn Store>) -> Outcome {
    store.claim("s-1", "node-a", 1_000, 500).await?;
    let error = refused("a second owner", store.claim("s-1", "node-b", 1_001, 500).await, "store.claimed")?;
    let held = StoreError::Claimed { session: "s-1".into(), holder: "node-a".into(), until_ms: 1_500 };
    same("who holds it", &error, &held)?;
    store.claim("s-2", "node-b", 1_001, 500).await?;
    store.release("s-1", "node-b").await?;
    refused("after a release by another", store.claim("s-1", "node-b", 1_002, 500).await, "store.claimed")?;
    store.release("s-1", "node-a").await?;
    store.claim("s-1", "node-b", 1_003, 500).await?;
    store.release("s-3", "node-a").await?;
    Ok(())
}

pub(super) async fn expires(store: Arc<dyn Store>) -> Outcome {
    store.claim("s-1", "node-a", 1_000, 500).await?;
    store.claim("s-1", "node-a", 1_400, 500).await?;
    refused("a renewed claim", store.claim("s-1", "node-b", 1_899, 500).await, "store.claimed")?;
    store.claim("s-1", "node-b", 1_900, 500).await?;
    refused("the old owner", store.claim("s-1", "node-a", 1_901, 500).await, "store.claimed")?;
    // Its claim is another's now: it has nothing to release.
    store.release("s-1", "node-a").await?;
    refused("the new owner's claim", store.claim("s-1", "node-a", 1_902, 500).await, "store.claimed")?;
    // A time at the end of numbers is no way around a claim.
    store.claim("s-2", "node-a", 1_000, u64::MAX).await?;
    refused("a claim for ever", store.claim("s-2", "node-b", 2_000, 500).await, "store.claimed")?;
    Ok(())
}

pub(super) async fn clock_goes_back(store: Arc<dyn Store>) -> Outcome {
    store.claim("s-1", "node-a", 2 * HOUR_MS, 30_000).await?;
    // A little is another machine's clock.
    refused(
        "a clock slightly behind",
        store.claim("s-1", "node-b", 2 * HOUR_MS - 30_000, 30_000).await,
        "store.claimed",
    )?;
    // An hour is a clock that was set: an owner alive would have renewed since.
    store.claim("s-1", "node-b", HOUR_MS, 30_000).await?;
    Ok(())
}
