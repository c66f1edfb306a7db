//! What a record is made of, and the chain that the records of a session form.
//!
//! A record has a header and a body. The header says which record it is and when it was made, commits to the body, and
//! holds the hash of the header before it: so no record can be changed, moved or left out without the next one
//! telling. The commitment is an HMAC of the body under a salt of the record's own, drawn at random: when body and salt
//! are erased, nobody can try out what the body may have said, and the headers still form their chain.
//!
//! A chain says nothing about its last record, and nothing where all of it was made anew: for that its end has to be
//! kept where whoever can write the journal cannot.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::store::Store;

/// Bytes of a hash, of a commitment and of a salt.
const BYTES: usize = 32;

/// Stands before every header that is hashed, so that the hash of nothing else is ever taken for one.
const DOMAIN: &[u8] = b"teacher-assist record 1\0";

/// The type of the record that says that everything before it was erased.
pub(crate) const TOMBSTONE: &str = "session.erased";

/// Records that are looked at together.
const PAGE: usize = 1_000;

/// A SHA-256, of a header or keyed of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; BYTES]);

impl Hash {
    /// What stands before a session's first record.
    pub const NONE: Self = Self([0; BYTES]);

    pub(crate) const fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    pub(crate) const fn new(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Hash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = [0; BYTES];
        hex::decode_to_slice(text, &mut bytes).map_err(|error| format!("`{text}` is not a hash: {error}"))?;
        Ok(Self(bytes))
    }
}

/// All of a record but what it says: this stays when a session is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Id of the session.
    pub session: String,
    /// Place in the session, counted from 1 without gaps.
    pub seq: u64,
    /// Id of the run.
    pub run: String,
    /// When it was written, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// The type of its event.
    pub kind: String,
    /// Hash of the header before it; [`Hash::NONE`] for the first.
    pub previous: Hash,
    /// What its body has to fit.
    pub commitment: Hash,
}

impl Header {
    /// SHA-256 over all fields. Each text follows its length, so that no two headers are hashed as the same bytes.
    #[must_use]
    pub fn hash(&self) -> Hash {
        let mut hash = Sha256::new();
        hash.update(DOMAIN);
        for text in [&self.session, &self.run, &self.kind] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update(self.seq.to_le_bytes());
        hash.update(self.at_ms.to_le_bytes());
        hash.update(self.previous.0);
        hash.update(self.commitment.0);
        Hash(hash.finalize().into())
    }
}

/// What a record says: this goes when a session is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Random, and this record's alone.
    pub salt: [u8; BYTES],
    /// The event as JSON.
    pub json: String,
}

impl Body {
    /// HMAC-SHA-256 of the JSON with the salt as its key.
    #[must_use]
    pub fn commitment(&self) -> Hash {
        // A key of any length will do: that there is an error at all is for other MACs.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.salt) else { return Hash::NONE };
        mac.update(self.json.as_bytes());
        Hash(mac.finalize().into_bytes().into())
    }
}

/// Draws a salt for each of so many records.
pub(crate) fn salts(count: usize) -> Result<Vec<[u8; BYTES]>, StoreError> {
    let mut salts = vec![[0; BYTES]; count];
    let failed = |error: getrandom::Error| StoreError::Failed {
        doing: "drawing a random salt".into(),
        reason: error.to_string(),
    };
    getrandom::fill(salts.as_flattened_mut()).map_err(failed)?;
    Ok(salts)
}

/// A record as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its header.
    pub header: Header,
    /// What it says; none where the session was erased.
    pub body: Option<Body>,
}

/// Why a chain does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Records are missing, or stand elsewhere.
    #[error("it does not follow the record before it by number")]
    Gap,
    /// The header before it is another one now, or was another one.
    #[error("it does not continue the record before it")]
    Previous,
    /// The body is another one.
    #[error("its body is not the one that it was written with")]
    Body,
    /// The body is an event of another type.
    #[error("its body is an event of another type")]
    Kind,
    /// The body is gone, and no tombstone says that the session was erased.
    #[error("it has no body, and the session was not erased")]
    NoBody,
}

/// A place where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Id of the session.
    pub session: String,
    /// Number of the record.
    pub seq: u64,
    /// What is wrong with it.
    pub why: Why,
}

/// Looks through the records of one session, in order, whether they form a chain.
#[derive(Debug, Default)]
pub struct Chain {
    last: Option<(u64, Hash)>,
    broken: Vec<Broken>,
    /// Records whose body is gone, until a tombstone accounts for them.
    without_body: Vec<Broken>,
}

impl Chain {
    /// Looks at the next record.
    pub fn next(&mut self, record: &Stored) {
        let Stored { header, body } = record;
        let (seq, previous) = self.last.unwrap_or((0, Hash::NONE));
        if header.seq != seq.saturating_add(1) {
            self.broken.push(broken(header, Why::Gap));
        } else if header.previous != previous {
            self.broken.push(broken(header, Why::Previous));
        }
        match body {
            None => self.without_body.push(broken(header, Why::NoBody)),
            Some(body) if body.commitment() != header.commitment => self.broken.push(broken(header, Why::Body)),
            Some(body) if kind_of(&body.json).as_deref() != Some(&header.kind) => {
                self.broken.push(broken(header, Why::Kind));
            }
            // What was erased was erased as a whole, and nothing follows.
            Some(_) if header.kind == TOMBSTONE => self.without_body.clear(),
            Some(_) => {}
        }
        self.last = Some((header.seq, header.hash()));
    }

    /// Every place where the chain does not hold, in order.
    #[must_use]
    pub fn end(mut self) -> Vec<Broken> {
        self.broken.append(&mut self.without_body);
        self.broken.sort_by_key(|broken| broken.seq);
        self.broken
    }
}

fn broken(header: &Header, why: Why) -> Broken {
    Broken { session: header.session.clone(), seq: header.seq, why }
}

/// The type that an event's JSON names.
fn kind_of(json: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Kind {
        r#type: String,
    }
    serde_json::from_str::<Kind>(json).ok().map(|kind| kind.r#type)
}

/// Whether the records of a session form a chain, as far as that can be seen from the journal alone: every place where
/// they do not, in order; none for a session that does not exist.
///
/// # Errors
/// On a failure of the backend.
pub async fn verify_chain(store: &dyn Store, session: &str) -> Result<Vec<Broken>, StoreError> {
    let (mut chain, mut after) = (Chain::default(), 0);
    loop {
        let page = store.stored(session, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(chain.end()) };
        after = last.header.seq;
        page.iter().for_each(|record| chain.next(record));
    }
}
