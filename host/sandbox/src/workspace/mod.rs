//! The workspace: one directory, opened once, below which everything happens and outside of which nothing does.

mod handle;
mod put;

use std::io::Read;
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt, OpenOptions, OpenOptionsExt};
use ta_core::files::paths::names as check;
use ta_core::files::{
    Applied, ENTRIES_MAX, FILE_BYTES_MAX, FileEntry, Files, Result, WorkspaceError, WorkspaceErrorCode,
};

#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub use handle::Handle;

/// What the disk said of a path.
fn io(path: &str, error: &std::io::Error) -> WorkspaceError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => WorkspaceError::new(WorkspaceErrorCode::NotFound, format!("there is no `{path}`")),
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => {
            WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}`: {error}"))
        }
        // ENXIO: a socket, or a device that is not there.
        _ if error.raw_os_error() == Some(6) => {
            WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is not a regular file"))
        }
        // A link met where none may be followed: ELOOP and EXDEV, by the kernel or by cap-std.
        _ if matches!(error.raw_os_error(), Some(40 | 18))
            || error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none() =>
        {
            WorkspaceError::new(WorkspaceErrorCode::Outside, format!("`{path}` leads outside or through a link"))
        }
        _ => WorkspaceError::new(WorkspaceErrorCode::Io, format!("`{path}`: {error}")),
    }
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
            .map_err(|error| io(&directory.display().to_string(), &error))?;
        Ok(Self { root })
    }

    fn walk(&self, names: &[&str], path: &str) -> Result<Dir> {
        let mut directory = self.root.try_clone().map_err(|error| io(path, &error))?;
        for name in names {
            directory = below(&directory, name, path)?;
        }
        Ok(directory)
    }

    fn make_parents(&self, names: &[&str], path: &str) -> Result<Dir> {
        let mut directory = self.root.try_clone().map_err(|error| io(path, &error))?;
        for name in names {
            match directory.create_dir(name) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io(path, &error)),
            }
            directory = below(&directory, name, path)?;
        }
        Ok(directory)
    }
}

impl Files for Workspace {
    fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let names = check(path)?;
        let Some((last, parents)) = names.split_last() else {
            return Err(WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is a directory")));
        };
        let parent = self.walk(parents, path)?;
        let mut options = OpenOptions::new();
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        options.read(true).follow(FollowSymlinks::No).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = parent.open_with(last, &options).map_err(|error| io(path, &error))?;
        let metadata = file.metadata().map_err(|error| io(path, &error))?;
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
        // One byte of room more, so that the end is found without growing.
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default().saturating_add(1));
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| io(path, &error))?;
        if bytes.len() as u64 > FILE_BYTES_MAX { Err(too_large()) } else { Ok(bytes) }
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>> {
        let directory = self.walk(&check(path)?, path)?;
        let mut entries = Vec::new();
        for entry in directory.entries().map_err(|error| io(path, &error))? {
            let entry = entry.map_err(|error| io(path, &error))?;
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

    fn changed_ms(&self, path: &str) -> Option<u64> {
        let names = check(path).ok()?;
        let (last, parents) = names.split_last()?;
        let changed = self.walk(parents, path).ok()?.symlink_metadata(last).ok()?.modified().ok()?.into_std();
        let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }

    fn apply(&self, path: &str, before: Option<&str>, text: &[u8]) -> Result<Applied> {
        self.replace(path, before, text)
    }

    fn create(&self, path: &str, text: &[u8]) -> Result<Applied> {
        self.make(path, text)
    }

    fn remove(&self, path: &str, before: &str) -> Result<Applied> {
        self.take_away(path, before)
    }

    fn clear_left_behind(&self, path: &str) {
        self.clear(path);
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
        io(path, &error)
    })
}
