//! The guardrail `entries-exist`: whatever release notes say changed stands in the list of commits.
//!
//! Three things are checked at the end: every commit that the notes name is one of the list; every item of the notes names at
//! least one; and every change that breaks something is told. What is wrong goes back to the model with the lines, twice at
//! most; then the run ends. A list that cannot be read ends it too: notes that nobody can check are not passed.
//! Start reading at [`check`].

use ta_commits::{Changes, is_hash, shown};
use ta_guest::post_loop::{Event, Response};
use ta_guest::workspace;
use ta_guest::{Context, Entry, Finding};

/// Where lists lie, as the plugin asks for the directory.
const DIRECTORY: &str = "releases";
/// The kind of what a run is about, as the plugin declares it.
const SUBJECT: &str = "release";
/// Rounds of mending before the run ends.
const ROUNDS_MAX: u32 = 2;
/// Findings that an instruction tells in full.
const TOLD_MAX: usize = 10;
/// The sign of an item.
const ITEM: [&str; 2] = ["- ", "* "];

ta_guest::post_loop!(entries_exist);

fn entries_exist(context: &Context, event: &Event) -> Response {
    let reads = event.reads.iter().map(|read| read.path.as_str());
    let Some(path) = list_of(context.about(SUBJECT), reads) else {
        // Without a list there is nothing to write from, and an answer that says so names no commit.
        return match items(&event.output).next() {
            None => Response::pass().note("no list was read and nothing is said to have changed"),
            Some(_) => Response::abort("no-list", "The notes name changes, and no list of commits was read for them."),
        };
    };
    let name = path.strip_prefix(DIRECTORY).map_or(path.as_str(), |rest| rest.trim_start_matches('/'));
    match workspace::open(DIRECTORY).and_then(|directory| directory.read(name)) {
        Ok(file) => answer(&path, check(&event.output, &Changes::read(&file.text))),
        Err(error) => {
            let reason = format!("The notes cannot be checked: {path} cannot be read ({}).", error.message);
            Response::abort("list-unreadable", reason)
        }
    }
}

/// The list that the notes are about: the release's own, else the only one that was read.
fn list_of<'a>(release: Option<&str>, reads: impl Iterator<Item = &'a str>) -> Option<String> {
    if let Some(release) = release {
        return Some(format!("{DIRECTORY}/{release}.txt"));
    }
    let mut lists = reads.filter(|path| path.starts_with(DIRECTORY) && path.ends_with(".txt"));
    lists.next().filter(|_| lists.next().is_none()).map(ToOwned::to_owned)
}

fn answer(path: &str, findings: Vec<Finding>) -> Response {
    if findings.is_empty() {
        return Response::pass().note(format!("every item names a commit of {path}"));
    }
    let told: Vec<String> = findings.iter().take(TOLD_MAX).map(|it| format!("- {}", it.message)).collect();
    let more = findings.len().saturating_sub(TOLD_MAX);
    let more = if more == 0 { String::new() } else { format!("\n- and {more} more like these") };
    let instruction = format!(
        "The notes do not hold against {path}. Mend this and leave the rest as it is:\n{}{more}",
        told.join("\n")
    );
    Response::rework(instruction, ROUNDS_MAX).findings(findings)
}

/// An item of the notes: the number of its first line, counted from 1, and its text with the lines that go on with it.
struct Item<'a> {
    line: u32,
    text: Vec<&'a str>,
}

fn items(output: &str) -> impl Iterator<Item = Item<'_>> {
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut open = false;
    for (line, text) in (1..).zip(output.lines()) {
        let begins = ITEM.iter().any(|mark| text.trim_start().starts_with(mark));
        if begins && !text.starts_with([' ', '\t']) {
            items.push(Item { line, text: vec![text] });
            open = true;
        } else if text.trim().is_empty() || text.starts_with('#') {
            open = false;
        } else if let Some(item) = items.last_mut().filter(|_| open) {
            item.text.push(text);
        }
    }
    items.into_iter()
}

impl Item<'_> {
    fn hashes(&self) -> impl Iterator<Item = &str> {
        self.text.iter().flat_map(|line| hashes(line))
    }
}

/// The commits that a line names: hexadecimal words in brackets, in backticks or as the end of a link.
fn hashes(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_hash(word))
}

/// What of the notes does not hold against the list.
fn check(output: &str, list: &Changes) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut named: Vec<String> = Vec::new();
    for item in items(output) {
        let mut any = false;
        for hash in item.hashes() {
            any = true;
            named.push(hash.to_owned());
            if !list.has(hash) {
                let message = format!(
                    "line {}: there is no commit {hash} in the list; take the item out or name the right one",
                    item.line
                );
                findings.push(finding("unknown-commit", hash, Some(item.line), message));
            }
        }
        if !any {
            let message =
                format!("line {}: the item names no commit of the list, such as ({})", item.line, example(list));
            findings.push(finding("no-commit", "", Some(item.line), message));
        }
    }
    for change in list.changes.iter().filter(|change| change.breaking.is_some()) {
        let told = change
            .hashes
            .iter()
            .any(|own| named.iter().any(|hash| own.starts_with(hash.as_str()) || hash.starts_with(own.as_str())));
        if let (false, Some(hash)) = (told, change.hashes.first()) {
            let breaking = change.breaking.as_deref().unwrap_or_default();
            let message = format!("commit {} breaks something and is not told: {breaking}", shown(hash));
            findings.push(finding("breaking-left-out", hash, None, message));
        }
    }
    findings
}

fn example(list: &Changes) -> &str {
    let first = list.changes.iter().flat_map(|change| &change.hashes).next();
    first.map_or("a1b2c3d", |hash| shown(hash))
}

fn finding(class: &str, commit: &str, line: Option<u32>, message: String) -> Finding {
    let about =
        if commit.is_empty() { Vec::new() } else { vec![Entry { name: "commit".into(), value: commit.into() }] };
    Finding { class: class.into(), about, part: None, line, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "a1b2c3d feat: tabs (#4)\nb2c3d4e fix!: names are quoted\nc3d4e5f Merge branch 'x'\n";

    fn classes(output: &str) -> Vec<(String, Option<u32>)> {
        check(output, &Changes::read(LIST)).into_iter().map(|it| (it.class, it.line)).collect()
    }

    #[test]
    fn notes_that_hold_pass() {
        for notes in [
            "# 1.4.0\n\n- Tabs (#4, a1b2c3d)\n- Names are quoted,\n  so mend scripts (`b2c3d4e`)\n",
            "* Tabs [a1b2c3d](https://example.org/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678)\n* Names (b2c3d4e)",
        ] {
            assert_eq!(classes(notes), [], "{notes}");
        }
    }

    #[test]
    fn what_is_not_in_the_list_is_found() {
        let told = |notes: &str| classes(&format!("{notes}\n- Names (b2c3d4e)"));
        assert_eq!(told("- Tabs (a1b2c3d)\n- Made up (abc1234)"), [("unknown-commit".into(), Some(2))]);
        assert_eq!(told("Intro.\n\n- Made up"), [("no-commit".into(), Some(3))]);
        assert_eq!(told("- The façade, decade by decade"), [("no-commit".into(), Some(1))]);
        assert_eq!(classes("- Tabs (a1b2c3d)"), [("breaking-left-out".into(), None)]);
    }

    #[test]
    fn the_list_is_that_of_the_release_or_the_only_one_read() {
        let of = |release, reads: &[&'static str]| list_of(release, reads.iter().copied());
        assert_eq!(of(Some("1.4.0"), &[]).as_deref(), Some("releases/1.4.0.txt"));
        assert_eq!(of(None, &["releases/2.txt", "soul.md"]).as_deref(), Some("releases/2.txt"));
        assert_eq!(of(None, &["releases/1.txt", "releases/2.txt"]), None);
        assert_eq!(of(None, &[]), None);
    }

    #[test]
    fn an_answer_without_items_needs_no_list() {
        assert_eq!(items("There is no list yet.").count(), 0);
        assert_eq!(items("- one\n  - within\n\n- two").count(), 2);
    }
}
