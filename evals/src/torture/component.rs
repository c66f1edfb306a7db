//! From a guest's text to a component.

use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// What every whole component ends in: the types and the export of its point.
const FRAME: &str = include_str!("../../torture/frame.txt");

/// The text with the line `;; frame` replaced by what every whole component ends in.
#[must_use]
pub fn expanded(wat: &str) -> String {
    wat.replace("  ;; frame\n", FRAME)
}

/// Makes a component of a text. A core module is given the world of `point` with every import of the contract, of
/// which the encoder keeps what is used; a text that is a component already stays as it is.
///
/// # Errors
/// Where the text does not parse or does not fit the world.
pub fn component(wat: &str, point: &str) -> Result<Vec<u8>, String> {
    let mut bytes = wat::parse_str(expanded(wat)).map_err(|error| error.to_string())?;
    if bytes.starts_with(b"\0asm\x0d\0\x01\0") {
        return Ok(bytes);
    }
    let mut resolve = Resolve::default();
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit/plugin");
    resolve.push_dir(wit).map_err(|error| format!("{error:#}"))?;
    let kind = if matches!(point, "tool" | "flow" | "provider" | "writer" | "reader") { "guest" } else { "hook" };
    let world = format!(
        "package torture:guest;\n\
         world guest {{\n\
         include teacher-assist:plugin/imports@0.2.0;\n\
         include teacher-assist:plugin/{point}-{kind}@0.2.0;\n\
         }}\n"
    );
    let package = resolve.push_str("torture.wit", &world).map_err(|error| format!("{error:#}"))?;
    let world = resolve.select_world(&[package], None).map_err(|error| format!("{error:#}"))?;
    embed_component_metadata(&mut bytes, &resolve, world, StringEncoding::UTF8, false)
        .map_err(|error| format!("{error:#}"))?;
    let mut encoder = ComponentEncoder::default();
    let encoded = encoder.module(&bytes).and_then(|encoder| encoder.encode());
    encoded.map_err(|error| format!("{error:#}"))
}
