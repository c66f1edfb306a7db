//! What the needs of a class mean in this lesson: each piece of support gets its place in the lesson's activities.

use super::examples::stopped;
use super::material::{Family, Material};
use super::phrase::{capitalised, listed, uncapitalised, without_stop};
use super::profile::Need;
use super::words::{Said, says, tokens};

/// A way into the practice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrance {
    Support,
    Challenge,
}

const CHALLENGE_WORDS: &str = "challenge|finish early|early finishers|more able|deeper|stretch|fast|highly able";
const SUPPORT_WORDS: &str = "securing|below|behind|gaps|catching up|missed|still learning|low prior|basics";

/// Who begins at an entrance, as it stands after its name; empty where the profile speaks of nobody.
pub(crate) fn starting_point(material: &Material, entrance: Entrance) -> String {
    let words = match entrance {
        Entrance::Support => SUPPORT_WORDS,
        Entrance::Challenge => CHALLENGE_WORDS,
    };
    let speaks = |need: &&Need| says(&format!("{} {}", need.group, need.need), words);
    let groups: Vec<String> = material
        .needs
        .iter()
        .filter(speaks)
        .map(|need| uncapitalised(need.short_group()))
        .filter(|group| names_no_level(group))
        .collect();
    if groups.is_empty() { String::new() } else { format!(" Way in for {}.", listed(&groups)) }
}

/// A level named outside the outcomes would read like a claim of alignment.
fn names_no_level(text: &str) -> bool {
    ta_curriculum::level::find_levels(text).is_empty()
}

/// The gaps for one need: `{group}`, `{group_here}` within a sentence, `{need}` in parentheses, `{hard}`, `{support}`,
/// `{parts}` as list items below, `{inline}` as sentences.
pub(crate) fn gaps(need: &Need, at: usize, material: &Material) -> Vec<(&'static str, String)> {
    let places = places(need, at, material);
    let parts: String =
        places.iter().map(|(part, here)| format!("\n  - *{}*: {}", capitalised(part), stopped(here))).collect();
    let inline: Vec<String> =
        places.iter().map(|(part, here)| format!("{}: {}", capitalised(part), stopped(here))).collect();
    let hard = if need.need.is_empty() {
        "the profile does not say where".to_owned()
    } else {
        without_stop(&need.need).to_owned()
    };
    vec![
        ("group", capitalised(&need.group)),
        ("group_here", uncapitalised(&need.group)),
        ("need", if need.need.is_empty() { String::new() } else { format!(" ({})", without_stop(&need.need)) }),
        ("hard", hard),
        ("support", support(need)),
        ("parts", parts),
        ("inline", inline.join(" ")),
    ]
}

fn support(need: &Need) -> String {
    let support = without_stop(&need.support);
    if support.is_empty() {
        "the profile does not say what helps; ask before the lesson".to_owned()
    } else {
        support.to_owned()
    }
}

/// Whether a piece of support belongs to lessons of this kind: clamps are of no use to a lesson on fractions.
fn suits(part: &str, family: Family) -> bool {
    const WORKSHOP: &str = "workshop|clamp|clamps|jig|jigs|goggles|apron";
    const MACHINE: &str = "keyboard|shortcut|shortcuts|mouse|screen reader";
    let workshop = says(part, WORKSHOP);
    let machine = says(part, MACHINE);
    match family {
        Family::Other => true,
        Family::Programming | Family::Computing => !workshop || machine,
        _ => !workshop && !machine,
    }
}

/// Each piece of support with its place in the lesson; pieces with the same place stand together.
fn places(need: &Need, at: usize, material: &Material) -> Vec<(String, String)> {
    let mut places: Vec<(Vec<String>, String)> = Vec::new();
    let parts = need.support.split(';').map(str::trim).filter(|part| !part.is_empty() && suits(part, material.family));
    for (number, part) in parts.enumerate() {
        let here = place(part, at + number, material);
        match places.iter_mut().find(|(_, known)| *known == here) {
            Some((parts, _)) => parts.push(without_stop(part).to_owned()),
            None => places.push((vec![without_stop(part).to_owned()], here)),
        }
    }
    let mut places: Vec<(String, String)> = places.into_iter().map(|(parts, here)| (parts.join("; "), here)).collect();
    if places.is_empty() {
        let here =
            "go through starter, practice and exit with the pupils beforehand and note what each of them would need"
                .to_owned();
        places.push(("in this lesson".to_owned(), here));
    }
    places.extend(need.advice.iter().map(|advice| (format!("from the skill {}", advice.source), advice.text.clone())));
    places
}

/// Recognised by words of the support, first match first; what it says is filled with this lesson's material.
type Rule = (&'static str, fn(&Material) -> String);

const RULES: &[Rule] = &[
    ("captions", |_| {
        "if anything with sound is shown: tried out before the lesson; else nothing to do today".to_owned()
    }),
    ("transcript|listening texts", |_| {
        "if there is something to listen to; the questions of the starter in print as well".to_owned()
    }),
    ("answers repeated|repeated by the teacher", |_| {
        "at both checks of the explanation and in the plenary: say each answer again before you comment on it"
            .to_owned()
    }),
    ("holds the ruler", |_| {
        "at the first drawing or measuring of the lesson; the partner measures, the pupil says where".to_owned()
    }),
    ("told apart by colour|colour codes", |_| {
        "on board and sheet: a letter or a line style beside every colour, and the letter is what you say".to_owned()
    }),
    ("line styles", |_| {
        "solid, dashed and dotted in every diagram of this lesson, and named when you point".to_owned()
    }),
    ("materials laid out|within reach", |_| "before the bell; look once more when the practice begins".to_owned()),
    ("summary of the last lesson", |_| {
        "on the desk as they come in: the last lesson's words and one example, finished".to_owned()
    }),
    ("part-done examples|part-worked examples", |_| {
        "the second example of the explanation and the first of the practice, with the first step written in".to_owned()
    }),
    ("interim results", |_| "a grid of empty boxes beside the first two tasks, one box a step".to_owned()),
    ("partner for the first", |_| "at the first question of the practice; the second is done alone".to_owned()),
    ("same partner", |_| {
        "for all pair work today; if the partner is away, say before the bell who it is instead".to_owned()
    }),
    ("question that will come", |m| match m.claims().next() {
        Some(claim) => format!(
            "before the lesson show the first check of the explanation: “{}.” True or false, and why?",
            capitalised(without_stop(&claim.idea))
        ),
        None => "before the lesson show the first check of the explanation".to_owned(),
    }),
    ("figurative language", |_| {
        "wherever a text of this lesson says something it does not mean word for word".to_owned()
    }),
    ("no cold calling", |_| "answers on boards or from volunteers; nobody is called on without a warning".to_owned()),
    ("sentence starter|sentence starters|sentence frame|sentence frames", |_| {
        "“It is … because …” and “First …, then …” on the practice sheet; without them for the last exit question"
            .to_owned()
    }),
    ("keyword|keywords|vocabulary|word bank|glossary|word mat|pictures", |m| match m.words() {
        Some(words) => format!("{words}, each with a small drawing, before the starter; on the desk until the plenary"),
        None => "the words of the topic with a small drawing each, before the starter".to_owned(),
    }),
    ("no reading aloud|not asked to read|never asked|unasked|no cold calling", |_| {
        "in starter and plenary ask for volunteers to read, or read it yourself".to_owned()
    }),
    ("start at the last part|start at|last part", |_| {
        "the challenge is the way into the practice, without the core tasks first".to_owned()
    }),
    ("somebody else's solution|else's solution|break somebody|find mistakes", |m| {
        format!("in the second half of the practice, with another pair's answer to this: {}", first_task(m))
    }),
    ("why question|why questions|claim to prove|prove or refute|refute", |m| {
        match m.claims().nth(1).or_else(|| m.claims().next()) {
            Some(claim) => format!(
                "“{}.” Why is it wrong? In writing, with an example of their own, in place of the last core task",
                capitalised(without_stop(&claim.idea))
            ),
            None => format!("“Why does it work?” in writing, about this: {}", first_task(m)),
        }
    }),
    ("fewer routine|fewer questions|less repetition", |_| {
        "one routine question in the practice, then the challenge".to_owned()
    }),
    ("reasoning written down|written reasoning|explain their reasoning", |m| {
        format!("one sentence beside each step when they {}", first_task(m))
    }),
    ("challenge|stretch|extension|deeper", |_| {
        "the challenge of the practice; it asks for depth, not for more of the same".to_owned()
    }),
    ("talk first|paired talk|partner|discussion|discuss", |_| {
        "one minute with the partner before the starter answers and before anything is written in the practice"
            .to_owned()
    }),
    ("lines numbered|numbered lines", |_| {
        "number the example of the explanation too, so that you can say “line 3”".to_owned()
    }),
    ("also said|read out|read to|spoken|described", |_| {
        "read each starter question aloud, and in the explanation name what you point at instead of saying “this one”"
            .to_owned()
    }),
    ("answers by|aloud|orally|scribe|typed|dictate|voice|recorded", |_| {
        "for the exit questions and for everything in the practice that would be a full sentence".to_owned()
    }),
    ("tick box|steps|step by step|chunked|chunks|cut into|checklist|broken down", |m| {
        format!("three boxes on the practice sheet (begun, done, checked) for this: {}", first_task(m))
    }),
    ("role|clear job|clear role|responsibility", |_| {
        "said before pair or group work begins, with what this role has to hand in at its end".to_owned()
    }),
    ("shape of the lesson|timetable|order of the lesson|plan on the board|agenda", |_| {
        "starter, explanation, practice and plenary as four lines in a corner of the board, ticked off as they end"
            .to_owned()
    }),
    ("standing up|stand up|movement break|moving|walk", |_| {
        "gives out the practice sheets after the explanation and collects the exit slips".to_owned()
    }),
    ("quiet word|warning|before any change|announce|announced|visual timetable|routine|predictable", |_| {
        "one minute before starter, explanation and practice end".to_owned()
    }),
    ("friendly numbers|awkward numbers|simpler numbers|smaller numbers", |_| {
        "the first two questions of the practice; the awkward numbers come last, and they do come".to_owned()
    }),
    ("table square|calculator|number line|multiplication grid|number square", |_| {
        "on the desk from the starter on, without asking".to_owned()
    }),
    ("paper|print|font|handed out|hand out|enlarged|own screen|slides|contrast|copy|copies|large", |_| {
        "the starter questions, the example of the explanation, the practice sheet and the exit questions, ready before the bell".to_owned()
    }),
    ("seat|seated|sits|place|front|near", |_| "settled before the starter, and kept when pupils pair up".to_owned()),
    ("extra time|more time|time to think|thinking time", |_| {
        "fewer questions in the practice rather than less time for each; may begin the exit questions early".to_owned()
    }),
    ("quiet table|headphones|ear defenders|quiet space|noise", |_| {
        "during the practice and the exit questions".to_owned()
    }),
    ("assistant|adult|support staff|helper", |m| {
        format!(
            "tell the adult which question to ask in the practice (“What is the next step, and how do you know?”) when pupils {}",
            first_task(m)
        )
    }),
    ("diagram|picture|visual|visuals|drawing|bar model|objects|counters|concrete", |_| {
        "beside the example of the explanation and again at the first task of the practice".to_owned()
    }),
];

/// What a piece of support means where no rule knows it: said in several ways, so that a list does not repeat itself.
const ELSEWHERE: &[&str] = &[
    "ready at the first task of the practice; look at the first pause whether it is used",
    "in the starter already, so that it is nothing special in the practice",
    "agree beforehand at which step of the practice it helps most, and leave it out at the exit if it can be left out",
];

fn place(part: &str, number: usize, material: &Material) -> String {
    let said = Said::read(part);
    let rule = RULES.iter().find(|(words, _)| said.has(words));
    match rule {
        Some((_, here)) => here(material),
        None => ELSEWHERE
            .iter()
            .cycle()
            .nth(number % ELSEWHERE.len().max(1))
            .map_or_else(String::new, |text| (*text).to_owned()),
    }
}

fn first_task(material: &Material) -> String {
    material.tasks.first().cloned().unwrap_or_else(|| format!("work through {}", material.example()))
}

/// The pieces of support that have to be made or laid out.
pub(crate) fn things(need: &Need, family: Family) -> Vec<String> {
    const WORDS: &str = "paper|print|slides|pictures|picture|cards|card|sheet|square|strip|starters|box|boxes|counters|objects|calculator|grid|handed out|captions|headphones|checklist|timetable|glossary|word bank|keyboard|laptop|tablet|ruler|line";
    let parts = need.support.split(';').map(without_stop).filter(|part| says(part, WORDS) && suits(part, family));
    parts.map(str::to_owned).collect()
}

/// A piece of advice from a skill, with the file it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Advice {
    pub(crate) source: String,
    pub(crate) text: String,
}

/// Words by which a need and a passage about it find each other.
const RINGS: &[&[&str]] = &[
    &["visual", "seeing", "sight", "vision", "blind", "impairment"],
    &["hearing", "deaf", "lip"],
    &["attention", "sitting", "sit", "adhd", "wanders", "concentration"],
    &["dyslexic", "dyslexia", "spelling"],
    &["autistic", "autism", "predictability", "clarity"],
    &["anxious", "anxiety", "worry", "worried"],
    &["coordination", "handwriting", "motor", "dyspraxia"],
    &["number", "dyscalculia", "facts"],
    &["memory"],
    &["english", "eal", "language"],
];

/// Words that mark what a passage is about; a ring found in both counts most.
pub(crate) fn kinship(need: &Need, passage_heading: &str) -> usize {
    let holds =
        |text: &str, ring: &[&str]| tokens(text).iter().any(|token| ring.contains(&token.raw.to_lowercase().as_str()));
    let who = format!("{} {}", need.group, need.need);
    RINGS.iter().filter(|ring| holds(&who, ring) && holds(passage_heading, ring)).count()
}
