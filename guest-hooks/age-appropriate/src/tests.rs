use std::path::Path;

use ta_curriculum::outline::slug;
use ta_guest::Part;
use ta_guest::post_loop::{Event, Response, Verdict};

use crate::check::{Settings, check, respond};
use crate::text::for_pupils;
use crate::year::{Limits, Year};
use crate::year_of;

fn year(text: &str) -> Year {
    text.parse().unwrap()
}

/// The classes of what is found, with their sections.
fn found(output: &str, at: &str) -> Vec<(&'static str, String)> {
    let limits = Limits::read(year(at), &|_| None).unwrap();
    check(output, year(at), &limits).into_iter().map(|found| (found.class.name(), found.section)).collect()
}

fn classes(output: &str, at: &str) -> Vec<&'static str> {
    let mut classes: Vec<_> = found(output, at).into_iter().map(|(class, _)| class).collect();
    classes.dedup();
    classes
}

fn answer(config: &[(&str, &str)], round: u32, output: &str, accepted: &[&str]) -> Response {
    let get = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let accepted = accepted.iter().map(|title| Part { id: slug(title), title: (*title).into(), text: String::new() });
    let event = Event { output: output.into(), accepted: accepted.collect(), ..Event::default() };
    respond(&Settings::read(year("S1"), get).unwrap(), year("S1"), round, &event)
}

fn samples() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut samples: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| read(entry.unwrap().path())).collect();
    samples.sort();
    samples
}

const HEAD: &str = "# Percentages\n\n**Class:** 1B (S1) · **Level:** third · **Length:** 55 minutes\n\n## Success criteria\n\n\
                    - I can find a percentage of an amount.\n\n## Keywords\n\n- **percentage**: a part out of a hundred\n\n";

fn lesson(section: &str, body: &str) -> String {
    format!("{HEAD}## {section}\n\n{body}\n\n## About this draft\n\nA draft.\n")
}

#[test]
fn the_lessons_that_are_shipped_pass() {
    let samples = samples();
    assert!(samples.len() >= 5);
    for (name, text) in samples {
        let at = format!("S{}", &name[..1]);
        let pupils = for_pupils(&text);
        assert!(pupils.passages.len() > 10 && pupils.definitions.len() >= 2, "{name} is read");
        assert_eq!(found(&text, &at), [], "{name}");
    }
}

#[test]
fn university_prose_is_found_in_every_year() {
    let prose = "1. Critically interrogate the epistemological presuppositions underpinning contemporary discourse on proportional reasoning, \
                 juxtaposing constructivist and positivist paradigms whilst foregrounding the ontological commitments that each methodology \
                 tacitly presupposes.\n2. Problematise the hegemonic conceptualisation of percentages as decontextualised multiplicative \
                 operators, and delineate its hermeneutic ramifications for pedagogical praxis.";
    for at in ["P3", "P7", "S1", "S3", "S6"] {
        let found = found(&lesson("Practice (20 minutes)", prose), at);
        assert!(found.iter().any(|(class, _)| *class == "unfamiliar-words"), "{at}: {found:?}");
        assert!(found.iter().all(|(_, section)| section == "Practice (20 minutes)"));
    }
}

#[test]
fn text_for_the_teacher_is_not_measured() {
    let prose = "Epistemological presuppositions underpin hegemonic discourse; hermeneutic praxis problematises ontological paradigms, \
                 and vodka is drunk in the casino.";
    for section in [
        "Misconceptions",
        "Differentiation",
        "Explanation (12 minutes)",
        "Resources",
        "Prior knowledge",
        "Plenary (10 minutes)",
    ] {
        assert_eq!(found(&lesson(section, &format!("- {prose}\n\n{prose}")), "S1"), [], "{section}");
    }
    // Nor are answers, brackets, remarks and paragraphs that speak of pupils.
    let body = format!(
        "Pupils answer on boards. {prose}\n\n1. What is 10 % of 50? **Answer:** 5. {prose}\n2. What is half of 8? If many say 3: {prose}\n\
         3. Name one. ({prose})\n"
    );
    assert_eq!(found(&lesson("Starter (8 minutes)", &body), "S1"), []);
    // On a sheet that pupils hold in their hands, everything is for them.
    assert!(classes(&lesson("Worksheet", prose), "S1").contains(&"gambling"));
    assert_eq!(found(&lesson("Worksheet", &format!("Find half of 8.\n\n### Answers\n\n{prose}")), "S1"), []);
}

#[test]
fn each_kind_of_content_is_found_and_said_to_be_that() {
    for (sentence, class) in [
        ("A casino pays 35 times the stake at roulette. Find the percentage.", "gambling"),
        ("You bet £10 on red. Trace the loop.", "gambling"),
        ("In this game you play a character who kills 12 people.", "violence"),
        ("Callum places a bet of £5 on a horse. How much does he win?", "gambling"),
        ("A pub sells 40 pints of beer. What percentage is left?", "alcohol"),
        ("A bottle of vodka costs £15, less 20 %.", "alcohol"),
        ("A packet of cigarettes costs £12. Find 10 %.", "drugs"),
        ("A drug dealer sells 20 bags of cocaine.", "drugs"),
        ("The killer has stabbed 12 of 40 people. What percentage is that?", "violence"),
        ("Each guard has a rifle with 30 bullets.", "violence"),
        ("20 % of the photos were nude.", "sexual-content"),
        ("15 of 60 had thought about suicide.", "self-harm"),
        ("Buy the app for £4.99 and post your score on TikTok.", "product"),
    ] {
        let output = lesson("Practice (20 minutes)", &format!("1. Find half of 12.\n2. {sentence}"));
        let expected = (class, "Practice (20 minutes)".to_owned());
        assert!(found(&output, "S1").contains(&expected), "{sentence}: {:?}", found(&output, "S1"));
    }
}

#[test]
fn content_that_is_meant_is_none() {
    for (title, sentence) in [
        ("The First World War", "How many rifles and bombs did the factory make?"),
        ("Macbeth, act 2", "Why does he feel guilty after the murder?"),
        ("Health and wellbeing: alcohol", "What does beer do to the body?"),
        ("Percentages", "What are the harms of gambling?"),
        ("Percentages", "Use bullet points for your three reasons."),
        ("Percentages", "Roll two dice and find the chance of a double."),
        ("Percentages", "She scored 12 goals from 20 shots. Find the percentage."),
        ("Percentages", "A pint of milk costs 60p. Find 10 %."),
        ("Percentages", "Add ginger and flour."),
        ("Stars", "Which planets can you see with the naked eye?"),
        ("Online safety", "Which of these should you never post on TikTok?"),
        ("Processes", "What happens when you kill a process?"),
        ("Plants", "How does sexual reproduction differ from cloning?"),
    ] {
        let output = lesson("Practice", &format!("1. {sentence}")).replace("# Percentages\n", &format!("# {title}\n"));
        assert_eq!(found(&output, "S3"), [], "{title}: {sentence}");
    }
}

#[test]
fn nine_instructions_at_once_are_found() {
    let steps = [
        "Open the file",
        "Click the tab",
        "Type your name",
        "Select the cells",
        "Copy the row",
        "Drag the corner",
        "Save the sheet",
        "Print it",
        "Hand it in",
    ];
    let listed: String = steps.iter().zip(1..).map(|(step, number)| format!("{number}. {step}.\n")).collect();
    assert_eq!(classes(&lesson("Practice", &listed), "S1"), ["many-instructions"]);
    assert_eq!(classes(&lesson("Practice", &format!("1. {}.", steps.join(", "))), "S1"), ["many-instructions"]);
    assert_eq!(classes(&lesson("Practice", &format!("{}.", steps.join(". "))), "S1"), ["many-instructions"]);
    // Twelve sums are no instructions to keep in mind, and neither are four steps.
    let sums: String = (1..=12).map(|number| format!("{number}. Calculate {number} % of 300.\n")).collect();
    assert_eq!(found(&lesson("Practice", &sums), "S1"), []);
    let answered: String =
        (1..=12).map(|number| format!("{number}. Write {number} % as a decimal. **Answer:** 0.1\n")).collect();
    assert_eq!(found(&lesson("Starter", &answered), "S1"), []);
    let four: String = steps.iter().take(4).map(|step| format!("1. {step}.\n")).collect();
    assert_eq!(found(&lesson("Practice", &four), "S1"), []);
}

#[test]
fn long_definitions_and_sentences_are_found() {
    let long = "a number that says how many parts out of each hundred parts of a whole amount are meant, which can be written as a \
                fraction or as a decimal and which we use every day when we want to compare two amounts that are not the same size";
    let output = HEAD.replace("a part out of a hundred", long);
    assert_eq!(found(&output, "S1"), [("long-definition", "Keywords".to_owned())]);
    let sentence = format!("1. Write down {long} or in some other way that you can think of and like.");
    assert_eq!(classes(&lesson("Practice", &sentence), "S1"), ["long-sentence"]);
}

#[test]
fn mild_findings_pass_and_serious_ones_go_round_once() {
    let long = HEAD.replace("a part out of a hundred", &"one of the parts ".repeat(8));
    let response = answer(&[], 0, &long, &[]);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes, ["1 finding for S1: 1 × long-definition"]);
    let finding = &response.findings[0];
    assert_eq!(
        (finding.class.as_str(), finding.line, finding.part.as_deref()),
        ("long-definition", Some(11), Some("keywords"))
    );
    assert!(finding.message.contains("has 32 words; at most 20 are for S1: “one of the parts"), "{}", finding.message);

    let bet = lesson("Practice", "1. He places a bet of £5.");
    let response = answer(&[], 0, &bet, &["Keywords"]);
    let Verdict::Rework(rework) = &response.verdict else { panic!("{:?}", response.verdict) };
    assert_eq!((rework.rounds_max, rework.accepted.len()), (1, 1));
    assert!(rework.instruction.contains("- Line 15 (\"Practice\"): Gambling (\"bet\")"), "{}", rework.instruction);
    // Once; and never against what the teacher has accepted, or where it is switched off.
    assert_eq!(answer(&[], 1, &bet, &[]).verdict, Verdict::Pass);
    assert_eq!(answer(&[], 1, &bet, &[]).findings.len(), 1);
    assert_eq!(answer(&[], 0, &bet, &["Practice (20 minutes)"]).verdict, Verdict::Pass);
    assert_eq!(answer(&[("on-failure", "note")], 0, &bet, &[]).verdict, Verdict::Pass);
    let response = answer(&[("on-failure", "abort")], 3, &bet, &[]);
    let Verdict::Abort(abort) = &response.verdict else { panic!("{:?}", response.verdict) };
    assert_eq!(abort.code, "age-appropriate");
    assert!(abort.reason.starts_with("The lesson has text for pupils that does not suit S1.\nLine 15: Gambling"));
    // Many mild findings are serious together.
    assert!(matches!(answer(&[("serious", "1")], 0, &long, &[]).verdict, Verdict::Rework(_)));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for name in ["on-failure", "rounds", "serious", "steps", "unfamiliar-percent"] {
        let abort = Settings::read(year("S1"), |asked| (asked == name).then(|| "perhaps".into())).unwrap_err();
        assert!(abort.code == "configuration" && abort.reason.contains(name), "{}", abort.reason);
    }
}

#[test]
fn the_year_comes_from_the_profile_or_is_said_to_be_assumed() {
    let profile = "---\nclass: 3B\nyear: \"P7\" # visiting\n---\nyear: S6\n";
    assert_eq!(year_of(Some("3B"), Some(profile)), (year("P7"), None));
    let (assumed, note) = year_of(Some("1B"), Some("---\nclass: 1B\n---\n"));
    assert_eq!(assumed, year("S1"));
    assert!(note.unwrap().contains("taken as S1 from the name"));
    assert_eq!(year_of(None, None).0, year("S3"));
    assert_eq!(year_of(Some("N5"), None).0, year("S3"));
}

#[test]
fn hostile_text_is_read_without_harm() {
    let long = "a".repeat(150_000);
    let texts = [
        "",
        "## ",
        "## Keywords\n- **:",
        "## Practice\n- ((((",
        "## Practice\n|||\n",
        "## Starter\n`",
        "## Worksheet\n’’’ ''",
    ];
    for text in texts.into_iter().chain([long.as_str()]) {
        assert_eq!(found(text, "S1"), [], "{:.20}", text);
    }
    found(&format!("## Worksheet\n{}", "open. ".repeat(20_000)), "S1");
    found(&format!("## Worksheet\n{}", "- open\n".repeat(20_000)), "S1");
    found(&format!("## Keywords\n{}", "- **a b c**: d\n".repeat(10_000)), "S1");
    let response = answer(&[], 0, &"x".repeat(300_000), &[]);
    assert!(matches!(response.verdict, Verdict::Abort(abort) if abort.code == "too-long"));
}
