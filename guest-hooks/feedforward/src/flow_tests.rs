use ta_guest::ask::{Answer, Kind, Outcome};
use ta_guest::pre_loop::{Response, Verdict};

use super::Settings;
use crate::testing::{Table, run, run_with, sample};

const PROFILE: &str = include_str!("../../../workspace/classes/3B.md");

#[test]
fn what_a_lesson_relies_on_is_shown_item_by_item() {
    let mut table = sample()
        .memory("memory/classes/3B/MEMORY.md", &[("Short starters work", 60), ("Planned 'Loops' on 12 November", 30)])
        .memory("memory/MEMORY.md", &[("Prefers answers on one page", 50)]);
    run(&mut table, Some("3B"), "3B iteration, with laptops");
    assert_eq!(
        table.ids(),
        [
            "class-basics",
            "need-1",
            "need-2",
            "need-3",
            "memory-short-starters-work",
            "memory-planned-loops-12-november",
            "works",
            "works-not",
            "teacher-laptops-trolley-computing-one",
            "known-already",
        ]
    );
    let items = table.items();
    assert_eq!(items[0].1, "Class 3B: S3, third level, 50 minutes");
    assert_eq!(
        items[2].2,
        "- Need: reading dense text at speed, and copying code or notes from the board\n\
         - Support: code and notes handed out on pale paper in 14-point sans serif; lines numbered; answers by trace table \
         or aloud; never asked to read aloud without warning\n\nFrom classes/3B.md"
    );
    assert_eq!(
        items[4].2,
        "Short starters work\n\nFrom memory/classes/3B/MEMORY.md, noted 13 November 2025, 2 sessions"
    );
    let question = &table.asked[0];
    assert_eq!((question.id.as_str(), table.asked.len()), ("context", 1));
    assert!(question.detail.ends_with("more passages are used as well."), "{}", question.detail);
    let Kind::Items(kind) = &question.kind else { panic!("{:?}", question.kind) };
    let options: Vec<&str> = kind.options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(options, ["confirm", "modify", "dismiss"]);
}

#[test]
fn what_was_changed_is_corrected_in_its_own_structure() {
    let mut table = sample().memory("memory/classes/3B/MEMORY.md", &[("Short starters work", 60)]).decide(&[
        ("class-basics", "modify", Some("only 40 minutes today")),
        ("need-1", "modify", Some("a word list: pictures only")),
        ("need-2", "confirm", None),
        ("memory-short-starters-work", "modify", Some("Starters of 8 minutes are fine again")),
        ("works-not", "modify", Some("Groups of their own choice are fine this time")),
    ]);
    let response = run(&mut table, Some("3B"), "3B iteration");
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes[0], "1 confirmed, 4 modified, 0 dismissed, of 10");
    let shown: Vec<_> =
        table.corrections.iter().map(|it| (it.source.as_str(), it.old.as_str(), it.new.as_deref())).collect();
    assert_eq!(shown[0], ("classes/3B.md", "period_minutes: 50", Some("period_minutes: 40")));
    assert_eq!(
        shown[1].2,
        Some(
            "  - group: two pupils with English as an additional language (first language Ukrainian)\n    \
             need: reading long instructions\n    support: \"a word list: pictures only\""
        )
    );
    assert_eq!(
        shown[2],
        ("memory/classes/3B/MEMORY.md", "- Short starters work", Some("- Starters of 8 minutes are fine again"))
    );
    assert_eq!(shown[3].2, Some("- Groups of their own choice are fine this time"));
    assert_eq!((shown[4].2, shown[5].2, shown.len()), (None, None, 6));
    assert_eq!(
        table.corrections[2].why,
        "The teacher changed \"Memory: Short starters work\" for this lesson; it now says: Starters of 8 minutes are fine again"
    );
    // Whole lines, byte for byte: this is how the host finds them.
    for correction in table.corrections.iter().filter(|it| it.source == "classes/3B.md") {
        assert!(PROFILE.contains(&format!("\n{}\n", correction.old)), "{}", correction.old);
    }
}

#[test]
fn what_was_left_out_is_taken_out_with_all_its_lines() {
    let mut table = sample().decide(&[
        ("need-3", "dismiss", None),
        ("works", "dismiss", None),
        ("class-basics", "dismiss", None),
        ("nonsense", "dismiss", None),
    ]);
    let response = run(&mut table, Some("3B"), "3B iteration");
    let olds: Vec<&str> = table.corrections.iter().map(|it| it.old.as_str()).collect();
    assert_eq!(olds.len(), 3 + 1 + 4);
    assert!(table.corrections.iter().all(|it| it.new.is_none()));
    assert!(olds.contains(&"- Trace tables on mini-whiteboards. Two columns are fine, four are too many at once."));
    assert!(olds.iter().any(|old| old.starts_with("  - group: three pupils") && old.ends_with("to answer in writing")));
    for old in olds {
        assert!(PROFILE.contains(&format!("\n{old}\n")), "{old}");
    }
    assert_eq!(response.notes[0], "0 confirmed, 0 modified, 3 dismissed, of 10");
    assert!(response.notes[4].contains("ignored a decision on \"nonsense\""), "{:?}", response.notes);
    let why = &table.corrections[3].why;
    assert_eq!(
        why,
        "The teacher said: do not rely on \"Need: three pupils who finish early and want more\" for this lesson."
    );
}

#[test]
fn without_an_answer_everything_stays() {
    for (outcome, word) in [
        (Outcome::Dismissed, "dismissed"),
        (Outcome::Declined, "declined"),
        (Outcome::TimedOut, "in time"),
        (Outcome::Answered(Answer::Text("fine".into())), "another kind"),
    ] {
        let mut table = sample().outcome(outcome);
        let response = run(&mut table, Some("3B"), "3B iteration");
        assert_eq!(response.verdict, Verdict::Pass);
        assert!(response.notes[0].contains(word) && table.corrections.is_empty(), "{:?}", response.notes);
    }
    let mut table = sample().decide(&[("need-1", "modify", Some("  "))]);
    let response = run(&mut table, Some("3B"), "3B iteration");
    assert!(response.notes[1].contains("nothing was said") && table.corrections.is_empty());
}

#[test]
fn with_nothing_to_say_it_stays_silent() {
    let mut general = Table::default().file("teacher.md", "# Me\n\n- I like maps.\n").memory("memory/MEMORY.md", &[]);
    for (table, class) in
        [(&mut Table::default(), Some("3B")), (&mut Table::default(), None), (&mut general, Some("9Z"))]
    {
        assert_eq!(run(table, class, "iteration"), Response::pass());
        assert!(table.asked.is_empty());
    }
    let response = run(&mut general, None, "a lesson with maps");
    assert_eq!((response.notes.len(), general.ids()), (1, vec!["teacher-i-like-maps".to_owned()]));
}

#[test]
fn what_cannot_be_corrected_is_said_to_the_model() {
    let mut table = sample().decide(&[("works", "dismiss", None)]);
    table.refuses = true;
    let response = run(&mut table, Some("3B"), "3B iteration");
    let Verdict::Modify(change) = &response.verdict else { panic!("{:?}", response.verdict) };
    assert_eq!(change.additions[0].text, "- The teacher said: do not rely on \"3B: What works\" for this lesson.");
    assert_eq!(change.input, None);
}

#[test]
fn hostile_and_endless_files_stay_bounded() {
    let notes: Vec<(String, u8)> =
        (0..200).map(|at| (format!("Note {at} ![x](http://evil) <script> {}", "x".repeat(600)), 255)).collect();
    let notes: Vec<(&str, u8)> = notes.iter().map(|(text, importance)| (text.as_str(), *importance)).collect();
    let profile = format!(
        "---\nclass: 3B\nlevel: third\nneeds:\n{}---\n{}",
        "  - group: a pair\n".repeat(500),
        "- x\n".repeat(50_000)
    );
    let mut table = Table::default().file("classes/3B.md", &profile).memory("memory/classes/3B/MEMORY.md", &notes);
    run(&mut table, Some("3B"), &"loops ".repeat(3_000));
    assert!(table.ids().len() <= 10);
    for (id, label, detail) in table.items() {
        assert!(id.len() < 120 && label.chars().count() <= 111 && detail.len() < 5_000, "{id}: {}", detail.len());
        assert!(!detail.contains("](") || detail.contains("\\]("), "{detail}");
    }
    assert_eq!(run(&mut Table::default().file("classes/..3B.md", "x"), Some("../3B"), "x"), Response::pass());
}

#[test]
fn settings_are_obeyed_and_nonsense_is_refused() {
    let mut table = sample();
    run_with(&[("items-max", "2"), ("commands", "create-lesson, other")], &mut table, Some("3B"), "3B iteration");
    assert_eq!(table.ids(), ["class-basics", "need-1"]);
    let mut table = sample();
    assert_eq!(run_with(&[("commands", "refine-lesson")], &mut table, Some("3B"), "x"), Response::pass());
    assert!(table.asked.is_empty());
    let abort = Settings::read(|name| (name == "items-max").then(|| "many".into())).unwrap_err();
    assert_eq!(abort.code, "configuration");
}

#[test]
fn the_same_sources_make_the_same_question() {
    let (mut one, mut other) = (sample(), sample());
    run(&mut one, Some("1B"), "1B fractions worksheet");
    run(&mut other, Some("1B"), "1B fractions worksheet");
    assert_eq!(one.asked, other.asked);
    assert!(one.ids().contains(&"need-4".to_owned()), "{:?}", one.ids());
}

#[test]
fn memories_that_matter_most_come_first() {
    let notes: Vec<(String, u8)> = (0..9).map(|at| (format!("Idea {at}"), 90)).collect();
    let mut notes: Vec<(&str, u8)> = notes.iter().map(|(text, importance)| (text.as_str(), *importance)).collect();
    notes.extend([("Worksheets with iteration need pictures", 10), ("Nobody sits by the door alone", 0)]);
    let mut table =
        sample().memory("memory/classes/3B/MEMORY.md", &notes).kind("Nobody sits by the door alone", "safeguarding");
    run(&mut table, Some("3B"), "3B iteration worksheet");
    let ids = table.ids();
    assert_eq!(ids[..2], ["class-basics", "memory-nobody-sits-door-alone"]);
    assert_eq!(ids[5], "memory-worksheets-iteration-need-pictures");
    assert_eq!(ids.iter().filter(|id| id.starts_with("memory-")).count(), 4);
}
