//! What a component gets: what its manifest asks for and the operator grants, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use ta_core::event::RunStarted;
use ta_core::manifest::{ComponentEntry, Grant, operator};
use ta_core::problem::Problem;
use ta_sandbox::{Access, Capability, Kind, Limits, MEMORY_CEILING_BYTES, Rights};

use crate::error::RuntimeError;

/// The operator's file.
pub const OPERATOR_FILE: &str = "teacher-assist.toml";

/// What the operator grants, by `plugin:component`. The shipped plugins' grants stand in a file of their own, so that
/// nothing is granted that nobody wrote down; an operator's line for a component takes the place of the shipped one.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    entries: BTreeMap<String, Grant>,
    /// The model that components may ask, as `provider/model`, where the operator names one.
    pub guest_model: Option<String>,
    /// Whether components' memory comes from a pool, where the operator says.
    pub pool: Option<bool>,
}

impl Grants {
    /// The shipped grants, with those of the operator's file on top, where there is one.
    ///
    /// # Errors
    /// Where the file has problems, all of them.
    pub fn read(file: Option<&Path>) -> Result<Self, RuntimeError> {
        let mut problems = Vec::new();
        let shipped = operator("(built in) operator.toml", include_str!("operator.toml"), &mut problems);
        let (mut entries, mut guest_model, mut pool) = (shipped.grants, shipped.guest_model, shipped.pool);
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).map_err(|error| {
                let message = format!("the operator's file {} cannot be read: {error}", path.display());
                RuntimeError::configuration("operator.unreadable", message, "give another with --operator")
            })?;
            let own = operator(&path.display().to_string(), &text, &mut problems);
            entries.extend(own.grants);
            guest_model = own.guest_model.or(guest_model);
            pool = own.pool.or(pool);
        }
        if problems.is_empty() {
            Ok(Self { entries, guest_model, pool })
        } else {
            Err(RuntimeError::problems("the operator's file", problems))
        }
    }

    /// The rights of a component: asked for and granted.
    #[must_use]
    pub fn rights(&self, name: &str, entry: &ComponentEntry) -> Rights {
        let nothing = Grant::default();
        let grant = self.entries.get(name).unwrap_or(&nothing);
        let all = entry.capabilities.iter().chain(&entry.optional);
        let capabilities = all.filter(|asked| grant.capabilities.contains(asked));
        let withheld = entry.optional.iter().filter(|asked| !grant.capabilities.contains(asked));
        let mut config = entry.config.clone();
        config.extend(grant.config.clone());
        let directories = entry.directories.iter().filter_map(|(directory, asked)| {
            let granted: Access = grant.directories.get(directory)?.parse().ok()?;
            Some((directory.clone(), granted.min(asked.parse().ok()?)))
        });
        Rights {
            capabilities: capabilities.filter_map(|name| name.parse().ok()).collect(),
            withheld: withheld.filter_map(|name| name.parse().ok()).collect(),
            directories: directories.collect(),
            config,
        }
    }

    /// Whether a run that began with these rights may go on: what it was granted then is still granted now. The rights in force
    /// are those that it began with; the operator takes one away by taking away its line.
    ///
    /// # Errors
    /// `grants.narrowed`, naming the first right that is gone and the line that would give it back.
    pub fn still_hold(&self, start: &RunStarted) -> Result<(), RuntimeError> {
        for (name, pin) in &start.components {
            let full_name = format!("{}:{name}", start.plugin);
            let nothing = Grant::default();
            let grant = self.entries.get(&full_name).unwrap_or(&nothing);
            let then = Rights::from_words(&pin.granted, BTreeMap::new());
            let capability =
                then.capabilities.iter().map(|it| it.name()).find(|it| !grant.capabilities.iter().any(|now| now == it));
            let lost = capability.map(|it| format!("capabilities = [\"{it}\", …]")).or_else(|| {
                let narrower = |(directory, access): &(&String, &Access)| {
                    let now = grant.directories.get(*directory).and_then(|it| it.parse::<Access>().ok());
                    now.is_none_or(|now| now < **access)
                };
                let (directory, access) = then.directories.iter().find(narrower)?;
                Some(format!("workspace = {{ \"{directory}\" = \"{}\" }}", access.name()))
            });
            if let Some(line) = lost {
                let message = format!("the run began with a right of `{full_name}` that is no longer granted: {line}");
                let hint =
                    format!("grant it again in {OPERATOR_FILE}: [grants.\"{full_name}\"] {line}, or begin a new run");
                return Err(RuntimeError::configuration("grants.narrowed", message, hint));
            }
        }
        Ok(())
    }

    /// Grants to components that there are none of: a mistyped name takes nothing away from anybody.
    pub fn unknown(&self, known: impl Fn(&str) -> bool, problems: &mut Vec<Problem>) {
        for name in self.entries.keys().filter(|name| !known(name)) {
            let message = format!("there is no component `{name}`");
            let remedy = "write it as plugin:component; `inspect` knows the names";
            problems.push(Problem::new("component.unknown", OPERATOR_FILE, message, remedy).field(name));
        }
    }

    /// What is asked for and not granted, as problems that name the line that would grant it.
    pub fn denied(&self, name: &str, entry: &ComponentEntry, problems: &mut Vec<Problem>) {
        let rights = self.rights(name, entry);
        for asked in &entry.capabilities {
            if !asked.parse::<Capability>().is_ok_and(|capability| rights.has(capability)) {
                let message = format!("`{name}` asks for the capability `{asked}`, which is not granted");
                let remedy = format!(
                    "to grant it, write in {OPERATOR_FILE}: [grants.\"{name}\"] capabilities = [\"{asked}\", …]"
                );
                problems.push(Problem::new("capability.denied", OPERATOR_FILE, message, remedy));
            }
        }
        for (directory, asked) in &entry.directories {
            let granted = rights.directories.get(directory).map(|access| access.name());
            if granted != Some(asked.as_str()) {
                let message = format!("`{name}` asks for the directory `{directory}` ({asked}), which is not granted");
                let remedy = format!(
                    "to grant it, write in {OPERATOR_FILE}: [grants.\"{name}\".workspace] \"{directory}\" = \"{asked}\""
                );
                problems.push(Problem::new("capability.denied", OPERATOR_FILE, message, remedy));
            }
        }
    }
}

/// The words of what a manifest asks for.
#[must_use]
pub fn asks(entry: &ComponentEntry) -> Vec<String> {
    let directories = entry.directories.iter().map(|(name, access)| format!("workspace:{name}={access}"));
    let optional = entry.optional.iter().map(|name| format!("{name} (optional)"));
    entry.capabilities.iter().cloned().chain(optional).chain(directories).collect()
}

/// The limits of a component: its kind's, with what the manifest says, up to the ceiling.
#[must_use]
pub fn limits(entry: &ComponentEntry) -> Limits {
    let mut limits = Limits::of(Kind::from_name(&entry.kind).unwrap_or(Kind::Guardrail));
    if let Some(millions) = entry.limits.get("fuel-millions") {
        limits.fuel = u64::from(*millions) * 1_000_000;
    }
    if let Some(wall_ms) = entry.limits.get("wall-ms") {
        limits.wall_ms = u64::from(*wall_ms);
    }
    if let Some(mib) = entry.limits.get("memory-mib") {
        limits.memory_bytes = (*mib as usize * 1024 * 1024).min(MEMORY_CEILING_BYTES);
    }
    if let Some(calls) = entry.limits.get("model-calls") {
        limits.model_calls = *calls;
    }
    limits
}
