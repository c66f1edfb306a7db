//! Files that are this user's alone: a directory, a key that was drawn for it, and what carries a MAC under that key.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, MetadataExt as _, OpenOptions, OpenOptionsExt};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::facts::Identity;

pub(crate) const MAC_BYTES: usize = 32;
const KEY_FILE: &str = "key";
/// Bytes that are read at once where all of a file is looked at.
const CHUNK_BYTES: usize = 64 * 1024;

/// Whose files are taken, and who else may write them: as a rule nobody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    /// Bits of a mode that let others write and are accepted.
    pub(crate) others: u32,
}

impl Owner {
    /// This user, and nobody else.
    pub(crate) fn me() -> Self {
        Self { uid: rustix::process::geteuid().as_raw(), others: 0 }
    }

    fn check(self, mode: u32, uid: u32) -> Result<(), String> {
        if mode & 0o022 & !self.others != 0 {
            return Err("others may write it".into());
        }
        if uid != self.uid {
            return Err("it belongs to somebody else".into());
        }
        Ok(())
    }

    /// A directory, if it is theirs.
    pub(crate) fn directory(self, path: &Path) -> Result<Dir, String> {
        let text = |error: std::io::Error| format!("the cache directory cannot be used: {error}");
        if path.is_symlink() {
            return Err("the cache directory is a link".into());
        }
        let directory = Dir::open_ambient_dir(path, ambient_authority()).map_err(text)?;
        self.recheck(&directory).map(|()| directory)
    }

    /// Whether a directory is still theirs.
    fn recheck(self, directory: &Dir) -> Result<(), String> {
        let metadata =
            directory.dir_metadata().map_err(|error| format!("the cache directory cannot be used: {error}"))?;
        self.check(metadata.mode(), metadata.uid())
    }

    /// A file of theirs, opened without following a link. None where there is none.
    pub(crate) fn open(self, directory: &Dir, name: &str, bytes_max: u64) -> Result<Option<File>, String> {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = match directory.open_with(name, &options) {
            Ok(file) => file.into_std(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("`{name}` cannot be read: {error}")),
        };
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        if !metadata.is_file() || metadata.len() > bytes_max {
            return Err(format!("`{name}` is not a file that was written here"));
        }
        self.check(metadata.mode(), metadata.uid())?;
        Ok(Some(file))
    }

    /// What a file of theirs holds.
    pub(crate) fn read(self, directory: &Dir, name: &str, bytes_max: u64) -> Result<Option<Vec<u8>>, String> {
        let Some(file) = self.open(directory, name, bytes_max)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(bytes_max).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(Some(bytes))
    }
}

/// A directory of this user's, with its key.
pub(crate) struct Private {
    pub(crate) directory: Dir,
    pub(crate) owner: Owner,
    key: Vec<u8>,
}

impl Private {
    /// Opens the directory, made where there is none, and its key, drawn at the first use.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        make(path)?;
        let owner = Owner::me();
        let directory = owner.directory(path)?;
        let key = match owner.read(&directory, KEY_FILE, MAC_BYTES as u64 * 2)? {
            Some(key) if key.len() == MAC_BYTES => key,
            Some(_) => return Err("its key file is damaged; delete it".into()),
            None => draw(owner, &directory)?,
        };
        Ok(Self { directory, owner, key })
    }

    /// Whether the directory is still this user's alone.
    pub(crate) fn recheck(&self) -> Result<(), String> {
        self.owner.recheck(&self.directory)
    }

    /// The MAC of bytes under a name.
    pub(crate) fn mac(&self, name: &str, bytes: &[u8]) -> Result<[u8; MAC_BYTES], String> {
        let mut mac = self.begin(name)?;
        mac.update(bytes);
        Ok(mac.finalize().into_bytes().into())
    }

    /// Checks bytes under a name.
    pub(crate) fn check(&self, name: &str, bytes: &[u8], expected: &[u8]) -> Result<(), String> {
        let mut mac = self.begin(name)?;
        mac.update(bytes);
        mac.verify_slice(expected).map_err(|_| "its MAC does not match".to_owned())
    }

    /// Checks all bytes of a file under a name.
    pub(crate) fn check_file(&self, name: &str, mut file: &File, expected: &[u8]) -> Result<(), String> {
        let mut mac = self.begin(name)?;
        let mut chunk = vec![0; CHUNK_BYTES];
        file.rewind().map_err(|error| error.to_string())?;
        loop {
            let length = file.read(&mut chunk).map_err(|error| error.to_string())?;
            if length == 0 {
                return mac.verify_slice(expected).map_err(|_| "its MAC does not match".to_owned());
            }
            mac.update(chunk.get(..length).unwrap_or_default());
        }
    }

    fn begin(&self, name: &str) -> Result<Hmac<Sha256>, String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).map_err(|error| error.to_string())?;
        mac.update(name.as_bytes());
        mac.update(&[0]);
        Ok(mac)
    }
}

/// Writes a file that nobody will write again; whoever has the one of that name open keeps it. Its bytes are on the disk
/// before it has the name: what is said of it afterwards is true even where the power fails.
pub(crate) fn write(directory: &Dir, name: &str, mode: u32, parts: &[&[u8]]) -> Result<(), String> {
    let temporary = temporary(name);
    let written = create(directory, &temporary, mode).and_then(|mut file| {
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.sync_data()?;
        directory.rename(&temporary, directory, name)
    });
    written.map_err(|error| {
        drop(directory.remove_file(&temporary));
        format!("it cannot be written: {error}")
    })
}

/// Which file it is, and in which state.
pub(crate) fn identity(file: &File) -> Result<Identity, String> {
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    Ok(Identity {
        device: metadata.dev(),
        inode: metadata.ino(),
        bytes: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    })
}

/// Makes the directory where there is none, for this user alone.
fn make(path: &Path) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    let text = |error: std::io::Error| format!("the cache directory cannot be used: {error}");
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    let parent = path.parent().unwrap_or(path);
    Dir::create_ambient_dir_all(parent, ambient_authority()).map_err(text)?;
    let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(text)?;
    let name = path.file_name().ok_or("the cache directory has no name")?;
    match parent.create_dir_with(name, &builder) {
        // Another was faster, or a link that leads nowhere stands there: looked at when it is opened.
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(text(error)),
        _ => Ok(()),
    }
}

fn draw(owner: Owner, directory: &Dir) -> Result<Vec<u8>, String> {
    let mut key = vec![0; MAC_BYTES];
    getrandom::fill(&mut key).map_err(|error| error.to_string())?;
    let temporary = temporary(KEY_FILE);
    let placed = create(directory, &temporary, 0o600).and_then(|mut file| {
        file.write_all(&key)?;
        file.sync_all()?;
        // A link, not a rename: where another was faster, its key stays, and it is whole.
        let linked = directory.hard_link(&temporary, directory, KEY_FILE);
        directory.remove_file(&temporary)?;
        linked
    });
    match placed {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            owner.read(directory, KEY_FILE, MAC_BYTES as u64)?.ok_or_else(|| "its key vanished".to_owned())
        }
        Err(error) => Err(format!("its key cannot be written: {error}")),
    }
}

/// A name that no other writer has, in this process or another: two may compile the same component at once.
fn temporary(name: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{name}.{}.{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn create(directory: &Dir, name: &str, mode: u32) -> std::io::Result<cap_std::fs::File> {
    match directory.remove_file(name) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode).follow(FollowSymlinks::No);
    directory.open_with(name, &options)
}
