//! `skills`: texts of the skills that the agent may read.

use ta_core::event::SkillRead;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::skills;
use crate::state::State;

impl skills::Host for State {
    fn read(&mut self, reference: String) -> Result<std::result::Result<skills::SkillText, String>> {
        self.enter()?;
        let read = self.input(&format!("skills.read {reference}"), |state| match &state.invocation.skills {
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
