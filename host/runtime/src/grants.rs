//! What a component gets: what its manifest asks for and the operator grants, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use ta_core::capability::Capability;
use ta_core::event::RunStarted;
use ta_core::manifest::ComponentEntry;
use ta_core::manifest::operator::{CEILINGS, Grant, ProviderEntry, operator};
use ta_fields::problem::Problem;
use ta_sandbox::{Access, Limits, MEMORY_CEILING_BYTES, Rights};

use crate::error::RuntimeError;

const MILLION: u64 = 1_000_000;
const MIB: u64 = 1024 * 1024;

/// The operator's file.
pub const OPERATOR_FILE: &str = "teacher-assist.toml";

/// The operator's file as it was read, by the name that a person would give it; none where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OperatorText(Option<(String, String)>);

impl OperatorText {
    /// Reads the file.
    ///
    /// # Errors
    /// `operator.unreadable`.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, RuntimeError> {
        let Some(path) = file else { return Ok(Self(None)) };
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("the operator's file {} cannot be read: {error}", path.display());
            RuntimeError::configuration("operator.unreadable", message, "give another with --operator")
        })?;
        Ok(Self(Some((path.display().to_string(), text))))
    }
}

/// What the operator's file says: grants by `plugin:component`, ceilings, providers. The shipped plugins' grants stand in a file of their own, so that
/// nothing is granted that nobody wrote down; an operator's line for a component takes the place of the shipped one.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    entries: BTreeMap<String, Grant>,
    /// The model that components may ask, as `provider/model`, where the operator names one.
    pub guest_model: Option<String>,
    /// Whether components' memory comes from a pool, where the operator says.
    pub pool: Option<bool>,
    /// Providers beside the shipped ones or in their place.
    pub providers: BTreeMap<String, ProviderEntry>,
    /// Who takes over where nobody else was named.
    pub fallback: Option<String>,
    /// Which model is meant by `fast`, `default` and `capable`, where the operator says: each as `provider/model`.
    pub models: BTreeMap<String, String>,
    ceilings: BTreeMap<String, u32>,
}

impl Grants {
    /// The shipped grants, with those of the operator's file on top, where there is one.
    ///
    /// # Errors
    /// Where the file has problems, all of them.
    pub fn read(file: Option<&Path>) -> Result<Self, RuntimeError> {
        Self::parse(&OperatorText::read(file)?)
    }

    /// The same, of a text that was read.
    ///
    /// # Errors
    /// Where it has problems, all of them.
    pub(crate) fn parse(text: &OperatorText) -> Result<Self, RuntimeError> {
        let mut problems = Vec::new();
        let shipped = operator("(built in) operator.toml", include_str!("operator.toml"), &mut problems);
        let mut grants = Self {
            entries: shipped.grants,
            guest_model: shipped.guest_model,
            pool: shipped.pool,
            providers: shipped.providers,
            fallback: shipped.fallback,
            models: shipped.models,
            ceilings: shipped.ceilings,
        };
        if let Some((file, text)) = &text.0 {
            let own = operator(file, text, &mut problems);
            grants.entries.extend(own.grants);
            grants.guest_model = own.guest_model.or(grants.guest_model);
            grants.pool = own.pool.or(grants.pool);
            grants.models.extend(own.models);
            grants.ceilings.extend(own.ceilings);
            grants.providers.extend(own.providers);
            grants.fallback = own.fallback.or(grants.fallback);
        }
        if problems.is_empty() { Ok(grants) } else { Err(RuntimeError::problems("the operator's file", problems)) }
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
            calls: entry.calls.iter().filter(|tool| grant.calls.contains(tool)).cloned().collect(),
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
            let call = then.calls.iter().find(|tool| !grant.calls.contains(tool));
            let lost = lost.or_else(|| call.map(|tool| format!("calls = [\"{tool}\", …]")));
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
        for tool in entry.calls.iter().filter(|tool| !rights.calls.contains(*tool)) {
            let message = format!("`{name}` asks to call the tool `{tool}`, which is not granted");
            let remedy = format!("to grant it, write in {OPERATOR_FILE}: [grants.\"{name}\"] calls = [\"{tool}\", …]");
            problems.push(Problem::new("capability.denied", OPERATOR_FILE, message, remedy));
        }
        for (limit, asked) in &entry.limits {
            let ceiling = self.ceiling(limit, Limits::of(entry.kind));
            if ceiling.is_some_and(|ceiling| ceiling < *asked) {
                let message = format!(
                    "`{name}` asks for `{limit} = {asked}`; no component gets more than {}",
                    ceiling.unwrap_or_default()
                );
                let remedy = format!("to let it, write in {OPERATOR_FILE}: [ceilings] {limit} = {asked}");
                problems.push(Problem::new("limit.denied", OPERATOR_FILE, message, remedy));
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

    /// The limits of a component: its kind's, with what the manifest says, and never more than the operator lets any have.
    #[must_use]
    pub fn limits(&self, entry: &ComponentEntry) -> Limits {
        let mut limits = Limits::of(entry.kind);
        let asked = |name: &str| entry.limits.get(name).copied().map(u64::from);
        let own = limits;
        let capped = |name: &str, value: u64| self.ceiling(name, own).map_or(value, |most| value.min(u64::from(most)));
        let bytes = |mib: u64| usize::try_from(mib.saturating_mul(MIB)).unwrap_or(usize::MAX);
        let millions = asked("fuel-millions").unwrap_or(limits.fuel / MILLION);
        limits.fuel = capped("fuel-millions", millions).saturating_mul(MILLION);
        limits.cpu_ms = capped("cpu-ms", asked("cpu-ms").unwrap_or(limits.cpu_ms));
        let mib = asked("memory-mib").unwrap_or(limits.memory_bytes as u64 / MIB);
        limits.memory_bytes = bytes(capped("memory-mib", mib)).min(MEMORY_CEILING_BYTES);
        limits.handles = usize::try_from(capped("handles", limits.handles as u64)).unwrap_or(limits.handles);
        limits.model_calls = entry.limits.get("model-calls").copied().unwrap_or(limits.model_calls);
        limits
    }

    /// What a component with these limits of its kind gets no more of. Fuel that a kind has by itself is no manifest's wish: only a
    /// line of the operator's goes below it.
    fn ceiling(&self, name: &str, own: Limits) -> Option<u32> {
        let usual = CEILINGS.iter().find(|(known, _, _)| *known == name).map(|(_, usual, _)| *usual);
        let fuel = u32::try_from(own.fuel / MILLION).unwrap_or(u32::MAX);
        let usual = usual.map(|usual| if name == "fuel-millions" { usual.max(fuel) } else { usual });
        self.ceilings.get(name).copied().or(usual)
    }
}

/// The words of what a manifest asks for.
#[must_use]
pub fn asks(entry: &ComponentEntry) -> Vec<String> {
    let directories = entry.directories.iter().map(|(name, access)| format!("workspace:{name}={access}"));
    let optional = entry.optional.iter().map(|name| format!("{name} (optional)"));
    let calls = entry.calls.iter().map(|tool| format!("calls:{tool}"));
    entry.capabilities.iter().cloned().chain(optional).chain(directories).chain(calls).collect()
}

#[cfg(test)]
mod tests {
    use ta_core::manifest::manifest;

    use super::*;

    fn entry(limits: &str) -> ComponentEntry {
        let text = format!(
            "name = 'p'\nversion = '1'\n[tools.t]\ncomponent = 'c.wasm'\nsha256 = '{}'\n[tools.t.limits]\n{limits}\n",
            "0".repeat(64)
        );
        let mut problems = Vec::new();
        let manifest = manifest("plugin.toml", &text, &mut problems).unwrap();
        assert_eq!(problems, []);
        manifest.tools["t"].clone()
    }

    #[test]
    fn no_manifest_passes_the_operators_ceilings() {
        let greedy = entry("fuel-millions = 20000\ncpu-ms = 60000\nmemory-mib = 256");
        let usual = Grants::default();
        let limits = usual.limits(&greedy);
        assert_eq!((limits.fuel, limits.cpu_ms), (2_000_000_000, 10_000));
        let mut problems = Vec::new();
        usual.denied("p:t", &greedy, &mut problems);
        let lines: Vec<&str> = problems.iter().map(|problem| problem.remedy.as_str()).collect();
        assert!(lines.len() == 2 && lines[1].ends_with("[ceilings] fuel-millions = 20000"), "{lines:?}");

        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(OPERATOR_FILE);
        std::fs::write(&file, "[ceilings]\nfuel-millions = 1\ncpu-ms = 60000\nmemory-mib = 2\nhandles = 3\n").unwrap();
        let own = Grants::read(Some(&file)).unwrap();
        for limits in [own.limits(&greedy), own.limits(&entry(""))] {
            assert_eq!((limits.fuel, limits.memory_bytes, limits.handles), (1_000_000, 2 << 20, 3));
        }
        assert_eq!(own.limits(&greedy).cpu_ms, 60_000);
        assert_eq!(own.limits(&entry("")).cpu_ms, 10_000);
    }
}
