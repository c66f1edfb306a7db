//! Documents of lessons, through the binary.

use crate::support;

use support::{CREATE, Home};

#[test]
fn a_session_becomes_word_pdf_and_markdown() {
    let home = Home::new();
    let run = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    let session = run["session"].as_str().unwrap();
    for (form, begins) in [("docx", "PK"), ("pdf", "%PDF-1.7"), ("md", "# Iteration")] {
        let file = home.path(&format!("out.{form}")).display().to_string();
        let call = home.run(&["export", session, "--form", form, "--out", &file]).expect(0);
        assert_eq!(call.out.trim(), file);
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(begins.as_bytes()), "{form}");
        // The same session gives the same bytes, and replaces the file that was named.
        home.run(&["export", &session[..8], "--form", form, "--out", &file]).expect(0);
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "{form}");
    }
    let lesson = home.run(&["export", session, "--form", "md", "--out", "-"]).expect(0);
    assert_eq!(lesson.out.trim(), run["output"].as_str().unwrap().trim());
    let pupils = home.run(&["export", session, "--form", "md", "--part", "pupil", "--out", "-"]).expect(0);
    assert!(pupils.out.contains("Exit questions") && !pupils.out.contains("Answer"), "{}", pupils.out);
    let by_run = home.run(&["export", run["run"].as_str().unwrap(), "--form", "md", "--out", "-"]).expect(0);
    assert_eq!(by_run.out, lesson.out);
}

#[test]
fn a_file_is_written_here_and_over_nothing() {
    let home = Home::new();
    let lesson = home.write("mine.md", "# Adding ½\n\n## Starter\n\n- $\\frac12+\\frac12$? **Answer:** 1\n");
    let lesson = lesson.display().to_string();
    let here = home.path("here");
    std::fs::create_dir(&here).unwrap();
    let export = |more: &[&str]| {
        let arguments = [&["export", &lesson, "--form", "pdf"], more].concat();
        support::Call::of(&home.command(&arguments).current_dir(&here).output().unwrap())
    };
    assert_eq!(export(&["--part", "pupil"]).expect(0).out.trim(), "adding-pupils.pdf");
    let said = export(&["--output", "json"]).expect(0).json();
    assert_eq!(said["file"], "adding.pdf");
    assert_eq!(said["media_type"], "application/pdf");
    assert_eq!(said["bytes"], std::fs::metadata(here.join("adding.pdf")).unwrap().len());
    let again = export(&[]).expect(2);
    assert!(again.err.contains("[export.exists]") && again.err.contains("--out"), "{}", again.err);
}

#[test]
fn what_cannot_be_exported_says_why() {
    let home = Home::new();
    let parked = home.drafted("iteration for 3B").json();
    let plain = home.write("plain.md", "# Notes\n\nText.\n").display().to_string();
    let empty = home.write("empty.md", "\n").display().to_string();
    let bytes = home.path("bytes.md");
    std::fs::write(&bytes, [0xFF, 0xFE]).unwrap();
    let cases: [(&[&str], i32, &str); 10] = [
        (&[parked["session"].as_str().unwrap(), "--form", "pdf"], 2, "export.unfinished"),
        (&["12345678", "--form", "pdf"], 2, "store.not_found"),
        (&["/nowhere.md", "--form", "pdf"], 2, "export.file"),
        (&[bytes.to_str().unwrap(), "--form", "pdf"], 2, "export.file"),
        (&[&plain, "--form", "docx", "--part", "pupil"], 1, "export.no-pupil-part"),
        (&[&empty, "--form", "docx"], 1, "export.empty"),
        (&[&plain, "--form", "odt"], 2, "export.form"),
        (&[&plain, "--form", "pdf", "--plugin", "release-notes"], 2, "export.form"),
        (&[&plain, "--form", "pdf", "--part", "answers"], 2, "export.part"),
        (&[&plain, "--form", "docx", "--out", "/nowhere/x.docx"], 6, "export.write"),
    ];
    for (arguments, code, word) in cases {
        let call = home.run(&[&["export"], arguments].concat()).expect(code);
        assert!(call.err.contains(&format!("[{word}]")) && call.err.contains("hint:"), "{arguments:?}: {}", call.err);
        assert!(call.out.is_empty());
    }
}

/// Who names a teacher sees nothing of another's.
#[test]
fn another_teachers_lesson_is_not_there() {
    let home = Home::new();
    let arguments = [CREATE, "iteration for 3B", "--answers", "accept", "--output", "json", "--teacher", "ann"];
    let run = home.run(&arguments).expect(0).json();
    let session = run["session"].as_str().unwrap();
    let export = ["export", session, "--form", "md", "--out", "-", "--teacher"];
    home.run(&[&export[..], &["ann"]].concat()).expect(0);
    let call = home.run(&[&export[..], &["ben"]].concat()).expect(2);
    assert!(call.err.contains("[store.not_found]"), "{}", call.err);
}

/// What the writer makes of hostile text is a document or a named end, in the time that a writer has.
#[test]
fn a_hostile_text_ends_in_the_sandbox() {
    let home = Home::new();
    let warm = home.write("warm.md", "# Text\n\nText.\n").display().to_string();
    home.run(&["export", &warm, "--form", "pdf", "--out", "-"]).expect(0);
    for (name, text) in [
        ("long", "word ".repeat(3 << 20)),
        ("line", "w".repeat(900_000)),
        ("quotations", format!("{}x\n", ">".repeat(10_000)).repeat(50)),
        ("rows", format!("|a|b|\n|---|---|\n{}", "|1|2|\n".repeat(100_000))),
        ("formula", format!("$${}$$", "\\frac{".repeat(50_000))),
        ("formulas", "$x^2$ ".repeat(150_000)),
        ("brackets", "[".repeat(900_000)),
        ("headings", "# h\n".repeat(200_000)),
    ] {
        let file = home.write(&format!("{name}.md"), &text).display().to_string();
        for form in ["docx", "pdf"] {
            let began = std::time::Instant::now();
            let out = home.path("out").display().to_string();
            let call =
                support::Call::of(&home.command(&["export", &file, "--form", form, "--out", &out]).output().unwrap());
            println!("{name} {form}: {} {:?} {}", call.code, began.elapsed(), call.err.trim());
            assert!(call.code == 0 || (call.code == 1 && call.err.contains("[export.")), "{name} {form}: {}", call.err);
        }
    }
}

/// An operator who pins the writer of somebody else's bytes is told so, and no document is made.
#[test]
fn a_writer_that_was_changed_writes_nothing() {
    let home = Home::new();
    let plain = home.write("plain.md", "# Notes\n\nText.\n").display().to_string();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/lesson-planning");
    let manifest = std::fs::read_to_string(format!("{shipped}/plugin.toml")).unwrap();
    let begins = manifest.find("[writers.documents]").unwrap();
    let table = manifest[begins..].split("\n\n").next().unwrap();
    let component = std::fs::read(format!("{shipped}/components/lesson-writer.wasm")).unwrap();
    home.write("plugins/own/plugin.toml", &format!("name = \"own\"\nversion = \"1\"\n\n{table}\n"));
    let file = home.path("plugins/own/components/lesson-writer.wasm");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let plugins = home.path("plugins").display().to_string();
    let export = ["export", &plain, "--form", "pdf", "--plugin", "own", "--out", "-", "--plugins", &plugins];

    home.write("teacher-assist.toml", "[grants.\"own:documents\"]\ncapabilities = [\"log\"]\n");
    std::fs::write(&file, &component).unwrap();
    // Two plugins write PDF now, so one has to be named.
    let both = home.run(&["export", &plain, "--form", "pdf", "--out", "-", "--plugins", &plugins]).expect(2);
    assert!(both.err.contains("[export.form]") && both.err.contains("--plugin: lesson-planning, own"), "{}", both.err);
    home.run(&export).expect(0);

    let changed = [component.as_slice(), &[0, 2, 1, 0]].concat();
    std::fs::write(&file, changed).unwrap();
    let call = home.run(&export).expect(1);
    assert!(call.err.contains("[plugin.digest_mismatch]") && call.out.is_empty(), "{}", call.err);
}
