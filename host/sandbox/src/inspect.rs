//! What a component exports and imports, read from its bytes, before anything of it is compiled or runs.

use ta_core::Point;
use ta_core::capability::Capability;
use ta_core::text::visible;

use crate::failure::SandboxError;
use crate::limits::NAME_BYTES_MAX;
use crate::rights::Rights;
use crate::shape::Outline;

/// The contract's package.
pub(crate) const PACKAGE: &str = "teacher-assist:plugin";
/// The contract's version.
pub(crate) const VERSION: &str = "0.2.0";

/// What a component exports and imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// The lifecycle points that it exports.
    pub points: Vec<Point>,
    /// Whether it offers tools.
    pub tool: bool,
    /// Whether it is a flow.
    pub flow: bool,
    /// Whether it answers as a model.
    pub provider: bool,
    /// Whether it makes documents.
    pub writer: bool,
    /// Whether it reads documents.
    pub reader: bool,
    /// Everything that it imports, by full name.
    pub imports: Vec<String>,
    /// Everything that it exports, by full name.
    pub exports: Vec<String>,
    /// What of that is no part of the contract: a language's tools export something of their own. Nobody calls it.
    pub foreign: Vec<String>,
    /// The capabilities that its imports need.
    pub needs: Vec<Capability>,
}

impl Inspection {
    pub(crate) fn of(outline: &Outline) -> Result<Self, SandboxError> {
        let mut inspection = Self {
            points: Vec::new(),
            tool: false,
            flow: false,
            provider: false,
            writer: false,
            reader: false,
            imports: outline.imports.clone(),
            exports: outline.exports.clone(),
            foreign: Vec::new(),
            needs: Vec::new(),
        };
        outline.imports.iter().chain(&outline.exports).try_for_each(|name| fit_to_show(name))?;
        for name in &outline.exports {
            match interface(name)? {
                Some("tool") => inspection.tool = true,
                Some("flow") => inspection.flow = true,
                Some("provider") => inspection.provider = true,
                Some("writer") => inspection.writer = true,
                Some("reader") => inspection.reader = true,
                Some(point) => inspection.points.push(point.parse().map_err(|_| unknown_point(name))?),
                None => inspection.foreign.push(name.clone()),
            }
        }
        let Self { tool, flow, provider, writer, reader, .. } = inspection;
        if inspection.points.is_empty() && !tool && !flow && !provider && !writer && !reader {
            return Err(nothing_of_ours(&inspection.foreign));
        }
        for name in &outline.imports {
            let need = if name.starts_with("wasi:") {
                Some(Capability::Wasi)
            } else {
                interface(name)?.and_then(|it| it.parse().ok())
            };
            if let Some(need) = need.filter(|need| !inspection.needs.contains(need)) {
                inspection.needs.push(need);
            }
        }
        inspection.points.sort_unstable();
        inspection.needs.sort_unstable();
        Ok(inspection)
    }

    /// Refuses imports that were not granted, naming the import and the lines that would grant it.
    pub(crate) fn permit(&self, name: &str, rights: &Rights) -> Result<(), SandboxError> {
        for import in &self.imports {
            let need = if import.starts_with("wasi:") {
                Some(Capability::Wasi)
            } else {
                match interface(import)? {
                    // Shapes alone; and what a hook can reach only with a handle that its event brings.
                    Some("types" | "conversation") => continue,
                    Some(interface) => interface.parse().ok(),
                    None => None,
                }
            };
            match need {
                Some(capability) if rights.has(capability) || rights.withheld.contains(&capability) => {}
                Some(capability) => return Err(denied(name, import, capability)),
                None => return Err(unknown_import(name, import)),
            }
        }
        Ok(())
    }
}

/// Names are shown to people, and the engine lets some through that would act on their terminals.
fn fit_to_show(name: &str) -> Result<(), SandboxError> {
    if name.len() <= NAME_BYTES_MAX && visible(name) == name {
        return Ok(());
    }
    let message = format!("a name that it imports or exports is too long or holds hidden characters: `{name}`");
    Err(SandboxError::new(
        "plugin.malformed",
        message,
        "build it with the usual tools; nobody names an interface like that",
    ))
}

/// For an import that nobody can be granted.
pub(crate) fn unknown_import(name: &str, import: &str) -> SandboxError {
    let message = format!("{name}: it imports `{import}`, which this host does not have");
    SandboxError::new("plugin.import_denied", message, "guests get nothing but the imports in `wit/plugin`")
}

fn denied(name: &str, import: &str, capability: Capability) -> SandboxError {
    let short = name.rsplit(':').next().unwrap_or(name);
    let message = format!("{name}: it imports `{import}`, but the capability `{capability}` is not granted");
    let hint = format!(
        "to allow it, add \"{capability}\" to `capabilities` of `{short}` in the plugin's plugin.toml, and to \
         `[grants.\"{name}\"] capabilities` in teacher-assist.toml"
    );
    SandboxError::new("plugin.import_denied", message, hint)
}

/// The interface of our package that a name names; none for a name of another package.
fn interface(name: &str) -> Result<Option<&str>, SandboxError> {
    let Some(rest) = name.strip_prefix(PACKAGE).and_then(|rest| rest.strip_prefix('/')) else { return Ok(None) };
    let (interface, version) = rest.split_once('@').unwrap_or((rest, "none"));
    compatible(version)?;
    Ok(Some(interface))
}

/// Before 1.0 a minor version is a break; patches are compatible.
fn compatible(version: &str) -> Result<(), SandboxError> {
    let minor = |version: &str| version.rsplit_once('.').map(|(minor, _)| minor.to_owned());
    if minor(version) == minor(VERSION) {
        return Ok(());
    }
    let message = format!("it was built against {PACKAGE}@{version}, this host speaks {PACKAGE}@{VERSION}");
    let hint = format!("build it again with this host's `wit/plugin`, or run it with a host that speaks {version}");
    Err(SandboxError::new("plugin.world_mismatch", message, hint))
}

/// Refuses a component that was built against another version, before it is compiled.
pub(crate) fn of_this_version(outline: &Outline) -> Result<(), SandboxError> {
    let mut names = outline.imports.iter().chain(&outline.exports);
    names.try_for_each(|name| fit_to_show(name).and_then(|()| interface(name).map(drop)))
}

fn unknown_point(name: &str) -> SandboxError {
    let message = format!("it exports `{name}`, which {PACKAGE}@{VERSION} does not have");
    let hint =
        "export lifecycle points, `tool`, `flow`, `provider`, `writer` and `reader`; see `wit/plugin/points.wit`";
    SandboxError::new("plugin.world_mismatch", message, hint)
}

fn nothing_of_ours(foreign: &[String]) -> SandboxError {
    let mut message = format!(
        "it exports no lifecycle point, `tool`, `flow`, `provider`, `writer` or `reader` of {PACKAGE}@{VERSION}"
    );
    if let Some(first) = foreign.first() {
        message.push_str(&format!("; what it exports is `{first}`"));
    }
    SandboxError::new("plugin.world_mismatch", message, "export at least one; see `wit/plugin/points.wit`")
}
