//! The files that the tools work on, as a trait: the host's in a component, a table in tests.

use ta_guest::FileDigest;
use ta_guest::workspace::{self, Error, Granted, Listed, Text};

/// Granted directories. `directory` is always one of the granted names, `path` leads on from there.
pub(crate) trait Files {
    fn granted(&self) -> Vec<Granted>;
    fn read(&self, directory: &str, path: &str) -> Result<Text, Error>;
    fn entries(&self, directory: &str, path: &str) -> Result<Vec<Listed>, Error>;
    fn write(&self, directory: &str, path: &str, text: &str, expected: Option<&str>) -> Result<FileDigest, Error>;
}

/// The host's, through the `workspace` import.
pub(crate) struct Host;

impl Files for Host {
    fn granted(&self) -> Vec<Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Result<Text, Error> {
        workspace::open(directory)?.read(path)
    }

    fn entries(&self, directory: &str, path: &str) -> Result<Vec<Listed>, Error> {
        workspace::open(directory)?.entries(path)
    }

    fn write(&self, directory: &str, path: &str, text: &str, expected: Option<&str>) -> Result<FileDigest, Error> {
        workspace::open(directory)?.write(path, text, expected)
    }
}
