//! Log, skills, tasks, clock, random and config.

use sha2::{Digest, Sha256};
use ta_core::event::SkillRead;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::{clock, config, log, random, skills, tasks, types};
use crate::failure::{Stop, cut};
use crate::limits::{RANDOM_BYTES_MAX, TASKS_MAX};
use crate::state::State;

impl types::Host for State {}

impl log::Host for State {
    fn write(&mut self, level: log::Level, mut message: String) -> Result<()> {
        self.enter()?;
        let limits = self.invocation.limits;
        let room = limits.log_bytes.saturating_sub(self.usage.log_bytes);
        if self.trail.logs.len() >= limits.log_lines as usize || room == 0 {
            self.trail.logs_dropped = self.trail.logs_dropped.saturating_add(1);
            return Ok(());
        }
        if message.len() > room {
            self.trail.logs_dropped = self.trail.logs_dropped.saturating_add(1);
            cut(&mut message, room);
        }
        self.usage.log_bytes = self.usage.log_bytes.saturating_add(message.len());
        let level = match level {
            log::Level::Debug => "debug",
            log::Level::Info => "info",
            log::Level::Warn => "warn",
            log::Level::Error => "error",
        };
        self.trail.logs.push(format!("{level}: {message}"));
        Ok(())
    }
}

impl skills::Host for State {
    fn read(&mut self, reference: String) -> Result<std::result::Result<skills::SkillText, String>> {
        self.enter()?;
        let read = self.told(&format!("skills.read {reference}"), |state| match &state.invocation.skills {
            Some(reader) => reader.read(&reference),
            None => Err("this plugin has no skills".to_owned()),
        })?;
        Ok(read.map(|skill| {
            let read = SkillRead { reference, tier: skill.tier };
            if !self.trail.skills.contains(&read) {
                self.trail.skills.push(read);
            }
            let tier = if skill.tier >= 3 { skills::Tier::Reference } else { skills::Tier::Body };
            skills::SkillText { tier, text: skill.text, problems: skill.problems }
        }))
    }
}

impl tasks::Host for State {
    fn current(&mut self) -> Result<Vec<tasks::Task>> {
        self.enter()?;
        let tasks = self.trail.tasks.as_ref().unwrap_or(&self.invocation.tasks);
        Ok(tasks.iter().cloned().map(Into::into).collect())
    }

    fn replace(&mut self, tasks: Vec<tasks::Task>) -> Result<std::result::Result<(), String>> {
        self.enter()?;
        if tasks.len() > TASKS_MAX {
            return Ok(Err(format!("a session has at most {TASKS_MAX} tasks; these are {}", tasks.len())));
        }
        self.trail.tasks = Some(tasks.into_iter().map(Into::into).collect());
        Ok(Ok(()))
    }
}

impl clock::Host for State {
    fn now(&mut self) -> Result<u64> {
        self.enter()?;
        Ok(self.invocation.now_ms)
    }
}

impl random::Host for State {
    fn bytes(&mut self, length: u32) -> Result<Vec<u8>> {
        self.enter()?;
        if length > RANDOM_BYTES_MAX {
            let reason = format!("it asked for {length} random bytes at once; it may have {RANDOM_BYTES_MAX}");
            return Err(Stop::limit("hook.limit", reason));
        }
        // SHA-256 in counter mode: plain, portable, and the same in every version of every library.
        let mut bytes = Vec::with_capacity(length as usize + 32);
        while bytes.len() < length as usize {
            let mut hash = Sha256::new();
            hash.update(self.invocation.seed);
            hash.update(self.usage.random_bytes.to_le_bytes());
            bytes.extend_from_slice(&hash.finalize());
            self.usage.random_bytes = self.usage.random_bytes.saturating_add(1);
        }
        bytes.truncate(length as usize);
        Ok(bytes)
    }
}

impl config::Host for State {
    fn get(&mut self, name: String) -> Result<Option<String>> {
        self.enter()?;
        Ok(self.invocation.rights.config.get(&name).cloned())
    }

    fn all(&mut self) -> Result<Vec<types::Entry>> {
        self.enter()?;
        let entries = self.invocation.rights.config.iter();
        Ok(entries.map(|(name, value)| types::Entry { name: name.clone(), value: value.clone() }).collect())
    }
}
