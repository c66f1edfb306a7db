//! Published documents become curriculum files. All wording here is ours: the codes are real, their texts are not theirs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod pages;
mod support;

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
