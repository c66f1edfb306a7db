//! Reviewing a lesson: what works and what does not, each with the line it stands in and what is known about it.
//!
//! The rules look at how a lesson is made, not at whether its subject matter is right; the review says so. A strength or a
//! problem is only named with words of the lesson beside it.

mod find;
mod rules;

use serde_json::Value;

use super::answers::no_lesson;
use super::look;
use super::profile::Profile;
use super::prompt::Prompt;
use super::read_back;
use super::refine;
use super::request::Ask;
use super::sections::Lesson;
use super::talk::{Desk, Reply};
use find::Page;

/// Something worth saying about a lesson.
pub(crate) struct Point {
    /// The section's heading without minutes.
    section: String,
    line: usize,
    quote: String,
    /// What is good or wrong about it.
    says: String,
    /// Who found out, by author and year.
    evidence: &'static str,
    /// What to do; empty for a strength.
    next: String,
}

/// Problems that a teacher can act on before a lesson; the rest is for the next time.
const PROBLEMS_MAX: usize = 7;
const STRENGTHS_MAX: usize = 5;

/// Reviews the lesson that the request holds or names; none while tools have to be asked first.
pub(crate) fn review(desk: &mut Desk<'_>, prompt: &Prompt) -> Option<String> {
    let within = desk.talk.texts().find_map(lesson_within);
    if let Some(text) = within {
        return written(desk, prompt, &text, "the draft");
    }
    let request = desk.talk.request();
    let names = look::list(desk, "lessons");
    if desk.waits() {
        return None;
    }
    let names = names.here().unwrap_or_default();
    let named = Ask::read(&request, &[]).lesson;
    let Some(path) = named.or_else(|| refine::newest(&names, &request).map(|name| format!("lessons/{name}"))) else {
        return desk.decline(no_lesson("the request names no lesson that is there", &names));
    };
    match look::file(desk, &path) {
        Reply::Here(text) => written(desk, prompt, &text, &path),
        Reply::Asked => None,
        _ => desk.decline(no_lesson(&path, &names)),
    }
}

/// A lesson that stands in a message: as it is, or as text in an object.
fn lesson_within(text: &str) -> Option<String> {
    let from_json = text.find('{').and_then(|at| serde_json::from_str::<Value>(text.get(at..)?.trim()).ok());
    let inner = from_json.and_then(|value| Some(value.get("context")?.as_str()?.to_owned()));
    let text = inner.as_deref().unwrap_or(text);
    let start = if text.starts_with("# ") { 0 } else { text.find("\n# ")? + 1 };
    let lesson = text.get(start..)?;
    let lesson = lesson.split("\n</").next().unwrap_or(lesson);
    lesson.contains("\n## ").then(|| format!("{}\n", lesson.trim_end()))
}

fn written(desk: &mut Desk<'_>, prompt: &Prompt, text: &str, name: &str) -> Option<String> {
    let class = read_back::class(&Lesson::read(text));
    let profile = class.as_deref().map(|class| look::profile(desk, prompt, class));
    if desk.waits() {
        return None;
    }
    let profile = profile.and_then(Reply::here).unwrap_or_default();
    let mut review = compose(text, &profile, name);
    if desk.talk.texts().any(|said| said.contains(RETURN)) {
        review.push_str(&given_back(&review));
    }
    Some(review)
}

/// How a subagent is asked to end.
const RETURN: &str = "## Decisions\n## Constraints\n## Open questions";

/// What the agent that asked for the review takes from it: what is to be done about each problem.
fn given_back(review: &str) -> String {
    let next = review.lines().filter_map(|line| line.split_once("**Next:** "));
    let next: Vec<String> = next.map(|(_, next)| format!("- {next}")).collect();
    let decisions = if next.is_empty() { "none".to_owned() } else { next.join("\n") };
    format!("\n## Decisions\n\n{decisions}\n\n## Constraints\n\nnone\n\n## Open questions\n\nnone\n")
}

fn compose(text: &str, profile: &Profile, name: &str) -> String {
    let page = Page::read(text);
    let material = read_back::material(&Lesson::read(text));
    let mut problems = rules::problems(&page, &material, profile);
    let mut strengths = rules::strengths(&page, &material, profile);
    let left = problems.len().saturating_sub(PROBLEMS_MAX);
    problems.truncate(PROBLEMS_MAX);
    strengths.truncate(STRENGTHS_MAX);
    let title = page.title();
    let mut out =
        format!("# Review: {title}\n\nOf `{name}`: {} strengths and {} problems.\n", strengths.len(), problems.len());
    out.push_str("\n## What works\n\n");
    for point in &strengths {
        out.push_str(&format!(
            "- **{}**, line {}, “{}”: {} ({}).\n",
            point.section, point.line, point.quote, point.says, point.evidence
        ));
    }
    if strengths.is_empty() {
        out.push_str("Nothing that these rules look for; see the problems.\n");
    }
    out.push_str("\n## Problems\n\n");
    for (at, point) in problems.iter().enumerate() {
        out.push_str(&format!(
            "{}. **{}**, line {}, “{}”: {} ({}). **Next:** {}.\n",
            at + 1,
            point.section,
            point.line,
            point.quote,
            point.says,
            point.evidence,
            point.next
        ));
    }
    if problems.is_empty() {
        out.push_str("None that these rules look for.\n");
    }
    out.push_str("\n## Next steps\n\n");
    for (at, point) in problems.iter().take(3).enumerate() {
        out.push_str(&format!("{}. {}: {}.\n", at + 1, point.section, point.next));
    }
    if problems.is_empty() {
        out.push_str("1. Teach it, and note after the lesson which exit question most got wrong.\n");
    }
    out.push_str(&about(profile, left));
    out
}

fn about(profile: &Profile, left: usize) -> String {
    let class = match &profile.class {
        Some(class) => format!("the profile of {class}"),
        None => "no class profile, so nothing is said about needs".to_owned(),
    };
    let more = if left > 0 { format!(" {left} smaller problems are left out.") } else { String::new() };
    format!(
        "\n## About this review\n\nThe offline reviewer wrote it by rules, without a language model, from the lesson and {class}. It looks at how the lesson is made: goals, questions, checks, support, time. Whether the subject matter is right, and whether it suits the pupils you know, it cannot tell.{more}\n"
    )
}
