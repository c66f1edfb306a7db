//! Observations: typed data for dashboards and studies, of the kinds that a plugin declares.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::hook::Observation;
use crate::output_schema;

/// Observations of one call.
pub const OBSERVATIONS_MAX: usize = 100;
/// Data of one that a surface sends, in bytes.
pub const SURFACE_BYTES_MAX: usize = 4 * 1024;
/// Their data together, in bytes.
pub const OBSERVATIONS_BYTES_MAX: usize = 64 * 1024;

/// The schema of one kind of observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Declared {
    /// SHA-256 of the schema's text in hexadecimal: an observation names it.
    pub sha256: String,
    /// The schema.
    pub schema: Value,
}

/// What a plugin declares, by name.
pub type Declarations = BTreeMap<String, Declared>;

impl Declared {
    /// A schema from the text of its file.
    ///
    /// # Errors
    /// Why it cannot be used, in a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
        output_schema::check(&schema)?;
        Ok(Self { sha256: hex::encode(Sha256::digest(text)), schema })
    }
}

/// An observation of a surface, of the kind that the plugin declares under this name.
///
/// # Errors
/// What is wrong with it. That it fits its schema is for [`check`] to say.
pub fn of_surface(declared: &Declarations, name: &str, data: &Value) -> Result<Observation, String> {
    let known = declared.get(name).ok_or_else(|| undeclared(declared, name))?;
    let data = data.to_string();
    if data.len() > SURFACE_BYTES_MAX {
        let bytes = data.len();
        return Err(format!("the observation `{name}` has {bytes} bytes; from a surface at most {SURFACE_BYTES_MAX}"));
    }
    Ok(Observation { name: name.to_owned(), schema: known.sha256.clone(), data })
}

/// Whether the observations of a call are as the plugin declares them.
///
/// # Errors
/// What is wrong with the first that is not.
pub fn check(declared: &Declarations, observations: &[Observation]) -> Result<(), String> {
    if observations.len() > OBSERVATIONS_MAX {
        return Err(format!("{} observations; one call makes at most {OBSERVATIONS_MAX}", observations.len()));
    }
    let bytes: usize = observations.iter().map(|it| it.data.len()).sum();
    if bytes > OBSERVATIONS_BYTES_MAX {
        return Err(format!("observations of {bytes} bytes; one call makes at most {OBSERVATIONS_BYTES_MAX}"));
    }
    observations.iter().try_for_each(|observation| one(declared, observation))
}

fn one(declared: &Declarations, observation: &Observation) -> Result<(), String> {
    let name = &observation.name;
    let known = declared.get(name).ok_or_else(|| undeclared(declared, name))?;
    if !observation.schema.eq_ignore_ascii_case(&known.sha256) {
        let asked = &observation.schema;
        return Err(format!("the observation `{name}` is of the schema {asked}; the plugin declares {}", known.sha256));
    }
    let fits = output_schema::fitting(&known.schema, &observation.data);
    fits.map(drop).map_err(|wrong| format!("the observation `{name}` does not fit its schema: {}", wrong.join("; ")))
}

fn undeclared(declared: &Declarations, name: &str) -> String {
    let names: Vec<&str> = declared.keys().map(String::as_str).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    format!("the plugin declares no observation `{name}`; it declares {names}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str =
        r#"{ "type": "object", "required": ["count"], "properties": { "count": { "type": "integer" } } }"#;

    fn made(name: &str, schema: &str, data: &str) -> Observation {
        Observation { name: name.into(), schema: schema.into(), data: data.into() }
    }

    #[test]
    fn what_was_not_declared_or_does_not_fit_is_named() {
        let declared = Declared::read(SCHEMA).unwrap();
        let (sha256, all) = (declared.sha256.clone(), Declarations::from([("steps".to_owned(), declared)]));
        let said = |observation| check(&all, &[observation]).unwrap_err();
        assert_eq!(check(&all, &[made("steps", &sha256, r#"{"count":3}"#)]), Ok(()));
        assert!(said(made("stairs", &sha256, "{}")).contains("declares no observation `stairs`; it declares steps"));
        assert!(said(made("steps", &"0".repeat(64), "{}")).contains(&sha256));
        assert!(said(made("steps", &sha256, "{}")).contains("does not fit its schema"));
        assert!(said(made("steps", &sha256, "three")).contains("no JSON"));
        assert!(check(&Declarations::default(), &[made("x", "", "{}")]).unwrap_err().ends_with("it declares none"));
    }

    #[test]
    fn a_surface_sends_little_at_once_and_only_what_is_declared() {
        let declared = Declared::read(SCHEMA).unwrap();
        let all = Declarations::from([("steps".to_owned(), declared.clone())]);
        let sent = of_surface(&all, "steps", &serde_json::json!({ "count": 3 })).unwrap();
        assert_eq!((&sent.schema, sent.data.as_str()), (&declared.sha256, r#"{"count":3}"#));
        assert_eq!(check(&all, &[sent]), Ok(()));
        let long = serde_json::json!({ "count": 3, "why": "x".repeat(SURFACE_BYTES_MAX) });
        assert!(of_surface(&all, "steps", &long).unwrap_err().contains("at most 4096"));
        assert!(of_surface(&all, "stairs", &long).unwrap_err().contains("it declares steps"));
    }

    #[test]
    fn they_are_bounded() {
        let many = vec![made("x", "", "{}"); OBSERVATIONS_MAX + 1];
        assert!(check(&Declarations::default(), &many).unwrap_err().contains("at most 100"));
        let long = [made("x", "", &"x".repeat(OBSERVATIONS_BYTES_MAX + 1))];
        assert!(check(&Declarations::default(), &long).unwrap_err().contains("at most 65536"));
    }
}
