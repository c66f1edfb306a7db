//! Ids and names as the providers allow them.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The shortest limit of those in use for the id of a call.
const ID_CHARS_MAX: usize = 40;
/// The limit for the name of a tool.
const NAME_CHARS_MAX: usize = 64;

fn plain(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '-')
}

/// An id that every provider takes: the same one always becomes the same, so that result and call still fit.
pub(super) fn id(id: &str) -> String {
    if !id.is_empty() && id.len() <= ID_CHARS_MAX && id.chars().all(plain) {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    format!("call-{:016x}", hasher.finish())
}

/// A tool's name that every provider takes, also where the model made it up.
pub(super) fn tool(name: &str) -> String {
    let name: String = name.chars().map(|it| if plain(it) { it } else { '_' }).take(NAME_CHARS_MAX).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// A model's name inside a path: nothing that would make it another path.
pub(super) fn in_path(model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    model.chars().map(|it| if plain(it) || matches!(it, '.' | ':' | '@') { it } else { '_' }).collect()
}
