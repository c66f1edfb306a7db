//! The shipped components inside the binary, packed by `build.rs`, each once.

use std::io::Read as _;

use flate2::read::DeflateDecoder;
use ta_sandbox::ComponentBytes;

/// A packed component.
struct Packed {
    /// `PLUGIN/components/NAME.wasm`.
    path: &'static str,
    /// SHA-256 of its bytes, in lowercase hexadecimal.
    sha256: &'static str,
    /// How many bytes it has.
    length: usize,
    /// It, deflated.
    deflated: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/packed.rs"));

impl Packed {
    fn unpacked(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(self.length);
        let mut deflated = DeflateDecoder::new(self.deflated).take(self.length as u64 + 1);
        deflated.read_to_end(&mut bytes).map_err(|error| format!("{} cannot be unpacked: {error}", self.path))?;
        Ok(bytes)
    }
}

fn at(path: &str) -> Option<&'static Packed> {
    PACKED.binary_search_by(|packed| packed.path.cmp(path)).ok().and_then(|place| PACKED.get(place))
}

/// The paths of all of them.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    PACKED.iter().map(|packed| packed.path)
}

/// The component at a path, unpacked where somebody needs it.
pub(crate) fn component(path: &str) -> Option<ComponentBytes> {
    let packed = at(path)?;
    Some(ComponentBytes::fetched(packed.sha256, || Box::pin(async { packed.unpacked() })))
}

/// The bytes of the component at a path.
pub(crate) fn bytes(path: &str) -> Option<Result<Vec<u8>, String>> {
    at(path).map(Packed::unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_one_is_what_it_was() {
        assert!(PACKED.len() >= 30, "{}", PACKED.len());
        for packed in PACKED {
            let bytes = component(packed.path).unwrap().bytes().await.unwrap();
            assert_eq!(bytes.len(), packed.length, "{}", packed.path);
        }
        assert!(component("nowhere/components/none.wasm").is_none());
    }
}
