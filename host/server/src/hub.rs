//! What is being said: frames of the event streams, each made once for all who follow.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use ta_runtime::surface::Record;
use tokio::sync::broadcast::{self, Receiver, Sender};

use crate::limits::FRAMES_MAX;

/// A piece of an event stream.
#[derive(Debug, Clone)]
pub(crate) enum Frame {
    /// A record of the journal, by its number.
    Record(u64, Bytes),
    /// Something that is said once and not kept.
    Passing(Bytes),
}

/// One event as it goes over the wire.
pub(crate) fn event(name: &str, id: Option<u64>, data: &impl Serialize) -> Bytes {
    // JSON has no line break outside of strings, and none inside: one line of data is enough.
    let data = serde_json::to_string(data).unwrap_or_default();
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    Bytes::from(format!("event: {name}\n{id}data: {data}\n\n"))
}

/// A record as it goes over the wire.
pub(crate) fn record(record: &Record) -> Frame {
    Frame::Record(record.seq, event("record", Some(record.seq), record))
}

/// Everybody who follows, by session and by teacher.
#[derive(Default)]
pub(crate) struct Hub {
    sessions: Mutex<HashMap<String, Sender<Frame>>>,
    teachers: Mutex<HashMap<String, Sender<Frame>>>,
}

impl Hub {
    /// Follows a session.
    pub(crate) fn session(&self, session: &str) -> Receiver<Frame> {
        follow(&self.sessions, session)
    }

    /// Follows what concerns a teacher apart from any session.
    pub(crate) fn teacher(&self, teacher: &str) -> Receiver<Frame> {
        follow(&self.teachers, teacher)
    }

    /// Says something to all who follow a session.
    pub(crate) fn to_session(&self, session: &str, frame: impl FnOnce() -> Frame) {
        say(&self.sessions, session, frame);
    }

    /// Says something to all of a teacher's streams.
    pub(crate) fn to_teacher(&self, teacher: &str, frame: impl FnOnce() -> Frame) {
        say(&self.teachers, teacher, frame);
    }

    /// Says something to everybody.
    pub(crate) fn to_all(&self, frame: &Frame) {
        let teachers = self.teachers.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in teachers.values() {
            let _ = sender.send(frame.clone());
        }
    }
}

fn follow(places: &Mutex<HashMap<String, Sender<Frame>>>, place: &str) -> Receiver<Frame> {
    let mut places = places.lock().unwrap_or_else(PoisonError::into_inner);
    // Whoever left is forgotten when somebody comes.
    places.retain(|name, sender| name == place || sender.receiver_count() > 0);
    places.entry(place.to_owned()).or_insert_with(|| broadcast::channel(FRAMES_MAX).0).subscribe()
}

/// A frame that nobody follows is not even made.
fn say(places: &Mutex<HashMap<String, Sender<Frame>>>, place: &str, frame: impl FnOnce() -> Frame) {
    let places = places.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sender) = places.get(place).filter(|sender| sender.receiver_count() > 0) {
        let _ = sender.send(frame());
    }
}
