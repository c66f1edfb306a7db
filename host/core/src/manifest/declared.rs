//! What a manifest declares beside its components: memory, changes of files, subjects, observations, the model of guests.

use std::collections::BTreeMap;

use super::component::texts;
use crate::capability::Capability;
use crate::confirm::{ChangeRules, Confirm};
use crate::memory::{MemoryRules, NoteKind, Scope};
use crate::shape;
use crate::subject::SubjectRules;
use crate::text::visible;
use ta_fields::fields::Fields;
use ta_fields::problem::Problem;

/// Characters of a plain name: part of an address, or a role.
pub(super) const NAME_CHARS_MAX: usize = 32;

/// What `[changes]` says about changes of files:
///
/// ```toml
/// [changes]
/// confirm = "all"                      # the person sees new files as well; else only what is overwritten
/// paths = ["releases/", "style.md"]    # what may be changed; else all that was granted
/// ```
pub(super) fn changes(fields: &Fields, problems: &mut Vec<Problem>) -> ChangeRules {
    let table = fields.table("changes", problems);
    table.only(&["confirm", "paths"], problems);
    let named = table.one_of("confirm", &Confirm::ALL.map(Confirm::name), problems);
    let confirm = Confirm::ALL.into_iter().find(|it| named.as_deref() == Some(it.name())).unwrap_or_default();
    let paths = table.list("paths", problems);
    let named = table.fields.get("paths");
    let line = named.map(|field| field.line);
    let mut refused = |message: String| {
        let hint = "write files and directories below the workspace, a directory with `/` at its end: `notes/`";
        problems.push(Problem::new("field.value", &table.file, message, hint).at(line).field("changes.paths"));
    };
    if named.is_some() && paths.is_empty() {
        refused("`paths` names nothing that may be changed".to_owned());
    }
    for path in paths.iter().filter(|path| !plain_path(path)) {
        refused(format!("`{path}` is no file or directory below the workspace"));
    }
    ChangeRules { confirm, paths }
}

/// The shorter address of a flow's sessions, one part of a path; the role of whoever has an access code for one; the command
/// that begins one.
pub(super) fn names_of_flow(fields: &Fields, problems: &mut Vec<Problem>) -> [Option<String>; 3] {
    [
        ("http", "`http = \"quiz\"` is /api/quiz/sessions"),
        ("codes", "`codes = \"guest\"` is the role of whoever has a code"),
        ("begins", "`begins = \"play\"` is the command play"),
    ]
    .map(|(field, example)| plain_name(fields, field, example, problems))
}

fn plain_name(fields: &Fields, field: &str, example: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let name = fields.text(field, problems)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= NAME_CHARS_MAX && name.chars().all(plain) {
        return Some(name);
    }
    let line = fields.fields.get(field).map(|field| field.line);
    let message = format!("`{}` is no plain name", visible(&name));
    let hint = format!("write lower-case letters, digits and `-`, at most {NAME_CHARS_MAX}: {example}");
    let problem = Problem::new("field.value", &fields.file, message, hint).at(line);
    problems.push(problem.field(&format!("{}.{field}", fields.path)));
    None
}

/// Whether every part of a path is a name; a directory ends with a slash.
fn plain_path(path: &str) -> bool {
    let parts = path.strip_suffix('/').unwrap_or(path).split('/');
    let mut parts = parts.map(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']));
    parts.all(|plain| plain)
}

/// What `[memory]` declares; what it leaves out is as where there is none.
///
/// ```toml
/// [memory]
/// kinds = ["risk", "habit", "other"]
/// first = ["risk"]                     # included before anything is weighed, and never left out
///
/// [memory.scopes]
/// owner = "."                          # memory/MEMORY.md
/// release = "releases"                 # memory/releases/ID/MEMORY.md, for runs about a release
///
/// [memory.words]                       # what a line that a person typed is about
/// risk = ["breaking", "data loss"]
/// ```
pub(super) fn memory(fields: &Fields, problems: &mut Vec<Problem>) -> MemoryRules {
    let table = fields.table("memory", problems);
    table.only(&["scopes", "kinds", "first", "words"], problems);
    let mut rules = MemoryRules::default();
    let line = fields.fields.get("memory").map(|field| field.line);
    let scopes = texts(&table.table("scopes", problems));
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    for (name, directory) in &scopes {
        // Both become names of others: a tag in the prompt, a directory in a path.
        if !plain(name) || !(directory == "." || plain(directory)) {
            let message = format!("`{name} = \"{directory}\"` names no scope of memory");
            let hint = "write a name and a directory in lower-case letters and `-`, or `.` for the owner's own files";
            let problem = Problem::new("field.value", &table.file, message, hint);
            problems.push(problem.at(line).field("memory.scopes"));
        }
    }
    if !scopes.is_empty() {
        let scope = |(name, directory): (String, String)| Scope {
            name,
            directory: Some(directory).filter(|directory| directory != "."),
        };
        rules.scopes = scopes.into_iter().map(scope).collect();
        // The owner's own first: what is about one subject may refine it.
        rules.scopes.sort_by_key(|scope| scope.directory.is_some());
    }
    for (index, scope) in rules.scopes.iter().enumerate() {
        let same = |other: &&Scope| other.directory == scope.directory;
        if let Some(other) = rules.scopes.iter().take(index).find(same) {
            let directory = scope.directory.as_deref().unwrap_or(".");
            let message = format!("`{}` and `{}` are scopes of the same files, `{directory}`", other.name, scope.name);
            let problem = Problem::new("field.value", &table.file, message, "give each scope a directory of its own");
            problems.push(problem.at(line).field("memory.scopes"));
        }
    }
    let (kinds, first) = (table.list("kinds", problems), table.list("first", problems));
    for (field, names) in [("kinds", &kinds), ("first", &first)] {
        let again = |(index, name): &(usize, &String)| names.iter().take(*index).any(|earlier| earlier == *name);
        for (_, name) in names.iter().enumerate().filter(again) {
            let message = format!("`{field}` names `{name}` twice");
            let problem = Problem::new("field.value", &table.file, message, "name each kind once");
            problems.push(problem.at(table.fields.get(field).map(|it| it.line)).field(&format!("memory.{field}")));
        }
    }
    let words = table.table("words", problems);
    for name in first.iter().chain(words.fields.keys()).filter(|name| !kinds.contains(name)) {
        let message = format!("`{name}` is none of the kinds of notes");
        let problem = Problem::new("field.value", &table.file, message, "list it under `kinds`");
        problems.push(problem.at(line).field("memory.kinds"));
    }
    if !kinds.is_empty() {
        let kind = |name: String| NoteKind {
            first: first.contains(&name),
            words: words.list(&name, problems).iter().map(|word| word.to_lowercase()).collect(),
            name,
        };
        rules.kinds = kinds.into_iter().map(kind).collect();
    }
    rules
}

/// Tools that a component may call itself: names without the capability would never be looked at.
pub(super) fn calls(fields: &Fields, problems: &mut Vec<Problem>) -> Vec<String> {
    let (calls, capabilities) = (fields.list("calls", problems), fields.list("capabilities", &mut Vec::new()));
    let named = Capability::Tools.name();
    if !calls.is_empty() && !capabilities.iter().any(|it| it == named) {
        let line = fields.fields.get("calls").map(|field| field.line);
        let message = format!("a component that calls tools needs the capability `{named}`");
        let remedy = format!("add \"{named}\" to `capabilities`, or take `calls` out");
        let problem = Problem::new("field.value", &fields.file, message, remedy).at(line);
        problems.push(problem.field(&format!("{}.calls", fields.path)));
    }
    calls
}

/// What `[subjects]` declares:
///
/// ```toml
/// [subjects.release]
/// files = "releases/{id}.txt"      # each file is one: `releases/1.4.0.txt` is the release 1.4.0
///
/// [subjects.group]
/// files = "groups/{id}.md"
/// shapes = ["9A"]                  # ids of a digit and a letter …
/// after = ["for", "with"]          # … which a request names behind these words: one that is not there is said
/// ```
pub(super) fn subjects(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, SubjectRules> {
    let table = fields.table("subjects", problems);
    let mut kinds = BTreeMap::new();
    for (kind, field) in &table.fields {
        let fields = table.table(kind, problems);
        fields.only(&["files", "shapes", "after"], problems);
        let rules = SubjectRules {
            kind: kind.clone(),
            files: fields.required("files", "files = \"releases/{id}.txt\"", problems),
            shapes: fields.list("shapes", problems),
            after: fields.list("after", problems),
        };
        let mut refused = |name: &str, message: String, remedy: &str| {
            let line = fields.fields.get(name).map_or(field.line, |field| field.line);
            let problem = Problem::new("field.value", &table.file, message, remedy).at(Some(line));
            problems.push(problem.field(&format!("subjects.{kind}.{name}")));
        };
        if !rules.files.is_empty() && !rules.sound() {
            let message = format!("`{}` is no path of files below the workspace", rules.files);
            refused("files", message, "write it as `directory/{id}.md`, with `{id}` once and in the name alone");
        }
        if let Some(shape) =
            rules.shapes.iter().find(|shape| shape.is_empty() || !shape.chars().all(|c| matches!(c, '9' | 'A')))
        {
            refused(
                "shapes",
                format!("`{shape}` is no shape of an id"),
                "write `9` for a digit and `A` for a letter: `9A`",
            );
        }
        kinds.insert(kind.clone(), rules);
    }
    kinds
}

/// What `[summary]` declares:
///
/// ```toml
/// [summary]
/// keeps = ["AAA-9999"]      # words of this shape that a tool's result held: `9` a digit, `A` a capital, `a` a small letter
/// ```
pub(super) fn kept_shapes(fields: &Fields, problems: &mut Vec<Problem>) -> Vec<String> {
    let table = fields.table("summary", problems);
    table.only(&["keeps"], problems);
    let shapes = table.list("keeps", problems);
    for shape in shapes.iter().filter(|it| !shape::sound(it)) {
        let message = format!("`{}` is no shape of a word that can be told from others", visible(shape));
        let hint = "write `9` for a digit, which it needs, `A` for a capital and `a` for a small letter: `AAA-9999`";
        let problem = Problem::new("field.value", &table.file, message, hint);
        problems.push(problem.at(table.fields.get("keeps").map(|it| it.line)).field("summary.keeps"));
    }
    shapes
}

/// What `[observations]` declares: by name the path of a JSON Schema.
pub(super) fn observations(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let table = fields.table("observations", problems);
    let mut paths = BTreeMap::new();
    for name in table.fields.keys() {
        paths.extend(
            table.path(name, "the path of a JSON Schema below the plugin", problems).map(|it| (name.clone(), it)),
        );
    }
    paths
}

/// The model that guests may ask, as `provider/model`.
pub(super) fn guest_model(fields: &Fields, problems: &mut Vec<Problem>) -> Option<String> {
    let named = fields.text("guest-model", problems)?;
    let whole = named.split_once('/').is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty());
    if !whole {
        let line = fields.fields.get("guest-model").map(|field| field.line);
        let message = format!("`{named}` names no model");
        let remedy = "write it as `guest-model = \"provider/model\"`";
        problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field("guest-model"));
    }
    Some(named)
}

#[cfg(test)]
mod tests {
    use crate::manifest::manifest;

    fn told(section: &str) -> Vec<String> {
        let mut problems = Vec::new();
        manifest("plugin.toml", &format!("name = \"p\"\nversion = \"1\"\n\n{section}\n"), &mut problems);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_kind_and_a_scope_of_memory_are_declared_once() {
        assert_eq!(told("[memory]\nkinds = [\"a\", \"b\"]\nfirst = [\"a\"]"), Vec::<String>::new());
        let kinds = told("[memory]\nkinds = [\"a\", \"b\", \"a\"]");
        assert!(
            kinds.len() == 1 && kinds[0].contains("`kinds` names `a` twice") && kinds[0].contains(":5"),
            "{kinds:?}"
        );
        assert_eq!(told("[memory]\nkinds = [\"a\"]\nfirst = [\"a\", \"a\"]").len(), 1);
        let scopes = told("[memory.scopes]\nowner = \".\"\nteam = \".\"\nrelease = \"releases\"\nbuild = \"releases\"");
        assert!(scopes.len() == 2 && scopes.iter().all(|it| it.contains("scopes of the same files")), "{scopes:?}");
    }

    #[test]
    fn an_observation_names_the_file_of_its_schema() {
        assert_eq!(told("[observations]\nsteps = \"schemas/steps.json\""), Vec::<String>::new());
        for value in ["5", "true", "[\"a\"]", "{ path = \"a\" }", "\"\""] {
            let problems = told(&format!("[observations]\nsteps = {value}"));
            assert!(problems.len() == 1 && problems[0].contains("the path of a JSON Schema"), "{value}: {problems:?}");
            assert!(
                problems[0].contains("plugin.toml:5") && problems[0].contains("observations.steps"),
                "{problems:?}"
            );
        }
    }

    #[test]
    fn what_runs_are_about_is_declared() {
        assert_eq!(told("[subjects.release]\nfiles = \"releases/{id}.txt\""), Vec::<String>::new());
        for (rest, wrong) in [
            ("files = \"../{id}.txt\"", "no path of files"),
            ("files = \"releases/all.txt\"", "no path of files"),
            ("files = \"r/{id}\"\nshapes = [\"9B\"]", "no shape"),
            ("files = \"r/{id}\"\nbefore = []", "before"),
        ] {
            let problems = told(&format!("[subjects.release]\n{rest}"));
            assert!(problems.len() == 1 && problems[0].contains(wrong), "{rest}: {problems:?}");
        }
    }

    #[test]
    fn a_provider_has_a_name_of_its_own_and_reaches_nothing() {
        let provider = |name: &str, rest: &str| {
            let sha256 = "0".repeat(64);
            told(&format!("[providers.{name}]\ncomponent = \"c.wasm\"\nsha256 = \"{sha256}\"\n{rest}"))
        };
        assert_eq!(provider("offline", "capabilities = [\"log\", \"random\"]"), Vec::<String>::new());
        assert_eq!(provider("house", ""), Vec::<String>::new());
        let taken = provider("anthropic", "");
        assert!(taken.len() == 1 && taken[0].contains("the host's own") && taken[0].contains(":4"), "{taken:?}");
        for asked in ["workspace", "ask", "model", "tools", "memory"] {
            let refused = provider("offline", &format!("capabilities = [\"{asked}\"]"));
            assert!(refused.len() == 1 && refused[0].contains("reaches nothing else"), "{asked}: {refused:?}");
        }
        assert_eq!(provider("offline", "points = [\"pre-loop\"]").len(), 1);
    }

    #[test]
    fn a_writer_says_what_it_writes_and_reaches_nothing() {
        let writers = |rest: &str| {
            told(&rest.replace("CODE", &format!("component = \"c.wasm\"\nsha256 = \"{}\"", "0".repeat(64))))
        };
        assert_eq!(
            writers("[writers.a]\nCODE\nformats = [\"docx\", \"pdf\"]\nparts = [\"short\"]\ncapabilities = [\"log\"]"),
            Vec::<String>::new()
        );
        for (rest, wrong) in [
            ("", "at least one form"),
            ("formats = []", "at least one form"),
            ("formats = [\"PDF\"]", "no plain name"),
            ("formats = [\"../pdf\"]", "no plain name"),
            ("formats = [\"pdf\", \"pdf\"]", "twice"),
            ("formats = [\"pdf\"]\nparts = [\"\"]", "no plain name"),
            ("formats = [\"pdf\"]\ncapabilities = [\"workspace\"]", "reaches nothing else"),
            ("formats = [\"pdf\"]\npoints = [\"pre-loop\"]", "points"),
        ] {
            let problems = writers(&format!("[writers.a]\nCODE\n{rest}"));
            assert!(problems.len() == 1 && problems[0].contains(wrong), "{rest}: {problems:?}");
        }
        let both = writers("[writers.a]\nCODE\nformats = [\"pdf\"]\n[writers.b]\nCODE\nformats = [\"pdf\"]");
        assert!(both.len() == 1 && both[0].contains("the writer `a` makes `pdf` as well"), "{both:?}");
        // A writer may make what a reader reads; a reader has no parts.
        let one =
            "[writers.a]\nCODE\nformats = [\"pdf\"]\n[readers.b]\nCODE\nformats = [\"pdf\"]\ncapabilities = [\"log\"]";
        assert_eq!(writers(one), Vec::<String>::new());
        for (rest, wrong) in [
            ("", "a reader needs at least one form"),
            ("formats = [\".pdf\"]", "no plain name"),
            ("formats = [\"pdf\"]\nparts = [\"a\"]", "parts"),
            (
                "formats = [\"pdf\"]\ncapabilities = [\"workspace\"]",
                "a reader cannot be granted `workspace`: it is told the file",
            ),
            ("formats = [\"pdf\"]\n[readers.b]\nCODE\nformats = [\"pdf\"]", "the reader `a` reads `pdf` as well"),
        ] {
            let problems = writers(&format!("[readers.a]\nCODE\n{rest}"));
            assert!(problems.len() == 1 && problems[0].contains(wrong), "{rest}: {problems:?}");
        }
    }

    #[test]
    fn what_may_be_changed_are_files_and_directories_below_the_workspace() {
        let problems = |paths: &str| {
            let text = format!("name = \"p\"\nversion = \"1\"\n\n[changes]\npaths = {paths}\n");
            let mut problems = Vec::new();
            manifest("plugin.toml", &text, &mut problems);
            problems.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(problems(r#"["classes/", "a/b.md"]"#), Vec::<String>::new());
        for path in ["../x", "/etc/", "./a.md", "a\\\\b", "", "/", "a//b"] {
            let told = problems(&format!("[\"{path}\"]"));
            assert_eq!(told.len(), 1, "{path}: {told:?}");
            assert!(told[0].contains("plugin.toml:5"), "{told:?}");
        }
        assert_eq!(problems("[]").len(), 1, "an empty list allows nothing, and says so");
    }
}
