//! What has to hold after everything that was done, reckoned from the plain records by a small model of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ta_core::Record;
use ta_core::event::{Event, ModelAnswered, PromptAssembled, RunFinished, RunStarted, Status};
use ta_core::hook::Verdict;
use ta_core::question::{Answer, Outcome, Question, QuestionKind};
use ta_core::request::Request;
use ta_runtime::history;
use ta_store::{RamStore, Store};

use super::guests::{EDITION, TASKS};
use super::seam::{Doing, Seam};

/// A rule that does not hold: which one, and what was found.
pub(crate) type Broken = (Rule, String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    /// Everything that is asked for comes to an end that the person asked for: no hook fails, no command is refused.
    Ends,
    /// What the person accepted stands in the output, once and word for word, whatever becomes of other parts.
    Accepted,
    /// Tasks are those of the last call that replaced them, in the order of the model's message, over runs and forks.
    Tasks,
    /// A file that a run saved holds that run's output.
    Saved,
    /// The components that a trace lists are those that ran.
    Digests,
    /// A run uses the texts that it began with.
    Texts,
    /// A run uses no more tokens than it may.
    Budget,
    /// An answer of a model is asked for once.
    PaidOnce,
    /// Every record belongs where it stands.
    Belongs,
    /// A fork begins only where a step ends.
    Steps,
    /// A run that is made again from its journal comes out the same.
    Replay,
}

/// The records of a session, with the past that it shares.
pub(crate) async fn lineage(store: &RamStore, session: &str) -> Vec<Record> {
    let mut all = store.read(session, 0, usize::MAX).await.unwrap();
    while let Some(Record { event: Event::RunForked(forked), .. }) = all.first() {
        let (session, through) = (forked.session.clone(), forked.through);
        let mut past = store.read(&session, 0, usize::MAX).await.unwrap();
        past.retain(|record| record.seq <= through);
        past.append(&mut all);
        all = past;
    }
    all
}

/// A file that a run says it saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Saved {
    run: String,
    path: String,
    output: String,
}

impl Saved {
    /// The file holds the run's output, whatever was done since.
    pub(crate) fn check(&self, workspace: &Path) -> Result<(), Broken> {
        let Self { run, path, output } = self;
        let file = std::fs::read_to_string(workspace.join(path)).unwrap_or_default();
        if file.trim_end() == output.trim_end() {
            return Ok(());
        }
        Err((Rule::Saved, format!("{run} says that it saved {path}, which holds\n{file}\ninstead of\n{output}")))
    }
}

/// Checks a session. Gives the files that its runs saved.
pub(crate) async fn check(seam: &Seam, session: &str) -> Result<Vec<Saved>, Broken> {
    let records = lineage(&seam.inner, session).await;
    let mut model = Model { seam, tasks: Vec::new(), run: OfRun::default(), saved: Vec::new() };
    for record in &records {
        model.take(record)?;
    }
    let Some(last) = records.last().map(|record| record.run.clone()) else { return Ok(model.saved) };
    let seen = history::lineage(seam, session).await.unwrap();
    let machine = history::machine(&seen, &last);
    let tasks: Vec<&String> = machine.ledger().tasks.iter().map(|task| &task.title).collect();
    if tasks != model.tasks.iter().collect::<Vec<_>>() {
        return Err((Rule::Tasks, format!("the run {last} has {tasks:?}, and should have {:?}", model.tasks)));
    }
    if !machine.misplaced().is_empty() {
        return Err((Rule::Belongs, format!("{:?}", machine.misplaced())));
    }
    let own: BTreeSet<&String> = records.iter().filter(|it| it.session == session).map(|it| &it.run).collect();
    for run in own {
        digests(seam, run, &records).await?;
    }
    Ok(model.saved)
}

async fn digests(seam: &Seam, run: &str, records: &[Record]) -> Result<(), Broken> {
    seam.doing(Doing::Tracing);
    let trace = history::trace_of(seam, run).await;
    seam.doing(Doing::Other);
    let trace = trace.map_err(|error| (Rule::Ends, format!("no trace of {run}: {error}")))?;
    for record in records.iter().filter(|record| record.run == run) {
        let (name, ran) = match &record.event {
            Event::HookFinished(finished) => (&finished.hook, &finished.sha256),
            Event::ToolStarted(started) => (&started.component, &started.sha256),
            Event::FlowStepped(stepped) => (&stepped.flow, &stepped.sha256),
            _ => continue,
        };
        let listed = trace.components[name]["sha256"].as_str();
        if listed != Some(ran) {
            return Err((Rule::Digests, format!("the trace of {run} lists {listed:?} for {name}, and {ran} ran")));
        }
    }
    Ok(())
}

/// What is known of a run, and of those whose past it shares.
#[derive(Default)]
struct OfRun {
    edition: Option<u64>,
    tokens: u64,
    tokens_max: Option<u64>,
    answered: BTreeSet<u32>,
    asked: BTreeMap<String, Question>,
    accepted: Vec<String>,
    /// Calls of the latest message that replace the tasks: id, titles, whether it was made.
    calls: Vec<(String, Vec<String>, bool)>,
}

struct Model<'a> {
    seam: &'a Seam,
    /// Titles of the session's tasks.
    tasks: Vec<String>,
    run: OfRun,
    saved: Vec<Saved>,
}

impl Model<'_> {
    fn take(&mut self, record: &Record) -> Result<(), Broken> {
        match &record.event {
            Event::RunStarted(start) => self.started(&record.run, start),
            Event::PromptAssembled(prompt) => return self.prompt(&record.run, prompt),
            Event::ModelCalled(called) if self.run.answered.contains(&called.turn) => {
                return Err((Rule::PaidOnce, format!("turn {} of {} is asked for again", called.turn, record.run)));
            }
            Event::ModelAnswered(answered) => return self.answered(&record.run, answered),
            Event::ToolSettled(settled) if settled.refused_by.is_none() => self.took_effect(&settled.result.id),
            Event::RequestMade(made) => {
                if let Request::Ask { question } = &made.request {
                    self.run.asked.insert(made.hash.clone(), question.clone());
                }
            }
            Event::RequestAnswered(answered) => {
                if let Some(outcome) = answered.outcome() {
                    self.decided(&answered.hash, outcome);
                }
            }
            Event::HookFinished(finished) => {
                if let Verdict::Failed { code, reason } = &finished.verdict {
                    return Err((Rule::Ends, format!("{code} in {}: {reason}", record.run)));
                }
            }
            Event::RunFinished(finished) => return self.finished(&record.run, finished),
            _ => {}
        }
        Ok(())
    }

    fn started(&mut self, run: &str, start: &RunStarted) {
        self.run =
            OfRun { edition: self.seam.edition_of(run), tokens_max: start.limits.max_tokens, ..OfRun::default() };
    }

    fn prompt(&self, run: &str, prompt: &PromptAssembled) -> Result<(), Broken> {
        let words = || prompt.system.split(|c: char| !(c.is_alphanumeric() || c == '-'));
        let shown: Vec<&str> = words().filter(|word| word.starts_with("job-")).collect();
        if shown != self.tasks {
            return Err((Rule::Tasks, format!("the prompt of {run} shows {shown:?} instead of {:?}", self.tasks)));
        }
        let Some(edition) = self.run.edition.filter(|_| prompt.system.contains(EDITION)) else { return Ok(()) };
        if prompt.system.contains(&format!("{EDITION}{edition}.")) {
            return Ok(());
        }
        Err((Rule::Texts, format!("the run {run} began with edition {edition}, and its prompt shows another")))
    }

    fn answered(&mut self, run: &str, answered: &ModelAnswered) -> Result<(), Broken> {
        let usage = &answered.answer.usage;
        self.run.answered.insert(answered.turn);
        self.run.tokens += usage.input_tokens + usage.output_tokens;
        let calls = answered.answer.calls.iter().filter(|call| call.name == TASKS);
        self.run.calls = calls.map(|call| (call.id.clone(), titles(&call.arguments), false)).collect();
        match self.run.tokens_max.filter(|most| self.run.tokens > *most) {
            Some(most) => Err((Rule::Budget, format!("{run} used {} of {most} tokens", self.run.tokens))),
            None => Ok(()),
        }
    }

    fn took_effect(&mut self, call: &str) {
        let Some((_, _, made)) = self.run.calls.iter_mut().find(|(id, ..)| id == call) else { return };
        *made = true;
        if let Some((_, titles, _)) = self.run.calls.iter().rfind(|(.., made)| *made) {
            self.tasks.clone_from(titles);
        }
    }

    fn decided(&mut self, hash: &str, outcome: &Outcome) {
        let Some(QuestionKind::Items { items, .. }) = self.run.asked.get(hash).map(|it| &it.kind) else { return };
        let Outcome::Answered(Answer::Items(decisions)) = outcome else { return };
        for decision in decisions.iter().filter(|decision| decision.choice == "accept") {
            let item = items.iter().find(|item| item.id == decision.item);
            self.run.accepted.extend(item.map(|item| item.detail.trim_end().to_owned()));
        }
    }

    fn finished(&mut self, run: &str, finished: &RunFinished) -> Result<(), Broken> {
        let Some(output) = finished.output.as_ref().filter(|_| finished.status == Status::Success) else {
            return Ok(());
        };
        for text in &self.run.accepted {
            let times = output.matches(text.as_str()).count();
            if times != 1 {
                return Err((Rule::Accepted, format!("{text:?} was accepted and stands {times} times in\n{output}")));
            }
        }
        let saved =
            finished.saved.iter().map(|path| Saved { run: run.to_owned(), path: path.clone(), output: output.clone() });
        self.saved.extend(saved);
        Ok(())
    }
}

fn titles(arguments: &str) -> Vec<String> {
    let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
    let tasks = arguments["tasks"].as_array().unwrap().iter();
    tasks.map(|task| task["title"].as_str().unwrap().to_owned()).collect()
}
