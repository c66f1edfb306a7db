//! A study as its files say it: `study.toml`, and the texts that it names.

mod condition;
mod files;
mod questionnaire;

use std::collections::BTreeMap;

use ta_runtime::RuntimeError;
use ta_runtime::surface::{Fields, Problem, toml};

use crate::design::{CONDITIONS_MAX, Design, Kind, PARTICIPANTS_MAX};
use crate::power::{Assumed, Test};

pub use condition::{Component, Condition, Who};
pub use files::{StudyFiles, new};
pub use questionnaire::{Item, Questionnaire, Scale};

/// The file that says what a study is.
pub const STUDY_FILE: &str = "study.toml";
/// Minutes that a task may be given at the most.
const MINUTES_MAX: u32 = 24 * 60;

/// A study.
#[derive(Debug, Clone)]
pub struct Study {
    /// Its name, which is its directory's.
    pub name: String,
    /// What participants read above everything.
    pub title: String,
    /// The plugin whose commands the tasks are.
    pub plugin: String,
    /// How many participants are planned.
    pub participants: usize,
    /// Whether a session begins although something has changed since the start; it is marked then.
    pub drift_is_marked: bool,
    /// Version of the text that participants agree to.
    pub consent_version: String,
    /// That text, as markdown.
    pub consent: String,
    /// Who meets what.
    pub design: Design,
    /// Level by level what participants are told apart by, for minimisation.
    pub factors: BTreeMap<String, Vec<String>>,
    /// What its power is reckoned with.
    pub assumed: Assumed,
    /// What all conditions have in common: a practice runs so.
    pub base: Condition,
    /// The conditions by name, in the order in which the design numbers them.
    pub conditions: BTreeMap<String, Condition>,
    /// Tasks that come in each condition.
    pub tasks_each: usize,
    /// The tasks in order.
    pub tasks: Vec<Task>,
    /// Questionnaires that are answered once, at the end.
    pub at_the_end: Vec<String>,
    /// Those that are named anywhere, by name.
    pub questionnaires: BTreeMap<String, Questionnaire>,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// What participants read above it.
    pub title: String,
    /// What they are to do, as markdown.
    pub text: String,
    /// The command that runs.
    pub command: String,
    /// What it is asked.
    pub request: String,
    /// Minutes of active work at the most; none where there is no limit.
    pub minutes: Option<u32>,
    /// Whether it is there to get to know everything: done once, first, under no condition, and in no table.
    pub practice: bool,
    /// Questionnaires before it.
    pub before: Vec<String>,
    /// Questionnaires after it.
    pub after: Vec<String>,
}

impl Study {
    /// Reads a study.
    ///
    /// # Errors
    /// All problems of its files at once, each with file, line and hint.
    pub fn read(files: &StudyFiles) -> Result<Self, RuntimeError> {
        let mut problems = Vec::new();
        let study = read(files, &mut problems);
        problems.sort_by(|one, other| (&one.file, one.line, &one.field).cmp(&(&other.file, other.line, &other.field)));
        // What stands in the base is read once for each condition.
        problems
            .dedup_by(|one, other| (&one.file, one.line, &one.message) == (&other.file, other.line, &other.message));
        match study.filter(|_| problems.is_empty()) {
            Some(study) => Ok(study),
            None => Err(RuntimeError::problems(&format!("the study `{}`", files.name), problems)),
        }
    }

    /// Names of the conditions, in the order in which the design numbers them.
    #[must_use]
    pub fn condition_names(&self) -> Vec<&str> {
        self.conditions.keys().map(String::as_str).collect()
    }

    /// A sequence with the conditions' names.
    #[must_use]
    pub fn named(&self, sequence: &[usize]) -> Vec<String> {
        let names = self.condition_names();
        sequence.iter().filter_map(|it| names.get(*it)).map(|name| (*name).to_owned()).collect()
    }

    /// The tasks that count, in order.
    #[must_use]
    pub fn counted_tasks(&self) -> Vec<&Task> {
        self.tasks.iter().filter(|task| !task.practice).collect()
    }
}

/// The public id of the participant of this number, counted from 1.
#[must_use]
pub fn participant(number: usize) -> String {
    format!("P{number:02}")
}

const FIELDS: [&str; 15] = [
    "title",
    "plugin",
    "participants",
    "drift",
    "consent",
    "assignment",
    "power",
    "base",
    "conditions",
    "tasks-each",
    "order",
    "tasks",
    "at-the-end",
    "about",
    "version",
];

fn read(files: &StudyFiles, problems: &mut Vec<Problem>) -> Option<Study> {
    let shown = files.shown(STUDY_FILE);
    let text = files.text_or_problem(STUDY_FILE, &shown, None, problems)?;
    let fields = toml(&shown, &text).map_err(|problem| problems.push(problem)).ok()?;
    fields.only(&FIELDS, problems);
    let (base, conditions) = condition::all(files, &fields, problems);
    let participants = fields.count("participants", 1..=u32::try_from(PARTICIPANTS_MAX).unwrap_or(1), problems);
    if !fields.fields.contains_key("participants") {
        fields.required("participants", "participants = 10", problems);
    }
    let design = design(&fields, conditions.len(), problems);
    let kind = design.as_ref().map_or(Kind::Williams, |(design, _)| design.kind);
    let assumed = assumed(&fields, kind, problems);
    let tasks = tasks(files, &fields, problems);
    let at_the_end = fields.list("at-the-end", problems);
    let counted = tasks.iter().filter(|task| !task.practice).count();
    let most = u32::try_from(counted.max(1)).unwrap_or(1);
    let tasks_each = fields.count("tasks-each", 1..=most, problems).unwrap_or(most);
    let consent = fields.table("consent", problems);
    consent.only(&["file", "version"], problems);
    let version = consent.required("version", "version = \"1\"", problems);
    let file = consent.required("file", "file = \"consent.md\"", problems);
    let consent = text_of(files, &consent, "file", &file, problems);
    let named = tasks.iter().flat_map(|task| task.before.iter().chain(&task.after)).chain(&at_the_end);
    let questionnaires = questionnaire::all(files, &shown, named, problems);
    let title = fields.required("title", "title = \"What reviewers make of drafts\"", problems);
    let plugin = fields.required("plugin", "plugin = \"release-notes\"", problems);
    let drift = fields.one_of("drift", &["refuse", "mark"], problems);
    // Last, so that everything else has been looked at.
    let (design, factors) = design?;
    Some(Study {
        name: files.name.clone(),
        title,
        plugin,
        participants: participants.map_or(0, |count| count as usize),
        drift_is_marked: drift.as_deref() == Some("mark"),
        consent_version: version,
        consent,
        design,
        factors,
        assumed,
        base,
        conditions,
        tasks_each: tasks_each as usize,
        tasks,
        at_the_end,
        questionnaires,
    })
}

/// The text of a file that a field names.
fn text_of(files: &StudyFiles, fields: &Fields, field: &str, path: &str, problems: &mut Vec<Problem>) -> String {
    if path.is_empty() {
        return String::new();
    }
    let line = fields.fields.get(field).map(|field| field.line);
    files.text_or_problem(path, &fields.file, line, problems).unwrap_or_default()
}

fn problem(fields: &Fields, field: &str, code: &str, message: String, hint: &str) -> Problem {
    let line = fields.fields.get(field).map(|field| field.line);
    let name = if fields.path.is_empty() { field.to_owned() } else { format!("{}.{field}", fields.path) };
    Problem::new(code, &fields.file, message, hint).at(line).field(&name)
}

type Factors = BTreeMap<String, Vec<String>>;

fn design(fields: &Fields, conditions: usize, problems: &mut Vec<Problem>) -> Option<(Design, Factors)> {
    let table = fields.table("assignment", problems);
    table.only(&["design", "each", "block", "factors"], problems);
    let names = Kind::ALL.map(Kind::name);
    let kind = table.one_of("design", &names, problems).and_then(|name| name.parse::<Kind>().ok());
    if !table.fields.contains_key("design") {
        table.required("design", "design = \"williams\"", problems);
    }
    let most = u32::try_from(CONDITIONS_MAX).unwrap_or(9);
    let each = table.count("each", 1..=most, problems).map(|each| each as usize);
    let block = table.count("block", 1..=1_000, problems).map(|block| block as usize);
    let factors = table.table("factors", problems);
    let factors: Factors = factors.fields.keys().map(|name| (name.clone(), factors.list(name, problems))).collect();
    if kind.is_some_and(|kind| kind != Kind::Minimisation) && !factors.is_empty() {
        let message = "only `minimisation` looks at factors".to_owned();
        problems.push(problem(&table, "factors", "study.design", message, "take them out, or choose that design"));
    }
    match Design::new(kind?, conditions, each, block) {
        Ok(design) => Some((design, factors)),
        Err(why) => {
            let hint = "mend `[assignment]`, or the number of conditions; `least-filled` takes any number of each";
            problems.push(problem(&table, "design", "study.design", why, hint));
            None
        }
    }
}

fn assumed(fields: &Fields, kind: Kind, problems: &mut Vec<Problem>) -> Assumed {
    let table = fields.table("power", problems);
    table.only(&["effect", "sd", "icc", "alpha", "test"], problems);
    let usual = Assumed::usual(kind.between());
    let mut within = |field: &str, least: f64, below: f64, usual: f64| {
        let Some(found) = table.fields.get(field) else { return usual };
        let value = found.value.as_f64().filter(|it| it.is_finite() && (least..below).contains(it));
        value.unwrap_or_else(|| {
            let message = format!("expected a number from {least} to below {below}, found `{}`", found.value);
            problems.push(problem(&table, field, "field.value", message, "write such a number"));
            usual
        })
    };
    let (effect, sd) = (within("effect", 0.0, 100.0, usual.effect), within("sd", 1e-9, 1e9, usual.sd));
    let (icc, alpha) = (within("icc", 0.0, 1.0, usual.icc), within("alpha", 1e-6, 1.0, usual.alpha));
    let test = table.one_of("test", &Test::NAMES, problems).and_then(|name| Test::named(&name));
    if kind.between() && test == Some(Test::PairedT) {
        let message = "nobody meets two conditions, so there are no pairs to test".to_owned();
        problems.push(problem(&table, "test", "study.design", message, "write `test = \"welch-t\"`"));
    }
    Assumed { effect, sd, icc, alpha, test: test.unwrap_or(usual.test) }
}

fn tasks(files: &StudyFiles, fields: &Fields, problems: &mut Vec<Problem>) -> Vec<Task> {
    let table = fields.table("tasks", problems);
    let order = fields.list("order", problems);
    let known: Vec<&str> = table.fields.keys().map(String::as_str).collect();
    for name in order.iter().filter(|name| !known.contains(&name.as_str())) {
        let message = format!("there is no task `{name}`");
        problems.push(problem(fields, "order", "study.task", message, &format!("the tasks are: {}", known.join(", "))));
    }
    for name in known.iter().filter(|name| !order.iter().any(|it| it == *name)) {
        let message = format!("the task `{name}` has no place in `order`");
        problems.push(problem(&table, name, "study.task", message, "name every task once in `order = [\"…\"]`"));
    }
    let mut seen = Vec::new();
    for name in &order {
        if seen.contains(&name) {
            let message = format!("the task `{name}` stands twice in `order`");
            problems.push(problem(fields, "order", "study.task", message, "name every task once"));
        }
        seen.push(name);
    }
    let there = order.iter().filter(|name| known.contains(&name.as_str()));
    let tasks: Vec<Task> = there.map(|name| task(files, name, &table.table(name, problems), problems)).collect();
    if tasks.iter().all(|task| task.practice) {
        let message = "a study has at least one task that is no practice".to_owned();
        problems.push(problem(fields, "order", "study.task", message, "add `[tasks.NAME]`, and the name to `order`"));
    }
    tasks
}

fn task(files: &StudyFiles, name: &str, fields: &Fields, problems: &mut Vec<Problem>) -> Task {
    fields.only(&["title", "file", "command", "request", "minutes", "practice", "before", "after"], problems);
    let file = fields.required("file", "file = \"tasks/standard.md\"", problems);
    Task {
        name: name.to_owned(),
        title: fields.required("title", "title = \"A usual week\"", problems),
        text: text_of(files, fields, "file", &file, problems),
        command: fields.required("command", "command = \"write-notes\"", problems),
        request: fields.required("request", "request = \"the notes of 1.4.0\"", problems),
        minutes: fields.count("minutes", 1..=MINUTES_MAX, problems),
        practice: fields.boolean("practice", problems).unwrap_or(false),
        before: fields.list("before", problems),
        after: fields.list("after", problems),
    }
}
