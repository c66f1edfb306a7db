//! The workspace: one directory, opened once, below which everything happens and outside of which nothing does.

mod handle;
mod paths;
mod put;

use std::io::Read;
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt, OpenOptions, OpenOptionsExt};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::limits::{ENTRIES_MAX, FILE_BYTES_MAX};

#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub use handle::Handle;
pub use paths::protected_path;
pub(crate) use paths::{check, hidden_path, join};

/// What went wrong with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkspaceErrorCode {
    /// No such file or directory.
    NotFound,
    /// Outside, absolute, or through a link.
    Outside,
    /// Granted for reading only.
    ReadOnly,
    /// Belongs to the host.
    Protected,
    /// Larger than a file may be.
    TooLarge,
    /// Not UTF-8 text.
    NotText,
    /// Not a regular file, or not a directory.
    WrongKind,
    /// Not the file that was expected.
    Changed,
    /// A limit was reached.
    Quota,
    /// The name was not granted.
    NotGranted,
    /// The disk said no.
    Io,
}

impl WorkspaceErrorCode {
    /// The stable word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "path.not_found",
            Self::Outside => "path.outside",
            Self::ReadOnly => "path.read_only",
            Self::Protected => "path.protected",
            Self::TooLarge => "path.too_large",
            Self::NotText => "path.not_text",
            Self::WrongKind => "path.wrong_kind",
            Self::Changed => "path.changed",
            Self::Quota => "path.quota",
            Self::NotGranted => "path.not_granted",
            Self::Io => "path.io",
        }
    }
}

/// Why a path could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct WorkspaceError {
    /// What kind of problem.
    pub code: WorkspaceErrorCode,
    /// What happened, with the path.
    pub message: String,
}

impl WorkspaceError {
    pub(crate) fn new(code: WorkspaceErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    fn io(path: &str, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound => Self::new(WorkspaceErrorCode::NotFound, format!("there is no `{path}`")),
            ErrorKind::NotADirectory | ErrorKind::IsADirectory => {
                Self::new(WorkspaceErrorCode::WrongKind, format!("`{path}`: {error}"))
            }
            // ENXIO: a socket, or a device that is not there.
            _ if error.raw_os_error() == Some(6) => {
                Self::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is not a regular file"))
            }
            // A link met where none may be followed: ELOOP and EXDEV, by the kernel or by cap-std.
            _ if matches!(error.raw_os_error(), Some(40 | 18))
                || error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none() =>
            {
                Self::new(WorkspaceErrorCode::Outside, format!("`{path}` leads outside or through a link"))
            }
            _ => Self::new(WorkspaceErrorCode::Io, format!("`{path}`: {error}")),
        }
    }
}

type Result<T> = std::result::Result<T, WorkspaceError>;

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a directory.
    pub directory: bool,
    /// Whether it is a regular file; links and everything else are neither.
    pub file: bool,
    /// Bytes, for a file.
    pub size: u64,
}

/// What became of a write that was put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The file holds the text now.
    Written,
    /// It held it already.
    AlreadyThere,
    /// It is neither what it was nor what it should become: somebody else wrote; nothing was touched.
    Conflict,
}

/// A workspace directory.
#[derive(Debug)]
pub struct Workspace {
    root: Dir,
}

impl Workspace {
    /// Opens a workspace.
    ///
    /// # Errors
    /// Where the directory is missing or cannot be opened.
    pub fn open(directory: &Path) -> Result<Self> {
        let root = Dir::open_ambient_dir(directory, ambient_authority())
            .map_err(|error| WorkspaceError::io(&directory.display().to_string(), &error))?;
        Ok(Self { root })
    }

    /// The text of a file with its digest.
    ///
    /// # Errors
    /// Where the path leads outside, through a link, to something that is no regular file of at most 1 MiB of UTF-8.
    pub fn read(&self, path: &str) -> Result<(String, String)> {
        let bytes = self.bytes(path)?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let text = String::from_utf8(bytes)
            .map_err(|_| WorkspaceError::new(WorkspaceErrorCode::NotText, format!("`{path}` is not UTF-8 text")))?;
        Ok((text, sha256))
    }

    /// The bytes of a file, text or not.
    ///
    /// # Errors
    /// As for reading, but that it need not be text.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let names = check(path)?;
        let Some((last, parents)) = names.split_last() else {
            return Err(WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is a directory")));
        };
        let parent = self.walk(parents, path)?;
        let mut options = OpenOptions::new();
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        options.read(true).follow(FollowSymlinks::No).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = parent.open_with(last, &options).map_err(|error| WorkspaceError::io(path, &error))?;
        let metadata = file.metadata().map_err(|error| WorkspaceError::io(path, &error))?;
        if !metadata.is_file() {
            return Err(WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is not a regular file")));
        }
        if metadata.nlink() > 1 {
            let message = format!("`{path}` has a second name, which may lie outside; copy it and delete the link");
            return Err(WorkspaceError::new(WorkspaceErrorCode::Outside, message));
        }
        let too_large = || {
            let message = format!("`{path}` has more than {FILE_BYTES_MAX} bytes");
            WorkspaceError::new(WorkspaceErrorCode::TooLarge, message)
        };
        if metadata.len() > FILE_BYTES_MAX {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| WorkspaceError::io(path, &error))?;
        if bytes.len() as u64 > FILE_BYTES_MAX { Err(too_large()) } else { Ok(bytes) }
    }

    /// The entries of a directory, sorted by name.
    ///
    /// # Errors
    /// As for reading; more than 2,000 entries are a quota error.
    pub fn entries(&self, path: &str) -> Result<Vec<FileEntry>> {
        let directory = self.walk(&check(path)?, path)?;
        let mut entries = Vec::new();
        for entry in directory.entries().map_err(|error| WorkspaceError::io(path, &error))? {
            let entry = entry.map_err(|error| WorkspaceError::io(path, &error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            // Without following a link, and gone meanwhile is as good as never there.
            let Ok(metadata) = entry.metadata() else { continue };
            let file = metadata.is_file();
            let size = if file { metadata.len() } else { 0 };
            entries.push(FileEntry { name, directory: metadata.is_dir(), file, size });
            if entries.len() > ENTRIES_MAX {
                let message = format!("`{path}` has more than {ENTRIES_MAX} entries");
                return Err(WorkspaceError::new(WorkspaceErrorCode::Quota, message));
            }
        }
        entries.sort();
        Ok(entries)
    }

    /// The digest of a file, none where there is none.
    ///
    /// # Errors
    /// As for reading.
    pub fn digest(&self, path: &str) -> Result<Option<String>> {
        match self.bytes(path) {
            Ok(bytes) => Ok(Some(hex::encode(Sha256::digest(bytes)))),
            Err(error) if error.code == WorkspaceErrorCode::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// When a file was last changed, in milliseconds since 1970-01-01 UTC; none where nobody can say.
    #[must_use]
    pub fn changed_ms(&self, path: &str) -> Option<u64> {
        let names = check(path).ok()?;
        let (last, parents) = names.split_last()?;
        let changed = self.walk(parents, path).ok()?.symlink_metadata(last).ok()?.modified().ok()?.into_std();
        let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }

    fn walk(&self, names: &[&str], path: &str) -> Result<Dir> {
        let mut directory = self.root.try_clone().map_err(|error| WorkspaceError::io(path, &error))?;
        for name in names {
            directory = below(&directory, name, path)?;
        }
        Ok(directory)
    }

    fn make_parents(&self, names: &[&str], path: &str) -> Result<Dir> {
        let mut directory = self.root.try_clone().map_err(|error| WorkspaceError::io(path, &error))?;
        for name in names {
            match directory.create_dir(name) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(WorkspaceError::io(path, &error)),
            }
            directory = below(&directory, name, path)?;
        }
        Ok(directory)
    }
}

/// The directory of that name, never through a link.
fn below(directory: &Dir, name: &str, path: &str) -> Result<Dir> {
    directory.open_dir_nofollow(name).map_err(|error| {
        // A link that is not followed is no directory to the kernel: looked at again, only to say what it was.
        if directory.symlink_metadata(name).is_ok_and(|metadata| metadata.is_symlink()) {
            return WorkspaceError::new(
                WorkspaceErrorCode::Outside,
                format!("`{path}` leads outside or through a link"),
            );
        }
        WorkspaceError::io(path, &error)
    })
}
