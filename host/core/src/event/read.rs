//! An event read from its JSON.
//!
//! The type of an event stands first in its JSON, and in the record's header as well. Whoever knows it reads the rest as that
//! event alone; without it everything would first have to be taken in as any event's, which takes three times as long.

use super::Event;

impl Event {
    /// Reads the event of this type from its JSON.
    ///
    /// # Errors
    /// Where the text is no JSON, or not that of an event.
    pub fn from_json(name: &str, json: &str) -> serde_json::Result<Self> {
        let read = if begins_with(name, json) { Self::of_name(name, json) } else { None };
        // Without fields, of another version of the catalogue, or by another's hand: as any event.
        read.unwrap_or_else(|| serde_json::from_str(json))
    }
}

/// Whether a text begins as this store writes it: with the type.
fn begins_with(name: &str, json: &str) -> bool {
    let rest = json.strip_prefix(r#"{"type":""#).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(r#"","#))
}
