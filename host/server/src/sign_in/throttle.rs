//! Guessing made slow: each wrong passcode doubles the wait, for its name and, more gently, for all.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::limits::{DELAY_MAX_ALL_MS, DELAY_MAX_MS, GUESSES_FREE, GUESSES_FREE_ALL, NAMES_MAX};

/// Wrong guesses are forgotten after so long without another.
const FORGOTTEN_MS: u64 = 60 * 60 * 1_000;

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    wrong: u32,
    last_ms: u64,
}

impl Count {
    fn wait_ms(self, now_ms: u64, free: u32, max_ms: u64) -> u64 {
        let over = self.wrong.saturating_sub(free);
        if over == 0 {
            return 0;
        }
        let delay = 1_000_u64.checked_shl(over - 1).unwrap_or(max_ms).min(max_ms);
        (self.last_ms + delay).saturating_sub(now_ms)
    }

    fn wrong(&mut self, now_ms: u64) {
        if now_ms.saturating_sub(self.last_ms) > FORGOTTEN_MS {
            self.wrong = 0;
        }
        self.wrong = self.wrong.saturating_add(1).min(64);
        self.last_ms = now_ms;
    }
}

/// Wrong guesses so far.
#[derive(Default)]
pub(crate) struct Throttle(Mutex<(HashMap<String, Count>, Count)>);

impl Throttle {
    /// Milliseconds before the next guess for this name is looked at.
    pub(crate) fn wait_ms(&self, name: &str, now_ms: u64) -> u64 {
        let guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (names, all) = &*guesses;
        // A name that nobody has guessed at is let in at once, so that whoever guesses keeps nobody else out.
        let Some(own) = names.get(name) else { return 0 };
        let own = own.wait_ms(now_ms, GUESSES_FREE, DELAY_MAX_MS);
        own.max(all.wait_ms(now_ms, GUESSES_FREE_ALL, DELAY_MAX_ALL_MS))
    }

    /// Milliseconds before the next wrong guess, for whatever name, is answered.
    pub(crate) fn wait_all_ms(&self, now_ms: u64) -> u64 {
        let guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        guesses.1.wait_ms(now_ms, GUESSES_FREE_ALL, DELAY_MAX_ALL_MS)
    }

    /// A guess is being looked at: it counts as wrong until it turns out right, so that many at once are no way round.
    pub(crate) fn guessed(&self, name: &str, now_ms: u64) {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (names, all) = &mut *guesses;
        if names.len() >= NAMES_MAX {
            names.retain(|_, count| now_ms.saturating_sub(count.last_ms) < FORGOTTEN_MS);
        }
        // More names than there are people: the count of all slows them down.
        if names.len() < NAMES_MAX || names.contains_key(name) {
            names.entry(name.to_owned()).or_default().wrong(now_ms);
        }
        all.wrong(now_ms);
    }

    /// It was right.
    pub(crate) fn right(&self, name: &str) {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (names, all) = &mut *guesses;
        names.remove(name);
        all.wrong = all.wrong.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_guesses_take_months() {
        let throttle = Throttle::default();
        let (mut now, mut looked_at) = (1_000_000_000, 0);
        for _ in 0..10_000 {
            now += throttle.wait_ms("ms-adams", now);
            throttle.guessed("ms-adams", now);
            looked_at += 1;
        }
        let days = (now - 1_000_000_000) / 86_400_000;
        assert_eq!(looked_at, 10_000);
        assert!(days > 100, "{days} days");
    }

    #[test]
    fn others_wait_little_and_a_right_one_clears_the_name() {
        let throttle = Throttle::default();
        for _ in 0..100 {
            throttle.guessed("one", 1_000);
        }
        assert_eq!(throttle.wait_ms("one", 1_000), DELAY_MAX_MS);
        assert_eq!(throttle.wait_ms("two", 1_000), 0);
        throttle.guessed("two", 1_000);
        assert_eq!(throttle.wait_ms("two", 1_000), DELAY_MAX_ALL_MS);
        throttle.right("one");
        assert_eq!(throttle.wait_ms("one", 1_000 + DELAY_MAX_ALL_MS), 0);
    }
}
