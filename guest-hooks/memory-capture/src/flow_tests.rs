use ta_guest::ask::{Answer, Kind, Outcome};
use ta_guest::post_loop::{Response, Verdict};

use super::Settings;
use crate::testing::{Table, asked, past, run};

const FIRST: &str = "# Repeating with loops\n\n## Starter (8 minutes)\n\n1. What is a loop?\n2. What is a variable?\n3. What is print?\n\
    4. What is a sequence?\n\n## Practice (20 minutes)\n\n1. Predict.\n2. Run.\n3. Change.\n4. Make.\n5. Swap.\n\n## Plenary (10 minutes)\n\nDraw it.\n";

const LAST: &str = "# Repeating with loops\n\n## Starter (5 minutes)\n\n1. What is a loop?\n2. What is a variable?\n\n\
    ## Practice (23 minutes)\n\n1. Predict.\n2. Run.\n3. Change.\n\n## Plenary (10 minutes)\n\nDraw it.\n";

const TOPIC: &str = "About 3B: Planned \"Repeating with loops\" for 3B";

fn revised() -> Table {
    Table::drafted(FIRST)
        .decided(
            "sections",
            0,
            &[("Starter", "revise", "5 minutes only"), ("Practice", "revise", "Fewer steps, one picture each")],
        )
        .decided("sections", 1, &[("Starter", "accept", ""), ("Practice", "accept", "")])
}

#[test]
fn what_was_done_becomes_lasting_lessons() {
    let mut table = revised();
    run(&[], &mut table, Some("3B"), LAST, 1);
    assert_eq!(
        table.labels(),
        [
            "About 3B: Starters of 5 minutes rather than 8 work for 3B",
            "About 3B: Practice parts for 3B: fewer steps, one picture each",
            TOPIC,
        ]
    );
    let items = table.items();
    assert_eq!(items[0].0, "starter-5-minute-rather-8-work-3b");
    assert_eq!(
        items[0].2,
        "You shortened \"Starter\" from 8 to 5 minutes.\n\n- you said: \"5 minutes only\"\n- Starter: 8 -> 5 minutes in this lesson\n\
         - Starter: 4 -> 2 questions in this lesson\n- Starter: 4 -> 2 numbered lines in this lesson"
    );
    let Kind::Items(kind) = &table.asked[0].kind else { panic!("{:?}", table.asked) };
    let options: Vec<&str> = kind.options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!((table.asked[0].id.as_str(), options), ("memory", vec!["confirm", "edit", "dismiss"]));
}

#[test]
fn only_what_the_teacher_sent_back_counts_as_a_change() {
    // A guardrail had the rest changed, or it followed.
    let mut table = Table::drafted(FIRST).decided("sections", 0, &[("Plenary", "revise", "a quiz instead")]);
    run(&[], &mut table, Some("3B"), LAST, 1);
    assert_eq!(table.labels(), ["About 3B: Plenaries for 3B: a quiz instead", TOPIC]);
    let mut table = Table::drafted(FIRST);
    run(&[], &mut table, Some("3B"), FIRST, 0);
    assert_eq!(table.labels(), [TOPIC]);
}

#[test]
fn what_can_be_counted_is_proposed_where_nothing_says_it_better() {
    let last = FIRST.replace("4. Make.\n5. Swap.\n", "");
    let mut table = Table::drafted(FIRST).decided("sections", 0, &[("Practice", "alternatives", "2")]);
    run(&[], &mut table, Some("3B"), &last, 1);
    assert_eq!(table.labels(), ["About 3B: Practice parts with 3 steps rather than 5 work for 3B", TOPIC]);
}

#[test]
fn what_is_confirmed_is_written_with_its_evidence() {
    let (starter, practice) = ("starter-5-minute-rather-8-work-3b", "practice-part-3b-fewer-step-one-picture-each");
    let mut table = revised().answer(&[
        (starter, "confirm", ""),
        (practice, "edit", "Three steps at most,\n each with a picture"),
        ("planned-repeating-loop-3b", "dismiss", ""),
    ]);
    let response = run(&[], &mut table, Some("3B"), LAST, 1);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes[0], "3 proposed to remember: 1 confirmed, 1 edited, 1 dismissed");
    assert_eq!(
        response.notes[1],
        "added in memory/classes/3B/MEMORY.md: Starters of 5 minutes rather than 8 work for 3B"
    );
    let (path, note) = &table.written[0];
    assert_eq!((path.as_str(), note.kind.as_str(), note.importance), ("memory/classes/3B/MEMORY.md", "timing", 65));
    assert_eq!(note.evidence[..2], ["you said: \"5 minutes only\"", "Starter: 8 -> 5 minutes in this lesson"]);
    assert_eq!(table.written[1].1.text, "Three steps at most, each with a picture");
    assert_eq!(table.written.len(), 2);
}

#[test]
fn an_edit_that_says_nothing_or_too_much_is_not_written() {
    let starter = "starter-5-minute-rather-8-work-3b";
    for (text, word) in
        [(" ", "says nothing"), ("ask a.b@example.org", "an address"), ("refuse this", "the file is full")]
    {
        let mut table = revised().answer(&[(starter, "edit", text)]);
        let response = run(&[], &mut table, Some("3B"), LAST, 1);
        assert!(response.notes[1].contains(word) && table.written.is_empty(), "{:?}", response.notes);
    }
}

#[test]
fn nothing_is_proposed_twice() {
    let only = [("proposals-max", "1"), ("topics", "false")];
    let starter = "starter-5-minute-rather-8-work-3b";
    // Memory holds it, in nearly these words.
    let mut table =
        revised().file("memory/classes/3B/MEMORY.md", &["For 3B starters of 5 minutes work rather than 8"], "by hand");
    run(&only, &mut table, Some("3B"), LAST, 1);
    assert!(table.labels()[0].contains("fewer steps"), "{:?}", table.labels());
    // Another class's memory says nothing about this one.
    let mut table =
        revised().file("memory/classes/1B/MEMORY.md", &["Starters of 5 minutes rather than 8 work for 3B"], "");
    run(&only, &mut table, Some("3B"), LAST, 1);
    assert_eq!(table.items()[0].0, starter);
    // It was dismissed in an earlier run, or decided on in an earlier round.
    let dismissed = past("2026-11-05", "", "", vec![asked("memory", 0, &[(starter, "dismiss", "")])]);
    for mut table in [revised().with_past(vec![dismissed]), revised().decided("memory", 0, &[(starter, "confirm", "")])]
    {
        run(&only, &mut table, Some("3B"), LAST, 1);
        assert_ne!(table.items()[0].0, starter);
    }
    // The question of this very round is this call's own.
    let mut table = revised().decided("memory", 1, &[(starter, "confirm", "")]);
    run(&only, &mut table, Some("3B"), LAST, 1);
    assert_eq!(table.items()[0].0, starter);
}

#[test]
fn what_was_changed_before_drafting_is_proposed_in_the_teachers_words() {
    let changed = [
        ("need-1", "modify", "two pupils now read on their own"),
        ("teacher-i-like-maps", "modify", "No maps in computing"),
        ("class-basics", "modify", "only 40 minutes"),
        ("works", "confirm", ""),
    ];
    let mut table = Table::drafted(FIRST)
        .decided("context", 0, &changed)
        // Shown in a note's place in this run: not yet remembered.
        .file("memory/classes/3B/MEMORY.md", &[], "two pupils now read on their own");
    run(&[("topics", "false")], &mut table, Some("3B"), FIRST, 0);
    assert_eq!(
        table.labels(),
        ["About 3B: two pupils now read on their own", "About your planning: No maps in computing"]
    );
    assert!(table.items()[0].2.starts_with("You put this in the place of \"need 1\" before"), "{:?}", table.items());
}

#[test]
fn what_keeps_happening_is_a_pattern() {
    let sent_back =
        |text: &str| vec![asked("sections", 0, &[("Plenary", "revise", text), ("Starter", "alternatives", "2")])];
    let past = vec![
        past("2026-11-12", FIRST, LAST, sent_back("more voices")),
        past("2026-11-05", FIRST, LAST, sent_back("a round instead")),
    ];
    let mut table = Table::drafted(FIRST).decided("sections", 0, &[("Starter", "alternatives", "2")]).with_past(past);
    run(&[], &mut table, Some("3B"), LAST, 1);
    let items = table.items();
    assert_eq!(items[0].1, "About 3B: Starters of 5 minutes rather than 8 work for 3B");
    assert_eq!(
        items[0].2,
        "You have shortened the starter of 3B in 3 sessions, this one included.\n\n- this lesson: 8 -> 5 minutes\n\
         - 2026-11-12: 8 -> 5 minutes\n- 2026-11-05: 8 -> 5 minutes"
    );
    let labels = table.labels();
    assert!(
        labels.contains(&"About 3B: Plenaries for 3B need particular care: they keep being revised".to_owned()),
        "{labels:?}"
    );
    assert!(labels.contains(&"About 3B: For 3B, the starter is worth a choice of two ideas".to_owned()), "{labels:?}");
    assert_eq!(labels.iter().filter(|label| label.contains("Starters of 5")).count(), 1);
}

#[test]
fn what_is_always_left_out_no_longer_holds() {
    let left_out = || vec![asked("context", 0, &[("memory-short-starters", "dismiss", ""), ("need-1", "dismiss", "")])];
    let past = vec![past("2026-11-12", "", "", left_out()), past("2026-11-05", "", "", left_out())];
    let mut table = Table::drafted(FIRST).with_past(past);
    run(&[("topics", "false")], &mut table, Some("3B"), FIRST, 0);
    assert_eq!(table.labels(), ["About 3B: No longer rely on \"memory: short starters\" for 3B"]);
}

#[test]
fn a_change_of_register_is_noticed() {
    let stiff =
        "Pupils will not begin until the teacher has explained the task in its entirety to the whole class. ".repeat(5);
    let spoken = "Don't start yet. You're in pairs. Let's read it first. We'll look at one line. It isn't long, so you can do it. ".repeat(3);
    let lesson = |body: &str| format!("# Loops\n\n## Practice (20 minutes)\n\n{body}\n");
    let mut table = Table::drafted(&lesson(&stiff)).decided("sections", 0, &[("Practice", "revise", "simpler")]);
    run(&[], &mut table, Some("3B"), &lesson(&spoken), 1);
    assert_eq!(table.labels(), ["About your planning: Texts for pupils in an informal register, as if spoken"]);
}

#[test]
fn nobody_is_named() {
    let mut table = Table::drafted(FIRST).decided(
        "sections",
        0,
        &[("Starter", "revise", "Mirren needs bigger print"), ("Plenary", "revise", "let the pair with Aidan begin")],
    );
    run(&[("topics", "false")], &mut table, Some("3B"), FIRST, 1);
    assert!(table.asked.is_empty(), "{:?}", table.labels());
}

#[test]
fn without_memory_or_anything_to_say_it_is_silent() {
    let mut without = revised();
    without.remembers = false;
    let mut waved_away = revised();
    let mut before = asked("memory", 0, &[]);
    before.outcome = "dismissed".into();
    waved_away.questions.push(before);
    let mut nothing = Table::drafted("");
    for (table, output) in [(&mut without, LAST), (&mut waved_away, LAST), (&mut nothing, "no lesson")] {
        assert_eq!(run(&[], table, Some("3B"), output, 1), Response::pass());
        assert!(table.asked.is_empty());
    }
}

#[test]
fn whatever_comes_of_it_the_lesson_stays() {
    for (outcome, word) in [
        (Outcome::Dismissed, "dismissed"),
        (Outcome::Declined, "declined"),
        (Outcome::TimedOut, "in time"),
        (Outcome::Answered(Answer::Text("x".into())), "another kind"),
    ] {
        let mut table = revised().outcome(outcome);
        let response = run(&[], &mut table, None, LAST, 1);
        assert_eq!(response.verdict, Verdict::Pass);
        assert!(response.notes[0].contains(word) && table.written.is_empty(), "{:?}", response.notes);
        assert!(table.labels()[0].starts_with("About your planning: Starters of 5"), "{:?}", table.labels());
    }
}

#[test]
fn hostile_and_endless_material_stays_bounded() {
    let nasty = "![x](http://evil) <script> ".to_owned() + &"word ".repeat(3_000);
    let lesson = format!("# {nasty}\n\n## Starter (8 minutes)\n{}\n## B\n## C\n", "1. what?\n".repeat(10_000));
    let mut table = Table::drafted(&lesson).decided("sections", 0, &[("Starter", "revise", &nasty)]);
    table = table.with_past((0..8).map(|_| past("2026-11-05", &lesson, &lesson, Vec::new())).collect());
    run(&[("proposals-max", "99")], &mut table, Some("3B"), &lesson, 1);
    assert!(!table.items().is_empty());
    for (id, label, detail) in table.items() {
        assert!(id.len() <= 80 && label.chars().count() < 400 && detail.chars().count() < 2_000);
        assert!(!detail.contains("![x]("), "{detail}");
    }
    let mut outside = revised();
    run(&[], &mut outside, Some("../3B"), LAST, 1);
    assert!(outside.labels().iter().all(|label| label.starts_with("About your planning")), "{:?}", outside.labels());
}

#[test]
fn nonsense_in_the_settings_is_refused() {
    for name in ["proposals-max", "topics"] {
        let abort = Settings::read(|asked| (asked == name).then(|| "perhaps".into())).unwrap_err();
        assert_eq!(abort.code, "configuration");
    }
}

#[test]
fn what_a_model_noted_is_asked_about_and_goes_where_the_teacher_says() {
    let noted =
        [("3B likes to trace on paper", 3), ("3B is slow to log in", 2), ("3B was noisy", 1), ("3B has a new plan", 2)];
    let asked = |table: Table| {
        let mut table = table.noted(&noted);
        run(&[], &mut table, Some("3B"), FIRST, 0);
        table
    };
    let table = asked(Table::drafted(FIRST));
    assert_eq!(table.labels(), ["About 3B: 3B likes to trace on paper", "About 3B: 3B is slow to log in", TOPIC]);
    assert!(table.items()[0].2.starts_with("The assistant noted this in 3 sessions"), "{:?}", table.items());
    assert!(table.written.is_empty() && table.forgotten.is_empty());
    let ids: Vec<String> = table.items().into_iter().map(|(id, ..)| id).collect();
    let table = asked(Table::drafted(FIRST).answer(&[(&ids[0], "confirm", ""), (&ids[1], "dismiss", "")]));
    let (path, note) = &table.written[0];
    assert_eq!((path.as_str(), note.text.as_str()), ("memory/classes/3B/MEMORY.md", noted[0].0));
    assert_eq!(
        (note.kind.as_str(), note.importance),
        ("other", 50),
        "how a model ranks its own note counts for nothing"
    );
    let working = |text: &str| ("memory/classes/3B/working-notes.md".to_owned(), text.to_owned());
    assert_eq!((table.written.len(), table.forgotten), (1, vec![working(noted[0].0), working(noted[1].0)]));
}
