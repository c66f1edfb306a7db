//! Codes in the place of participants and conditions, and times that are shifted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ta_runtime::RuntimeError;
use ta_runtime::surface::StudyStep;

use super::rows::Material;
use crate::draws::{Draws, fresh_seed};

/// Days by which times are shifted at the most.
const DAYS_MAX: usize = 3_650;
/// Milliseconds of a day.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// What opens a blinded export: it is no part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The participant behind each code.
    pub participants: BTreeMap<String, String>,
    /// The condition behind each code.
    pub conditions: BTreeMap<String, String>,
    /// By how many days each participant's times lie earlier than they were, by code.
    pub days_earlier: BTreeMap<String, u64>,
}

impl Key {
    /// Draws codes: their order says nothing.
    pub(super) fn draw(all: &[Material], conditions: &[String]) -> Result<Self, RuntimeError> {
        let mut draws = Draws::new(fresh_seed()?, "blind");
        let mut people: Vec<String> = all.iter().map(|it| it.participant.clone()).collect();
        draws.shuffle(&mut people);
        let mut conditions = conditions.to_vec();
        draws.shuffle(&mut conditions);
        let code = |(number, name): (usize, String)| (format!("S{:02}", number + 1), name);
        let participants: BTreeMap<String, String> = people.into_iter().enumerate().map(code).collect();
        let letters = ('A'..='Z').map(|letter| letter.to_string());
        let mut days = || u64::try_from(1 + draws.below(DAYS_MAX)).unwrap_or(1);
        let days_earlier = participants.keys().map(|code| (code.clone(), days())).collect();
        Ok(Self { participants, conditions: letters.zip(conditions).collect(), days_earlier })
    }

    fn code_of<'a>(map: &'a BTreeMap<String, String>, name: &str) -> Option<&'a String> {
        map.iter().find(|(_, known)| *known == name).map(|(code, _)| code)
    }

    /// Puts the codes in the names' places, the participants in the codes' order.
    pub(super) fn blind(&self, all: &mut [Material]) {
        for material in all.iter_mut() {
            let Some(code) = Self::code_of(&self.participants, &material.participant).cloned() else { continue };
            let earlier_ms = self.days_earlier.get(&code).copied().unwrap_or(0) * DAY_MS;
            for (at_ms, step) in &mut material.steps {
                *at_ms = at_ms.saturating_sub(earlier_ms);
                if let StudyStep::TaskBegun { condition, .. }
                | StudyStep::TaskEnded { condition, .. }
                | StudyStep::Answered { condition, .. } = step
                    && let Some(code) = Self::code_of(&self.conditions, condition)
                {
                    condition.clone_from(code);
                }
            }
            for record in material.runs.values_mut().flatten() {
                record.at_ms = record.at_ms.saturating_sub(earlier_ms);
            }
            material.participant = code;
        }
        all.sort_by(|one, other| one.participant.cmp(&other.participant));
    }
}
