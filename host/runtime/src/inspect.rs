//! What a component exports, imports, asks for and is granted, before anything of it runs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};
use ta_core::kind::Kind;
use ta_sandbox::{Limits, Rights};

use crate::components::component_file;
use crate::error::RuntimeError;
use crate::grants;
use crate::host::Host;
use crate::plugin;

/// What there is to know about a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The file, or `plugin:name`.
    pub component: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// The lifecycle points that it exports, and `tool`.
    pub exports: Vec<String>,
    /// What else it exports, which nobody calls.
    pub foreign: Vec<String>,
    /// Everything that it imports, by full name.
    pub imports: Vec<String>,
    /// The capabilities that those imports need.
    pub needs: Vec<String>,
    /// What its manifest asks for; none for a file without a manifest.
    pub asks: Option<Vec<String>>,
    /// What the operator grants of it.
    pub granted: Option<Vec<String>>,
    /// Points at which its manifest lets it run.
    pub runs_at: Option<Vec<String>>,
    /// The digest that the manifest pins.
    pub pinned: Option<String>,
    /// Its configuration.
    pub config: BTreeMap<String, String>,
    /// What its tools are called, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
}

/// Looks at a component: a file, or one of a plugin's by name.
///
/// # Errors
/// Where it cannot be read or is no component of this contract.
pub fn inspect(host: &Host, component: &str) -> Result<Report, RuntimeError> {
    let (bytes, mut report) = read(host, component)?;
    let inspection = host.sandbox.inspect(&bytes)?;
    report.sha256 = hex::encode(Sha256::digest(&bytes));
    report.bytes = bytes.len();
    report.exports = inspection.points.iter().map(|point| point.name().to_owned()).collect();
    if inspection.tool {
        report.exports.push("tool".to_owned());
    }
    if inspection.flow {
        report.exports.push("flow".to_owned());
    }
    if inspection.provider {
        report.exports.push("provider".to_owned());
    }
    if inspection.writer {
        report.exports.push("writer".to_owned());
    }
    if inspection.reader {
        report.exports.push("reader".to_owned());
    }
    report.foreign = inspection.foreign;
    report.imports = inspection.imports;
    report.needs = inspection.needs.iter().map(|need| need.name().to_owned()).collect();
    Ok(report)
}

/// What a component calls its tools. Only it knows, so it is compiled and asked; whatever it imports answers that nothing
/// was granted.
///
/// # Errors
/// Where it is no component of this contract, or does not start.
pub async fn tools(host: &Host, component: &str) -> Result<Vec<String>, RuntimeError> {
    let (bytes, report) = read(host, component)?;
    let rights = Rights { capabilities: host.sandbox.inspect(&bytes)?.needs, ..Rights::default() };
    let guest = host.sandbox.load(&report.component, &bytes, None, rights, Limits::of(Kind::Tool)).await?;
    Ok(guest.tools.into_iter().map(|tool| tool.name).collect())
}

fn read(host: &Host, component: &str) -> Result<(Vec<u8>, Report), RuntimeError> {
    match component.split_once(':').filter(|_| !Path::new(component).exists()) {
        Some((plugin, name)) => from_plugin(host, plugin, name),
        None => Ok((component_file(Path::new(component))?, blank(component))),
    }
}

fn blank(component: &str) -> Report {
    Report {
        component: component.to_owned(),
        sha256: String::new(),
        bytes: 0,
        exports: Vec::new(),
        foreign: Vec::new(),
        imports: Vec::new(),
        needs: Vec::new(),
        asks: None,
        granted: None,
        runs_at: None,
        pinned: None,
        config: BTreeMap::new(),
        tools: None,
    }
}

fn from_plugin(host: &Host, plugin: &str, name: &str) -> Result<(Vec<u8>, Report), RuntimeError> {
    let plugin = plugin::named(host.config.plugins.as_deref(), plugin)?;
    let entry = plugin.component(name);
    let Some(entry) = entry else {
        let names: Vec<&str> = plugin.manifest.components().map(|(name, _)| name).collect();
        let message = format!("the plugin `{}` has no component `{name}`", plugin.manifest.name);
        return Err(RuntimeError::configuration("component.unknown", message, format!("it has: {}", names.join(", "))));
    };
    let full_name = format!("{}:{name}", plugin.manifest.name);
    let rights = host.grants()?.rights(&full_name, entry);
    let mut report = blank(&full_name);
    report.asks = Some(grants::asks(entry));
    report.granted = Some(rights.words());
    report.runs_at = Some(entry.points.iter().map(|point| point.name().to_owned()).collect());
    report.pinned = Some(entry.sha256.clone());
    report.config = rights.config;
    Ok((plugin.files.bytes(&entry.component)?, report))
}
