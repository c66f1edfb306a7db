//! What was found out lately, kept for a while: the least recently used makes room.

use std::collections::VecDeque;

/// Answers by text, at most so many, each for so long. The time is handed in, so that nothing here reads a clock.
#[derive(Debug, Clone)]
pub struct Recent<T> {
    entries: VecDeque<(String, u64, T)>,
    most: usize,
    for_ms: u64,
}

impl<T> Recent<T> {
    /// Room for so many answers, each good for so many milliseconds.
    #[must_use]
    pub const fn new(most: usize, for_ms: u64) -> Self {
        Self { entries: VecDeque::new(), most, for_ms }
    }

    /// The answer to this very text, where there is one that is not too old. It counts as used now.
    pub fn get(&mut self, text: &str, now_ms: u64) -> Option<&T> {
        let for_ms = self.for_ms;
        // A clock that was set back makes nothing younger than it is.
        self.entries.retain(|(_, at, _)| *at <= now_ms && now_ms - *at < for_ms);
        let at = self.entries.iter().position(|(known, _, _)| known == text)?;
        let entry = self.entries.remove(at)?;
        self.entries.push_front(entry);
        self.entries.front().map(|(_, _, answer)| answer)
    }

    /// Keeps an answer.
    pub fn put(&mut self, text: String, now_ms: u64, answer: T) {
        self.entries.retain(|(known, _, _)| *known != text);
        self.entries.push_front((text, now_ms, answer));
        self.entries.truncate(self.most);
    }

    /// All that is kept, the latest used first: text, when it was put, answer.
    pub fn entries(&self) -> impl Iterator<Item = (&str, u64, &T)> {
        self.entries.iter().map(|(text, at, answer)| (text.as_str(), *at, answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_makes_room_and_what_is_old_is_gone() {
        let mut recent = Recent::new(2, 1_000);
        recent.put("a".to_owned(), 0, 1);
        recent.put("b".to_owned(), 10, 2);
        assert_eq!(recent.get("a", 20), Some(&1));
        recent.put("c".to_owned(), 30, 3);
        assert_eq!((recent.get("b", 40).copied(), recent.get("a", 40).copied()), (None, Some(1)));
        assert_eq!((recent.get("a", 999).copied(), recent.get("a", 1_000).copied()), (Some(1), None));
        assert_eq!(recent.get("c", 20), None, "a clock that was set back");
    }
}
