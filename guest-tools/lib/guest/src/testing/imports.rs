//! The functions of the contract, answered by the world of a test.

#![allow(missing_docs, unreachable_pub, reason = "the contract documents them, and `native` hands them on")]

use crate::bindings::imports::teacher_assist::plugin as contract;
use contract::ask::{Outcome, Question};
use contract::journal::{Asked, Draft};
use contract::memory::{File, Note};
use contract::memory_update::NewNote;
use contract::prompt::Correction;
use contract::sessions::{Found, PastRun};
use contract::skills::SkillText;
use contract::tasks::Task;

use super::here;

pub(crate) mod log {
    use super::{contract::log::Level, here};

    pub fn write(level: Level, message: &str) {
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        here(|world| world.logs.push(format!("{level}: {message}")));
    }
}

pub(crate) mod ask {
    use super::{Outcome, Question, here};

    #[allow(clippy::panic, reason = "a test that has no answer to what the guest asks fails, and says so")]
    pub fn put(question: &Question) -> Outcome {
        let answer = here(|world| {
            world.asked.push(question.clone());
            world.answers.get_mut(&question.id).and_then(std::collections::VecDeque::pop_front)
        });
        answer.unwrap_or_else(|| panic!("the test has no answer to the question `{}`: {}", question.id, question.title))
    }
}

pub(crate) mod workspace {
    use super::contract::types::FileDigest;
    use super::contract::workspace::{EntryKind, Error, ErrorCode, Granted, Listed, Text};
    use super::{digest, here};

    /// A directory of the world's files.
    #[derive(Debug, Clone)]
    pub struct Directory {
        path: String,
        writable: bool,
    }

    pub fn granted_directories() -> Vec<Granted> {
        here(|world| match world.granted.is_empty() {
            true => vec![Granted { name: ".".into(), writable: false }],
            false => world.granted.iter().map(|(name, it)| Granted { name: name.clone(), writable: *it }).collect(),
        })
    }

    pub fn open(name: &str) -> Result<Directory, Error> {
        let granted = granted_directories().into_iter().find(|granted| granted.name == name);
        let granted = granted.ok_or_else(|| error(ErrorCode::NotGranted, format!("{name} was not granted")))?;
        Ok(Directory { path: granted.name, writable: granted.writable })
    }

    fn error(code: ErrorCode, message: String) -> Error {
        Error { code, message }
    }

    impl Directory {
        fn path_of(&self, path: &str) -> Result<String, Error> {
            if path.starts_with('/') || path.split('/').any(|part| part == "..") {
                return Err(error(ErrorCode::Outside, format!("{path} leads outside")));
            }
            let parts = [self.path.as_str(), path].into_iter().flat_map(|it| it.split('/'));
            Ok(parts.filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"))
        }

        pub fn read(&self, path: &str) -> Result<Text, Error> {
            let path = self.path_of(path)?;
            let text = here(|world| world.files.get(&path).cloned());
            let text = text.ok_or_else(|| error(ErrorCode::NotFound, format!("there is no file {path}")))?;
            Ok(Text { sha256: digest(&text), text })
        }

        pub fn entries(&self, path: &str) -> Result<Vec<Listed>, Error> {
            let directory = self.path_of(path)?;
            let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
            let mut listed: Vec<Listed> = Vec::new();
            here(|world| {
                for (path, text) in &world.files {
                    let Some(rest) = path.strip_prefix(&prefix) else { continue };
                    let (name, kind, size) = match rest.split_once('/') {
                        Some((name, _)) => (name, EntryKind::Directory, 0),
                        None => (rest, EntryKind::File, text.len() as u64),
                    };
                    if listed.last().is_none_or(|last| last.name != name) {
                        listed.push(Listed { name: name.into(), kind, size });
                    }
                }
            });
            match listed.is_empty() && !directory.is_empty() {
                true => Err(error(ErrorCode::NotFound, format!("there is no directory {directory}"))),
                false => Ok(listed),
            }
        }

        pub fn write(&self, path: &str, text: &str, expected_sha256: Option<&str>) -> Result<FileDigest, Error> {
            let path = self.path_of(path)?;
            if !self.writable {
                return Err(error(ErrorCode::ReadOnly, format!("{} was granted for reading", self.path)));
            }
            here(|world| {
                let now = world.files.get(&path).map(|text| digest(text)).unwrap_or_default();
                if expected_sha256.is_some_and(|expected| expected != now) {
                    return Err(error(ErrorCode::Changed, format!("{path} is not the file that was expected")));
                }
                world.files.insert(path.clone(), text.into());
                Ok(FileDigest { path, sha256: digest(text) })
            })
        }

        pub fn open(&self, path: &str, writable: bool) -> Result<Directory, Error> {
            if writable && !self.writable {
                return Err(error(ErrorCode::ReadOnly, format!("{} was granted for reading", self.path)));
            }
            Ok(Self { path: self.path_of(path)?, writable })
        }
    }
}

/// Sixty-four digits that are the same where the text is: in a test nothing else is asked of a digest. It is no SHA-256.
fn digest(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let part = |number: u8| {
        let mut hasher = DefaultHasher::new();
        (number, text).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    };
    (0..4).map(part).collect()
}

pub(crate) mod skills {
    use super::{SkillText, here};

    pub fn read(reference: &str) -> Result<SkillText, String> {
        here(|world| world.skills.get(reference).cloned().ok_or_else(|| format!("there is no skill `{reference}`")))
    }
}

pub(crate) mod tasks {
    use super::{Task, here};

    pub fn current() -> Vec<Task> {
        here(|world| world.tasks.clone())
    }

    pub fn replace(tasks: &[Task]) -> Result<(), String> {
        here(|world| world.tasks = tasks.to_vec());
        Ok(())
    }
}

pub(crate) mod clock {
    pub fn now() -> u64 {
        super::here(|world| world.now)
    }
}

pub(crate) mod random {
    pub fn bytes(length: u32) -> Vec<u8> {
        super::here(|world| {
            let first = world.seed;
            let bytes: Vec<u8> = std::iter::successors(Some(first), |byte| Some(byte.wrapping_add(1)))
                .take(usize::try_from(length).unwrap_or(usize::MAX))
                .collect();
            world.seed = bytes.last().map_or(first, |byte| byte.wrapping_add(1));
            bytes
        })
    }
}

pub(crate) mod config {
    use super::contract::types::Entry;
    use super::here;

    pub fn get(name: &str) -> Option<String> {
        here(|world| world.config.get(name).cloned())
    }

    pub fn all() -> Vec<Entry> {
        let entry = |(name, value): (&String, &String)| Entry { name: name.clone(), value: value.clone() };
        here(|world| world.config.iter().map(entry).collect())
    }
}

pub(crate) mod memory {
    use super::{File, digest, here};

    pub fn files() -> Vec<String> {
        here(|world| world.memory.keys().cloned().collect())
    }

    pub fn read(path: &str) -> Result<File, String> {
        let notes = here(|world| world.memory.get(path).cloned());
        let notes = notes.ok_or_else(|| format!("there is no memory file `{path}`"))?;
        let text: String = notes.iter().map(|note| format!("- {}\n", note.text)).collect();
        Ok(File { path: path.into(), sha256: digest(&text), text, notes })
    }
}

pub(crate) mod memory_update {
    use super::{NewNote, Note, here};

    pub fn remember(path: &str, note: &NewNote) -> Result<String, String> {
        here(|world| {
            world.remembered.push((path.into(), note.clone()));
            let now = world.now;
            let notes = world.memory.entry(path.into()).or_default();
            if let Some(known) = notes.iter_mut().find(|known| known.text == note.text) {
                known.times = known.times.saturating_add(1);
                return Ok("reinforced".into());
            }
            let NewNote { text, kind, importance, evidence } = note.clone();
            notes.push(Note { text, kind, importance, evidence, times: 1, created: now });
            Ok("added".into())
        })
    }

    pub fn forget(path: &str, text: &str) -> Result<(), String> {
        here(|world| {
            let notes = world.memory.get_mut(path).ok_or_else(|| format!("there is no memory file `{path}`"))?;
            let before = notes.len();
            notes.retain(|note| note.text != text);
            if notes.len() < before { Ok(()) } else { Err(format!("`{path}` has no such note")) }
        })
    }

    pub fn write(path: &str, text: &str, _expected_sha256: Option<&str>) -> Result<(), String> {
        let note = |line: &str| Note {
            text: line.into(),
            kind: "other".into(),
            importance: 50,
            evidence: Vec::new(),
            times: 1,
            created: 0,
        };
        let notes = text.lines().filter_map(|line| line.strip_prefix("- ")).map(note).collect();
        here(|world| world.memory.insert(path.into(), notes));
        Ok(())
    }
}

pub(crate) mod sessions {
    use super::contract::sessions::Query;
    use super::contract::types::Subject;
    use super::{Found, PastRun, here};

    pub fn search(query: &Query) -> Result<Vec<Found>, String> {
        let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
        Ok(here(|world| world.found.iter().take(limit).cloned().collect()))
    }

    pub fn read(session: &str) -> Result<String, String> {
        here(|world| world.sessions.get(session).cloned().ok_or_else(|| format!("there is no session `{session}`")))
    }

    pub fn past_runs(_subject: Option<&Subject>, limit: u32) -> Vec<PastRun> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        here(|world| world.past_runs.iter().take(limit).cloned().collect())
    }
}

pub(crate) mod journal {
    use super::{Asked, Draft, here};

    pub fn drafts() -> Vec<Draft> {
        here(|world| world.drafts.clone())
    }

    pub fn questions() -> Vec<Asked> {
        here(|world| world.questions.clone())
    }
}

pub(crate) mod prompt {
    use super::{Correction, here};

    pub fn correct(corrections: &[Correction]) -> Result<(), String> {
        here(|world| world.corrections.extend_from_slice(corrections));
        Ok(())
    }
}

pub(crate) mod model {
    use super::contract::model::Error;
    use super::here;

    pub fn ask(system: &str, prompt: &str, _max_tokens: u32) -> Result<String, Error> {
        here(|world| {
            world.prompts.push((system.into(), prompt.into()));
            world.model.pop_front().ok_or_else(|| Error::Unavailable("nobody can be asked in this test".into()))
        })
    }
}

pub(crate) mod tools {
    use super::contract::tools::Failure;
    use super::here;

    pub fn call(name: &str, arguments: &str) -> Result<String, Failure> {
        here(|world| {
            world.calls.push((name.into(), arguments.into()));
            let none = || Failure { code: "tools.unavailable".into(), message: format!("`{name}` is not there") };
            world.tools.get_mut(name).and_then(std::collections::VecDeque::pop_front).ok_or_else(none)
        })
    }
}
