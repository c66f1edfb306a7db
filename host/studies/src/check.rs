//! Looking at a study before it starts: every digest, the balance, the power, what participants will see.

use serde::Serialize;
use ta_runtime::surface::ConditionPins;
use ta_runtime::{Host, RuntimeError};

use crate::definition::{Study, StudyFiles};
use crate::plan::{Described, describe};
use crate::power::{Power, power};
use crate::steps::{Step, steps};
use crate::under::{self, Place};

/// The seed of all that a check simulates: the same study, the same figures.
const SEED: u64 = 1;

/// What was found. What is wrong is an error, so this is of a study that can start.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// The study.
    pub study: String,
    /// How many participants are planned.
    pub participants: usize,
    /// The design, with the balance that this number comes to.
    pub design: Described,
    /// Numbers of participants near the planned one at which the balance is exact.
    pub exact_at: Vec<usize>,
    /// The power of this very design.
    pub power: Power,
    /// The conditions.
    pub conditions: Vec<CheckedCondition>,
    /// What a participant will see, in order; conditions are not named there.
    pub seen: Vec<String>,
    /// What is not wrong, and worth a thought.
    pub notes: Vec<String>,
}

/// A condition.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedCondition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// In what it differs from the others is in here: all that it rests on.
    #[serde(flatten)]
    pub pins: ConditionPins,
}

/// Looks at a study.
///
/// # Errors
/// Everything that keeps it from starting.
pub fn check(host: &Host, files: &StudyFiles) -> Result<Checked, RuntimeError> {
    let study = Study::read(files)?;
    let place = Place { host, files, study: &study };
    let mut conditions = Vec::new();
    for (name, condition) in &study.conditions {
        for task in &study.tasks {
            under::request(place, condition, task)?;
        }
        let pins = under::pins(place, condition)?;
        conditions.push(CheckedCondition { name: name.clone(), about: condition.about.clone(), pins });
    }
    let design = describe(&study, study.participants, SEED);
    let power = power(&study.design, study.participants, study.assumed, SEED);
    let below = study.participants / design.block * design.block;
    let exact_at = [below, below + design.block].into_iter().filter(|it| *it > 0).collect();
    let notes = notes(&study, design, &power, &conditions);
    Ok(Checked {
        study: study.name.clone(),
        participants: study.participants,
        design,
        exact_at,
        power,
        conditions,
        seen: seen(&study),
        notes,
    })
}

fn notes(study: &Study, design: Described, power: &Power, conditions: &[CheckedCondition]) -> Vec<String> {
    let mut notes = Vec::new();
    if design.imbalance > 0 {
        notes.push(format!(
            "{} participants cannot be balanced exactly: counts differ by {}; it is exact at multiples of {}. Where another number \
             cannot be had, `least-filled` balances what is met where at any multiple of {}",
            study.participants, design.imbalance, design.block, design.conditions
        ));
    }
    if power.power < 0.8 {
        notes.push(format!(
            "an effect of {} standard deviations is found in {:.0} % of such studies: more participants, or a larger effect, \
             are needed for the usual 80 %",
            power.assumed.effect,
            power.power * 100.0
        ));
    }
    let places = study.design.each * study.tasks_each;
    let counted = study.counted_tasks().len();
    if !places.is_multiple_of(counted) {
        notes.push(format!("each participant does {places} tasks of {counted}: some more often than others"));
    }
    let stand_ins = conditions.iter().filter(|it| it.pins.provider == "offline");
    let names: Vec<&str> = stand_ins.map(|condition| condition.name.as_str()).collect();
    if !names.is_empty() {
        notes.push(format!(
            "no model answers in {}: a stand-in without one does; set the key, or `provider`, before the study starts",
            names.join(", ")
        ));
    }
    notes
}

/// What a participant is shown, page by page.
fn seen(study: &Study) -> Vec<String> {
    let first: Vec<usize> = (0..study.design.each).collect();
    let sequence = study.named(&first);
    let steps = steps(study, &sequence);
    let title = |name: &str| study.questionnaires.get(name).map_or(name, |it| it.title.as_str()).to_owned();
    let page = |step: &Step<'_>| match step {
        Step::Consent => format!("consent, version {}", study.consent_version),
        Step::Ask { questionnaire, moment, .. } => format!("{} ({moment})", title(questionnaire)),
        Step::Do { task, .. } => match task.minutes {
            Some(minutes) => format!("{}, {minutes} minutes", task.title),
            None => task.title.clone(),
        },
    };
    steps.iter().map(page).collect()
}
