//! From a core module to a component.

use ta_runtime::RuntimeError;
use wit_component::ComponentEncoder;

/// Turns a core module, with the description of its world in it, into a component.
///
/// # Errors
/// `guest.build` for a module that does not fit its world.
pub(super) fn component(module: &[u8]) -> Result<Vec<u8>, RuntimeError> {
    let mut encoder = ComponentEncoder::default();
    let encoded = encoder.validate(true).module(module).and_then(|encoder| encoder.encode());
    encoded.map_err(|error| {
        let message = format!("the module is no component: {error:#}");
        RuntimeError::configuration(
            "guest.build",
            message,
            "export a point or tools, as the template of `guest new` does",
        )
    })
}
