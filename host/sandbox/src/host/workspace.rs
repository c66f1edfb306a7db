//! Files, by directory handle. Reads see the call's own writes; writes are staged until the call ends well.

use sha2::{Digest, Sha256};
use ta_core::files::paths::{hidden_path, join, protected_path};
use ta_core::files::{FILE_BYTES_MAX, FileEntry, Files, WorkspaceError, WorkspaceErrorCode};
use ta_core::hook::{Correction, FileDigest};
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::teacher_assist::plugin::{types, workspace};
use crate::inputs::READ;
use crate::invocation::StagedWrite;
use crate::limits::{READ_BYTES_MAX, WRITE_BYTES_MAX, WRITES_MAX};
use crate::rights::Access;
use crate::state::State;
use crate::workspace::Handle;

type Answer<T> = Result<std::result::Result<T, workspace::Error>>;

impl workspace::Host for State {
    fn granted_directories(&mut self) -> Result<Vec<workspace::Granted>> {
        self.enter()?;
        let directories = self.invocation.rights.directories.iter();
        Ok(directories
            .map(|(name, access)| workspace::Granted { name: name.clone(), writable: *access == Access::ReadWrite })
            .collect())
    }

    fn open(&mut self, name: String) -> Answer<Resource<Handle>> {
        self.enter()?;
        let Some(access) = self.invocation.rights.directories.get(&name).copied() else {
            let message = format!(
                "the directory `{name}` was not granted; the manifest asks for it with `{name:?} = \"read\"` under `workspace`"
            );
            return Ok(Err(WorkspaceError::new(WorkspaceErrorCode::NotGranted, message).into()));
        };
        let handle = Handle { path: name, writable: access == Access::ReadWrite };
        Ok(Ok(self.table.push(handle)?))
    }
}

impl workspace::HostDirectory for State {
    fn read(&mut self, this: Resource<Handle>, path: String) -> Answer<workspace::Text> {
        self.enter()?;
        let handle = self.table.get(&this)?.clone();
        Ok(self.read_file(&handle, &path)?.map_err(Into::into))
    }

    fn entries(&mut self, this: Resource<Handle>, path: String) -> Answer<Vec<workspace::Listed>> {
        self.enter()?;
        let handle = self.table.get(&this)?.clone();
        Ok(self.list(&handle, &path)?.map_err(Into::into))
    }

    fn write(
        &mut self,
        this: Resource<Handle>,
        path: String,
        text: String,
        expected: Option<String>,
    ) -> Answer<types::FileDigest> {
        self.enter()?;
        let handle = self.table.get(&this)?.clone();
        let on_disk = match join(&handle.path, &path) {
            Ok(path) => self.input(&format!("workspace.digest {path}"), |state| state.files()?.digest(&path))?,
            Err(error) => Err(error),
        };
        Ok(self.stage(&handle, &path, text, expected, on_disk).map_err(Into::into))
    }

    fn open(&mut self, this: Resource<Handle>, path: String, writable: bool) -> Answer<Resource<Handle>> {
        self.enter()?;
        let handle = self.table.get(&this)?.clone();
        let below = match join(&handle.path, &path) {
            Ok(below) => below,
            Err(error) => return Ok(Err(error.into())),
        };
        // No more than the handle it comes from.
        let opened = Handle { path: below, writable: writable && handle.writable };
        Ok(Ok(self.table.push(opened)?))
    }

    fn drop(&mut self, this: Resource<Handle>) -> Result<()> {
        self.table.delete(this)?;
        Ok(())
    }
}

type Inner<T> = std::result::Result<T, WorkspaceError>;

/// The whole path, unless something along it is hidden.
fn visible_path(handle: &Handle, path: &str) -> Inner<String> {
    let path = join(&handle.path, path)?;
    if hidden_path(&path) {
        let message = format!("`{path}` is hidden; guests read no hidden files");
        return Err(WorkspaceError::new(WorkspaceErrorCode::Protected, message));
    }
    Ok(path)
}

impl State {
    fn files(&self) -> Inner<&dyn Files> {
        let missing = || WorkspaceError::new(WorkspaceErrorCode::NotFound, "this call has no workspace");
        self.invocation.workspace.as_deref().ok_or_else(missing)
    }

    fn read_file(&mut self, handle: &Handle, path: &str) -> Result<Inner<workspace::Text>> {
        let path = match visible_path(handle, path) {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(staged) = self.trail.writes.iter().rev().find(|write| write.path == path) {
            return Ok(Ok(workspace::Text { text: staged.text.clone(), sha256: staged.after.clone() }));
        }
        let import = format!("{READ}{path}");
        // Inputs by its digest: the text itself is kept once, however often it is read.
        let (inputs, text) = match self.noted::<Inner<String>>(&import)? {
            Some(Ok(sha256)) => {
                let text = self.noted_text(&sha256)?;
                (Ok(sha256), text)
            }
            Some(Err(error)) => (Err(error), String::new()),
            None => match self.files().and_then(|files| files.read(&path)) {
                Ok((text, sha256)) => (Ok(sha256), text),
                Err(error) => (Err(error), String::new()),
            },
        };
        self.note(&import, &inputs);
        Ok(inputs.and_then(|sha256| self.keep_read(path, text, sha256)))
    }

    /// Keeps what was read, as it stands, and shows it with the person's corrections.
    fn keep_read(&mut self, path: String, text: String, sha256: String) -> Inner<workspace::Text> {
        let shown = Correction::apply_all(&self.invocation.corrections, &path, &text);
        let read = FileDigest { path, sha256: sha256.clone() };
        if !self.trail.reads.contains(&read) {
            let sum = self.usage.read_bytes.saturating_add(text.len());
            if sum > READ_BYTES_MAX {
                let message = format!("one call reads at most {READ_BYTES_MAX} bytes");
                return Err(WorkspaceError::new(WorkspaceErrorCode::Quota, message));
            }
            self.usage.read_bytes = sum;
            self.trail.reads.push(read);
            self.trail.read_texts.push(text);
        }
        Ok(workspace::Text { text: shown, sha256 })
    }

    fn list(&mut self, handle: &Handle, path: &str) -> Result<Inner<Vec<workspace::Listed>>> {
        let path = match visible_path(handle, path) {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        };
        let found = self.input(&format!("workspace.entries {path}"), |state| state.files()?.entries(&path))?;
        Ok(self.with_staged(&path, found))
    }

    /// A directory's entries as they will be when the call's own writes are in place.
    fn with_staged(&self, path: &str, found: Inner<Vec<FileEntry>>) -> Inner<Vec<workspace::Listed>> {
        let prefix = if path == "." { String::new() } else { format!("{path}/") };
        let staged: Vec<&StagedWrite> =
            self.trail.writes.iter().filter(|write| write.path.starts_with(&prefix)).collect();
        let mut entries = match found {
            Err(error) if error.code == WorkspaceErrorCode::NotFound && !staged.is_empty() => Vec::new(),
            other => other?,
        };
        for write in staged {
            let rest = write.path.get(prefix.len()..).unwrap_or_default();
            let (name, deeper) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            entries.retain(|entry| entry.name != name || (deeper && entry.directory));
            if !entries.iter().any(|entry| entry.name == name) {
                let size = if deeper { 0 } else { write.text.len() as u64 };
                entries.push(FileEntry { name: name.to_owned(), directory: deeper, file: !deeper, size });
            }
        }
        entries.sort();
        Ok(entries.into_iter().filter(|entry| !protected_path(&entry.name)).map(Into::into).collect())
    }

    fn stage(
        &mut self,
        handle: &Handle,
        path: &str,
        text: String,
        expected: Option<String>,
        on_disk: Inner<Option<String>>,
    ) -> Inner<types::FileDigest> {
        let path = join(&handle.path, path)?;
        if !handle.writable {
            let message = format!(
                "`{path}` may be read only; the manifest asks to write with `\"{}\" = \"read-write\"` under `workspace`",
                handle.path
            );
            return Err(WorkspaceError::new(WorkspaceErrorCode::ReadOnly, message));
        }
        if protected_path(&path) {
            return Err(WorkspaceError::new(WorkspaceErrorCode::Protected, format!("`{path}` belongs to the host")));
        }
        if text.len() as u64 > FILE_BYTES_MAX {
            let message = format!("`{path}` would have {} bytes; a file may have {FILE_BYTES_MAX}", text.len());
            return Err(WorkspaceError::new(WorkspaceErrorCode::TooLarge, message));
        }
        let earlier = self.trail.writes.iter().position(|write| write.path == path);
        if earlier.is_none() && self.trail.writes.len() >= WRITES_MAX {
            return Err(WorkspaceError::new(
                WorkspaceErrorCode::Quota,
                format!("one call writes at most {WRITES_MAX} files"),
            ));
        }
        let others = self.trail.writes.iter().filter(|write| write.path != path);
        if others.map(|write| write.text.len()).sum::<usize>().saturating_add(text.len()) > WRITE_BYTES_MAX {
            let message = format!("one call writes at most {WRITE_BYTES_MAX} bytes");
            return Err(WorkspaceError::new(WorkspaceErrorCode::Quota, message));
        }
        let on_disk = on_disk?;
        let staged = earlier.and_then(|index| self.trail.writes.get(index));
        let present = staged.map(|write| write.after.clone()).or_else(|| on_disk.clone());
        if let Some(expected) = expected
            && present.clone().unwrap_or_default() != expected
        {
            return Err(WorkspaceError::new(
                WorkspaceErrorCode::Changed,
                format!("`{path}` is not the file that was read"),
            ));
        }
        let after = hex::encode(Sha256::digest(text.as_bytes()));
        let before = staged.map_or(on_disk, |write| write.before.clone());
        self.trail.writes.retain(|write| write.path != path);
        self.trail.writes.push(StagedWrite { path: path.clone(), before, after: after.clone(), text });
        Ok(types::FileDigest { path, sha256: after })
    }
}
