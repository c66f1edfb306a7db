//! The end: the output is saved where the command says, under a name that nothing has yet.

use sha2::{Digest, Sha256};
use ta_core::event::{Event, RunFinished, Status, Write, WritesDone, WritesIntended};
use ta_core::files::Applied;
use ta_core::machine::{Finish, OUTPUT};
use ta_core::step;

use super::drive::{Driver, Ended, Step};
use crate::error::RuntimeError;

/// Names tried before giving up: a class that has planned the same topic so often has other worries.
const NAMES_MAX: u32 = 1_000;
/// Characters of a topic in a file's name.
const TOPIC_CHARS_MAX: usize = 60;

impl Driver<'_> {
    pub(super) async fn finish(&mut self, finish: &Finish) -> Result<Step, RuntimeError> {
        let saved = match (&finish.output, self.machine.ledger().output_intent.as_ref()) {
            // Begun before an interruption; completed by now.
            (_, Some(intent)) => intent.writes.first().map(|write| write.path.clone()),
            (Some(output), None) if finish.status == Status::Success => self.save(&output.clone()).await?,
            _ => None,
        };
        let finished =
            RunFinished { status: finish.status, reason: finish.reason.clone(), output: finish.output.clone(), saved };
        let scored = match (&finish.output, finish.status) {
            (Some(output), Status::Success) => self.consolidation(output).await?,
            _ => Vec::new(),
        };
        self.append(step::Step::from(Event::RunFinished(Box::new(finished))).after(scored)).await?;
        Ok(Step::Over(Ended::Finished(finish.status)))
    }

    /// Saves the output; an answer without sections, such as "nothing fits", is no document and is not filed. Where another
    /// run, or a person, takes the name first, the next free one is tried.
    async fn save(&mut self, output: &str) -> Result<Option<String>, RuntimeError> {
        let start = self.machine.start();
        let Some(template) = start.writes.clone().filter(|_| has_sections(output)) else { return Ok(None) };
        let wanted = name(&template, start.about(), output, &start.input);
        let mut text = output.trim_end().to_owned();
        text.push('\n');
        let after = hex::encode(Sha256::digest(text.as_bytes()));
        for _ in 0..NAMES_MAX {
            let path = self.free_name(&wanted)?;
            let writes = vec![Write { path: path.clone(), before: None, after: after.clone() }];
            let intended = WritesIntended { by: OUTPUT.to_owned(), writes };
            let intended = step::Step::from(Event::WritesIntended(intended));
            self.append(intended.with_blobs([text.clone().into_bytes()])).await?;
            let mut done = WritesDone { by: OUTPUT.to_owned(), paths: Vec::new(), refused: Vec::new() };
            if self.workspace.create(&path, text.as_bytes())? == Applied::Written {
                done.paths.push(path.clone());
            } else {
                done.refused.push(format!("{path}: this name was taken a moment ago; the next one is tried"));
            }
            let saved = done.refused.is_empty();
            self.append(Event::WritesDone(done)).await?;
            if saved {
                return Ok(Some(path));
            }
        }
        Err(names_taken(&wanted))
    }

    /// `notes/1.4.0-summary.md`, or with `-2`, `-3` … where there is one already: nothing is overwritten.
    fn free_name(&self, path: &str) -> Result<String, RuntimeError> {
        let stem = path.strip_suffix(".md").unwrap_or(path);
        for number in 1..=NAMES_MAX {
            let candidate = if number == 1 { format!("{stem}.md") } else { format!("{stem}-{number}.md") };
            if self.workspace.digest(&candidate)?.is_none() {
                return Ok(candidate);
            }
        }
        Err(names_taken(path))
    }
}

fn names_taken(path: &str) -> RuntimeError {
    let message = format!("{path} and {NAMES_MAX} names after it are taken");
    RuntimeError::configuration("output.names", message, "move some of the old ones elsewhere, then --resume")
}

fn has_sections(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("## "))
}

/// The topic of an output whose title says nothing beside its subject.
const UNTITLED: &str = "output";

/// The command's path with subject and topic put in: the topic is the output's title, or the request. Without a subject the
/// topic stands in its place, where it does not stand beside it.
fn name(template: &str, subject: Option<&str>, output: &str, input: &str) -> String {
    let title = output.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(input);
    let title = subject.map_or_else(|| title.to_owned(), |subject| without(title, subject));
    let topic = slug(&title);
    let topic = if topic.is_empty() { UNTITLED.to_owned() } else { topic };
    let path = match subject {
        Some(subject) => template.replace("{subject}", &plain(subject)),
        None => template.replace("{subject}-", "").replace("{subject}", &topic),
    };
    path.replace("{topic}", &topic)
}

fn without(title: &str, subject: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    let kept =
        words.iter().filter(|word| !word.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(subject));
    kept.copied().collect::<Vec<_>>().join(" ").trim_end_matches(" for").to_owned()
}

fn plain(subject: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
    let plain: String = subject.chars().map(|c| if kept(c) { c } else { '-' }).collect();
    // Points within a name are part of it, as in 1.4.0; two together, or one at an end, mean something to a file system.
    plain.replace("..", "-").trim_matches('.').to_owned()
}

fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
        if slug.chars().count() >= TOPIC_CHARS_MAX {
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lessons() {
        let template = "lessons/{subject}-{topic}.md";
        assert_eq!(name(template, Some("3B"), "# Iteration for 3B\n", ""), "lessons/3B-iteration.md");
        assert_eq!(name(template, None, "no title", "Loops & lists?"), "lessons/loops-lists.md");
        assert_eq!(name(template, Some("3B"), "# ../../etc/passwd", ""), "lessons/3B-etc-passwd.md");
        assert_eq!(name(template, Some("3B"), "# 3B", ""), "lessons/3B-output.md");
        let notes = |subject| name("notes/{subject}.md", subject, "# Version 2", "");
        assert_eq!(notes(Some("1.4.0")), "notes/1.4.0.md");
        assert_eq!((notes(Some("../x.")), notes(None)), ("notes/--x.md".to_owned(), "notes/version-2.md".to_owned()));
    }
}
