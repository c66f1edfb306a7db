//! The journal copied elsewhere and put back, through the binary.

use crate::support;

use support::{CREATE, Home};

#[test]
fn a_journal_is_kept_elsewhere_damaged_and_put_back() {
    let home = Home::new();
    let missing = home.run(&["backup", "kept.db"]).expect(6);
    assert!(missing.err.contains("[store.missing]"), "{}", missing.err);
    home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    let said = home.run(&["backup", "kept.db"]).expect(0).out;
    assert!(said.contains("wrote the journal to kept.db") && said.contains("copy that as well"), "{said}");
    let again = home.run(&["backup", "kept.db"]).expect(6);
    assert!(again.err.contains("[store.exists]"), "{}", again.err);
    home.run(&[CREATE, "bearings for 1B", "--answers", "accept"]).expect(0);

    let journal = home.path("data/journal.db");
    let bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() / 3]).unwrap();
    let broken = home.run(&["--sessions"]).expect(6);
    assert!(broken.err.contains("teacher-assist restore FILE"), "{}", broken.err);
    let end = home.run(&["restore", "kept.db", "--output", "json"]).expect(0).json();
    let aside = std::path::Path::new(end["set_aside"].as_str().unwrap()).join("journal.db");
    assert_eq!(std::fs::read(aside).unwrap().len(), bytes.len() / 3);
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    home.run(&["replay", rows[0]["last_run"].as_str().unwrap()]).expect(0);
    home.run(&[CREATE, "bearings for 1B", "--answers", "accept"]).expect(0);
}

#[test]
fn a_backup_is_made_beside_a_process_that_writes_and_put_back_only_when_it_is_done() {
    let home = Home::new();
    home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    let mut command = home.command(&["--interactive", "--answers", "accept"]);
    let piped = std::process::Stdio::piped;
    let mut busy = command.stdin(piped()).stdout(piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut input = busy.stdin.take().unwrap();
    let mut output = std::io::BufRead::lines(std::io::BufReader::new(busy.stdout.take().unwrap()));
    std::io::Write::write_all(&mut input, b"bearings for 1B\n").unwrap();
    output.find(|line| line.as_ref().unwrap().starts_with("# ")).unwrap().unwrap();
    home.run(&["backup", "kept.db"]).expect(0);
    let refused = home.run(&["restore", "kept.db"]).expect(6);
    assert!(refused.err.contains("[store.locked]"), "{}", refused.err);
    drop(input);
    output.for_each(drop);
    busy.wait().unwrap();
    home.run(&["restore", "kept.db"]).expect(0);
    assert_eq!(home.run(&["--sessions", "--output", "json"]).expect(0).json().as_array().unwrap().len(), 2);
    let text = home.write("note.txt", "no journal").display().to_string();
    let refused = home.run(&["restore", &text]).expect(6);
    assert!(refused.err.contains("[store.not_a_journal]"), "{}", refused.err);
}
