//! A project's own agents: what stands in `.agent/`, laid over the plugin [`WORKBENCH`], and which capability goes to whom.
//!
//! The layers, from the lowest: what is built in, `agent.yaml`, `.agent/config.yaml`, the environment, flags. A higher one replaces
//! what a lower one says, value by value; an agent or a skill of the same name it replaces whole. What comes out is one plugin,
//! so that runs, resuming, replay and traces know nothing of projects.

pub mod aliases;
pub mod check;
mod classify;
pub mod layers;
mod overlay;
mod read;
pub mod routing;
pub mod show;

use std::collections::BTreeMap;
use std::path::Path;

use ta_core::project::config::{Config, SkillMode};
use ta_core::project::definitions::{ProjectAgent, ProjectSkill};
use ta_core::project::signals::SignalEntry;
use ta_fields::problem::Problem;

use crate::error::RuntimeError;
use crate::files::PluginFiles;
use crate::host::Host;
use crate::plugin::{self, Plugin};
pub use layers::Capability;

/// The plugin that a project's agents are laid over.
pub const WORKBENCH: &str = "workbench";
/// The directory of a project's agents.
pub const DIRECTORY: &str = ".agent";
/// The project's file beside it.
pub const PROJECT_FILE: &str = "agent.yaml";

/// A project with all its layers.
#[derive(Debug, Clone)]
pub struct Project {
    /// What the files and the environment say, the highest last.
    pub layers: Vec<Config>,
    /// Agents in `.agent/agents`, by id.
    pub agents: BTreeMap<String, ProjectAgent>,
    /// Skills in `.agent/skills`, by name.
    pub skills: BTreeMap<String, ProjectSkill>,
    /// Signals in `.agent/signals`.
    pub signals: Vec<SignalEntry>,
    /// Every capability that there is, by name.
    pub capabilities: BTreeMap<String, Capability>,
    /// The plugin that does all this.
    pub plugin: Plugin,
    /// Signals of the project and of every plugin, those of the project last.
    pub all_signals: Vec<SignalEntry>,
}

/// What reading a project found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What is not wrong and should be looked at.
    pub warnings: Vec<Problem>,
}

impl Project {
    /// Reads the project. Where something is wrong in it, nothing of it is used; a skill that cannot be read is left out where
    /// the project says `skillMode: permissive`.
    ///
    /// # Errors
    /// `configuration.invalid`, with every problem.
    pub fn open(host: &Host) -> Result<Self, RuntimeError> {
        let mut found = Found::default();
        let project = Self::read(host, &mut found)?;
        match project {
            Some(project) if found.problems.is_empty() => Ok(project),
            _ => Err(RuntimeError::problems("the project", found.problems)),
        }
    }

    /// Reads the project as far as it can be read.
    ///
    /// # Errors
    /// Where the directory of plugins cannot be read.
    pub fn read(host: &Host, found: &mut Found) -> Result<Option<Self>, RuntimeError> {
        let models = layers::tiers(&host.grants().map(|grants| grants.models).unwrap_or_default());
        let own = host.config.project.as_deref().map(|directory| read::read(directory, found)).unwrap_or_default();
        let read::Own { mut layers, agents, skills, signals } = own;
        layers.push(layers::environment(&mut found.problems));
        let permissive = |layer: &Config| layer.skill_mode.as_ref().map(|mode| mode.value == SkillMode::Permissive);
        let permissive = layers.iter().rev().find_map(permissive).unwrap_or_default();
        let skills = read::sound(skills, permissive, found);
        let all = PluginFiles::all(host.config.plugins.as_deref())?;
        let (own_files, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|files| files.name == WORKBENCH);
        let Some(files) = own_files.into_iter().next() else { return Ok(None) };
        // What is wrong with it is told once, where the project's texts lie over it.
        let Some(built_in) = Plugin::read(files.clone(), &mut Vec::new()) else { return Ok(None) };
        let capabilities = layers::capabilities(&built_in, &layers, &agents);
        let laid = overlay::texts((&built_in, &models), &layers, (&agents, &skills), &capabilities, found);
        let Some(plugin) = Plugin::read(files.under(laid), &mut found.problems) else { return Ok(None) };
        let mut all_signals = plugin.signals.clone();
        let mut capabilities = capabilities;
        for files in others {
            // What is wrong with other plugins is for `validate` to say where it looks at them.
            let Some(other) = Plugin::read(files, &mut Vec::new()) else { continue };
            all_signals.extend(other.signals.iter().cloned());
            layers::of_plugin(&other, &mut capabilities);
        }
        all_signals.extend(signals.iter().cloned());
        Ok(Some(Self { layers, agents, skills, signals, capabilities, plugin, all_signals }))
    }

    /// Whether old names are understood.
    #[must_use]
    pub fn compat_mode(&self) -> bool {
        self.layers.iter().rev().find_map(|layer| layer.compat_mode.as_ref()).is_some_and(|it| it.value)
    }

    /// How an agent is called when people are told of it.
    #[must_use]
    pub fn agent_name(&self, id: &str) -> String {
        self.agents.get(id).map_or_else(|| ta_core::project::definitions::titled(id), |agent| agent.name.clone())
    }
}

/// The plugin of that name, with the project's own agents where it is theirs.
///
/// # Errors
/// Where there is none, or it or the project has problems.
pub fn plugin(host: &Host, name: &str) -> Result<Plugin, RuntimeError> {
    if name == WORKBENCH && host.config.project.is_some() {
        return Ok(Project::open(host)?.plugin);
    }
    plugin::named(host.config.plugins.as_deref(), name)
}

/// A path as it is shown: below the project.
fn shown(directory: &Path, path: &Path) -> String {
    path.strip_prefix(directory).unwrap_or(path).display().to_string()
}
