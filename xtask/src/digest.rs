//! Digests: of a component's bytes, and of the sources that it is made from.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use sha2::{Digest, Sha256};

use crate::{Problem, Result};

/// SHA-256 in 64 hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// SHA-256 over files and directories below `root`: of every file, sorted by path, its path below `root`, a zero byte, its
/// length as eight bytes with the least first, and its bytes.
///
/// # Errors
/// A path that is missing or cannot be read.
pub fn sources(root: &Path, paths: &[PathBuf]) -> Result<String> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(files_below(&root.join(path))?);
    }
    let mut named = Vec::new();
    for file in files {
        let below = file.strip_prefix(root).map_err(|error| Problem::at(&file, error))?;
        // The same name on every system.
        let name = below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        named.push((name, file));
    }
    named.sort();
    let mut digest = Sha256::new();
    for (name, file) in &named {
        let bytes = std::fs::read(file).map_err(|error| Problem::at(file, error))?;
        digest.update(name.as_bytes());
        digest.update([0]);
        digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        digest.update(&bytes);
    }
    Ok(hex::encode(digest.finalize()))
}

/// The files of a directory, at any depth; a file is itself. What an editor leaves behind is no source.
fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    // Only the tree decides: what a person ignores on their machine may not change a digest.
    for entry in WalkBuilder::new(path).standard_filters(false).hidden(true).build() {
        let entry = entry.map_err(|error| Problem::at(path, error))?;
        let name = entry.file_name().to_string_lossy();
        let left_behind = name.ends_with('~') || name.ends_with(".tmp");
        if entry.file_type().is_some_and(|kind| kind.is_file()) && !left_behind {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{sha256, sources};

    #[test]
    fn a_digest_is_the_known_one() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn sources_change_with_names_and_bytes_and_with_nothing_else() {
        let digest = |files: &[(&str, &str)]| {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir_all(root.path().join("src/deep")).unwrap();
            for (name, text) in files {
                fs::write(root.path().join(name), text).unwrap();
            }
            sources(root.path(), &[PathBuf::from("src")]).unwrap()
        };
        let one = digest(&[("src/a.rs", "a"), ("src/deep/b.rs", "b")]);
        assert_eq!(one, digest(&[("src/deep/b.rs", "b"), ("src/a.rs", "a"), ("src/a.rs~", ""), ("src/.a.rs.swp", "")]));
        for other in [
            [("src/a.rs", "x"), ("src/deep/b.rs", "b")],
            [("src/c.rs", "a"), ("src/deep/b.rs", "b")],
            [("src/a.rs", "ab"), ("src/deep/b.rs", "")],
        ] {
            assert_ne!(one, digest(&other));
        }
        assert!(sources(tempfile::tempdir().unwrap().path(), &[PathBuf::from("src")]).is_err());
    }
}
