//! The same guests through the binary.
