//! An append on its way in, and an event on its way out: what every backend checks, done before the writer's turn.

use sha2::{Digest, Sha256};
use ta_core::step::Blob;
use ta_core::{Event, Record};

use crate::chain::{Body, Hash, Header, Stored, TOMBSTONE, salts};
use crate::error::StoreError;
use crate::limits::{BLOB_BYTES_MAX, BODY_BYTES_MAX, ID_BYTES_MAX, INTEGER_MAX};

/// SHA-256 in lowercase hexadecimal: the name of a blob.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A checked append.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) session: String,
    pub(crate) run: String,
    pub(crate) expected_last: u64,
    pub(crate) entries: Vec<Entry>,
    /// Digest and bytes; none where they are held already.
    pub(crate) blobs: Vec<(String, Option<Vec<u8>>)>,
}

impl Prepared {
    /// The records as they will be read.
    pub(crate) fn records(&self) -> Vec<Record> {
        self.entries.iter().map(|entry| entry.record.clone()).collect()
    }

    /// Those after a number.
    pub(crate) fn into_records(self, after: u64) -> Vec<Record> {
        self.entries.into_iter().map(|entry| entry.record).filter(|record| record.seq > after).collect()
    }

    /// Whether the other one begins where this one ends, in the same run.
    pub(crate) fn goes_on_with(&self, next: &Self) -> bool {
        let last = self.entries.last().map_or(self.expected_last, |entry| entry.record.seq);
        (&self.session, &self.run, last) == (&next.session, &next.run, next.expected_last)
    }

    /// Makes one of both.
    pub(crate) fn go_on(&mut self, next: Self) {
        self.entries.extend(next.entries);
        self.blobs.extend(next.blobs);
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let entries = self.entries.iter().map(|entry| entry.body.json.len());
        entries
            .chain(self.blobs.iter().map(|(_, bytes)| bytes.as_ref().map_or(0, Vec::len)))
            .sum::<usize>()
            .saturating_add(size_of::<Self>())
    }
}

/// A record that is to be stored: all but its place in the chain, which the record before it decides.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As it will be read.
    pub(crate) record: Record,
    pub(crate) body: Body,
    pub(crate) commitment: Hash,
}

impl Entry {
    /// Its header behind that of this hash.
    pub(crate) fn header(&self, previous: Hash) -> Header {
        let Record { session, seq, run, at_ms, event } = &self.record;
        let kind = event.name().to_owned();
        let (session, run, commitment) = (session.clone(), run.clone(), self.commitment);
        Header { session, seq: *seq, run, at_ms: *at_ms, kind, previous, commitment }
    }
}

/// Checks an append and numbers its events after `expected_last`.
pub(crate) fn prepare(
    session: &str,
    run: &str,
    expected_last: u64,
    at_ms: u64,
    events: &[Event],
    blobs: Vec<Blob>,
) -> Result<Prepared, StoreError> {
    check_id(session)?;
    check_id(run)?;
    let mut entries = Vec::with_capacity(events.len());
    let mut seq = expected_last;
    for (event, salt) in events.iter().zip(salts(events.len())?) {
        seq = seq.saturating_add(1);
        let (json, event) = encode(event)?;
        if at_ms > INTEGER_MAX {
            return Err(unstorable(event.name(), format!("{at_ms} ms is not a time")));
        }
        let record = Record { session: session.to_owned(), seq, run: run.to_owned(), at_ms, event };
        let body = Body { salt, json };
        entries.push(Entry { record, commitment: body.commitment(), body });
    }
    let blobs = blobs.into_iter().map(name_blob).collect::<Result<_, _>>()?;
    Ok(Prepared { session: session.to_owned(), run: run.to_owned(), expected_last, entries, blobs })
}

/// Ids stand in lists, URLs and messages, and prefixes of them are looked up as a range: so a plain alphabet.
pub(crate) fn check_id(id: &str) -> Result<(), StoreError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if (1..=ID_BYTES_MAX).contains(&id.len()) && id.bytes().all(plain) {
        return Ok(());
    }
    Err(StoreError::BadId { id: id.chars().take(ID_BYTES_MAX).collect() })
}

/// The JSON of an event, and the event as it is read from that JSON.
///
/// The two can differ in the last digit of a float, and a number that is none cannot be read at all. Whoever appends
/// must go on with what a resume would read, and the views must be what a rebuild would make.
fn encode(event: &Event) -> Result<(String, Event), StoreError> {
    let body = serde_json::to_string(event).map_err(|error| unstorable(event.name(), error.to_string()))?;
    if body.len() > BODY_BYTES_MAX {
        return Err(unstorable(event.name(), format!("{} bytes, {BODY_BYTES_MAX} at the most", body.len())));
    }
    let event = Event::from_json(event.name(), &body).map_err(|error| unstorable(event.name(), error.to_string()))?;
    Ok((body, event))
}

/// Reads a stored record.
pub(crate) fn decode(stored: Stored) -> Result<Record, StoreError> {
    let Stored { header: Header { session, seq, run, at_ms, kind, .. }, body } = stored;
    let Some(body) = body.filter(|_| kind != TOMBSTONE) else { return Err(StoreError::Erased { id: session }) };
    let event = decode_event(&session, seq, &kind, &body.json)?;
    Ok(Record { session, seq, run, at_ms, event })
}

/// Text that is not JSON is damage; JSON that does not fit the catalogue was written by another version of it.
fn decode_event(session: &str, seq: u64, kind: &str, json: &str) -> Result<Event, StoreError> {
    Event::from_json(kind, json).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => StoreError::UnknownEvent {
            session: session.to_owned(),
            seq,
            kind: kind.to_owned(),
            reason: error.to_string(),
        },
        _ => StoreError::Corrupt { what: format!("event {seq} of session `{session}`"), reason: error.to_string() },
    })
}

/// Checks what was read under a digest.
pub(crate) fn verify_blob(sha256: &str, bytes: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    let found = digest(&bytes);
    if found == sha256 {
        return Ok(bytes);
    }
    Err(StoreError::Corrupt { what: format!("blob {sha256}"), reason: format!("its bytes have the digest {found}") })
}

fn name_blob(blob: Blob) -> Result<(String, Option<Vec<u8>>), StoreError> {
    let bytes = match blob {
        Blob::Held(sha256) => return Ok((sha256, None)),
        Blob::Bytes(bytes) => bytes,
    };
    if bytes.len() > BLOB_BYTES_MAX {
        return Err(unstorable("blob", format!("{} bytes, {BLOB_BYTES_MAX} at the most", bytes.len())));
    }
    Ok((digest(&bytes), Some(bytes)))
}

fn unstorable(what: &str, reason: String) -> StoreError {
    StoreError::Unstorable { what: what.to_owned(), reason }
}
