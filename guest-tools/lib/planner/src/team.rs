//! Working with others: handing over what another agent does better, and having a draft read before it is given.
//!
//! Both depend on the tools on offer. Without them the planner works alone and says nothing about it.

use serde_json::{Value, json};

use super::compose::Plan;
use super::material::Material;
use super::phrase::{sentence, without_stop};
use super::plan::Said;
use super::product::{Product, RESOURCE_WORDS, VERSIONS_WORDS};
use super::revise::{self, Change};
use super::sections::{Kind, Lesson};
use super::talk::{Desk, Reply};
use super::wish::Wish;
use super::words::says;

/// The tool by which a subagent is spawned.
const SPAWN: &str = "spawn_subagent";

/// The agent that reads drafts.
const REVIEWER: &str = "pedagogy-reviewer";

/// Who would do what is asked for, where a tool is on offer that hands over to them.
fn colleague(desk: &Desk<'_>, request: &str) -> Option<(String, Product)> {
    let offered = |part: &str| desk.tool_like("transfer_to_", part);
    if says(request, VERSIONS_WORDS) {
        return offered("differentiation").map(|tool| (tool, Product::Versions));
    }
    let tool = offered("resource").filter(|_| says(request, RESOURCE_WORDS))?;
    Some((tool, Product::Resource))
}

/// The request as it is looked up in the curriculum: without the words for what another agent will write.
pub(crate) fn cleaned(desk: &Desk<'_>, product: Product, request: &str) -> String {
    let written = match product {
        Product::Lesson => colleague(desk, request).map_or(product, |(_, product)| product),
        other => other,
    };
    written.cleaned(request)
}

/// Hands over where another agent does better what is asked for, and says whether that is under way.
pub(crate) fn hands_over(desk: &mut Desk<'_>, request: &str, plan: &Plan) -> bool {
    let Some((tool, product)) = colleague(desk, request) else { return false };
    let what = if product == Product::Versions {
        "versions of one task for the groups of the class"
    } else {
        "a resource for pupils"
    };
    let material = &plan.gathered.material;
    let arguments = json!({
        "reason": format!("The request asks for {what}: {}", request.trim()),
        "decisions": decisions(plan),
        "constraints": constraints(plan),
        "open_questions": open_questions(material),
    });
    matches!(desk.ask(&tool, &arguments), Reply::Asked)
}

fn open_questions(material: &Material) -> Vec<String> {
    if material.examples.is_empty() {
        vec![format!("The workspace holds no {}: which ones does the teacher want to use?", material.examples())]
    } else {
        Vec::new()
    }
}

/// The draft once a reviewer has read it, with what it found worked in; none while the reviewer is at work.
pub(crate) fn reviewed(desk: &mut Desk<'_>, draft: String, plan: &Plan) -> Said {
    let arguments = json!({
        "agent": REVIEWER,
        "task": "Review this draft before the teacher sees it: name what works, what does not with the line it stands in, and what to do.",
        "decisions": decisions(plan),
        "constraints": constraints(plan),
        "context": draft,
    });
    match desk.ask(SPAWN, &arguments) {
        Reply::Asked => None,
        Reply::Here(answer) => Some(with_findings(&draft, answer, plan)),
        Reply::Failed(_) | Reply::NotOffered => Some(draft),
    }
}

fn decisions(plan: &Plan) -> Vec<String> {
    let material = &plan.gathered.material;
    let mut all = vec![format!("Topic: {}", material.topic)];
    all.extend(plan.class.as_ref().map(|class| format!("Class: {class}")));
    all.extend(material.outcomes.iter().map(|outcome| format!("Outcome: {}", outcome.claim())));
    all.extend(material.criteria.iter().map(|criterion| format!("Criterion: {criterion}")));
    all
}

fn constraints(plan: &Plan) -> Vec<String> {
    let material = &plan.gathered.material;
    let mut all = vec![format!("{} minutes", plan.minutes)];
    all.extend(material.needs.iter().map(|need| format!("{}: {}", need.group, without_stop(&need.support))));
    all.push("No outcome code without its evidence pointer; no names of pupils; British spelling".to_owned());
    all
}

/// One problem of a review.
struct Problem {
    kind: Kind,
    what: String,
    next: String,
}

/// The draft with what a review found: changed where the planner knows how, said under "About this draft" otherwise.
fn with_findings(draft: &str, answer: &str, plan: &Plan) -> String {
    let problems = problems(&review_text(answer));
    let mut lesson = Lesson::read(draft);
    let mut told = Vec::new();
    for problem in &problems {
        let before = lesson.write();
        let place = lesson.of_kind(problem.kind).filter(|_| is_understood(&problem.next));
        if let Some(at) = place {
            revise::apply(&mut lesson, &[(at, Change::Revise(problem.next.clone()))], &[], &plan.gathered.material);
        }
        let done = if lesson.write() == before { "Left to you" } else { "Changed" };
        told.push(format!("- {done}: {} {}", sentence(&problem.what), sentence(&problem.next)));
    }
    let Some(about) = lesson.of_kind(Kind::About).and_then(|at| lesson.sections.get_mut(at)) else {
        return lesson.write();
    };
    let found = if told.is_empty() {
        "The agent `pedagogy-reviewer` read this draft and found nothing to change.".to_owned()
    } else {
        format!("The agent `pedagogy-reviewer` read this draft:\n\n{}", told.join("\n"))
    };
    let body = format!("{}\n\n{found}", about.body().trim_end());
    about.set_body(&body);
    lesson.write()
}

/// Whether the planner can do by rules all that a next step asks for. A reviewer names no context for examples: "with
/// every step" and "use it in a sentence" are no places to set a lesson in.
fn is_understood(next: &str) -> bool {
    let wish = Wish::read(next);
    wish.context.is_none() && wish.focus.is_none() && wish.notes.is_empty() && wish != Wish::default()
}

/// The text of a review, which may come alone or inside a summary as JSON.
fn review_text(answer: &str) -> String {
    fn strings(value: &Value, all: &mut Vec<String>) {
        match value {
            Value::String(text) => all.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
            Value::Object(fields) => fields.values().for_each(|field| strings(field, all)),
            _ => {}
        }
    }
    let Ok(value) = serde_json::from_str::<Value>(answer) else { return answer.to_owned() };
    let mut all = Vec::new();
    strings(&value, &mut all);
    all.into_iter().max_by_key(|text| (text.contains("## Problems"), text.len())).unwrap_or_default()
}

/// The items under "Problems": the section in bold, what is wrong, and what to do after "Next:".
fn problems(review: &str) -> Vec<Problem> {
    let below = review.split("## Problems").nth(1).unwrap_or_default();
    let below = below.split("\n## ").next().unwrap_or_default();
    let problem = |line: &str| {
        let (number, rest) = line.split_once(". ")?;
        number.trim().parse::<u32>().ok()?;
        let (section, rest) = rest.strip_prefix("**")?.split_once("**")?;
        let (what, next) = rest.split_once("**Next:**")?;
        let what = format!("{section}{}", what.trim_end());
        Some(Problem { kind: Kind::of(section), what, next: next.trim().to_owned() })
    };
    below.lines().filter_map(problem).collect()
}
