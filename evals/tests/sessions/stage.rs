//! Histories, played on the real runtime: each chooses what to do next from what there is.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::future::join_all;
use ta_core::event::Event;
use ta_core::{Record, step};
use ta_runtime::components::Swap;
use ta_runtime::models::Asked;
use ta_runtime::observer::Silent;
use ta_runtime::replay::replay;
use ta_runtime::undo::undo;
use ta_runtime::{ForkRequest, Host, HostConfig, RunEnd, RunRequest, RuntimeError, run};
use ta_store::{State, Store};

use super::choices::Choices;
use super::defects::Defect;
use super::guests::Places;
use super::person::Somebody;
use super::rules::{Broken, Rule, Saved, check};
use super::script::{Author, quiz};
use super::seam::{Doing, Seam};

/// Things done in one history.
const ACTIONS: usize = 9;
/// Of a hundred questions, those that a person leaves open.
const LEAVES: usize = 25;
/// One history of so many is made again from its journal at the end: that takes as long as the history.
const REPLAYED: u64 = 3;

/// How often each event, each status and each thing that befalls a run was there.
pub(crate) type Seen = BTreeMap<&'static str, usize>;

/// A host on a journal in memory, and what the histories run on.
pub(crate) struct Stage {
    host: Host,
    seam: Arc<Seam>,
    places: Places,
    _home: tempfile::TempDir,
}

/// One history under way.
struct History<'a> {
    stage: &'a Stage,
    choices: Choices,
    owner: String,
    words: u64,
    scripts: u64,
    /// What was done, for whoever has to understand a failure.
    done: Vec<String>,
    /// The last record of each session that was checked.
    checked: BTreeMap<String, u64>,
    saved: Vec<Saved>,
    /// Where a fork began that should have been refused.
    forked_within: Option<u64>,
}

impl Stage {
    pub(crate) fn new(defect: Option<Defect>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(home.path());
        let seam = Arc::new(Seam::new(defect, places.workspace.clone(), places.work.clone()));
        let config = HostConfig {
            data_dir: places.data.clone(),
            cache_dir: Some(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sessions")),
            compiler: ta_evals::torture::compiler().unwrap(),
            plugins: Some(places.plugins.clone()),
            workspace: places.workspace.clone(),
            operator: Some(places.operator.clone()),
            ..HostConfig::default()
        };
        let host = Host::on(config, Arc::clone(&seam) as Arc<dyn Store>).unwrap();
        Self { host, seam, places, _home: home }
    }

    /// Plays the history of a seed. What is broken comes with everything that was done.
    pub(crate) async fn play(&self, seed: u64) -> Result<Seen, (Rule, String)> {
        self.seam.begin(seed);
        let mut history = History {
            stage: self,
            choices: Choices::of(seed),
            owner: format!("h{seed}"),
            words: seed << 12,
            scripts: 0,
            done: Vec::new(),
            checked: BTreeMap::new(),
            saved: Vec::new(),
            forked_within: None,
        };
        let played = history.all(seed.is_multiple_of(REPLAYED)).await;
        played.map_err(|(rule, what)| {
            let done = history.done.join("\n  ");
            (rule, format!("seed {seed}, {rule:?}: {what}\nwhat was done:\n  {done}"))
        })
    }
}

impl History<'_> {
    /// Gives how often what was in the records.
    async fn all(&mut self, replayed: bool) -> Result<Seen, Broken> {
        for _ in 0..ACTIONS {
            self.act().await?;
            self.check().await?;
        }
        if let Some(at) = self.forked_within {
            return Err((Rule::Steps, format!("a fork began at {at}, within a step")));
        }
        let mut seen = Seen::new();
        for session in self.stage.seam.sessions() {
            for record in self.stage.seam.inner.read(&session, 0, usize::MAX).await.unwrap() {
                *seen.entry(record.event.name()).or_default() += 1;
                if let Event::RunFinished(finished) = &record.event {
                    *seen.entry(finished.status.name()).or_default() += 1;
                }
            }
            for row in self.stage.seam.inner.runs(&session).await.unwrap().into_iter().filter(|_| replayed) {
                let replayed = replay(&self.stage.host, &row.id).await.map_err(|it| (Rule::Replay, it.to_string()))?;
                if let Some(divergence) = replayed.divergence {
                    return Err((Rule::Replay, format!("{}: {divergence:?}", row.id)));
                }
            }
        }
        for (what, mark) in [("killed", "killed"), ("stopped", "Interrupted"), ("swapped", "swapped true")] {
            *seen.entry(what).or_default() += self.done.iter().filter(|line| line.contains(mark)).count();
        }
        Ok(seen)
    }

    /// Checks what has changed, and all files that were ever saved.
    async fn check(&mut self) -> Result<(), Broken> {
        for session in self.stage.seam.sessions() {
            let last = self.stage.seam.inner.last_seq(&session).await.unwrap();
            if self.checked.insert(session.clone(), last) != Some(last) {
                let saved = check(&self.stage.seam, &session).await?;
                self.saved.retain(|known| !saved.contains(known));
                self.saved.extend(saved);
            }
        }
        self.saved.iter().try_for_each(|saved| saved.check(&self.stage.places.workspace))
    }

    async fn act(&mut self) -> Result<(), Broken> {
        let sessions = self.stage.seam.sessions();
        if sessions.is_empty() || self.choices.percent(10) {
            return self.begin().await;
        }
        if self.choices.percent(10) {
            let edition = self.stage.seam.edition.fetch_add(1, Ordering::Relaxed) + 1;
            self.stage.places.edit(edition);
            self.done.push(format!("the agents' texts become edition {edition}"));
            return Ok(());
        }
        // One of them is gone on with more often, so that it comes to a third run.
        let session = if self.choices.percent(50) { &sessions[0] } else { self.choices.one_of(&sessions) }.clone();
        let row = self.stage.seam.inner.session(&session).await.unwrap().unwrap();
        let number = sessions.iter().position(|it| *it == session).unwrap();
        match (row.state, self.choices.below(20)) {
            (_, 0..2) => self.undo(&session, number).await,
            (_, 2..6) => self.fork(&session, number, &row.plugin).await,
            (State::Finished, _) => {
                let topic = self.topic();
                let request = self.request(&row.plugin, topic, Some(session));
                self.done.push(format!("session {number}: another run, {}", request.input));
                let person = self.somebody(LEAVES);
                self.stage.seam.doing(Doing::Starting);
                let (host, choice) = (&self.stage.host, self.kill());
                let end = self.stage.killable(choice, run::start(host, &request, &person, &Silent)).await;
                self.over(end)
            }
            (State::Running | State::Parked, _) => self.resume(&session, &row.last_run, number).await,
        }
    }

    async fn begin(&mut self) -> Result<(), Broken> {
        let quiz = self.choices.percent(15);
        let at_once = if self.choices.percent(40) { 2 + self.choices.below(3) } else { 1 };
        let mut requests = Vec::new();
        let topic = self.topic();
        for _ in 0..at_once {
            let person = self.somebody(LEAVES / 3);
            let plugin = if quiz { "quiz" } else { "work" };
            requests.push((self.request(plugin, topic.clone(), None), person));
        }
        let inputs: Vec<&str> = requests.iter().map(|(request, _)| request.input.as_str()).collect();
        self.done.push(format!("{at_once} at once begin: {inputs:?}"));
        let kill = if at_once == 1 { self.kill() } else { None };
        let host = &self.stage.host;
        self.stage.seam.doing(Doing::Starting);
        let started = requests.iter().map(|(request, person)| run::start(host, request, person, &Silent));
        let ends = self.stage.killable(kill, join_all(started)).await;
        match ends {
            Some(ends) => ends.into_iter().try_for_each(|end| self.over(Some(end))),
            None => self.over(None),
        }
    }

    async fn resume(&mut self, session: &str, last_run: &str, number: usize) -> Result<(), Broken> {
        if self.choices.percent(30) {
            // As the server does when it begins.
            let parked = run::stopped(&*self.stage.seam, session, last_run).await;
            parked.map_err(|error| (Rule::Ends, error.to_string()))?;
        }
        self.done.push(format!("session {number}: resumed"));
        let (person, kill) = (self.somebody(LEAVES), self.kill());
        let host = &self.stage.host;
        let end = self.stage.killable(kill, run::resume(host, session, &self.owner, &person, &Silent)).await;
        self.over(end)
    }

    /// Forks a run of the session, nearly always where a step ends.
    async fn fork(&mut self, session: &str, number: usize, plugin: &str) -> Result<(), Broken> {
        let records = self.stage.seam.inner.read(session, 0, usize::MAX).await.unwrap();
        let within = self.choices.percent(25);
        let swapped = plugin == "work" && self.choices.percent(30);
        let mut places = places(&records, within);
        if swapped {
            // Only there the other component has something to do.
            let drawn = |it: &Record| matches!(&it.event, Event::HookFinished(finished) if finished.hook == "draw");
            places.retain(|(run, at)| !records.iter().any(|it| it.run == *run && it.seq <= *at && drawn(it)));
        }
        if places.is_empty() {
            return Ok(());
        }
        let (run, at) = self.choices.one_of(&places).clone();
        let swap = Swap { hook: "work:draw".into(), file: self.stage.places.other_draw.clone() };
        let swaps = if swapped { vec![swap] } else { Vec::new() };
        self.done.push(format!("session {number}: forked at {at}, swapped {swapped}, within a step {within}"));
        let request = ForkRequest { run, at, swaps, ..ForkRequest::default() };
        let end = self.forked(session, &request).await;
        match end {
            Some(Err(error)) if within && error.code == "fork.within_step" => Ok(()),
            end => {
                if within {
                    // What it loses may be seen later, and says more.
                    self.forked_within = end.is_some().then_some(request.at);
                }
                self.over(end)
            }
        }
    }

    async fn forked(&mut self, session: &str, request: &ForkRequest) -> Option<Result<RunEnd, RuntimeError>> {
        let (person, kill) = (self.somebody(LEAVES), self.kill());
        let host = &self.stage.host;
        self.stage.seam.doing(Doing::Forking(session.to_owned(), request.at));
        self.stage.killable(kill, run::fork(host, request, &person, &Silent)).await
    }

    async fn undo(&mut self, session: &str, number: usize) -> Result<(), Broken> {
        match undo(&self.stage.host, session, &self.owner).await {
            Err(error) if error.code == "undo.nothing" => Ok(()),
            Err(error) => Err((Rule::Ends, error.to_string())),
            Ok(undone) => {
                self.done.push(format!("session {number}: the answer to {:?} is taken back", undone.question));
                let request = ForkRequest { run: undone.run, at: undone.at, ..ForkRequest::default() };
                let of = self.stage.seam.inner.run(&request.run).await.unwrap().unwrap().session;
                let end = self.forked(&of, &request).await;
                self.over(end)
            }
        }
    }

    /// Few names, so that outputs come in each other's way.
    fn topic(&mut self) -> String {
        format!("{} {}", self.choices.one_of(&["Sums", "Loops"]), self.owner)
    }

    fn request(&mut self, plugin: &str, topic: String, session: Option<String>) -> RunRequest {
        let script = match plugin {
            "quiz" => quiz(),
            _ => Author { choices: &mut self.choices, words: &mut self.words }.work(&topic, session.is_some()),
        };
        self.scripts += 1;
        let path = self.stage.places.scripts.join(format!("{}-{}.json", self.owner, self.scripts));
        std::fs::write(&path, script.to_string()).unwrap();
        let tokens = 12_000 + self.choices.next() % 12_000;
        RunRequest {
            plugin: plugin.into(),
            command: if plugin == "quiz" { "play" } else { "make" }.into(),
            input: topic,
            session,
            asked: Asked { provider: Some("script".into()), script: Some(path), ..Asked::default() },
            max_tokens: self.choices.percent(25).then_some(tokens),
            owner: Some(self.owner.clone()),
            ..RunRequest::default()
        }
    }

    fn somebody(&mut self, leaves: usize) -> Somebody {
        Somebody::of(self.choices.next(), leaves)
    }

    /// After how many appends the process is killed, where it is.
    fn kill(&mut self) -> Option<i64> {
        let after = i64::try_from(self.choices.below(25)).unwrap();
        self.choices.percent(25).then_some(after)
    }

    fn over(&mut self, end: Option<Result<RunEnd, RuntimeError>>) -> Result<(), Broken> {
        match end {
            None => self.done.push("  … and killed".into()),
            Some(Ok(end)) => {
                self.done.push(format!("  … {:?}, saved {:?}, run {}", end.ended, end.saved, end.run));
                if let run::Ended::Provider(error) = end.ended {
                    return Err((Rule::Ends, format!("the script: {}", error.message)));
                }
            }
            Some(Err(error)) => return Err((Rule::Ends, format!("{}: {error}", error.code))),
        }
        Ok(())
    }
}

impl Stage {
    /// Goes on until it is over or killed; then everything that it held is gone.
    async fn killable<T>(&self, kill: Option<i64>, going: impl Future<Output = T>) -> Option<T> {
        self.seam.kill_after(kill);
        let end = tokio::select! {
            biased;
            end = going => Some(end),
            () = self.seam.killed() => None,
        };
        self.seam.kill_after(None);
        self.seam.doing(Doing::Other);
        match end {
            Some(_) => self.seam.flush().await,
            None => self.seam.open_again().await,
        }
        end
    }
}

/// Where runs of a session may be forked: the run, and the record. Or, where they may not.
fn places(records: &[Record], within: bool) -> Vec<(String, u64)> {
    let ends = step::ends(records);
    let fit = |it: &&Record| !matches!(it.event, Event::RunFinished(_)) && ends.contains(&it.seq) != within;
    let fit: Vec<&Record> = records.iter().filter(fit).collect();
    // Of those within a step, the ones that would lose something.
    let before_effect = |it: &&Record| {
        let next = records.iter().find(|next| next.seq == it.seq + 1);
        next.is_some_and(|next| matches!(next.event, Event::TasksReplaced(_)))
    };
    let losing: Vec<&Record> = fit.iter().copied().filter(before_effect).collect();
    let places = if losing.is_empty() { fit } else { losing };
    places.into_iter().map(|record| (record.run.clone(), record.seq)).collect()
}
