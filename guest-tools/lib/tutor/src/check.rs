//! Looks the topics of a plugin through, for whoever writes them.

use crate::matrix::Matrix;
use crate::message::{Emotion, Kind, Shown};
use crate::places;
use crate::state::{Stage, State, Status};
use crate::topic::Topic;
use crate::tutor::{Failure, Step, Turn, Wait, World};
use crate::validate;

/// Says what is wrong with the topic that is named, or with all of them and the matrix where none is.
///
/// # Errors
/// Where the list of topics is missing.
pub fn check(world: &dyn World, text: &str) -> Result<Step, Failure> {
    let list = world.file("").map_err(|error| ("topic.missing", error))?;
    let named = places::topic(&list, text).or_else(|| (!text.trim().is_empty()).then(|| text.trim().to_owned()));
    let files = named.map_or_else(|| places::files(&list), |file| vec![file]);
    let mut lines: Vec<String> = files.iter().map(|file| topic(world, file)).collect();
    lines.push(match world.file("matrix.yaml").and_then(|yaml| Matrix::read(&yaml)) {
        Ok(_) => "matrix.yaml: nothing is wrong".to_owned(),
        Err(why) => format!("matrix.yaml: {why}"),
    });
    let state = State { status: Status::Ended, stage: Stage::Over, ..State::default() };
    let turn = Turn { world, state, notes: Vec::new(), observations: Vec::new() };
    Ok(turn.done(vec![Shown::of(Kind::Feedback, Emotion::Neutral, lines.join("\n"))], Wait::End))
}

fn topic(world: &dyn World, file: &str) -> String {
    let name = format!("{file}.yaml");
    let yaml = match world.file(&name) {
        Ok(yaml) => yaml,
        Err(why) => return format!("{name}: {why}"),
    };
    let findings = validate::topic(&name, &yaml);
    if !findings.is_empty() {
        return findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    }
    let sections = Topic::read(&yaml).map(|topic| topic.sections).unwrap_or_default();
    let shapes: usize = sections.iter().map(|section| section.shapes.len()).sum();
    format!("{name}: {} sections, {shapes} shapes, nothing is wrong", sections.len())
}
