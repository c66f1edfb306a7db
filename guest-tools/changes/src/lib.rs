//! The tool `list_changes`: what a release changes, read from its list of commits.
//!
//! The list of the release `1.4.0` is `releases/1.4.0.txt`, as `git log --format='%h %s%n%b'` writes it. This crate
//! decides nothing about notes: it says what there is, each change with the commits that make it. Start reading at
//! [`list_changes`].

use serde_json::{Value, json};
use ta_commits::{Change, Changes, Kind};
use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_guest::workspace::{self, EntryKind, ErrorCode};

/// Where lists lie, as the plugin asks for the directory.
const DIRECTORY: &str = "releases";
/// How the file of a list ends.
const SUFFIX: &str = ".txt";
/// The kind of what a run is about, as the plugin declares it.
const SUBJECT: &str = "release";
/// Releases that a message names at the most.
const NAMED_MAX: usize = 20;

const LIST_CHANGES: &str = r#"{
    "type": "object", "additionalProperties": false,
    "properties": {
        "release": { "type": "string", "description": "The release, such as 1.4.0; left out, the one that this run is about" }
    }
}"#;

ta_guest::tool!(definitions, call);

/// Where lists come from: the workspace in a component, a map in tests.
trait Lists {
    /// The text of a file of the directory; none where there is no such file.
    fn read(&self, name: &str) -> Result<Option<String>, Failure>;
    /// Names of the directory's files.
    fn names(&self) -> Result<Vec<String>, Failure>;
}

struct Workspace;

impl Lists for Workspace {
    fn read(&self, name: &str) -> Result<Option<String>, Failure> {
        let found = workspace::open(DIRECTORY).and_then(|directory| directory.read(name));
        match found {
            Ok(file) => Ok(Some(file.text)),
            Err(error) if matches!(error.code, ErrorCode::NotFound) => Ok(None),
            Err(error) => Err(Failure::new("unreadable", error.message)),
        }
    }

    fn names(&self) -> Result<Vec<String>, Failure> {
        match workspace::open(DIRECTORY).and_then(|directory| directory.entries(".")) {
            Ok(entries) => {
                let files = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
                Ok(files.map(|entry| entry.name).collect())
            }
            Err(error) if matches!(error.code, ErrorCode::NotFound) => Ok(Vec::new()),
            Err(error) => Err(Failure::new("unreadable", error.message)),
        }
    }
}

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "list_changes".into(),
        description:
            "What a release changes, from its list of commits: each change with its kind, its text, what it breaks and \
                      the hashes of its commits. Merges, reverts and what they take back stand apart. Call it before \
                      writing notes, and name no change that it does not give."
                .into(),
        input_schema: LIST_CHANGES.into(),
        idempotent: true,
        only_reads: true,
    }]
}

fn call(context: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Workspace, context, call)
}

fn dispatch(lists: &impl Lists, context: &Context, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "list_changes" => {
            let arguments = Arguments::parse(call, LIST_CHANGES)?;
            list_changes(lists, arguments.text("release").or_else(|| context.about(SUBJECT)))
        }
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is list_changes."))),
    }
}

/// The changes of a release as JSON; without a release, those of the only one that there is.
fn list_changes(lists: &impl Lists, release: Option<&str>) -> Result<String, Failure> {
    let release = match release {
        Some(release) => release.trim().to_owned(),
        None => only(&known(lists)?)?,
    };
    let name = format!("{release}{SUFFIX}");
    if release.is_empty() || release.contains(['/', '\\']) {
        return Err(Failure::new("arguments", format!("`{release}` is no release: it is a name such as 1.4.0.")));
    }
    let Some(text) = lists.read(&name)? else {
        let known = known(lists)?;
        return Err(Failure::new("not-found", format!("There is no list {DIRECTORY}/{name}. {}", said(&known))));
    };
    Ok(described(&release, &format!("{DIRECTORY}/{name}"), &Changes::read(&text)).to_string())
}

fn known(lists: &impl Lists) -> Result<Vec<String>, Failure> {
    let names = lists.names()?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(SUFFIX)).map(ToOwned::to_owned).collect())
}

fn only(known: &[String]) -> Result<String, Failure> {
    match known {
        [one] => Ok(one.clone()),
        _ => Err(Failure::new("arguments", format!("Say which release. {}", said(known)))),
    }
}

fn said(known: &[String]) -> String {
    if known.is_empty() {
        return format!(
            "There are no lists yet: write one with `git log --format='%h %s%n%b' LAST..THIS > {DIRECTORY}/1.4.0{SUFFIX}`."
        );
    }
    let named: Vec<&str> = known.iter().rev().take(NAMED_MAX).map(String::as_str).collect();
    format!("There are: {}.", named.join(", "))
}

fn described(release: &str, path: &str, changes: &Changes) -> Value {
    let counts = Kind::ALL.map(|kind| (kind.name().to_owned(), changes.of(kind).count().into()));
    let left_out = changes.left_out.iter().map(|it| json!({ "commit": it.hash, "why": it.why }));
    let unread = changes.unread.iter().map(|(line, text)| json!({ "line": line, "text": text }));
    json!({
        "release": release,
        "list": path,
        "counts": counts.into_iter().filter(|(_, count): &(String, Value)| *count != 0).collect::<serde_json::Map<_, _>>(),
        "changes": changes.changes.iter().map(change).collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "unread": unread.collect::<Vec<_>>(),
    })
}

fn change(it: &Change) -> Value {
    json!({
        "kind": it.kind.name(),
        "scope": it.scope,
        "text": it.text,
        "breaking": it.breaking,
        "reference": it.reference,
        "commits": it.hashes,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Files(BTreeMap<&'static str, &'static str>);

    impl Lists for Files {
        fn read(&self, name: &str) -> Result<Option<String>, Failure> {
            Ok(self.0.get(name).map(|text| (*text).to_owned()))
        }
        fn names(&self) -> Result<Vec<String>, Failure> {
            Ok(self.0.keys().map(|name| (*name).to_owned()).collect())
        }
    }

    fn asked(files: &[(&'static str, &'static str)], context: &Context, arguments: &str) -> Result<Value, Failure> {
        let call = ToolCall { id: "1".into(), name: "list_changes".into(), arguments: arguments.into() };
        let text = dispatch(&Files(files.iter().copied().collect()), context, &call)?;
        Ok(serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn a_release_is_read_with_its_changes() {
        let list = "a1b2c3d feat(cli)!: tabs (#4)\nb2c3d4e Merge branch 'x'\n";
        let files = [("1.4.0.txt", list), ("1.3.0.txt", "")];
        let told = asked(&files, &Context::of("release", "1.4.0"), "").unwrap();
        assert_eq!(told["release"], "1.4.0");
        assert_eq!(told["counts"], json!({ "new": 1 }));
        assert_eq!(
            told["changes"],
            json!([{ "kind": "new", "scope": "cli", "text": "tabs", "breaking": "tabs", "reference": "#4", "commits": ["a1b2c3d"] }])
        );
        assert_eq!(told["left_out"], json!([{ "commit": "b2c3d4e", "why": "it merges others" }]));
        assert_eq!(asked(&files, &Context::default(), r#"{"release":"1.3.0"}"#).unwrap()["changes"], json!([]));
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let none = Context::default();
        let code =
            |files: &[(&'static str, &'static str)], arguments: &str| asked(files, &none, arguments).unwrap_err();
        let absent = code(&[("1.3.0.txt", "")], r#"{"release":"2.0"}"#);
        assert!(absent.code == "not-found" && absent.message.contains("There are: 1.3.0."), "{absent:?}");
        let empty = code(&[], "{}");
        assert!(empty.code == "arguments" && empty.message.contains("git log"), "{empty:?}");
        let two = code(&[("1.txt", ""), ("2.txt", "")], "{}");
        assert!(two.message.contains("Say which release. There are: 2, 1."), "{two:?}");
        for release in ["../x", "a/b", " "] {
            assert_eq!(code(&[], &json!({ "release": release }).to_string()).code, "arguments");
        }
    }
}
