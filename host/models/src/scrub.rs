//! Texts without keys: providers repeat what they were sent, in errors, in answers, in pieces, with JSON's escapes.

use serde_json::Value;
use ta_core::message::ToolCall;

use crate::key::Keys;
use crate::wire::Reply;

/// What stands for a key.
pub(crate) const INSTEAD: &str = "[key]";
/// Backslashes before an escape: each time that JSON is put into JSON doubles them.
const ESCAPE_BYTES_MAX: usize = 8;

/// What a text begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Something else than the key.
    Other,
    /// A beginning of the key, and then the text is over.
    Begun,
    /// The key, in so many bytes.
    Key(usize),
}

/// Bytes without keys. Where more may come, what could begin a key is left out: the number says where that begins.
pub(crate) fn without(keys: &[&[u8]], bytes: &[u8], more: bool) -> (Vec<u8>, usize) {
    let mut clean = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some((byte, rest)) = bytes.get(at..).and_then(|rest| Some((*rest.first()?, rest))) {
        let mut length = 0;
        for key in keys {
            match find(key, rest) {
                Found::Begun if more => return (clean, at),
                Found::Key(bytes) => length = length.max(bytes),
                Found::Begun | Found::Other => {}
            }
        }
        if length == 0 {
            clean.push(byte);
            at += 1;
        } else {
            clean.extend_from_slice(INSTEAD.as_bytes());
            at += length;
        }
    }
    (clean, at)
}

/// A text without keys.
pub(crate) fn text(keys: &[&[u8]], text: &str) -> String {
    // Keys are ASCII: what is left is text as before.
    String::from_utf8_lossy(&without(keys, text.as_bytes(), false).0).into_owned()
}

/// Whether bytes begin with a key, each of its characters as it is or escaped.
fn find(key: &[u8], bytes: &[u8]) -> Found {
    let mut rest = bytes;
    let mut last = None;
    for char in key {
        // Of a run of backslashes it cannot be told which are escapes: it counts as one.
        if *char == b'\\' && last.replace(*char) == Some(b'\\') {
            continue;
        }
        last = Some(*char);
        match character(*char, rest) {
            Found::Key(length) => rest = rest.get(length..).unwrap_or_default(),
            other => return other,
        }
    }
    Found::Key(bytes.len() - rest.len())
}

/// Whether bytes begin with a character, as it is or escaped.
fn character(char: u8, bytes: &[u8]) -> Found {
    let Some(first) = bytes.first() else { return Found::Begun };
    if *first != b'\\' {
        return if *first == char { Found::Key(1) } else { Found::Other };
    }
    let run = bytes.iter().take(ESCAPE_BYTES_MAX + 1).take_while(|byte| **byte == b'\\').count();
    if run > ESCAPE_BYTES_MAX {
        return Found::Other;
    }
    let escaped = bytes.get(run..).unwrap_or_default();
    match escaped.first() {
        _ if char == b'\\' => Found::Key(run),
        None => Found::Begun,
        Some(b'u') => {
            let (code, told) =
                (format!("u{char:04x}").into_bytes(), escaped.iter().take(5).map(u8::to_ascii_lowercase));
            let same = code.iter().zip(told).take_while(|(one, other)| *one == other).count();
            match (same == code.len(), same == escaped.len()) {
                (true, _) => Found::Key(run + same),
                (false, true) => Found::Begun,
                (false, false) => Found::Other,
            }
        }
        Some(next) if *next == char && matches!(char, b'/' | b'"') => Found::Key(run + 1),
        Some(_) => Found::Other,
    }
}

/// A JSON value without keys in its texts and names.
pub(crate) fn value(keys: &Keys, of: &mut Value) {
    match of {
        Value::String(text) => *text = keys.scrub(text),
        Value::Array(values) => values.iter_mut().for_each(|it| value(keys, it)),
        Value::Object(object) => {
            let fields = std::mem::take(object).into_iter().map(|(name, mut field)| {
                value(keys, &mut field);
                (keys.scrub(&name), field)
            });
            *object = fields.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A reply without keys: what it holds goes into journal and output.
pub(crate) fn reply(keys: &Keys, reply: Reply) -> Reply {
    let mut calls: Vec<ToolCall> = Vec::with_capacity(reply.calls.len());
    for call in reply.calls {
        let mut id = keys.scrub(&call.id);
        // Two ids that were keys must still differ.
        while id != call.id && calls.iter().any(|other| other.id == id) {
            id.push('+');
        }
        let (name, arguments) = (keys.scrub(&call.name), arguments(keys, call.arguments));
        calls.push(ToolCall { id, name, arguments });
    }
    Reply { text: keys.scrub(&reply.text), calls, ..reply }
}

/// Arguments are JSON, and stay so.
fn arguments(keys: &Keys, text: String) -> String {
    let clean = keys.scrub(&text);
    if clean == text {
        return text;
    }
    serde_json::from_str(&text).map_or(clean, |mut parsed| {
        value(keys, &mut parsed);
        parsed.to_string()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use proptest::prelude::*;
    use serde_json::json;
    use ta_core::message::StopReason;

    use super::*;
    use crate::key::Key;

    const KEY: &str = "sk-canary/4f\"1d";

    fn keys() -> Keys {
        Keys::default().with("openai", Key::new(KEY).unwrap())
    }

    #[test]
    fn a_key_is_found_however_json_writes_it() {
        let escaped: String = KEY.chars().map(|it| format!("\\u{:04X}", u32::from(it))).collect();
        let twice = json!({ "text": json!({ "key": KEY }).to_string() }).to_string();
        for form in [KEY.to_owned(), escaped.clone(), escaped.replace('\\', "\\\\"), KEY.replace('/', "\\/"), twice] {
            let clean = keys().scrub(&format!("a {form} b"));
            assert!(clean.contains(INSTEAD) && !clean.contains("canary") && !clean.contains("u006"), "{clean}");
        }
        assert_eq!(keys().scrub(&format!("C:\\{KEY}")), "C:\\[key]");
        assert_eq!(keys().scrub("sk-canary/4f"), "sk-canary/4f", "a part is no key");
        let flood = "\\".repeat(100_000);
        assert_eq!(keys().scrub(&flood), flood);
    }

    #[test]
    fn bytes_that_are_no_text_are_scrubbed_as_they_are() {
        let bytes = [b"\xff\xfe ", KEY.as_bytes(), b" \xff"].concat();
        assert_eq!(keys().scrub_bytes(&bytes), b"\xff\xfe [key] \xff");
    }

    #[test]
    fn a_reply_without_its_keys_has_ids_that_differ_and_arguments_that_are_json() {
        let call = |id: &str, arguments: String| ToolCall { id: id.into(), name: format!("t-{KEY}"), arguments };
        let held = json!({ "path": KEY, "n": 1 });
        let escaped = "{\"path\":\"\\u0073k-canary\\/4f\\\"1d\"}".to_owned();
        let text = format!("Your key is {KEY}.");
        let calls = vec![call(KEY, held.to_string()), call(KEY, escaped), call("c", "{ \"n\": 1 }".into())];
        let clean = reply(&keys(), Reply { text, calls, stop: StopReason::ToolUse, usage: None, reasoned: false });
        assert_eq!(clean.text, "Your key is [key].");
        let ids: Vec<&str> = clean.calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["[key]", "[key]+", "c"]);
        let first: Value = serde_json::from_str(&clean.calls[0].arguments).unwrap();
        assert_eq!(first, json!({ "path": "[key]", "n": 1 }));
        assert_eq!(
            (clean.calls[1].arguments.as_str(), clean.calls[0].name.as_str()),
            ("{\"path\":\"[key]\"}", "t-[key]")
        );
        assert_eq!(clean.calls[2].arguments, "{ \"n\": 1 }", "what holds no key stays as it was");
    }

    proptest! {
        #[test]
        fn a_text_in_pieces_becomes_what_it_becomes_whole(
            text in "(s|sk-|sk-canary/4f\"1d|\\\\u0073|\\\\|é| )*", cuts in proptest::collection::vec(1_usize..9, 1..40)
        ) {
            let (keys, mut held, mut clean) = (keys(), Vec::new(), Vec::new());
            let mut rest = text.as_bytes();
            for cut in cuts.iter().cycle() {
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                rest = after;
                held.extend_from_slice(piece);
                let (now, begun) = without(&keys.secrets(), &held, !rest.is_empty());
                held.drain(..begun);
                clean.extend(now);
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(String::from_utf8(clean).unwrap(), keys.scrub(&text));
        }
    }
}
