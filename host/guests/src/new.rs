//! `guest new`: a directory with a guest that builds, its native tests, its cases, and the kit beside it.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use ta_runtime::RuntimeError;
use ta_runtime::surface::Point;

use crate::points::{self, Answer};
use crate::project::{FILE, check_name};
use crate::{Language, files, kit};

/// What the guest exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exported {
    /// A lifecycle point.
    Point(Point),
    /// Tools.
    Tool,
}

impl std::str::FromStr for Exported {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "tool" {
            return Ok(Self::Tool);
        }
        text.parse().map(Self::Point).map_err(|why: String| format!("{why}; or `tool`"))
    }
}

/// A guest that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Begun {
    /// Its directory.
    pub directory: PathBuf,
    /// Its files, below that, without those of the kit.
    pub files: Vec<String>,
    /// The contract that it was begun with.
    pub contract: kit::Version,
    /// What to type next, line by line.
    pub next: Vec<String>,
}

/// Begins a guest in a directory that does not exist yet, or is empty.
///
/// # Errors
/// `guest.name`; `guest.exists` where something is there; `guest.language` where there is no template.
pub fn begin(directory: &Path, name: &str, exported: Exported, language: Language) -> Result<Begun, RuntimeError> {
    check_name(name)?;
    if !files::names(directory)?.is_empty() {
        let message = format!("{} is not empty", directory.display());
        return Err(RuntimeError::usage("guest.exists", message, "give another name; nothing is overwritten"));
    }
    let template = template_name(language, exported)?;
    let mut written = Vec::new();
    let mut put = |path: String, text: &str| -> Result<(), RuntimeError> {
        files::write(&directory.join(&path), text.as_bytes())?;
        written.push(path);
        Ok(())
    };
    for (path, text) in kit::template(&template) {
        // Under its own name it would hold for this repository.
        let path = if path == "gitignore" { ".gitignore".to_owned() } else { path };
        put(path, &filled(&text, name, exported, language))?;
    }
    put(FILE.to_owned(), &guest_file(name, exported, language))?;
    for (path, value) in cases(exported) {
        put(path, &format!("{value:#}\n"))?;
    }
    let sdk = directory.join(kit::DIRECTORY);
    match language {
        Language::Rust => {
            put("Cargo.lock".to_owned(), kit::lock())?;
            kit::write_rust(&sdk)?;
        }
        Language::C => {
            kit::write_c_runtime(directory)?;
            kit::write_contract(&sdk)?;
        }
        Language::JavaScript | Language::Python => kit::write_contract(&sdk)?,
    }
    written.sort();
    Ok(Begun {
        directory: directory.to_owned(),
        files: written,
        contract: kit::version(),
        next: next(directory, language),
    })
}

fn template_name(language: Language, exported: Exported) -> Result<String, RuntimeError> {
    let name = match exported {
        Exported::Point(_) => language.name().to_owned(),
        Exported::Tool => format!("{language}-tool"),
    };
    // In C a handle that stays with the host is more code than the rest of the guest.
    let in_c = language == Language::C && exported == Exported::Point(Point::PreModel);
    if in_c || kit::template(&name).is_empty() {
        let what = if in_c { "a pre-model hook" } else { "a tool" };
        let message = format!("there is no template for {what} in {language}");
        let hint = "begin it in rust, or begin a hook in this language";
        return Err(RuntimeError::usage("guest.language", message, hint));
    }
    Ok(name)
}

fn next(directory: &Path, language: Language) -> Vec<String> {
    let native = match language {
        Language::Rust => "cargo test",
        Language::C => "make test",
        Language::JavaScript => "node --test",
        Language::Python => "python3 -m unittest",
    };
    let lines =
        [&format!("cd {}", directory.display()), native, "teacher-assist guest build", "teacher-assist guest test"];
    lines.map(ToOwned::to_owned).to_vec()
}

/// A template's text for this guest.
fn filled(text: &str, name: &str, exported: Exported, language: Language) -> String {
    let mut values = vec![
        ("name", name.to_owned()),
        ("snake", name.replace('-', "_")),
        ("contract", kit::version().version),
        ("rust-version", kit::rust_version()),
        ("profile", kit::profile()),
        ("sdk", kit::DIRECTORY.to_owned()),
    ];
    if let Exported::Point(point) = exported {
        values.extend([("point", point.name().to_owned()), ("module", point.name().replace('-', "_"))]);
        values.extend(in_language(point, language));
    }
    values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
}

/// The two places of a template that differ from point to point: the text that is looked at, and the answer.
fn in_language(point: Point, language: Language) -> Vec<(&'static str, String)> {
    let (path, answer) = (points::path(point), points::answer(point));
    let of_messages = point == Point::PreModel;
    match language {
        Language::Rust => {
            let text = match of_messages {
                true => "event.messages.backwards().next().map(|(_, last)| last.text).unwrap_or_default()".to_owned(),
                false => format!("event.{path}"),
            };
            let (imports, answer) = match answer {
                Answer::Rework => ("Response", "Response::rework(reason, 2)"),
                Answer::Refuse => ("Response, Verdict", "Response::from(Verdict::Refuse(reason))"),
                Answer::Abort => ("Response", "Response::abort(\"unfinished\", reason)"),
            };
            let conversation = if of_messages { "use ta_guest::Conversation;\n" } else { "" };
            vec![
                ("text", text),
                ("imports", imports.to_owned()),
                ("answer", answer.to_owned()),
                ("conversation", conversation.to_owned()),
            ]
        }
        Language::C => crate::points_c::values(point),
        Language::JavaScript => {
            let text = match of_messages {
                true => {
                    "event.messages.read(event.messages.length() - 1, 1).map((last) => last.text).join('')".to_owned()
                }
                false => format!("event.{path}"),
            };
            let answer = match answer {
                Answer::Rework => "{ tag: 'rework', val: { instruction: reason, accepted: [], roundsMax: 2 } }",
                Answer::Refuse => "{ tag: 'refuse', val: reason }",
                Answer::Abort => "{ tag: 'abort', val: { code: 'unfinished', reason, declined: false } }",
            };
            vec![("text", text), ("answer", answer.to_owned()), ("export", lower_camel(point.name()))]
        }
        Language::Python => {
            let text = match of_messages {
                true => {
                    "\"\".join(last.text for last in event.messages.read(event.messages.length() - 1, 1))".to_owned()
                }
                false => format!("event.{path}"),
            };
            let answer = match answer {
                Answer::Rework => "Verdict_Rework(Rework(instruction=reason, accepted=[], rounds_max=2))",
                Answer::Refuse => "Verdict_Refuse(reason)",
                Answer::Abort => "Verdict_Abort(Abort(code=\"unfinished\", reason=reason, declined=False))",
            };
            let variant = answer.split('(').next().unwrap_or_default().to_owned();
            vec![("text", text), ("answer", answer.to_owned()), ("export", camel(point.name())), ("variant", variant)]
        }
    }
}

/// `post-loop` as `PostLoop`.
fn camel(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    };
    name.split('-').map(word).collect()
}

/// `post-loop` as `postLoop`.
fn lower_camel(name: &str) -> String {
    let name = camel(name);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase().to_string() + letters.as_str()).unwrap_or_default()
}

fn guest_file(name: &str, exported: Exported, language: Language) -> String {
    let version = kit::version();
    let wasi = if language.has_runtime() { ", \"wasi\"" } else { "" };
    let head = format!(
        "# What this guest is. The table below has the keys of a component in a plugin's plugin.toml; `guest add` writes it there.\n\
         name = \"{name}\"\nlanguage = \"{language}\"\ncontract = \"{}\"                # SHA-256 {}\n\n",
        version.version, version.sha256
    );
    match exported {
        Exported::Point(point) => format!(
            "{head}[hook]\npoints = [\"{point}\"]\nkind = \"guardrail\"                # or \"dialogue\", \"observer\"\n\
             on-failure = \"abort\"              # or \"ask\"\ncapabilities = [\"log\", \"config\"{wasi}]\n\n\
             [hook.config]\nmark = \"{}\"\n",
            points::MARK
        ),
        Exported::Tool => format!("{head}[tool]\ncapabilities = [\"log\"{wasi}]\n"),
    }
}

/// Two cases: one of each answer.
fn cases(exported: Exported) -> Vec<(String, Value)> {
    let of = |finished: bool| match exported {
        Exported::Point(point) => {
            let text = if finished { points::FINISHED } else { points::UNFINISHED };
            (points::event(point, text), points::expected(point, finished))
        }
        Exported::Tool => {
            let text = if finished { points::FINISHED } else { points::UNFINISHED };
            let result = if finished { "no `TODO`" } else { "line 1 says `TODO`" };
            let call = json!({ "tool": "find_unfinished", "arguments": { "text": text } });
            (call, json!({ "tool": "find_unfinished", "result": result }))
        }
    };
    let mut cases = Vec::new();
    for (name, finished) in [("finished", true), ("unfinished", false)] {
        let (event, expected) = of(finished);
        cases.push((format!("cases/{name}/event.json"), event));
        cases.push((format!("cases/{name}/expected.json"), expected));
    }
    cases
}
