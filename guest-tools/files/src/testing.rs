//! A workspace in a table, for tests.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ta_guest::FileDigest;
use ta_guest::workspace::{EntryKind, Error, ErrorCode, Granted, Listed, Text};

use crate::files::Files;

pub(crate) struct Table {
    granted: Vec<Granted>,
    pub(crate) files: RefCell<BTreeMap<String, String>>,
}

pub(crate) fn granted(names: &[(&str, bool)]) -> Vec<Granted> {
    names.iter().map(|(name, writable)| Granted { name: (*name).into(), writable: *writable }).collect()
}

impl Table {
    pub(crate) fn new(names: &[(&str, bool)], files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
        Self { granted: granted(names), files: RefCell::new(files) }
    }

    pub(crate) fn text(&self, path: &str) -> String {
        self.files.borrow().get(path).cloned().unwrap_or_default()
    }
}

fn joined(directory: &str, path: &str) -> String {
    match (directory, path) {
        (".", path) => path.into(),
        (directory, ".") => directory.into(),
        (directory, path) => format!("{directory}/{path}"),
    }
}

fn error(code: ErrorCode, message: &str) -> Error {
    Error { code, message: message.into() }
}

/// Not a digest, but as good as one here: the same text has the same.
fn digest(text: &str) -> String {
    format!("{:a<64}", text.len())
}

impl Files for Table {
    fn granted(&self) -> Vec<Granted> {
        self.granted.clone()
    }

    fn read(&self, directory: &str, path: &str) -> Result<Text, Error> {
        let files = self.files.borrow();
        let whole = joined(directory, path);
        if files.keys().any(|name| name.starts_with(&format!("{whole}/"))) {
            return Err(error(ErrorCode::WrongKind, "not a regular file"));
        }
        let text = files.get(&whole).ok_or_else(|| error(ErrorCode::NotFound, "no such file"))?;
        Ok(Text { text: text.clone(), sha256: digest(text) })
    }

    fn entries(&self, directory: &str, path: &str) -> Result<Vec<Listed>, Error> {
        let whole = joined(directory, path);
        let prefix = if whole == "." { String::new() } else { format!("{whole}/") };
        let (mut listed, mut seen) = (Vec::new(), BTreeSet::new());
        for (name, text) in self.files.borrow().iter() {
            let Some(rest) = name.strip_prefix(&prefix) else {
                continue;
            };
            let (first, kind, size) = match rest.split_once('/') {
                Some((first, _)) => (first, EntryKind::Directory, 0),
                None => (rest, EntryKind::File, text.len() as u64),
            };
            if seen.insert(first.to_owned()) {
                listed.push(Listed { name: first.into(), kind, size });
            }
        }
        if listed.is_empty() && whole != "." {
            return Err(error(ErrorCode::NotFound, "no such directory"));
        }
        Ok(listed)
    }

    fn write(&self, directory: &str, path: &str, text: &str, expected: Option<&str>) -> Result<FileDigest, Error> {
        let whole = joined(directory, path);
        if expected.is_some_and(|expected| digest(&self.text(&whole)) != expected) {
            return Err(error(ErrorCode::Changed, "the file is another one now"));
        }
        self.files.borrow_mut().insert(whole.clone(), text.into());
        Ok(FileDigest { path: whole, sha256: digest(text) })
    }
}
