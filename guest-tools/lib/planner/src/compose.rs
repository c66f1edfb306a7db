//! Writing a whole lesson.

use ta_curriculum::level::Level;

use super::choose::{drafts, first_draft};
use super::demands::{additions, demands};
use super::gather::Gathered;
use super::material::Material;
use super::means::Preference;
use super::occasion::Occasion;
use super::phrase::{sentence, uncapitalised, without_stop};
use super::sections::{Kind, ORDER};
use super::timing::{PRACTICE_IN_ONE_MINUTES_MAX, PRACTICE_IN_TWO_MINUTES_MAX, Timing};
use super::title::title;
use super::wish::Wish;
use super::words::says;

/// What a lesson is written from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) gathered: Gathered,
    /// The class as it stands in the line under the title; none where no class was named.
    pub(crate) class: Option<String>,
    pub(crate) year: Option<String>,
    pub(crate) level: Option<Level>,
    pub(crate) minutes: u32,
    pub(crate) starter_minutes_max: Option<u32>,
    pub(crate) preference: Preference,
    pub(crate) wish: Wish,
    pub(crate) occasion: Occasion,
    /// Files with what was taken from them.
    pub(crate) files: Vec<String>,
    /// What could not be done, what was assumed, what differs from the profile.
    pub(crate) remarks: Vec<String>,
    /// What the teacher should look at.
    pub(crate) checks: Vec<String>,
    /// A sentence under the outcomes.
    pub(crate) outcome_remark: Option<String>,
}

/// Writes the lesson.
pub(crate) fn compose(plan: &Plan) -> String {
    let material = &plan.gathered.material;
    let timing = plan.occasion.timing(Timing::of_period(plan.minutes, plan.starter_minutes_max));
    let mut text = format!("# {}\n\n{}\n", title(&material.topic), class_line(plan));
    for (kind, name) in ORDER {
        let heading = match minutes_of(*kind, timing) {
            Some(minutes) => format!("{name} ({minutes} minutes)"),
            None => (*name).to_owned(),
        };
        text.push_str(&format!("\n## {heading}\n\n{}\n", body(*kind, plan, timing)));
    }
    text
}

pub(crate) fn class_line(plan: &Plan) -> String {
    let class = match (&plan.class, &plan.year) {
        (Some(class), Some(year)) => format!("{class} ({year})"),
        (Some(class), None) => class.clone(),
        (None, _) => "not named".to_owned(),
    };
    let level = plan.level.map_or("not stated", Level::name);
    format!("**Class:** {class} · **Level:** {level} · **Length:** {} minutes", plan.minutes)
}

fn minutes_of(kind: Kind, timing: Timing) -> Option<u32> {
    match kind {
        Kind::Starter => Some(timing.starter),
        Kind::Explanation => Some(timing.explanation),
        Kind::Practice => Some(timing.practice),
        Kind::Plenary => Some(timing.plenary),
        _ => None,
    }
}

fn body(kind: Kind, plan: &Plan, timing: Timing) -> String {
    let material = &plan.gathered.material;
    if kind == Kind::About {
        return about(plan);
    }
    let draft = match kind {
        Kind::Practice => practice(material, &plan.wish, &plan.preference, timing.practice),
        _ => first_draft(kind, material, &plan.wish, &plan.preference),
    };
    let mut body = if draft.is_empty() { nothing_known(kind) } else { draft };
    if let (Kind::Outcomes, Some(remark)) = (kind, &plan.outcome_remark) {
        body.push_str(&format!("\n\n{remark}"));
    }
    if let (Kind::Resources, Some(told)) = (kind, plan.occasion.for_colleague(&material.class)) {
        body.push_str(&format!("\n\n{told}"));
    }
    if let Some(line) = line_that_works(kind, material) {
        body.push_str(&format!(
            "\n\nWhat works with {}, says the profile: {}.",
            material.class,
            uncapitalised(without_stop(line))
        ));
    }
    if matches!(kind, Kind::Starter | Kind::Explanation | Kind::Practice | Kind::Plenary) {
        // A way of working for the whole lesson is told once; the patterns of the other parts were chosen by it.
        let told = if kind == Kind::Practice { plan.wish.preference.clone() } else { Preference::default() };
        let wish = Wish { preference: told, ..plan.wish.clone() };
        for line in additions(kind, &wish, &body, material).into_iter().chain(demands(kind, &plan.wish, material)) {
            body.push_str(&format!("\n\n{line}"));
        }
    }
    body
}

/// The practice; a long one in two rounds with a pause between them.
pub(crate) fn practice(material: &Material, wish: &Wish, preference: &Preference, minutes: u32) -> String {
    let first = first_draft(Kind::Practice, material, wish, preference);
    if minutes <= PRACTICE_IN_ONE_MINUTES_MAX {
        return first;
    }
    if material.is_given() {
        return format!(
            "{first}\n\n**Pause.** After half of the time: stand up, air in, one pupil says what has been understood so far. Then go on with the next question."
        );
    }
    let mut turned = material.clone();
    // The sheet belongs to the first round.
    turned.examples.clear();
    if !turned.tasks.is_empty() {
        turned.tasks.rotate_left(1);
    }
    let second = drafts(Kind::Practice, &turned, wish, preference)
        .into_iter()
        .map(|draft| draft.text)
        .find(|text| !shares_name(text, &first));
    let mut text = match second {
        Some(second) => two_rounds(&first, &second),
        None => first,
    };
    if minutes > PRACTICE_IN_TWO_MINUTES_MAX {
        text.push_str("\n\n**Breaks.** In a practice this long, stop for ten minutes after every forty; before each break one pupil says what comes next. Whoever has finished a round makes a task of the same kind for a neighbour.");
    }
    text
}

/// Joins two rounds of practice.
pub(crate) fn two_rounds(first: &str, second: &str) -> String {
    format!(
        "**First round, about half of the time.**\n\n{first}\n\n**Pause.** Five minutes: stand up, air in, one pupil says what has been understood so far; hand out what the second round needs.\n\n**Second round.**\n\n{second}"
    )
}

fn shares_name(a: &str, b: &str) -> bool {
    let name = |text: &str| text.split("**").nth(1).unwrap_or_default().to_owned();
    name(a) == name(b)
}

/// What the profile says works, at the part of the lesson that it is about.
fn line_that_works(kind: Kind, material: &Material) -> Option<&str> {
    /// Longer lines are read in the profile.
    const CHARS_MAX: usize = 160;
    const PARTS: &[(Kind, &str)] = &[
        (Kind::Starter, "starter|opening|come in|beginning|first five minutes"),
        (Kind::Plenary, "exit|plenary|last five minutes|end of the lesson"),
        (Kind::Explanation, "explain|before code|before rules|drawing|model|models|examples|slides"),
        (Kind::Practice, "pairs|laptop|hold|tick list|tasks|task|practice|activity|groups|roles"),
    ];
    let part = |line: &str| PARTS.iter().find(|(_, words)| says(line, words)).map(|(kind, _)| *kind);
    // How long a starter may be was kept to already.
    let fits = |line: &&str| part(line) == Some(kind) && line.chars().count() <= CHARS_MAX && !says(line, "at most");
    material.works.iter().map(String::as_str).find(fits)
}

/// What stands where the files say nothing.
fn nothing_known(kind: Kind) -> String {
    match kind {
        Kind::Misconceptions => "The curriculum file names none for this outcome. Note here what you know from earlier classes.",
        Kind::Keywords => "The curriculum file names none for this outcome. Choose three to five words that pupils have to use.",
        Kind::Prior => "The curriculum file names none for this outcome. Ask in the starter what pupils remember from the lesson before.",
        Kind::Differentiation => {
            "No needs are stated for this class. Before you teach the lesson, look at each part once with the pupils in mind who find reading, writing or waiting hard, and at the end once with those who are quickly done."
        }
        Kind::Criteria => "The curriculum file names no evidence for this outcome. Write two sentences that begin with “I can” and that you could check at the exit.",
        _ => "The files give nothing for this part: it is yours to fill.",
    }
    .to_owned()
}

fn about(plan: &Plan) -> String {
    let mut text = String::from(
        "A draft for you to judge. The offline planner wrote it by rules, without a language model; it knows nothing but these files:\n\n",
    );
    text.push_str(&listed(&plan.files));
    let remarks: Vec<String> = plan.gathered.notes.iter().chain(&plan.remarks).map(|remark| sentence(remark)).collect();
    if !remarks.is_empty() {
        text.push_str("\n\nWhat you should know about it:\n\n");
        text.push_str(&listed(&remarks));
    }
    text.push_str("\n\nPlease check before you teach it:\n\n");
    text.push_str(&listed(&plan.checks));
    text
}

/// What a unit, a resource or a set of versions says about itself.
pub(crate) fn sources_of(plan: &Plan, extra: &[String]) -> String {
    /// Of the checks of a lesson, those about the outcomes hold for everything.
    const OF_OUTCOMES: usize = 2;
    let mut text = String::from(
        "A draft for you to judge. The offline planner wrote it by rules, without a language model; it knows nothing but these files:\n\n",
    );
    text.push_str(&listed(&plan.files));
    text.push_str("\n\nPlease check before you use it:\n\n");
    let checks: Vec<String> =
        extra.iter().chain(plan.checks.iter().take(OF_OUTCOMES)).chain(&plan.remarks).cloned().collect();
    text.push_str(&listed(&checks));
    text
}

fn listed(items: &[String]) -> String {
    items
        .iter()
        .map(|item| format!("- {}", without_stop(item).trim_start_matches("- ")))
        .map(|line| line + ".")
        .collect::<Vec<_>>()
        .join("\n")
}
