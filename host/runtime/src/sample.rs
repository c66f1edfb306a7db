//! The sample workspace, inside the binary: what `init` writes, and the files that a new workspace may take from it.

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../workspace"]
#[exclude = "lessons/*"]
struct Sample;

/// Every file: its path below the workspace and its bytes.
pub fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    Sample::iter().filter_map(|path| Some((path.to_string(), Sample::get(&path)?.data.into_owned())))
}

/// The text of a file.
#[must_use]
pub fn text(path: &str) -> Option<String> {
    String::from_utf8(Sample::get(path)?.data.into_owned()).ok()
}
