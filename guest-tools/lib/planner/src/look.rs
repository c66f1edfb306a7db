//! Looking around the workspace through the tools: listings, files over several pages, skills.

use serde_json::json;

use ta_curriculum::material;

use super::given::Given;
use super::profile::Profile;
use super::prompt::Prompt;
use super::sources::{Source, cut, unnumbered};
use super::talk::{Desk, Reply};
use super::words::{key, keys};

/// Lines asked for at once, the tool's own default.
const PAGE_LINES: u32 = 2000;
/// A file with more pages than this is no curriculum file.
const PAGES_MAX: u32 = 10;

/// Names of the markdown files in a directory.
pub(crate) fn list(desk: &mut Desk<'_>, directory: &str) -> Reply<Vec<String>> {
    desk.ask("list_directory", &json!({ "path": directory })).map(|text| {
        let name = |line: &str| {
            let name = line.trim().trim_start_matches("- ");
            let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
            name.ends_with(".md").then(|| name.rsplit('/').next().unwrap_or(name).to_owned())
        };
        text.lines().filter_map(name).collect()
    })
}

/// The text of a file, page by page.
pub(crate) fn file(desk: &mut Desk<'_>, path: &str) -> Reply<String> {
    let mut text = String::new();
    let mut offset = 1;
    for _ in 0..PAGES_MAX {
        let page = match desk.ask("read_file", &json!({ "path": path, "offset": offset, "limit": PAGE_LINES })) {
            Reply::Here(page) => page,
            other => return other.map(str::to_owned),
        };
        text.push_str(&unnumbered(page));
        match page.lines().last().and_then(cut) {
            Some((last, total)) if last < total => offset = last + 1,
            _ => break,
        }
    }
    Reply::Here(text)
}

/// The class profile: from the prompt if it stands there, else from its file.
pub(crate) fn profile(desk: &mut Desk<'_>, prompt: &Prompt, class: &str) -> Reply<Profile> {
    let path = format!("classes/{class}.md");
    let text = match prompt.file(&path) {
        Some(text) => Reply::Here(text.to_owned()),
        None => file(desk, &path),
    };
    text.map(|text| {
        let mut profile = Profile::read(&text);
        profile.class.get_or_insert_with(|| class.to_owned());
        profile
    })
}

/// The curriculum files with what could not be read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Curriculum {
    pub(crate) sources: Vec<Source>,
    /// Path and reason.
    pub(crate) unread: Vec<(String, String)>,
}

/// Paths of the curriculum files of the class's subjects, and of the others.
pub(crate) fn by_subject(names: &[String], subjects: &[String]) -> (Vec<String>, Vec<String>) {
    let paths = names.iter().map(|name| if name.contains('/') { name.clone() } else { format!("curriculum/{name}") });
    let fits = |path: &String| {
        let own = keys(path);
        subjects.iter().flat_map(|subject| keys(subject)).any(|subject| {
            own.iter()
                .any(|word| word.starts_with(&subject) || subject.starts_with(word.as_str()) && *word != key("md"))
        })
    };
    paths.partition(fits)
}

/// Reads curriculum files; all are asked for at once.
pub(crate) fn curriculum(desk: &mut Desk<'_>, paths: Vec<String>) -> Curriculum {
    let mut found = Curriculum::default();
    for path in paths {
        match file(desk, &path) {
            Reply::Here(text) => found.sources.push(Source::read(&path, &text)),
            Reply::Failed(why) => found.unread.push((path, why)),
            Reply::NotOffered => found.unread.push((path, "no tool to read files is offered".to_owned())),
            Reply::Asked => {}
        }
    }
    found.sources.retain(|source| !source.file.entries.is_empty());
    found
}

/// Whether the workspace has material files at all.
pub(crate) fn has_material(desk: &mut Desk<'_>) -> bool {
    let root = desk.try_once("list_directory", &json!({ "path": "." })).here();
    root.is_some_and(|text| text.lines().any(|line| line.trim() == "material/"))
}

/// The material file of an outcome, where there is one: the listing is asked for first, so that nothing is read that is not there.
pub(crate) fn material(desk: &mut Desk<'_>, subject: &str, code: &str) -> Option<Given> {
    let path = material::path(subject, code);
    let (directory, name) = path.rsplit_once('/')?;
    let listed = desk.try_once("list_directory", &json!({ "path": directory })).here()?;
    if !listed.lines().any(|line| line.trim().split(" (").next() == Some(name)) {
        return None;
    }
    file(desk, &path).here().map(|text| Given::read(&path, &text))
}

/// The body of a skill or one of its files.
pub(crate) fn skill<'a>(desk: &mut Desk<'a>, name: &str) -> Reply<&'a str> {
    desk.ask("read_skill", &json!({ "name": name }))
}

/// Notes the state of the work, once; whether it is kept changes nothing.
pub(crate) fn tasks(desk: &mut Desk<'_>, done: usize) {
    const TITLES: &[&str] = &["Read class and curriculum", "Choose outcomes and read skills", "Write the lesson"];
    let state = |at: usize| match at.cmp(&done) {
        std::cmp::Ordering::Less => "completed",
        std::cmp::Ordering::Equal => "in-progress",
        std::cmp::Ordering::Greater => "pending",
    };
    let tasks: Vec<serde_json::Value> = TITLES
        .iter()
        .enumerate()
        .map(|(at, title)| json!({ "id": (at + 1).to_string(), "title": title, "status": state(at) }))
        .collect();
    desk.tell("update_tasks", &json!({ "tasks": tasks }));
}

#[cfg(test)]
mod tests {
    use crate::provider::{Message, ToolCall, ToolResult};

    use super::*;
    use crate::talk::Talk;

    #[test]
    fn a_long_file_is_read_page_by_page() {
        let tools = ["read_file".to_owned()];
        let page = |id: &str, offset: u32, text: &str| {
            let arguments = json!({ "path": "a.md", "offset": offset, "limit": PAGE_LINES }).to_string();
            let call = ToolCall { id: id.into(), name: "read_file".into(), arguments };
            let result = ToolResult { id: id.into(), name: "read_file".into(), failed: false, text: text.into() };
            [Message::assistant("", vec![call]), Message::tool(result)]
        };
        let mut messages = vec![Message::user("x")];
        messages.extend(page("1", 1, "     1\ta\n     2\tb\n[lines 1-2 of 3]"));
        let mut desk = Desk::new(Talk::read(&messages, true), &tools);
        assert_eq!(file(&mut desk, "a.md"), Reply::Asked);
        assert!(desk.take_calls()[0].arguments.contains("\"offset\":3"));
        messages.extend(page("2", 3, "     3\tc"));
        let mut desk = Desk::new(Talk::read(&messages, true), &tools);
        assert_eq!(file(&mut desk, "a.md"), Reply::Here("a\nb\nc\n".into()));
    }
}
