//! A component's bytes, which nobody needs who finds its code compiled: then its digest is enough.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use ta_core::model::BoxFuture;

use crate::failure::SandboxError;

/// Fetches the bytes. What is wrong is said in a sentence.
pub type Fetch = dyn Fn() -> BoxFuture<'static, Result<Vec<u8>, String>> + Send + Sync;

/// A component's bytes, at hand or to be fetched, and their digest.
#[derive(Clone)]
pub struct ComponentBytes {
    sha256: String,
    kept: Kept,
}

#[derive(Clone)]
enum Kept {
    Here(Arc<[u8]>),
    Elsewhere(Arc<Fetch>),
}

impl std::fmt::Debug for ComponentBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ComponentBytes").field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

impl From<Vec<u8>> for ComponentBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self { sha256: digest(&bytes), kept: Kept::Here(bytes.into()) }
    }
}

impl From<&[u8]> for ComponentBytes {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl From<&Vec<u8>> for ComponentBytes {
    fn from(bytes: &Vec<u8>) -> Self {
        bytes.clone().into()
    }
}

impl From<&Self> for ComponentBytes {
    fn from(bytes: &Self) -> Self {
        bytes.clone()
    }
}

impl ComponentBytes {
    /// Bytes of this digest that are fetched where they are needed.
    pub fn fetched(
        sha256: &str,
        fetch: impl Fn() -> BoxFuture<'static, Result<Vec<u8>, String>> + Send + Sync + 'static,
    ) -> Self {
        Self { sha256: sha256.to_ascii_lowercase(), kept: Kept::Elsewhere(Arc::new(fetch)) }
    }

    /// SHA-256 in lowercase hexadecimal. Bytes that are fetched have it, or nobody gets them.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The bytes, where they are at hand.
    #[must_use]
    pub fn here(&self) -> Option<&[u8]> {
        match &self.kept {
            Kept::Here(bytes) => Some(bytes),
            Kept::Elsewhere(_) => None,
        }
    }

    /// The bytes.
    ///
    /// # Errors
    /// `component.unreadable` where they cannot be fetched; `plugin.digest_mismatch` where others came.
    pub async fn bytes(&self) -> Result<Arc<[u8]>, SandboxError> {
        let fetch = match &self.kept {
            Kept::Here(bytes) => return Ok(Arc::clone(bytes)),
            Kept::Elsewhere(fetch) => fetch,
        };
        let bytes = fetch().await.map_err(|why| {
            let hint = "restore it: from a backup of the journal, or the plugin as it was";
            SandboxError::new("component.unreadable", format!("its bytes cannot be had: {why}"), hint)
        })?;
        let found = digest(&bytes);
        if found == self.sha256 {
            return Ok(bytes.into());
        }
        let message = format!("the component's digest is {found}, {} was expected", self.sha256);
        Err(SandboxError::new("plugin.digest_mismatch", message, "restore the component as it was"))
    }
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_fetched_has_its_digest() {
        let right = ComponentBytes::from(b"abc".to_vec());
        let fetched = |bytes: &'static [u8]| {
            ComponentBytes::fetched(right.sha256(), move || Box::pin(async move { Ok(bytes.to_vec()) }))
        };
        assert_eq!(&*fetched(b"abc").bytes().await.unwrap(), b"abc");
        assert_eq!(fetched(b"abd").bytes().await.unwrap_err().code, "plugin.digest_mismatch");
        let gone = ComponentBytes::fetched(right.sha256(), || Box::pin(async { Err("it is gone".to_owned()) }));
        assert_eq!(gone.bytes().await.unwrap_err().code, "component.unreadable");
    }
}
