//! Every outcome of the workspace, planned for every class that is taught its subject: the form of the lesson holds, its
//! minutes add up, the needs of the class are answered, and every claim has evidence that the guard can follow.
//!
//! The guards run natively here, so that hundreds of lessons take seconds; a sample goes through the binary in
//! `host/cli/tests/every_outcome.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use curriculum_evidence::guard::{self, Files, ReadError, Text};
use lesson_form::check::{Expected, check};
use serde_json::Value;
use ta_curriculum::file::CurriculumFile;
use ta_curriculum::level::Level;
use ta_planner::provider::{Message, Part, Request, ToolCall, ToolResult};

/// No job of the planner takes more turns.
const TURNS_MAX: usize = 12;

/// The shipped workspace.
#[derive(Clone)]
struct Workspace(BTreeMap<String, String>);

impl Workspace {
    fn shipped() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../workspace");
        let mut files = BTreeMap::new();
        let mut open: Vec<String> = ["classes", "curriculum", "material"].map(str::to_owned).into();
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(root.join(&directory)).unwrap() {
                let path = entry.unwrap().path();
                let name = format!("{directory}/{}", path.file_name().unwrap().to_string_lossy());
                if path.is_dir() {
                    open.push(name);
                } else {
                    files.insert(name, std::fs::read_to_string(path).unwrap());
                }
            }
        }
        Self(files)
    }

    fn below(&self, directory: &str) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter().filter(move |(path, _)| path.starts_with(directory))
    }

    /// What a tool answers, as the host's tools do.
    fn answer(&self, call: &ToolCall) -> Option<String> {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
        match call.name.as_str() {
            "list_directory" => {
                let path = arguments["path"].as_str().unwrap();
                let lead = if path == "." { String::new() } else { format!("{path}/") };
                let mut names: Vec<String> = self
                    .below(&lead)
                    .map(|(path, text)| match path[lead.len()..].split_once('/') {
                        Some((directory, _)) => format!("{directory}/"),
                        None => format!("{} ({} bytes)", &path[lead.len()..], text.len()),
                    })
                    .collect();
                names.dedup();
                Some(names.join("\n"))
            }
            "read_file" => {
                let text = self.0.get(arguments["path"].as_str().unwrap())?;
                let mut numbered = String::new();
                for (number, line) in (1..).zip(text.lines()) {
                    writeln!(numbered, "{number:>6}\t{line}").unwrap();
                }
                Some(numbered)
            }
            _ => None,
        }
    }

    fn plan(&self, command: &str, request: &str) -> String {
        let mut asked = Request {
            parts: vec![Part::new("command", &[("name", command)], "Plan.")],
            messages: vec![Message::user(request)],
            tools: ["list_directory", "read_file"].map(str::to_owned).into(),
        };
        for _ in 0..TURNS_MAX {
            let answer = ta_planner::answer(&asked);
            if answer.calls.is_empty() {
                return answer.text;
            }
            asked.messages.push(Message::assistant(answer.text, answer.calls.clone()));
            for call in answer.calls {
                let text = self.answer(&call);
                let failed = text.is_none();
                let result = ToolResult { id: call.id, name: call.name, failed, text: text.unwrap_or_default() };
                asked.messages.push(Message::tool(result));
            }
        }
        panic!("still at work after {TURNS_MAX} turns on {request}");
    }
}

impl Files for Workspace {
    fn read(&mut self, path: &str) -> Result<Text, ReadError> {
        let text = self.0.get(path).cloned().ok_or(ReadError::NotFound)?;
        Ok(Text { sha256: String::new(), text })
    }

    fn curriculum_paths(&mut self) -> Vec<String> {
        self.below("curriculum/").map(|(path, _)| path.clone()).collect()
    }
}

struct Class {
    name: String,
    profile: String,
    subjects: Vec<String>,
}

fn classes(workspace: &Workspace) -> Vec<Class> {
    let read = |(path, text): (&String, &String)| {
        let subjects = text.lines().find_map(|line| line.strip_prefix("subjects:")).unwrap();
        Class {
            name: path.trim_start_matches("classes/").trim_end_matches(".md").to_owned(),
            profile: text.clone(),
            subjects: subjects.trim().trim_matches(['[', ']']).split(',').map(|name| name.trim().to_owned()).collect(),
        }
    };
    workspace.below("classes/").map(read).collect()
}

/// Every request to make: class and code, with the subject.
fn requests(workspace: &Workspace) -> Vec<(usize, String, String)> {
    let classes = classes(workspace);
    let mut all = Vec::new();
    for (_, text) in workspace.below("curriculum/") {
        let file = CurriculumFile::parse(text);
        let subject = file.meta.subject.clone().unwrap();
        for code in file.entries.iter().flat_map(|entry| &entry.codes) {
            for (at, class) in classes.iter().enumerate().filter(|(_, class)| class.subjects.contains(&subject)) {
                all.push((at, code.to_string(), format!("{code} for {}", class.name)));
            }
        }
    }
    all
}

/// What is wrong with the lesson for a code; nothing where it is sound.
fn wrong(workspace: &mut Workspace, class: &Class, code: &str, request: &str) -> Vec<String> {
    let lesson = workspace.plan("create-lesson", request);
    let mut wrong = Vec::new();
    if !lesson.contains(&format!("[{code}](curriculum/")) {
        wrong.push(format!("{request}: the lesson is not about {code}: {}", lesson.lines().next().unwrap_or_default()));
    }
    let expected = Expected::read(Some(&class.name), &class.profile, request);
    assert!(!expected.groups.is_empty() && expected.period.is_some(), "{} has needs and a period", class.name);
    let form = check(&lesson, &expected).into_iter();
    wrong.extend(form.map(|found| format!("{request}: {} {:?}: {}", found.class.name(), found.section, found.message)));
    wrong.extend(unfounded(workspace, &lesson, request));
    wrong
}

/// Claims without evidence that can be followed.
fn unfounded(workspace: &mut Workspace, output: &str, request: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let context =
        guard::Context { class_level: Some(Level::Third.into()), framework: Some("cfe".into()), reads: vec![] };
    let report = guard::check(output, &context, workspace);
    wrong.extend(report.findings.into_iter().map(|found| format!("{request}: line {}: {}", found.line, found.message)));
    if report.checked == 0 {
        wrong.push(format!("{request}: nothing was claimed"));
    }
    wrong
}

#[test]
fn every_outcome_gets_a_sound_lesson_for_every_class_of_its_subject() {
    let workspace = Workspace::shipped();
    let all = requests(&workspace);
    let taught: std::collections::BTreeSet<&str> = all.iter().map(|(_, code, _)| code.as_str()).collect();
    let codes: usize = workspace
        .below("curriculum/")
        .map(|(_, text)| CurriculumFile::parse(text).entries.iter().map(|entry| entry.codes.len()).sum::<usize>())
        .sum();
    assert!(taught.len() >= 200 && taught.len() == codes, "{} of {codes} outcomes have a class", taught.len());
    let halves: Vec<&[(usize, String, String)]> = all.chunks(all.len().div_ceil(2)).collect();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .into_iter()
            .map(|part| {
                let mut workspace = workspace.clone();
                scope.spawn(move || {
                    let classes = classes(&workspace);
                    let each =
                        part.iter().flat_map(|(at, code, request)| wrong(&mut workspace, &classes[*at], code, request));
                    each.collect::<Vec<String>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {} lessons:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// What is missing in a practice that is taught with a material file.
fn missing(lesson: &str, request: &str) -> Vec<String> {
    let practice = lesson.split("\n## Practice (").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let minutes: usize = practice.split(' ').next().unwrap().parse().unwrap();
    let answers = practice.matches("**Answer:**").count();
    let mut missing = Vec::new();
    if answers < 4 {
        missing.push(format!("{request}: {answers} questions for {minutes} minutes"));
    }
    for text in ["*Show it", "“Show it”", "Set in", ".”.", "“”", "  |  "] {
        missing.extend(lesson.contains(text).then(|| format!("{request}: “{text}” stands in the lesson")));
    }
    let exit = lesson.split("\n## Exit questions\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    if exit.matches("**Answer:**").count() < 2 {
        missing.push(format!("{request}: hardly an exit question:{exit}"));
    }
    missing
}

#[test]
fn every_topic_of_an_outcome_with_material_gets_a_sound_lesson() {
    let mut workspace = Workspace::shipped();
    let classes = classes(&workspace);
    let (mut wrong, mut planned, mut given) = (Vec::new(), 0, 0);
    let curricula: Vec<String> = workspace.below("curriculum/").map(|(_, text)| text.clone()).collect();
    for file in curricula.iter().map(|text| CurriculumFile::parse(text)) {
        let subject = file.meta.subject.clone().unwrap();
        let class = classes.iter().find(|class| class.subjects.contains(&subject)).unwrap();
        for entry in &file.entries {
            let path = ta_curriculum::material::path(&subject, &entry.codes[0].to_string());
            let Some(topics) = entry.field("Topics").filter(|_| workspace.0.contains_key(&path)) else { continue };
            for topic in topics.split(',') {
                let request = format!("{} for {}", topic.trim(), class.name);
                let lesson = workspace.plan("create-lesson", &request);
                planned += 1;
                let expected = Expected::read(Some(&class.name), &class.profile, &request);
                let form = check(&lesson, &expected).into_iter();
                wrong.extend(form.map(|found| format!("{request}: {:?}: {}", found.section, found.message)));
                wrong.extend(unfounded(&mut workspace, &lesson, &request));
                if lesson.contains("`material/") {
                    given += 1;
                    wrong.extend(missing(&lesson, &request));
                    let american = lesson_form::spelling::american(&lesson);
                    wrong.extend(american.into_iter().map(|word| format!("{request}: {}", word.found)));
                }
            }
        }
    }
    println!("{given} of {planned} topics are taught with a material file");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(given * 4 > planned * 3, "{given} of {planned}");
}

#[test]
fn units_and_resources_for_every_outcome_claim_only_what_can_be_followed() {
    let mut workspace = Workspace::shipped();
    let all = requests(&workspace);
    let kinds = [
        ("create-unit", "a unit of 4 lessons on ", "\n## Lesson 4 "),
        ("create-resource", "worksheet on ", "\n## Answers\n"),
        ("create-resource", "quiz on ", "\n## Answers\n"),
        ("create-resource", "revision guide on ", "\n## Test yourself\n"),
    ];
    let mut wrong = Vec::new();
    // Each outcome once, the kinds by turns: every kind meets every subject and level.
    let mut seen = std::collections::BTreeSet::new();
    for (at, (_, code, request)) in all.iter().filter(|(_, code, _)| seen.insert(code.clone())).enumerate() {
        let (command, lead, part) = kinds[at % kinds.len()];
        let text = workspace.plan(command, &format!("{lead}{request}"));
        if !text.contains(part) || !text.contains(&format!("[{code}](curriculum/")) {
            wrong.push(format!("{lead}{request}: {}", text.chars().take(200).collect::<String>()));
        }
        wrong.extend(unfounded(&mut workspace, &text, &format!("{lead}{request}")));
        wrong.extend(
            lesson_form::spelling::american(&text).into_iter().map(|word| format!("{request}: {}", word.found)),
        );
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
