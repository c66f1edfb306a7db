//! From a core module to a component, and what a component says about itself.

use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::{Resolve, WorldItem, WorldKey};

use crate::{Problem, Result};

/// Turns a core module, with the description of its world in it, into a component and validates it.
///
/// # Errors
/// A module that does not fit its world.
pub fn component(module: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ComponentEncoder::default();
    let encoded = encoder.validate(true).module(module).and_then(|encoder| encoder.encode());
    encoded.map_err(|error| Problem::new(format!("the module is no component: {error:#}")))
}

/// The interfaces that a component names, in order of name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interfaces {
    /// What it asks the host for. Interfaces that hold nothing but types are left out: they give nothing.
    pub imports: Vec<String>,
    /// What it implements.
    pub exports: Vec<String>,
}

/// Reads a component's type.
///
/// # Errors
/// Bytes that are no component, and a component that exports nothing.
pub fn interfaces(component: &[u8]) -> Result<Interfaces> {
    let decoded = wit_component::decode(component).map_err(|error| Problem::new(format!("{error:#}")))?;
    let DecodedWasm::Component(resolve, world) = decoded else {
        return Err(Problem::new("the file is a WIT package, not a component"));
    };
    let world = resolve.worlds.get(world).ok_or_else(|| Problem::new("the component has no world"))?;
    let mut imports: Vec<String> =
        world.imports.iter().filter(|(_, item)| acts(&resolve, item)).map(|(key, _)| name(&resolve, key)).collect();
    let mut exports: Vec<String> = world.exports.keys().map(|key| name(&resolve, key)).collect();
    imports.sort();
    exports.sort();
    if exports.is_empty() {
        return Err(Problem::new("the component exports nothing, so no host would ever call it")
            .remedy("Export a point or tools: `ta_guest::post_loop!(function);` in lib.rs."));
    }
    Ok(Interfaces { imports, exports })
}

/// Fails when one of these texts, such as the path of a person's home, stands in the bytes.
///
/// # Errors
/// The first text that was found.
pub fn refuse_texts<'a>(bytes: &[u8], texts: impl IntoIterator<Item = &'a str>) -> Result<()> {
    // Anything shorter, such as `/`, is no path of a machine.
    const LENGTH_MIN: usize = 4;
    let stands =
        |text: &&str| text.len() >= LENGTH_MIN && bytes.windows(text.len()).any(|window| window == text.as_bytes());
    match texts.into_iter().find(stands) {
        Some(text) => Err(Problem::new(format!("the path `{text}` of this machine is in the component's bytes"))
            .remedy("Add it to the prefixes that xtask/src/rust_guest.rs remaps.")),
        None => Ok(()),
    }
}

fn acts(resolve: &Resolve, item: &WorldItem) -> bool {
    match item {
        WorldItem::Interface { id, .. } => {
            resolve.interfaces.get(*id).is_some_and(|interface| !interface.functions.is_empty())
        }
        WorldItem::Function(_) => true,
        WorldItem::Type { .. } => false,
    }
}

/// The short name of an interface of the contract, the full one of any other.
fn name(resolve: &Resolve, key: &WorldKey) -> String {
    let full = resolve.name_world_key(key);
    let short = full.strip_prefix("teacher-assist:plugin/").and_then(|rest| rest.split('@').next());
    short.map_or_else(|| full.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{component, interfaces, refuse_texts};

    #[test]
    fn a_component_names_what_it_imports_and_exports() {
        let text = r#"(component
            (import "teacher-assist:plugin/types@0.2.0" (instance))
            (import "teacher-assist:plugin/clock@0.2.0" (instance $clock (export "now" (func (result u64)))))
            (instance $mine (export "now" (func $clock "now")))
            (export "other:package/clock@1.0.0" (instance $mine)))"#;
        let interfaces = interfaces(&wat::parse_str(text).unwrap()).unwrap();
        assert_eq!(interfaces.imports, ["clock"]);
        assert_eq!(interfaces.exports, ["other:package/clock@1.0.0"]);
    }

    #[test]
    fn what_is_no_guest_is_refused() {
        assert!(component(b"not wasm").is_err());
        // An empty module is a component, but nobody could call it.
        let empty = component(&wat::parse_str("(module)").unwrap()).unwrap();
        assert!(interfaces(&empty).unwrap_err().to_string().starts_with("the component exports nothing"));
    }

    #[test]
    fn a_path_of_this_machine_is_found() {
        assert!(refuse_texts(b"..../home/ada/src..", ["/", "/home/bob"]).is_ok());
        let problem = refuse_texts(b"..../home/ada/src..", ["/home/ada"]).unwrap_err();
        assert!(problem.to_string().starts_with("the path `/home/ada` of this machine is in the component's bytes"));
    }
}
