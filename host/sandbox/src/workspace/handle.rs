//! What a guest holds: a directory that it was granted, as a name and a right. The files stay with the workspace.

/// A directory handle of a guest.
#[derive(Debug, Clone)]
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct Handle {
    /// Path below the workspace.
    pub(crate) path: String,
    /// Whether it may write.
    pub(crate) writable: bool,
}
