//! Guided setup: answers to a few questions, written as the same markdown that a teacher would write by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use ta_curriculum::file::CurriculumFile;
use ta_runtime::sample;
use ta_runtime::surface::{Applied, WorkspaceErrorCode, digest};
use utoipa::ToSchema;

use super::files::{conflict, problems};
use super::setup_text::{class_file, pedagogy_file, teacher_file};
use crate::error::{ApiError, Problem, Result};
use crate::sign_in::Teacher;
use crate::state::App;

/// Classes that are set up at once.
const CLASSES_MAX: usize = 20;
/// Where curriculum files lie.
const CURRICULUM: &str = "curriculum/";

/// About the teacher; never a name.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AboutTeacher {
    /// Subjects, the room, devices, printing: a line each.
    pub(super) about: Vec<String>,
    /// What a lesson should have.
    pub(super) likes: Vec<String>,
    /// What it should not.
    pub(super) avoids: Vec<String>,
    /// Languages and tools.
    pub(super) tools: Vec<String>,
}

/// How the teacher teaches.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AboutPedagogy {
    /// A line each.
    pub(super) principles: Vec<String>,
    /// Where they pull against each other.
    pub(super) tensions: Vec<String>,
}

/// A need within a class; never a name.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AboutNeed {
    /// Such as `two pupils with English as an additional language`.
    pub(super) group: String,
    pub(super) need: String,
    pub(super) support: String,
}

/// A class.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AboutClass {
    /// Such as `3B`; the name of its file.
    pub(super) id: String,
    pub(super) year: Option<String>,
    /// `early`, `first`, `second`, `third` or `fourth`.
    pub(super) level: String,
    pub(super) subjects: Vec<String>,
    pub(super) pupils: Option<u32>,
    pub(super) period_minutes: u32,
    pub(super) needs: Vec<AboutNeed>,
    /// What they know already.
    pub(super) knows: Vec<String>,
    pub(super) works: Vec<String>,
    pub(super) does_not_work: Vec<String>,
    /// The room, in a sentence or two.
    pub(super) room: String,
}

/// What a workspace is made from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setup {
    teacher: Option<AboutTeacher>,
    pedagogy: Option<AboutPedagogy>,
    #[serde(default)]
    classes: Vec<AboutClass>,
    /// Curriculum files, by their names in `GET /api/setup`.
    #[serde(default)]
    curriculum: Vec<String>,
    /// Whether anything is written; otherwise it is only shown.
    write: bool,
    /// Files that may be replaced: path and the digest that was shown. Any other file that is there already is left alone.
    #[serde(default)]
    replace: BTreeMap<String, String>,
}

/// A file as it would be.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SetupFile {
    path: String,
    text: String,
    /// Whether there is one already.
    exists: bool,
    /// Digest of the one that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256_before: Option<String>,
    /// What is wrong with it, in sentences.
    problems: Vec<String>,
}

/// What came of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SetupDone {
    files: Vec<SetupFile>,
    /// Paths that were written.
    written: Vec<String>,
    /// Paths that were there already and were left alone.
    left: Vec<String>,
}

/// A curriculum that can be taken over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CurriculumChoice {
    name: String,
    title: String,
    subject: String,
    /// Outcomes in it.
    outcomes: usize,
}

/// What can be chosen from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SetupChoices {
    curricula: Vec<CurriculumChoice>,
    levels: Vec<String>,
}

/// What a guided setup can choose from.
#[utoipa::path(get, path = "/api/setup", tag = "setup", responses((status = 200, body = SetupChoices)))]
pub(crate) async fn choices(_: Teacher) -> Json<SetupChoices> {
    let curricula = sample::files().filter_map(|(path, _)| {
        let name = path.strip_prefix(CURRICULUM)?.to_owned();
        let file = CurriculumFile::parse(&sample::text(&path)?);
        let subject = file.meta.subject.unwrap_or_default();
        let title = file.meta.title.unwrap_or_else(|| subject.clone());
        Some(CurriculumChoice { name, title, subject, outcomes: file.entries.len() })
    });
    let levels = (0..=4).filter_map(ta_curriculum::level::Level::from_number).map(|level| level.name().to_owned());
    Json(SetupChoices { curricula: curricula.collect(), levels: levels.collect() })
}

/// Shows or writes the files of a workspace.
#[utoipa::path(post, path = "/api/setup", tag = "setup", request_body = Setup,
    responses((status = 200, body = SetupDone), (status = 400, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn setup(
    State(app): State<Arc<App>>,
    _: Teacher,
    Json(setup): Json<Setup>,
) -> Result<Json<SetupDone>> {
    let workspace = app.host.workspace()?;
    let _one_at_a_time = app.changing.lock().await;
    let mut files = Vec::new();
    for (path, text) in texts(&setup)? {
        let before = match workspace.read(&path) {
            Ok((_, sha256)) => Some(sha256),
            Err(error) if error.code == WorkspaceErrorCode::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let problems = problems(&path, &text);
        files.push(SetupFile { path, text, exists: before.is_some(), sha256_before: before, problems });
    }
    let (mut written, mut left) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|_| setup.write) {
        let same = file.sha256_before.as_deref() == Some(&digest(file.text.as_bytes()));
        let seen = setup.replace.get(&file.path);
        if file.exists && seen.is_none() && !same {
            left.push(file.path.clone());
            continue;
        }
        let before = if file.exists { seen.or(file.sha256_before.as_ref()) } else { None };
        match workspace.apply(&file.path, before.map(String::as_str), file.text.as_bytes())? {
            Applied::Written => written.push(file.path.clone()),
            Applied::AlreadyThere => left.push(file.path.clone()),
            Applied::Conflict => return Err(conflict(&*workspace, &file.path)),
        }
    }
    if !written.is_empty() {
        app.tell_files(&written);
    }
    Ok(Json(SetupDone { files, written, left }))
}

fn texts(setup: &Setup) -> Result<Vec<(String, String)>> {
    if setup.classes.len() > CLASSES_MAX {
        let message = format!("at most {CLASSES_MAX} classes are set up at once");
        return Err(ApiError::bad("setup.classes", message, "send the others after these"));
    }
    let mut texts = Vec::new();
    texts.extend(setup.teacher.as_ref().map(|teacher| ("teacher.md".to_owned(), teacher_file(teacher))));
    texts.extend(setup.pedagogy.as_ref().map(|pedagogy| ("pedagogy.md".to_owned(), pedagogy_file(pedagogy))));
    // Whoever begins with an empty workspace gets the assistant's own words too.
    texts.extend(sample::text("soul.md").filter(|_| setup.teacher.is_some()).map(|text| ("soul.md".to_owned(), text)));
    for class in &setup.classes {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if class.id.is_empty() || class.id.len() > 32 || !class.id.chars().all(plain) {
            let message = format!("`{}` cannot be a class's name", class.id);
            return Err(ApiError::bad("setup.class", message, "use letters and digits, such as 3B"));
        }
        texts.push((format!("classes/{}.md", class.id), class_file(class)));
    }
    for name in &setup.curriculum {
        let path = format!("{CURRICULUM}{name}");
        let Some(text) = sample::text(&path) else {
            let message = format!("there is no curriculum `{name}` to take over");
            return Err(ApiError::bad("setup.curriculum", message, "GET /api/setup lists them"));
        };
        texts.push((path, text));
    }
    Ok(texts)
}
