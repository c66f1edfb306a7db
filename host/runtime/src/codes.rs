//! Access codes: they open one session of one flow for somebody who has no account.
//!
//! A code is 100 bits in Crockford's base 32, in groups of five: `7KQ2M-9XWPD-HT4ZB-E6RVN`. Nobody guesses that, so one round
//! of SHA-256 keeps it: there is no list of likely codes to try. Draws nothing itself: whoever gives codes brings the bits.

use sha2::{Digest, Sha256};
use ta_store::{CodeChange, CodeFilter, CodeRow, Store};

use crate::error::RuntimeError;
use crate::flows::FlowName;

/// Crockford's base 32: no letter that could be taken for a digit.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code.
const CHARS: usize = 20;
/// Characters between two hyphens.
const GROUP: usize = 5;

/// What a code is written from: of each byte five bits are taken.
pub type Bits = [u8; CHARS];

/// The code of these bits.
#[must_use]
pub fn written(bits: &Bits) -> String {
    let letter = |bits: &u8| ALPHABET.get(usize::from(bits % 32)).copied().unwrap_or(b'0') as char;
    let groups = bits.chunks(GROUP).map(|group| group.iter().map(letter).collect::<String>());
    groups.collect::<Vec<_>>().join("-")
}

/// The digest of a code as somebody typed it: hyphens, blanks and small letters are no difference, and `O`, `I`, `L` stand for
/// the digits that they look like. None where it is no code.
#[must_use]
pub fn digest(typed: &str) -> Option<String> {
    let mut plain = String::new();
    for c in typed.chars().filter(|c| *c != '-' && !c.is_whitespace()) {
        let c = match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            c => c,
        };
        if plain.len() == CHARS || !ALPHABET.iter().any(|known| char::from(*known) == c) {
            return None;
        }
        plain.push(c);
    }
    (plain.len() == CHARS).then(|| hex::encode(Sha256::digest(plain)))
}

/// What opens a session of a flow.
#[must_use]
pub fn opens(flow: &FlowName) -> String {
    format!("flows/{}/{}", flow.plugin, flow.flow)
}

/// The flow that a code opens; none for a code of another kind.
#[must_use]
pub fn flow(code: &CodeRow) -> Option<FlowName> {
    let (plugin, flow) = code.opens.strip_prefix("flows/")?.split_once('/')?;
    Some(FlowName { plugin: plugin.to_owned(), flow: flow.to_owned() })
}

/// Why a code opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shut {
    /// Its time is over.
    Expired,
    /// Somebody revoked it.
    Revoked,
}

/// Whether a code opens something at this time.
///
/// # Errors
/// Why it does not.
pub const fn check(code: &CodeRow, now_ms: u64) -> Result<(), Shut> {
    match (code.revoked_ms, code.expires_ms <= now_ms) {
        (Some(_), _) => Err(Shut::Revoked),
        (None, true) => Err(Shut::Expired),
        (None, false) => Ok(()),
    }
}

/// The code that somebody typed, or that has this id.
///
/// # Errors
/// `code.unknown` where there is none.
pub async fn find(store: &dyn Store, typed: &str) -> Result<CodeRow, RuntimeError> {
    let filter = digest(typed).map_or_else(|| CodeFilter::Id(typed.to_owned()), CodeFilter::Sha256);
    let found = store.codes(filter).await?.into_iter().next();
    found.ok_or_else(|| {
        let hint = "whoever gave it has a list of them; a code has twenty letters and digits";
        RuntimeError::usage("code.unknown", "there is no such access code", hint)
    })
}

/// Forgets the codes that somebody gave.
pub(crate) async fn forget_all(store: &dyn Store, owner: &str) -> Result<(), RuntimeError> {
    for code in store.codes(CodeFilter::Of { owner: owner.to_owned(), opens: None }).await? {
        store.change_code(&code.id, CodeChange::Forget).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let bits: Bits = std::array::from_fn(|place| u8::try_from(place).unwrap());
        let code = written(&bits);
        assert_eq!(code, "01234-56789-ABCDE-FGHJK");
        let known = digest(&code).unwrap();
        for typed in
            ["0123456789abcdefghjk", " o1234 56789-ABCDE-FGHJK", "0L234-56789-abcde-fghjk", "0i23456789ABCDEFGHJK"]
        {
            assert_eq!(digest(typed).as_ref(), Some(&known), "{typed}");
        }
        for wrong in ["", "01234", "01234-56789-ABCDE-FGHJKM", "01234-56789-ABCDE-FGHJU", "01234-56789-ABCDE-FGHJé"] {
            assert_eq!(digest(wrong), None, "{wrong}");
        }
    }
}
