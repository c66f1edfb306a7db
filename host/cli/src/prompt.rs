//! Questions at a terminal: section by section, one line for each answer.

use std::io::Write as _;
use std::sync::{Arc, Mutex};

use anstyle::{AnsiColor, Style};
use ta_runtime::person::{Person, Reply, next_item, plain_option};
use ta_runtime::surface::{
    Answer, Ask, BoxFuture, Choice, Decision, Item, OptionKind, Outcome, PersonWait, QuestionKind, ShownMessage,
    visible,
};

use crate::formula::readable;
use crate::progress::Progress;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const CYAN: Style = AnsiColor::Cyan.on_default().bold();

/// Whoever sits at the terminal.
pub(crate) struct Terminal {
    progress: Arc<Progress>,
    /// The option that all remaining items of a question get.
    rest: Mutex<Option<(String, String)>>,
    /// The question whose introduction has been shown.
    shown: Mutex<Option<String>>,
}

impl Terminal {
    pub(crate) fn new(progress: Arc<Progress>) -> Self {
        Self { progress, rest: Mutex::new(None), shown: Mutex::new(None) }
    }

    fn introduce(&self, ask: &Ask) {
        self.progress.quiet();
        let mut shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if shown.as_deref() == Some(ask.hash.as_str()) {
            return;
        }
        *shown = Some(ask.hash.clone());
        anstream::eprintln!("\n{CYAN}{}{CYAN:#} {DIM}({} asks){DIM:#}", visible(&ask.question.title), visible(&ask.by));
        if !ask.question.detail.is_empty() {
            anstream::eprintln!("{}", visible(&ask.question.detail));
        }
    }

    async fn reply(&self, ask: &Ask) -> Reply {
        self.introduce(ask);
        match &ask.question.kind {
            QuestionKind::Choice { choices } => choice(choices).await,
            QuestionKind::Text { suggestion } => text(suggestion.as_deref()).await,
            QuestionKind::Items { items, options } => match next_item(ask) {
                Some(item) => self.item(ask, item, items.len(), options).await,
                None => Reply::Outcome(Outcome::Answered(Answer::Items(ask.decided.clone()))),
            },
        }
    }

    fn rest_of(&self, ask: &Ask) -> Option<String> {
        let rest = self.rest.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rest.as_ref().filter(|(hash, _)| *hash == ask.hash).map(|(_, choice)| choice.clone())
    }

    async fn item(&self, ask: &Ask, item: &Item, count: usize, options: &[OptionKind]) -> Reply {
        if let Some(choice) = self.rest_of(ask) {
            return Reply::Decided(Decision { item: item.id.clone(), choice, text: None });
        }
        let number = ask.decided.len() + 1;
        anstream::eprintln!(
            "\n{DIM}{number} of {count}{DIM:#} {BOLD}{}{BOLD:#}\n{}",
            visible(&item.label),
            visible(item.detail.trim_end())
        );
        let keys = keys(options);
        let mut menu: Vec<String> =
            keys.iter().map(|(key, option)| format!("[{key}] {}", visible(&option.label))).collect();
        let plain = plain_option(options);
        if let Some(plain) = plain.filter(|_| number < count) {
            menu.push(format!("[*] {}, and so for all the rest", visible(&plain.label).to_lowercase()));
        }
        menu.push("[d] go on without deciding".to_owned());
        menu.push("[q] stop here for now".to_owned());
        loop {
            let Some(line) = read_line(&format!("{}: ", menu.join("  "))).await else { return Reply::Later };
            let word = line.trim();
            let found = keys.iter().find(|(key, option)| {
                word.eq_ignore_ascii_case(&key.to_string()) || word.eq_ignore_ascii_case(&option.id)
            });
            match (word, found) {
                ("q", _) => return Reply::Later,
                ("d", None) => return Reply::Outcome(Outcome::Dismissed),
                ("*", _) => {
                    if let Some(first) = plain {
                        let mut rest = self.rest.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        *rest = Some((ask.hash.clone(), first.id.clone()));
                        return Reply::Decided(Decision {
                            item: item.id.clone(),
                            choice: first.id.clone(),
                            text: None,
                        });
                    }
                }
                (_, Some((_, option))) => {
                    let text = match &option.text_prompt {
                        Some(prompt) => match read_line(&format!("{} ", visible(prompt))).await {
                            Some(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
                            None => return Reply::Later,
                        },
                        None => None,
                    };
                    return Reply::Decided(Decision { item: item.id.clone(), choice: option.id.clone(), text });
                }
                _ => anstream::eprintln!("type one of the letters in brackets"),
            }
        }
    }
}

/// A letter for each option: the first of its id that is still free.
fn keys(options: &[OptionKind]) -> Vec<(char, &OptionKind)> {
    let mut keys: Vec<(char, &OptionKind)> = Vec::new();
    for option in options {
        let free =
            |c: &char| c.is_ascii_alphanumeric() && !['d', 'q'].contains(c) && !keys.iter().any(|(key, _)| key == c);
        let key = option.id.to_ascii_lowercase().chars().find(free).or_else(|| ('1'..='9').find(|c| free(c)));
        if let Some(key) = key {
            keys.push((key, option));
        }
    }
    keys
}

async fn choice(choices: &[Choice]) -> Reply {
    for (index, choice) in choices.iter().enumerate() {
        anstream::eprintln!("\n{BOLD}[{}] {}{BOLD:#}", index + 1, visible(&choice.label));
        if let Some(detail) = &choice.detail {
            anstream::eprintln!("{}", visible(detail.trim_end()));
        }
    }
    loop {
        let Some(line) = read_line("number, [d] go on without, [q] stop here for now: ").await else {
            return Reply::Later;
        };
        let word = line.trim();
        let chosen = word.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        match (word, chosen.or_else(|| choices.iter().find(|choice| choice.id == word))) {
            (_, Some(choice)) => return Reply::Outcome(Outcome::Answered(Answer::Choice(choice.id.clone()))),
            ("d", _) => return Reply::Outcome(Outcome::Dismissed),
            ("q", _) => return Reply::Later,
            _ => anstream::eprintln!("type a number from 1 to {}", choices.len()),
        }
    }
}

async fn text(suggestion: Option<&str>) -> Reply {
    let prompt = match suggestion {
        Some(suggestion) => format!("[Enter keeps: {}] ", visible(suggestion)),
        None => "> ".to_owned(),
    };
    match read_line(&prompt).await {
        None => Reply::Later,
        Some(line) => {
            let line = line.trim();
            let text = if line.is_empty() { suggestion.unwrap_or_default() } else { line };
            Reply::Outcome(Outcome::Answered(Answer::Text(text.to_owned())))
        }
    }
}

/// One line; none when the input has ended.
async fn read_line(prompt: &str) -> Option<String> {
    anstream::eprint!("{prompt}");
    let _ = anstream::stderr().flush();
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|bytes| (bytes, line))
    });
    match read.await {
        Ok(Ok((bytes, line))) if bytes > 0 => Some(line),
        _ => None,
    }
}

impl Terminal {
    /// What a flow shows, and what the person says to it; an empty line stops here for now.
    async fn listen(&self, shown: &[ShownMessage]) -> Option<String> {
        self.progress.quiet();
        for message in shown {
            anstream::eprintln!("\n{}", readable(&visible(message.display.trim_end())));
        }
        let line = read_line("\n[Enter stops here for now] > ").await?;
        let text = line.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

impl Person for Terminal {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        Box::pin(self.reply(ask))
    }

    fn say<'a>(
        &'a self,
        _wait: &'a PersonWait,
        shown: &'a [ShownMessage],
        _times: usize,
    ) -> BoxFuture<'a, Option<String>> {
        Box::pin(self.listen(shown))
    }

    fn name(&self) -> &'static str {
        "person"
    }
}
