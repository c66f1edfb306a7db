//! What runs of a plugin can be about, and which of it a request names.

use std::collections::BTreeMap;

use ta_core::files::{Files, WorkspaceErrorCode};
use ta_core::hook::Subject;
use ta_core::subject::{SubjectRules, named_in};

use crate::error::RuntimeError;
use crate::plugin::Plugin;

/// What a plugin declares that its runs can be about, by kind.
pub type Kinds = BTreeMap<String, SubjectRules>;

/// What runs of any of these plugins can be about.
#[must_use]
pub fn of_all(plugins: &[Plugin]) -> Kinds {
    plugins.iter().flat_map(|plugin| plugin.manifest.subjects.clone()).collect()
}

/// Ids of a kind in the workspace.
///
/// # Errors
/// Where the directory cannot be read; a workspace without it has none.
pub fn ids(workspace: &dyn Files, rules: &SubjectRules) -> Result<Vec<String>, RuntimeError> {
    match workspace.entries(rules.directory()) {
        Ok(entries) => {
            let files = entries.into_iter().filter(|entry| entry.file);
            Ok(files.filter_map(|entry| rules.id_of(&entry.name).map(ToOwned::to_owned)).collect())
        }
        Err(error) if error.code == WorkspaceErrorCode::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Everything in the workspace that runs can be about.
///
/// # Errors
/// Where a directory cannot be read.
pub fn all(workspace: &dyn Files, kinds: &Kinds) -> Result<Vec<Subject>, RuntimeError> {
    let mut subjects = Vec::new();
    for rules in kinds.values() {
        let of_kind = |id| Subject { kind: rules.kind.clone(), id };
        subjects.extend(ids(workspace, rules)?.into_iter().map(of_kind));
    }
    Ok(subjects)
}

/// What the request names. A request that means something which is not there is an error, before anything is spent on it.
///
/// # Errors
/// `subject.unknown`.
pub fn named(request: &str, kinds: &Kinds, subjects: &[Subject]) -> Result<Option<Subject>, RuntimeError> {
    if let Some(id) = named_in(request, subjects.iter().map(|subject| subject.id.as_str())) {
        return Ok(subjects.iter().find(|subject| subject.id == id).cloned());
    }
    let Some((rules, id)) = kinds.values().find_map(|rules| Some((rules, rules.meant(request)?))) else {
        return Ok(None);
    };
    let (kind, path) = (&rules.kind, rules.path(&id));
    let known: Vec<&str> = subjects.iter().filter(|it| it.kind == *kind).map(|it| it.id.as_str()).collect();
    let hint = match known.as_slice() {
        [] => format!("write `{path}` in the workspace; there is no {kind} yet"),
        _ => format!("there are: {}; name one of them or write `{path}`", known.join(", ")),
    };
    Err(RuntimeError::configuration("subject.unknown", format!("there is no {kind} `{id}` in the workspace"), hint))
}
