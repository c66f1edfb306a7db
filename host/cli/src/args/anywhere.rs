//! Options that hold for every command may stand anywhere on the line, also before the command's name.
//!
//! What is read there otherwise is a request (`teacher-assist --provider offline lesson-planning:create-lesson memory`
//! is about memory), so nothing but options that every command has may come before the name of one.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory};

use super::Args;

/// The words of the line, with the options before a command's name put right behind it.
pub(crate) fn in_order(words: Vec<OsString>) -> Vec<OsString> {
    let command = Args::command();
    let Some(at) = place_of_name(&command, &words) else { return words };
    let mut ordered = words;
    if let Some(before) = ordered.get_mut(1..=at) {
        before.rotate_right(1);
    }
    ordered
}

/// Where the name of a command stands behind options that every command has; none where anything else comes before.
fn place_of_name(command: &Command, words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        let word = words.get(at)?.to_str()?;
        let Some(option) = word.strip_prefix("--") else {
            return (at > 1 && command.find_subcommand(word).is_some()).then_some(at);
        };
        let (name, joined) = option.split_once('=').map_or((option, false), |(name, _)| (name, true));
        let known = command.get_arguments().find(|argument| names(argument).contains(&name))?;
        if !known.is_global_set() {
            return None;
        }
        at += if known.get_action().takes_values() && !joined { 2 } else { 1 };
    }
}

/// All names of an option.
fn names(argument: &Arg) -> Vec<&str> {
    argument.get_long().into_iter().chain(argument.get_all_aliases().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = in_order(words).into_iter().map(|word| word.into_string().unwrap());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_every_command_go_behind_its_name() {
        for (line, expected) in [
            ("t --owner ann memory list", "t memory --owner ann list"),
            ("t --teacher ann memory list", "t memory --teacher ann list"),
            ("t --teacher=ann --output json memory list", "t memory --teacher=ann --output json list"),
            ("t --otel-content search loops", "t search --otel-content loops"),
        ] {
            assert_eq!(ordered(line), expected);
        }
    }

    #[test]
    fn everything_else_stays_as_it_stands() {
        for line in [
            "t memory list --teacher ann",
            "t --teacher ann lesson-planning:create-lesson memory",
            "t --provider offline memory list",
            "t --teacher",
            "t --unheard-of memory",
            "t -- memory",
            "t",
        ] {
            assert_eq!(ordered(line), line);
        }
    }
}
