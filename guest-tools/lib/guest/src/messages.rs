//! The conversation before a model call, of which a hook reads as much as it looks at.

use crate::conversation::Messages;
use crate::types::Message;

/// Messages that are asked for together at first, and at the most: whoever looks at the last one alone pays for few, whoever
/// goes through all of them calls the host seldom.
const TOGETHER_MIN: usize = 2;
const TOGETHER_MAX: usize = 256;

/// A conversation, oldest message first. In a component it is the host's, and what is not read costs nothing; in a guest's
/// own tests a vector of messages is one.
pub trait Conversation {
    /// How many messages there are.
    fn count(&self) -> usize;

    /// So many of them from this number on, counted from 0. Fewer where there are not so many.
    fn some(&self, first: usize, count: usize) -> Vec<Message>;

    /// Those from this number on, oldest first.
    fn since(&self, first: usize) -> impl Iterator<Item = Message> {
        let mut next = first;
        let read = together().map(move |count| {
            let messages = self.some(next, count);
            next = next.saturating_add(messages.len());
            messages
        });
        read.take_while(|messages| !messages.is_empty()).flatten()
    }

    /// All of them with their numbers, newest first.
    fn backwards(&self) -> impl Iterator<Item = (usize, Message)> {
        let mut end = self.count();
        let read = together().map(move |count| {
            let first = end.saturating_sub(count);
            let messages: Vec<(usize, Message)> = (first..).zip(self.some(first, end - first)).collect();
            end = first;
            messages
        });
        read.take_while(|messages| !messages.is_empty()).flat_map(|messages| messages.into_iter().rev())
    }
}

fn together() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(TOGETHER_MIN), |count| Some((count * 2).min(TOGETHER_MAX)))
}

impl Conversation for Messages {
    fn count(&self) -> usize {
        usize::try_from(self.length()).unwrap_or(usize::MAX)
    }

    fn some(&self, first: usize, count: usize) -> Vec<Message> {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.read(number(first), number(count))
    }
}

impl Conversation for Vec<Message> {
    fn count(&self) -> usize {
        self.len()
    }

    fn some(&self, first: usize, count: usize) -> Vec<Message> {
        self.iter().skip(first).take(count).cloned().collect()
    }
}

/// The same handle is the same conversation, so that events can be compared.
impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        self.handle() == other.handle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Role;

    fn conversation(count: usize) -> Vec<Message> {
        let message =
            |number: usize| Message { role: Role::User, text: number.to_string(), calls: Vec::new(), result: None };
        (0..count).map(message).collect()
    }

    #[test]
    fn every_message_comes_once_from_both_ends() {
        for count in [0, 1, 2, 3, 5, 6, 7, 1_000] {
            let all = conversation(count);
            for first in [0, 1, count / 2, count, count + 1] {
                let since: Vec<Message> = all.since(first).collect();
                assert_eq!(since, all.get(first..).unwrap_or_default(), "{count} since {first}");
            }
            let mut backwards: Vec<(usize, Message)> = all.backwards().collect();
            backwards.reverse();
            assert_eq!(backwards, all.into_iter().enumerate().collect::<Vec<_>>());
        }
    }

    /// Counts what is read.
    struct Counted(Vec<Message>, std::cell::Cell<usize>);

    impl Conversation for Counted {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn some(&self, first: usize, count: usize) -> Vec<Message> {
            let read = self.0.some(first, count);
            self.1.set(self.1.get() + read.len());
            read
        }
    }

    #[test]
    fn whoever_looks_at_the_last_message_reads_few() {
        let counted = Counted(conversation(10_000), std::cell::Cell::new(0));
        let (number, last) = counted.backwards().next().unwrap();
        assert_eq!((number, last.text.as_str(), counted.1.get()), (9_999, "9999", TOGETHER_MIN));
    }
}
