//! Notes from a list of changes: what breaks first, then each kind in its section, then how they came about.

use std::collections::BTreeMap;

use serde_json::Value;
use ta_commits::{Change, Kind};

use crate::wishes::Wishes;

/// Items of a section where notes are to be short.
const SHORT_ITEMS_MAX: usize = 5;
/// Sections of short notes.
const SHORT: [Kind; 4] = [Kind::Security, Kind::New, Kind::Changed, Kind::Fixed];

/// What the tool answered.
#[derive(Debug)]
pub(crate) struct Listed {
    release: String,
    list: String,
    changes: Vec<Change>,
    left_out: usize,
    unread: usize,
}

impl Listed {
    /// Reads the tool's JSON; none where it is something else. A change without kind, text or commit is no change.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let count = |name: &str| value.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        Some(Self {
            release: value.get("release")?.as_str()?.to_owned(),
            list: value.get("list")?.as_str()?.to_owned(),
            changes: value.get("changes")?.as_array()?.iter().filter_map(change).collect(),
            left_out: count("left_out"),
            unread: count("unread"),
        })
    }
}

fn change(value: &Value) -> Option<Change> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let commits = value.get("commits")?.as_array()?.iter().filter_map(Value::as_str).map(ToOwned::to_owned);
    let hashes: Vec<String> = commits.collect();
    Some(Change {
        kind: Kind::from_name(value.get("kind")?.as_str()?)?,
        scope: text("scope"),
        text: text("text")?,
        breaking: text("breaking"),
        reference: text("reference"),
        hashes,
    })
    .filter(|change| !change.hashes.is_empty())
}

/// The notes as markdown.
///
/// # Errors
/// Why there are none, for the person.
pub(crate) fn written(listed: &Listed, wishes: &Wishes) -> Result<String, String> {
    let sections = sections(listed, wishes);
    if sections.is_empty() {
        return Err(nothing(listed, wishes));
    }
    let mut text = format!("# {}\n\n{}\n", listed.release, summary(&sections));
    for section in &sections {
        text.push_str(&format!("\n## {}\n\n", section.title));
        section.items.iter().for_each(|item| text.push_str(&format!("- {item}\n")));
    }
    text.push_str(&format!("\n## About these notes\n\n{}\n", about(listed, &sections)));
    Ok(text)
}

struct Section {
    title: &'static str,
    items: Vec<String>,
    /// Items that were left out to be short.
    more: usize,
}

fn sections(listed: &Listed, wishes: &Wishes) -> Vec<Section> {
    let breaking = listed.changes.iter().filter_map(|change| Some(item(change, change.breaking.as_deref()?)));
    let mut sections = vec![Section { title: "Breaking changes", items: breaking.collect(), more: 0 }];
    for kind in Kind::ALL {
        let wanted = match kind {
            _ if wishes.without.contains(&kind) => false,
            Kind::Internal => wishes.everything,
            _ => !wishes.short || SHORT.contains(&kind),
        };
        if !wanted {
            continue;
        }
        // What breaks and says no more than its subject stands above already.
        let told = |change: &&Change| change.kind == kind && change.breaking.as_deref() != Some(change.text.as_str());
        let mut items: Vec<String> =
            listed.changes.iter().filter(told).map(|change| item(change, &change.text)).collect();
        let kept = if wishes.short && kind != Kind::Security { SHORT_ITEMS_MAX } else { items.len() };
        let more = items.len().saturating_sub(kept);
        items.truncate(kept);
        sections.push(Section { title: kind.title(), items, more });
    }
    sections.retain(|section| !section.items.is_empty());
    sections
}

fn item(change: &Change, text: &str) -> String {
    let scope = change.scope.as_ref().map(|scope| format!("**{scope}**: ")).unwrap_or_default();
    format!("{scope}{} {}", capital(text.trim_end_matches('.')), change.source())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    // A word in code's writing stays as it is: `--since` and `fooBar` are names.
    let first = text.split(' ').next().unwrap_or_default();
    match letters.next() {
        Some(letter) if first.chars().skip(1).all(|c| c.is_lowercase() || !c.is_alphanumeric()) => {
            letter.to_uppercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// `2 new, 1 fixed; 1 change breaks something.`
fn summary(sections: &[Section]) -> String {
    let counts: BTreeMap<&str, usize> = sections.iter().map(|it| (it.title, it.items.len() + it.more)).collect();
    let of = |kind: &Kind| counts.get(kind.title()).map(|count| format!("{count} {}", kind.name()));
    let told: Vec<String> = Kind::ALL.iter().filter_map(of).collect();
    let breaking = match counts.get("Breaking changes") {
        Some(1) => "1 change breaks something".to_owned(),
        Some(count) => format!("{count} changes break something"),
        None => "nothing breaks".to_owned(),
    };
    if told.is_empty() {
        format!("{}.", capital(&breaking))
    } else {
        format!("{}; {breaking}.", capital(&told.join(", ")))
    }
}

fn about(listed: &Listed, sections: &[Section]) -> String {
    let mut lines = vec![format!(
        "Written by rules from `{}`, without a language model: each line stands as the author of its commit wrote it. Read them \
         before you publish them.",
        listed.list
    )];
    let internal = listed.changes.iter().filter(|it| it.kind == Kind::Internal).count();
    let told = sections.iter().any(|section| section.title == Kind::Internal.title());
    if internal > 0 && !told {
        lines.push(format!(
            "{internal} internal {} not told; ask for everything to see them.",
            plural(internal, "change is", "changes are")
        ));
    }
    let more: usize = sections.iter().map(|section| section.more).sum();
    if more > 0 {
        lines.push(format!("{more} {} left out to be short.", plural(more, "item is", "items are")));
    }
    if listed.left_out > 0 {
        lines.push(format!(
            "{} {} no change: merges, and reverts with what they take back.",
            listed.left_out,
            plural(listed.left_out, "commit makes", "commits make")
        ));
    }
    if listed.unread > 0 {
        lines.push(format!(
            "{} {} of the list no commit and not read.",
            listed.unread,
            plural(listed.unread, "line is", "lines are")
        ));
    }
    lines.join(" ")
}

fn plural<'a>(count: usize, one: &'a str, more: &'a str) -> &'a str {
    if count == 1 { one } else { more }
}

fn nothing(listed: &Listed, wishes: &Wishes) -> String {
    let list = &listed.list;
    match listed.changes.len() {
        0 if listed.unread > 0 => format!(
            "{list} holds {} and no commit. Write it with `git log --format='%h %s%n%b' LAST..THIS`.",
            plural(listed.unread, "a line that is none", "lines that are none")
        ),
        0 => format!("{list} holds no change: there is nothing to write notes from."),
        count if wishes.without.is_empty() => format!(
            "Nothing in {list} changes what people notice: {count} internal {}. Ask for everything to have them listed.",
            plural(count, "change", "changes")
        ),
        count => format!("Of the {count} changes in {list} your request leaves none."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(changes: &str) -> Listed {
        let read = ta_commits::Changes::read(changes);
        let (left_out, unread) = (read.left_out.len(), read.unread.len());
        Listed { release: "1.4.0".into(), list: "releases/1.4.0.txt".into(), changes: read.changes, left_out, unread }
    }

    const LIST: &str = "\
a1b2c3d feat(cli): add `--since` to list (#41)
b2c3d4e fix!: names are quoted
c3d4e5f chore: bump
d4e5f6a docs: say how lists are made
e5f6a7b Merge branch 'x'
";

    #[test]
    fn notes_have_their_sections_in_order() {
        let notes = written(&listed(LIST), &Wishes::default()).unwrap();
        assert_eq!(
            notes,
            "# 1.4.0\n\n1 new, 1 documented; 1 change breaks something.\n\n\
             ## Breaking changes\n\n- Names are quoted (b2c3d4e)\n\n\
             ## New\n\n- **cli**: Add `--since` to list (#41, a1b2c3d)\n\n\
             ## Documentation\n\n- Say how lists are made (d4e5f6a)\n\n\
             ## About these notes\n\n\
             Written by rules from `releases/1.4.0.txt`, without a language model: each line stands as the author of its commit wrote it. Read them before you publish them. \
             1 internal change is not told; ask for everything to see them. \
             1 commit makes no change: merges, and reverts with what they take back.\n"
        );
    }

    #[test]
    fn wishes_change_what_is_told() {
        let sections = |wish: &str| {
            let notes = written(&listed(LIST), &Wishes::of(wish)).unwrap();
            notes.lines().filter_map(|line| line.strip_prefix("## ")).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(sections("short"), ["Breaking changes", "New", "About these notes"]);
        assert_eq!(
            sections("everything"),
            ["Breaking changes", "New", "Documentation", "Internal", "About these notes"]
        );
        assert_eq!(sections("without docs"), ["Breaking changes", "New", "About these notes"]);
    }

    #[test]
    fn nothing_to_tell_is_said() {
        let why = |list: &str, wish: &str| written(&listed(list), &Wishes::of(wish)).unwrap_err();
        assert!(why("", "").contains("holds no change"));
        assert!(why("no commit here", "").contains("git log"));
        assert!(why("a1b2c3d chore: bump", "").contains("1 internal change."));
        assert!(why("a1b2c3d docs: x", "without docs").contains("leaves none"));
    }

    #[test]
    fn names_keep_their_writing() {
        assert_eq!(capital("add x"), "Add x");
        assert_eq!(capital("fooBar is gone"), "fooBar is gone");
        assert_eq!(capital("`x` y"), "`x` y");
    }
}
