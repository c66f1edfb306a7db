//! The provider `offline` of the tutors: there is no model, and it says so.
//!
//! With it a tutor asks no agents: problems, hints and solutions come from the topic's data, right and wrong from the checker.
//! Whoever asks an agent all the same is told why nobody answers.

use ta_guest::provider::{Answer, Failure, Request};

ta_guest::provider!(complete);

fn complete(_: &Request) -> Result<Answer, Failure> {
    Err(Failure::new("no-model", "there is no model: the tutor's own words stand in the topics"))
}
