//! Old names in a project: those of the table, and its own.

use ta_core::project::aliases::ALIASES;

use super::Project;

/// The capability that an old name stands for, where the project understands old names.
#[must_use]
pub fn capability(project: &Project, old: &str) -> Option<String> {
    project.compat_mode().then(|| named(project, old)).flatten()
}

/// Whether a name is an old one, whether the project understands those or not.
#[must_use]
pub fn is_known(project: &Project, old: &str) -> bool {
    named(project, old).is_some()
}

fn named(project: &Project, old: &str) -> Option<String> {
    let own = project.layers.iter().rev().find_map(|layer| layer.aliases.get(old)).map(|it| it.value.clone());
    own.or_else(|| ALIASES.iter().find(|(name, _)| *name == old).map(|(_, capability)| (*capability).to_owned()))
}
