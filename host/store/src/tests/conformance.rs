//! Both backends pass the suite.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

use crate::{RamStore, SqliteStore, conformance};

#[tokio::test]
async fn memory_conforms() {
    conformance::check(|| Ok(Arc::new(RamStore::new()))).await.unwrap();
}

#[tokio::test]
async fn sqlite_conforms() {
    let dir = TempDir::new().unwrap();
    let number = AtomicUsize::new(0);
    let make = || {
        let name = number.fetch_add(1, Ordering::Relaxed).to_string();
        let store: Arc<dyn crate::Store> = Arc::new(SqliteStore::open(&dir.path().join(name))?);
        Ok(store)
    };
    conformance::check(make).await.unwrap();
}
