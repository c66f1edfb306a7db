//! A run that shares the past of another and goes on differently.

use std::collections::BTreeSet;

use ta_core::definition::Agent;
use ta_core::event::{Event, RunForked, RunStarted};
use ta_core::{Record, step};
use ta_sandbox::ComponentBytes;
use ta_store::Found;
use uuid::Uuid;

use super::answering::{check_price, output_tokens};
use super::drive::RunEnd;
use super::guest_model;
use super::start::{Ready, answers_before, begun_with};
use crate::components::{self, Components, Swap};
use crate::error::RuntimeError;
use crate::fallback;
use crate::history;
use crate::host::Host;
use crate::inputs;
use crate::models::{self, Asked, Chosen, named};
use crate::observer::Observer;
use crate::person::Person;
use crate::plugin::{self, Plugin};
use crate::provided::Brought;

/// Where a fork begins and what is different.
#[derive(Debug, Clone, Default)]
pub struct ForkRequest {
    /// The run, or a session, whose latest run it is then.
    pub run: String,
    /// The last record of its session that is shared.
    pub at: u64,
    /// Another model, or another provider.
    pub asked: Asked,
    /// Components that take the place of hooks'.
    pub swaps: Vec<Swap>,
}

/// Makes the fork, in a session of its own, and drives it until it ends or is parked. The other run stays as it is, and so
/// do files that it wrote.
///
/// # Errors
/// Where there is no such run, or no such place in it.
pub async fn fork(
    host: &Host,
    request: &ForkRequest,
    person: &dyn Person,
    observer: &dyn Observer,
) -> Result<RunEnd, RuntimeError> {
    let store = host.store()?;
    let (session, run) = match store.find(&request.run).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(run) => (run.session, run.id),
    };
    let mut past = history::lineage(&*store, &session).await?;
    let chain = history::chain(&past, &run);
    let first = past.iter().find(|record| record.session == session && chain.contains(&record.run));
    let last = past.iter().rev().find(|record| record.session == session && record.run == run);
    let (first, last) = (first.map_or(0, |it| it.seq), last.map_or(0, |it| it.seq));
    if request.at < first || request.at > last {
        let message = format!("the run {run} has no record {} in its session", request.at);
        let hint = format!("give one from {first} to {last} with --at; --trace {run} shows them");
        return Err(RuntimeError::usage("fork.place", message, hint));
    }
    whole_step(&past, &session, request.at)?;
    past.retain(|record| record.session != session || record.seq <= request.at);
    let machine = history::machine(&past, &run);
    if machine.ledger().is_finished() {
        let message = format!("at record {} the run is over: there is nothing to go on with", request.at);
        return Err(RuntimeError::usage("fork.place", message, "give an earlier record with --at"));
    }
    let mut start = machine.start().clone();
    let swapped = swapped(&start.plugin, request)?;
    let answers = answers_before(&past, &run);
    let mut components = begun_with(host, &store, &start, observer).await?;
    let (plugin, added) = asked_to_answer(host, request, &start, observer).await?;
    let mut all = added.bytes.clone();
    components.add(added);
    ask_another(host, request, &mut start, (&plugin, &components, answers), observer)?;
    let mut ready = Ready::with(host, start, answers, components, observer).await?;
    for (hook, bytes) in swapped {
        let Some(pin) = ready.start.components.get(&hook).cloned() else {
            let known: Vec<&str> = ready.start.components.keys().map(String::as_str).collect();
            let message = format!("the run has no hook `{hook}`");
            return Err(RuntimeError::usage("hook.unknown", message, format!("it has: {}", known.join(", "))));
        };
        let mut source = components::source_of_pin(&ready.start.plugin, &hook, &pin, bytes.clone());
        source.pinned = None;
        let loaded = components::load(&host.sandbox, vec![source], observer).await?;
        ready.start.components.extend(loaded.pins);
        ready.components.guests.extend(loaded.guests);
        all.push(bytes);
    }
    if asks_another(&request.asked) {
        let chosen = Chosen::of(&ready.start);
        ready.start.guest_model = guest_model::choose(host, &ready.plugin, &chosen, &ready.components, observer)?;
        ready.guest_model = guest_model::open(host, ready.start.guest_model.as_ref());
    }
    let hooks: Vec<_> = ready.start.all_hooks().cloned().collect();
    components::check_points(&hooks, &ready.components)?;
    let new = Uuid::new_v4().simple().to_string();
    let fork_session = Uuid::new_v4().simple().to_string();
    let forked = RunForked { session, run, through: request.at, start: ready.start.clone() };
    let first = Event::RunForked(Box::new(forked));
    let blobs = components::for_the_journal(&*store, all).await?;
    ready.drive(host, (fork_session, new, 0), machine, (first, blobs), (person, observer)).await
}

/// A run can be shared only where a step ends: a call without its effects, or effects without their call, is no past.
fn whole_step(past: &[Record], session: &str, at: u64) -> Result<(), RuntimeError> {
    let own: Vec<Record> = past.iter().filter(|record| record.session == session).cloned().collect();
    let ends = step::ends(&own);
    if ends.contains(&at) {
        return Ok(());
    }
    let (before, after) = step::nearest(&ends, at);
    let near: Vec<String> = before.into_iter().chain(after).map(|seq| seq.to_string()).collect();
    let message = format!("record {at} lies within a step: a call and its effects are shared as a whole");
    Err(RuntimeError::usage("fork.within_step", message, format!("the nearest with --at: {}", near.join(" or "))))
}

/// Whether the calls go to another model, or elsewhere.
const fn asks_another(asked: &Asked) -> bool {
    asked.provider.is_some() || asked.model.is_some() || asked.base_url.is_some()
}

/// The plugin as it stands, and those of its providers that are asked for and that the run did not begin with.
async fn asked_to_answer(
    host: &Host,
    request: &ForkRequest,
    start: &RunStarted,
    observer: &dyn Observer,
) -> Result<(Plugin, Components), RuntimeError> {
    let store = host.store()?;
    let texts = inputs::blob(&*store, &start.plugin_sha256, "the plugin's texts").await?;
    let begun = plugin::kept(&start.plugin, &texts)?;
    let asked = [request.asked.provider.as_deref(), request.asked.fallback.as_deref().map(fallback::provider_of)];
    let new: BTreeSet<&str> =
        asked.into_iter().flatten().filter(|name| !start.components.contains_key(*name)).collect();
    let providers = models::providers(host)?;
    let new: Vec<String> = new.into_iter().filter(|name| providers.named(name).is_err()).map(Into::into).collect();
    let present = if new.is_empty() { begun } else { plugin::named(host.config.plugins.as_deref(), &start.plugin)? };
    let grants = host.grants()?;
    let entries = new.iter().filter_map(|name| present.manifest.providers.get_key_value(name));
    let sources = entries.map(|(name, entry)| components::source(&present, name, entry, None, &grants));
    let added = components::load(&host.sandbox, sources.collect::<Result<_, _>>()?, observer).await?;
    Ok((present, added))
}

/// Puts other models into a beginning, where others are asked for.
fn ask_another(
    host: &Host,
    request: &ForkRequest,
    start: &mut RunStarted,
    (plugin, components, answers): (&Plugin, &Components, usize),
    observer: &dyn Observer,
) -> Result<(), RuntimeError> {
    let (asked, providers) = (&request.asked, models::providers(host)?);
    if let Some(provider) = &asked.provider {
        named((&providers, plugin), provider, None, asked)?.begin(start);
    } else {
        start.model = asked.model.clone().unwrap_or_else(|| start.model.clone());
        if asked.base_url.is_some() {
            start.base_url = named((&providers, plugin), &start.provider, Some(&start.model), asked)?.base_url;
        }
    }
    let (budget, brought) = (start.limits.max_budget_usd, Brought::by(plugin, components));
    if asks_another(asked) {
        let chosen = Chosen::of(start);
        let opened = chosen.open(host, answers, &brought)?;
        check_price(&chosen, &opened, budget, observer)?;
        start.limits.max_output_tokens = output_tokens(&opened, budget, start.limits.max_tokens);
        start.price = opened.price;
        start.context_window = opened.window.or(start.context_window);
    }
    if asked.fallback.is_some() {
        let second = fallback::choose(host, (plugin, &Agent::default()), asked, &Chosen::of(start), observer)?;
        let second = second.map(|chosen| chosen.open(host, 0, &brought).map(|opened| (chosen, opened))).transpose()?;
        if let Some((chosen, opened)) = &second {
            check_price(chosen, opened, budget, observer)?;
        }
        start.fallback = second.map(|(chosen, opened)| fallback::kept(chosen, &opened));
    }
    Ok(())
}

/// The bytes of the components that take a hook's place.
fn swapped(plugin: &str, request: &ForkRequest) -> Result<Vec<(String, ComponentBytes)>, RuntimeError> {
    let prefix = format!("{plugin}:");
    let read = |swap: &Swap| {
        let name = swap.hook.strip_prefix(&prefix).unwrap_or(&swap.hook).to_owned();
        Ok((name, components::component_file(&swap.file)?.into()))
    };
    request.swaps.iter().map(read).collect()
}
