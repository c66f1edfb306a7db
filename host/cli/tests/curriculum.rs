//! Published documents become curriculum files. All wording here is ours: the codes are real, their texts are not theirs.

use crate::pages;
use crate::support;

use pages::{Page, encrypted, pdf};
use serde_json::Value;
use support::{Call, Home};

/// What the three fixtures hold, which were made by a browser and by an office program from `table.html`.
const TABLE: [&str; 9] = [
    "TCH 2-14a",
    "TCH 2-14b",
    "TCH 2-15a",
    "TCH 3-14a",
    "TCH 3-14b",
    "TCH 3-15a",
    "TCH 4-14a",
    "TCH 4-14c",
    "TCH 4-15a",
];

fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/curriculum/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn import(home: &Home, file: &str, more: &[&str]) -> Call {
    let mut arguments = vec!["curriculum", "import", file, "--output", "json", "--edition", "2026"];
    arguments.extend(more);
    home.run(&arguments)
}

/// A workspace without curriculum files.
fn bare() -> Home {
    let home = Home::new();
    std::fs::remove_dir_all(home.workspace().join("curriculum")).unwrap();
    home
}

/// The report of one import, and the file that it wrote.
fn imported(home: &Home, file: &str, more: &[&str]) -> (Value, String) {
    let mut report = import(home, file, more).expect(0).json();
    let report = report["files"][0].take();
    let text = std::fs::read_to_string(report["file"].as_str().unwrap()).unwrap();
    (report, text)
}

fn headings(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("## "));
    heads.map(|line| line.split(": ").next().unwrap()).collect()
}

fn doubts<'a>(report: &'a Value, kind: &str) -> Vec<&'a Value> {
    report["doubts"].as_array().unwrap().iter().filter(|doubt| doubt["kind"] == kind).collect()
}

#[test]
fn one_table_as_pdf_word_and_web_page_gives_the_same_outcomes() {
    for name in ["table.pdf", "table.docx", "table.html"] {
        let home = bare();
        let (report, text) = imported(&home, &fixture(name), &[]);
        let mut codes = headings(&text);
        codes.sort_unstable();
        assert_eq!(codes, TABLE, "{name}: {text}");
        assert_eq!(report["doubts"], serde_json::json!([]), "{name}");
        assert!(text.contains("- **Outcome:** Draws the way of a message from one machine to another and labels each layer that it passes.\n"), "{name}: {text}");
        let sha256 = report["sha256"].as_str().unwrap();
        for line in [
            "text_kind: official",
            "status: unverified",
            "framework: cfe",
            "version: \"2026\"",
            "subject: technologies",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{name}: {line}: {text}");
        }
        assert!(text.contains(&format!("source_file: {name}\n")) && text.contains(sha256), "{name}");
        // The file is one that a run would read, and nothing in it is wrong.
        home.run(&["validate"]).expect(0);
        assert!(home.workspace().join("curriculum/cfe-technologies.md").exists());
    }
}

#[test]
fn pages_are_read_as_a_person_reads_them() {
    let home = bare();
    let footer = |number: u32| (60.0, 30.0, format!("Trial document, page {number}"));
    let pages = [
        Page::of(&[
            (60.0, 780.0, "Third level"),
            (60.0, 740.0, "TCH 3-14a Follows a pro-"),
            (60.0, 727.0, "gram by hand and says where a loop ends."),
            (60.0, 690.0, "tch 3\u{2013}14B Draws the way of a message from one machine"),
            (60.0, 677.0, "to another and labels each layer."),
            (60.0, 640.0, "TCH 3-1"),
            (60.0, 627.0, "5a Writes a program to a specification and tests each point of it."),
            (60.0, 590.0, "TCH 4-15a Chooses between two tools and defends the choice."),
            (60.0, 550.0, "See also TCH 3-01a and what was said of it before."),
        ])
        .and(&footer(1)),
        Page::default(),
        Page::of(&[
            (60.0, 780.0, "Third level"),
            (60.0, 740.0, "TCH 3-14a Says of a program what it prints, without running it."),
            (60.0, 700.0, "TCH 3-02a Short."),
        ])
        .and(&footer(3)),
        Page::of(&[(60.0, 740.0, "TCH 3-03a Names three ways of keeping an account to oneself.")]).and(&footer(4)),
    ];
    let file = home.path("trial.pdf");
    std::fs::write(&file, pdf(&pages)).unwrap();
    let (report, text) = imported(&home, file.to_str().unwrap(), &[]);
    assert_eq!(headings(&text), ["TCH 3-14a", "TCH 3-14b", "TCH 3-15a", "TCH 4-15a", "TCH 3-02a", "TCH 3-03a"]);
    assert!(text.contains("Follows a program by hand and says where a loop ends."), "{text}");
    assert!(text.contains("Writes a program to a specification and tests each point of it."), "{text}");
    assert!(text.contains("- **Place:** page 4"), "{text}");
    assert!(text.contains("- **Other text, page 3:** Says of a program what it prints, without running it."), "{text}");
    assert!(!text.contains("Trial document"), "{text}");
    for (kind, code, place) in [
        ("hyphen-joined", Value::Null, "page 1"),
        ("code-joined", "TCH 3-15a".into(), "page 1"),
        ("level-mismatch", "TCH 4-15a".into(), "page 1"),
        ("no-text", "TCH 3-01a".into(), "page 1"),
        ("unreadable-page", Value::Null, "page 2"),
        ("two-texts", "TCH 3-14a".into(), "page 1"),
        ("short-text", "TCH 3-02a".into(), "page 3"),
        ("repeated-line", Value::Null, "page 1"),
    ] {
        let found = doubts(&report, kind);
        assert_eq!(found.len(), 1, "{kind}: {report}");
        assert_eq!((&found[0]["code"], &found[0]["place"]), (&code, &place.into()), "{kind}");
    }
}

/// What differs from page to page by a number alone is a footer, unless the number is that of a code.
#[test]
fn outcomes_that_are_alike_are_no_footers() {
    let home = bare();
    let page = |level: u32| {
        Page::default()
            .and(&(60.0, 790.0, format!("Trial, part {level}")))
            .and(&(60.0, 740.0, format!("TCH {level}-15a Writes a program of five points and tests each.")))
            .and(&(60.0, 700.0, format!("TCH {level}-14a Follows a program by hand, step by step, and")))
            .and(&(420.0, 740.0, "says what it prints.".to_owned()))
            .and(&(60.0, 30.0, "https://example.org/trial".to_owned()))
    };
    let file = home.path("alike.pdf");
    std::fs::write(&file, pdf(&[page(2), page(3), page(4)])).unwrap();
    let (report, text) = imported(&home, file.to_str().unwrap(), &[]);
    assert_eq!(headings(&text).len(), 6, "{text}");
    assert_eq!(
        text.matches("Outcome:** Follows a program by hand, step by step, and says what it prints.\n").count(),
        3,
        "{text}"
    );
    assert!(!text.contains("Trial, part") && !text.contains("example.org"), "{text}");
    assert_eq!((doubts(&report, "open-text").len(), doubts(&report, "repeated-line").len()), (0, 2), "{report}");
    std::fs::write(
        home.path("open.txt"),
        "TCH 3-14a: Follows it and\n\nTCH 3-14b: Says what it prints.\n\nTCH 3-15a: Tests each of the points.\n",
    )
    .unwrap();
    let (report, _) = imported(&home, home.path("open.txt").to_str().unwrap(), &["--subject", "open"]);
    assert_eq!(doubts(&report, "open-text")[0]["code"], "TCH 3-14a", "{report}");
}

#[test]
fn tables_and_texts_in_other_layouts() {
    let home = Home::new();
    let sheet = "Level;Code;Experience and outcome;Notes\nthird;MNU 301a;\"Rounds to suit the answer,\nand says why.\";x\nsecond;MTH 3-05b;Finds out whether a number is prime.;\n;;;\nfourth;ΜTΗ 4\u{2013}13a / MTH 3-13a;Finds the rule of a pattern and uses it.;\n";
    let file = home.write("table.csv", sheet);
    let (report, text) =
        imported(&home, file.to_str().unwrap(), &["--subject", "number", "--from", "https://example.org/n"]);
    assert_eq!(headings(&text), ["MNU 3-01a", "MTH 3-05b", "MTH 4-13a / MTH 3-13a"]);
    assert!(text.contains("Rounds to suit the answer, and says why.\n- **Place:** row 2\n"), "{text}");
    assert!(text.contains("subject: number\n") && text.contains("source: \"https://example.org/n\"\n"), "{text}");
    assert_eq!(doubts(&report, "level-mismatch")[0]["code"], "MTH 3-05b");
    assert_eq!(doubts(&report, "look-alike").len(), 2);

    let after = "Third level\n\nRounds a number to suit what the answer is for.\nMNU 3-01a\n\nKeeps a record of tries\nwhile looking for primes. (MTH 3-05b)\n\nFinds a rule.\n\nMTH 3-13a\n";
    let file = home.write("after.txt", after);
    let (_, text) = imported(&home, file.to_str().unwrap(), &[]);
    assert!(text.contains("## MNU 3-01a: Rounds a number to suit what the answer is for."), "{text}");
    assert!(text.contains("## MTH 3-05b: Keeps a record of tries while looking for primes."), "{text}");
    assert!(text.contains("## MTH 3-13a: Finds a rule."), "{text}");
}

#[test]
fn nothing_is_overwritten_unless_that_is_asked_for() {
    let home = Home::new();
    let file = home.write("a.txt", "TCH 3-14a: follows a program by hand and says what it prints\n");
    let file = file.to_str().unwrap();
    let computing = home.workspace().join("curriculum/cfe-computing.md");
    let before = std::fs::read(&computing).unwrap();
    let refused = import(&home, file, &["--subject", "computing"]).expect(2);
    assert!(refused.out.contains("import.exists") && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(std::fs::read(&computing).unwrap(), before);
    let preview = home.run(&["curriculum", "import", file, "--dry-run", "--subject", "other"]).expect(0);
    assert!(preview.out.contains("## TCH 3-14a: follows a program"), "{}", preview.out);
    assert!(preview.err.contains("would write") && preview.err.contains("--edition"), "{}", preview.err);
    assert!(!home.workspace().join("curriculum/cfe-other.md").exists());
    let out = home.path("own.md");
    import(&home, file, &["--out", out.to_str().unwrap()]).expect(0);
    import(&home, file, &["--out", out.to_str().unwrap()]).expect(2);
    import(&home, file, &["--out", out.to_str().unwrap(), "--force"]).expect(0);
    import(&home, file, &["--subject", "computing", "--force"]).expect(0);
    assert_ne!(std::fs::read(&computing).unwrap(), before);
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    let home = Home::new();
    let bomb = home.path("bomb.docx");
    let program = "import zipfile, sys\nz = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\nz.writestr('word/document.xml', b'<w:p>' * 16000000)\nz.close()";
    let status = std::process::Command::new("python3").args(["-c", program]).arg(&bomb).status().unwrap();
    assert!(status.success() && std::fs::metadata(&bomb).unwrap().len() < 1_000_000);
    // A page whose content inflates to 300 MB.
    let deflated = home.path("deflated");
    let program = "import zlib, sys\nc = zlib.compressobj(9)\nf = open(sys.argv[1], 'wb')\nfor _ in range(300): f.write(c.compress(b' ' * 1000000))\nf.write(c.flush())";
    assert!(std::process::Command::new("python3").args(["-c", program]).arg(&deflated).status().unwrap().success());
    std::fs::write(home.path("bomb.pdf"), pages::deflated(&std::fs::read(&deflated).unwrap())).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(home.path(name), bytes).unwrap();
    };
    write("locked.pdf", &encrypted());
    write("broken.pdf", b"%PDF-1.7\nnothing of it\n%%EOF");
    write("scanned.pdf", &pdf(&[Page::default(), Page::default()]));
    write("broken.docx", b"PK\x03\x04 and no more");
    write("empty.txt", b"");
    write("codes.txt", b"TCH 3-14a\n");
    write("prose.txt", b"Nothing to see here.\n");
    write("sheet.xlsx", b"PK\x03\x04");
    write("binary.txt", b"a\0b");
    for (name, code) in [
        ("bomb.docx", "import.too-large"),
        ("bomb.pdf", "import.too-large"),
        ("locked.pdf", "import.encrypted"),
        ("broken.pdf", "import.malformed"),
        ("scanned.pdf", "import.no-text"),
        ("broken.docx", "import.docx"),
        ("empty.txt", "import.empty"),
        ("codes.txt", "import.no-texts"),
        ("prose.txt", "import.no-codes"),
        ("sheet.xlsx", "import.format"),
        ("binary.txt", "import.format"),
    ] {
        let error = import(&home, home.path(name).to_str().unwrap(), &[]).expect(1).json();
        assert_eq!(error["error"]["code"], code, "{name}: {error}");
        assert!(!error["error"]["hint"].as_str().unwrap().is_empty());
    }
    import(&home, "nowhere.pdf", &[]).expect(2);
}

/// A reader of PDF that is given damaged files answers, whatever they are.
#[test]
fn damaged_files_never_bring_it_down() {
    let home = Home::new();
    let whole = std::fs::read(fixture("table.pdf")).unwrap();
    let directory = home.path("damaged");
    std::fs::create_dir_all(&directory).unwrap();
    for (number, cut) in [100, 1_000, 5_000, 20_000, whole.len() - 700, whole.len() - 30].into_iter().enumerate() {
        std::fs::write(directory.join(format!("cut-{number}.pdf")), &whole[..cut]).unwrap();
    }
    for seed in 0..40_usize {
        let mut bytes = whole.clone();
        for step in 0..60_usize {
            let at = (seed * 7_919 + step * 104_729 + seed * step * 31) % bytes.len();
            bytes[at] = bytes[at].wrapping_add(u8::try_from(1 + (seed + step) % 250).unwrap());
        }
        std::fs::write(directory.join(format!("flipped-{seed:02}.pdf")), bytes).unwrap();
    }
    let out = home.path("out");
    std::fs::create_dir_all(&out).unwrap();
    let call = import(&home, directory.to_str().unwrap(), &["--out", out.to_str().unwrap(), "--force"]);
    let files = call.json()["files"].as_array().unwrap().clone();
    assert_eq!(files.len(), 46, "{}", call.err);
    for file in files {
        assert!(file["entries"].is_u64() || file["error"]["code"].as_str().unwrap().starts_with("import."), "{file}");
    }
    assert!(!call.err.contains("panicked"), "{}", call.err);
}

#[test]
fn a_directory_is_imported_file_by_file() {
    let home = bare();
    home.write("in/one.txt", "TCH 3-14a: follows a program by hand and says what it prints\n");
    home.write(
        "in/two.html",
        "<table><tr><td>SOC 3-01a<td>Reads a letter of the time and says what it leaves out.</table>",
    );
    home.write("in/three.txt", "Nothing to see here.\n");
    home.write("in/notes.odt", "not one of ours");
    let call = home.run(&["curriculum", "import", home.path("in").to_str().unwrap()]).expect(1);
    assert!(call.err.contains("three.txt") && call.err.contains("import.no-codes"), "{}", call.err);
    assert!(home.workspace().join("curriculum/cfe-technologies.md").exists());
    assert!(home.workspace().join("curriculum/cfe-social-studies.md").exists());
}

#[test]
fn papers_are_found_by_code() {
    let home = Home::new();
    let paper = "Practice paper\n\nTotal marks 9\n\n1. Look at the program below (TCH 3-14a).\n(a) Complete a trace table for the variable in the loop. (3 marks)\n(b) Say what it prints. (1 mark)\n\n2. A shop keeps prices in a spreadsheet. Write the spreadsheet formulas that add them up. (2 marks)\n\n1990 was long ago.\n\n3 Say what you like. (3 marks)\n";
    let file = home.write("Practice 2026.txt", paper);
    let (report, text) = imported(&home, file.to_str().unwrap(), &["--kind", "past-paper", "--subject", "computing"]);
    assert!(report["file"].as_str().unwrap().ends_with("papers/practice-2026-past-paper.md"), "{report}");
    assert_eq!(headings(&text), ["Question 1", "Question 2", "Question 3"]);
    assert!(text.contains("- **Codes:** TCH 3-14a\n") && text.contains("- **Marks:** 4\n"), "{text}");
    assert!(text.contains("- **Suggested codes:** TCH 3-01a (") && text.contains("spreadsheet formulas"), "{text}");
    assert!(!text.contains("Total marks"), "the cover is no question: {text}");
    assert_eq!((doubts(&report, "suggested").len(), doubts(&report, "untagged").len()), (1, 1), "{report}");

    let marking =
        "Question 1 (a) 3 marks: a row for each round\n\n2. any sum, one mark for the range\n\n3. any reason\n";
    let file = home.write("marking.txt", marking);
    let (_, text) =
        imported(&home, file.to_str().unwrap(), &["--kind", "marking", "--code", "tch 3-14a", "--code", "TCH 3-15a"]);
    assert!(text.contains("## Question 2\n\n- **Codes:** TCH 3-14a, TCH 3-15a\n"), "{text}");
    let page = "<h1>Course</h1><h2>Software</h2><p>Reads and explains programs (TCH 3-14a).</p><h2>Empty</h2><h2>Computers</h2><p>Layers and networks.</p>";
    let file = home.write("course.html", page);
    let (_, text) = imported(&home, file.to_str().unwrap(), &["--kind", "specification", "--title", "Course [2026]"]);
    assert_eq!(headings(&text), ["Software", "Computers"]);

    // The planner has `list_directory` and `read_file`: the index names file and lines for each code.
    let index = std::fs::read_to_string(home.workspace().join("papers/by-code.md")).unwrap();
    let line = index.lines().find(|line| line.starts_with("- **TCH 3-14a:**")).unwrap();
    assert_eq!(line.matches("](papers/").count(), 5, "{line}");
    let place = line.split("](").nth(1).unwrap().split(')').next().unwrap();
    let (path, lines) = place.split_once("#L").unwrap();
    let (from, to) = lines.split_once("-L").unwrap();
    let text = std::fs::read_to_string(home.workspace().join(path)).unwrap();
    let cited: Vec<&str> = text.lines().skip(from.parse::<usize>().unwrap() - 1).collect();
    assert!(cited[0].starts_with("## ") && to.parse::<usize>().unwrap() > from.parse::<usize>().unwrap(), "{place}");
    home.run(&["validate"]).expect(0);

    let report = home.run(&["curriculum", "check", "--json"]).expect(0).json();
    assert_eq!((report["paper_items"].as_u64(), report["paper_items_tagged"].as_u64()), (Some(8), Some(5)), "{report}");
    let paper = home.workspace().join("papers/marking-marking.md");
    let text = std::fs::read_to_string(&paper).unwrap();
    std::fs::write(&paper, text.replace("TCH 3-15a", "TCH 3-99z")).unwrap();
    let checked = home.run(&["curriculum", "check"]).expect(1);
    assert!(
        checked.out.contains("Question 2 is tagged with TCH 3-99z, which no curriculum file has [unknown-code]"),
        "{}",
        checked.out
    );
}

/// The planner reads the index and the question through its own tool, in a run.
#[test]
fn a_planner_reads_a_question_by_its_code() {
    let home = Home::new();
    let file = home.write("paper.txt", "1. Trace the loop (TCH 3-14a) and give its output.\n");
    imported(&home, file.to_str().unwrap(), &["--kind", "past-paper"]);
    let call = |path: &str| serde_json::json!({ "text": "", "calls": [{ "name": "read_file", "arguments": { "path": path } }] });
    let script = home.script(&serde_json::json!([
        call("papers/by-code.md"),
        call("papers/paper-past-paper.md"),
        { "text": support::LESSON },
    ]));
    let run = home.run(&[
        support::CREATE,
        "loops for 3B",
        "--provider",
        "script",
        "--script",
        &script,
        "--answers",
        "accept",
        "--output",
        "json",
    ]);
    let session = run.expect(0).json()["session"].as_str().unwrap().to_owned();
    let told = home.events(&session).iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    assert!(told.contains("papers/paper-past-paper.md#L") && told.contains("Trace the loop"), "{told}");
}

#[test]
fn the_shipped_curriculum_has_no_errors() {
    let home = Home::new();
    let report = home.run(&["curriculum", "check", "--output", "json"]).expect(0).json();
    let files = std::fs::read_dir(home.workspace().join("curriculum")).unwrap().count();
    assert_eq!(report["files"].as_u64(), u64::try_from(files).ok());
    let sum = report["verified"].as_u64().unwrap() + report["unverified"].as_u64().unwrap();
    assert_eq!(report["outcomes"].as_u64(), Some(sum));
    assert!(report["findings"].as_array().unwrap().iter().all(|it| it["severity"] == "warning"), "{report}");
}

#[test]
fn a_check_names_what_is_wrong() {
    let home = bare();
    let file = |codes: &str| {
        format!("---\nsubject: x\nframework: cfe\nversion: \"1\"\ntext_kind: paraphrase\nsource: ours\n---\n\n{codes}")
    };
    let entry =
        |code: &str, more: &str| format!("## {code}: a title\n\n- **Outcome:** says something of use\n{more}\n");
    let a = [
        entry("TCH 2-14a", "- **Status:** verified\n- **After:** TCH 3-14a\n"),
        entry("TCH 3-14a", "- **Before:** TCH 2-14a\n- **After:** TCH 4-14a\n"),
        entry("TCH 4-14a", "- **Before:** TCH 3-14z\n"),
        entry("TCH 3-15a", "- **Level:** fourth\n- **Before:** none in this file\n"),
        entry("TCH 3-14a", ""),
        entry("ABC 3-01a", ""),
        entry("TCH 3-13a", "- **Before:** TCH 4-14a\n"),
    ];
    home.write("workspace/curriculum/a.md", &file(&a.concat()));
    home.write("workspace/curriculum/b.md", &file(&entry("TCH 2-14a", "")).replace("paraphrase", "official"));
    home.write("workspace/curriculum/c.md", &file("no entries\n").replace("cfe", "nowhere"));
    let report = home.run(&["curriculum", "check", "--json"]).expect(1).json();
    let found: Vec<(String, String, String)> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| ["severity", "kind", "code"].map(|field| it[field].as_str().unwrap_or("-").to_owned()).into())
        .collect();
    let expected = [
        ("error", "broken-progression", "TCH 4-14a"),
        ("error", "level-mismatch", "TCH 3-15a"),
        ("error", "duplicate", "TCH 3-14a"),
        ("error", "unknown-code", "ABC 3-01a"),
        ("error", "broken-progression", "TCH 3-13a"),
        ("warning", "gap", "TCH 3-15a"),
        ("warning", "gap", "TCH 3-13a"),
        ("warning", "two-wordings", "TCH 2-14a"),
        ("warning", "no-pattern", "-"),
    ];
    assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())), "{report}");
    assert_eq!((report["verified"].as_u64(), report["unverified"].as_u64()), (Some(1), Some(7)));
    let text = home.run(&["curriculum", "check"]).expect(1).out;
    assert!(text.contains("a.md:") && text.contains("5 errors, 4 warnings"), "{text}");
}

#[test]
fn other_curricula_come_in_by_their_patterns() {
    let home = Home::new();
    let england = "Key stage 3\n\nks3 co 1: Draws a model of a system and says what it leaves out.\nKS3/Co/2: Sorts a list in two ways and compares them.\n\nKey stage 4\n\nKS3 Co 9: Something that the heading contradicts, on purpose.\nKS7/Co/1: no such stage\n";
    let file = home.write("england.txt", england);
    let (report, text) = imported(&home, file.to_str().unwrap(), &["--framework", "england"]);
    assert_eq!(headings(&text), ["KS3/Co/1", "KS3/Co/2", "KS3/Co/9"]);
    assert!(text.contains("framework: england\n") && text.contains("- **Level:** key stage 3\n"), "{text}");
    assert!(text.contains("subject: computing\n"), "{text}");
    assert_eq!((doubts(&report, "level-mismatch").len(), doubts(&report, "no-code").len()), (1, 1), "{report}");

    let common = "Standard,Description\nCCSS.Math.Content.7.RP.A.1,\"Works out unit rates of fractions, such as miles in half an hour.\"\n7.RP.A.2a,Says whether two amounts grow in step.\nCCSS.ELA-Literacy.RL.7.1,Names the lines of a story that a claim rests on.\nHSA-REI.B.3,Solves for one unknown with letters for the numbers.\n";
    let file = home.write("common.csv", common);
    let (_, text) = imported(&home, file.to_str().unwrap(), &["--framework", "common-core", "--subject", "sample"]);
    assert_eq!(
        headings(&text),
        [
            "CCSS.MATH.CONTENT.7.RP.A.1",
            "CCSS.MATH.CONTENT.7.RP.A.2.A",
            "CCSS.ELA-LITERACY.RL.7.1",
            "CCSS.MATH.CONTENT.HSA-REI.B.3"
        ]
    );
    // Both stand beside the built-in one, are read by `validate`, and are checked by their own patterns.
    home.run(&["validate"]).expect(0);
    let report = home.run(&["curriculum", "check", "--json"]).expect(0).json();
    assert_eq!(
        (&report["levels"]["england key stage 3"], &report["levels"]["common-core grade 7"]),
        (&3.into(), &3.into()),
        "{report}"
    );
    let file = home.workspace().join("curriculum/england-computing.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("## KS3/Co/2", "## KS3/Xx/2")).unwrap();
    assert!(
        home.run(&["curriculum", "check"])
            .expect(1)
            .out
            .contains("`KS3/Xx/2` is no code of National curriculum in England [unknown-code]")
    );

    home.write("workspace/frameworks/other.toml", "name = \"another\"\ntitle = \"Another\"\n");
    let call = home.run(&["curriculum", "check"]).expect(1);
    assert!(call.err.contains("other.toml") && call.err.contains("there is no pattern"), "{}", call.err);

    let own = home.write("own.toml", "name = \"own\"\ntitle = \"Our school\"\n[[codes]]\npattern = 'OS(?P<number>[0-9]+)'\nform = \"OS{number:02}\"\nexample = \"OS07\"\n");
    let file = home.write("own.txt", "os7: Reads a map of the school and finds three rooms with it.\n");
    let (_, text) =
        imported(&home, file.to_str().unwrap(), &["--framework", own.to_str().unwrap(), "--subject", "own"]);
    assert_eq!(headings(&text), ["OS07"]);
    let broken = home.write("broken.toml", "name = \"own\"\ntitle = \"Our school\"\n[[codes]]\npattern = 'OS('\nform = \"OS{number}\"\nexample = \"OS7\"\n");
    let call = import(&home, file.to_str().unwrap(), &["--framework", broken.to_str().unwrap()]).expect(1);
    assert!(call.out.contains("framework.pattern"), "{}", call.out);
    import(&home, file.to_str().unwrap(), &["--framework", "../england"]).expect(2);
}

#[test]
fn validate_says_what_is_worth_knowing() {
    let home = Home::new();
    support::copy(&support::plugins(), &home.path("plugins"));
    let skill = "---\nname: unread\ndescription: LONG\n---\n\nText.\n".replace("LONG", &"a word and more ".repeat(40));
    home.write("plugins/lesson-planning/skills/unread/SKILL.md", &skill);
    home.write("plugins/lesson-planning/skills/planner/SKILL.md", "---\nname: planner\ndescription: d\n---\n\nText.\n");
    let plugins = home.path("plugins");
    let arguments = ["validate", "--plugins", plugins.to_str().unwrap(), "--output", "json"];
    let report = home.run(&arguments).expect(0).json();
    let warnings: Vec<(&str, &str)> = report["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["code"].as_str().unwrap(), it["message"].as_str().unwrap()))
        .collect();
    let has = |code: &str, word: &str| warnings.iter().any(|(own, text)| *own == code && text.contains(word));
    assert!(has("skill.unlisted", "`unread`") && has("skill.entry-long", "tokens"), "{report}");
    assert!(has("hook.fails-open", "`feedforward`") && !has("hook.fails-open", "`privacy`"), "{report}");
    assert!(has("name.twice", "`planner` is the name of several things: agent, skill"), "{report}");
    let planner = report["skill_manifests"].as_array().unwrap().iter().find(|it| it["agent"] == "planner").unwrap();
    // The rule is bytes of the prompt's part by four: what a dry run shows is what was counted.
    let prompt = home
        .run(&[support::CREATE, "iteration for 3B", "--dry-run", "--plugins", plugins.to_str().unwrap()])
        .expect(0)
        .out;
    let end = prompt.find("</skills-").unwrap();
    let end = end + prompt[end..].find('>').unwrap() + 1;
    let part = &prompt[prompt.find("<skills-").unwrap()..end];
    assert_eq!(planner["tokens"].as_u64(), u64::try_from(part.len().div_ceil(4)).ok(), "{planner}");
    assert!(
        report["fails_open"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it["hook"] == "feedforward" && it["kind"] == "guardrail")
    );
    let text = home.run(&arguments[..3]).expect(0).out;
    assert!(text.contains("skills in the prompt of lesson-planning:planner") && text.contains("warnings"), "{text}");
}
