//! `search`, `replay`, `fork` and `before`: what lies behind.

use serde_json::{Value, json};
use ta_runtime::replay::{self, Replayed, markdown};
use ta_runtime::surface::{About, Hit, SearchQuery};
use ta_runtime::{ForkRequest, Host, Observer as _, RuntimeError, run, sessions, standing};

use crate::args::{Args, Output};
use crate::commands::{print_json, swap, where_it_began};
use crate::exit::{self, Code};
use crate::out::outln;
use crate::people::Room;
use crate::{render, report};

type Result<T> = std::result::Result<T, RuntimeError>;

/// What is looked for, as the person typed it.
pub(crate) struct Wanted<'a> {
    pub(crate) words: &'a [String],
    pub(crate) subject: Option<&'a str>,
    pub(crate) since: Option<&'a str>,
    pub(crate) until: Option<&'a str>,
    pub(crate) plugin: Option<&'a str>,
    pub(crate) limit: usize,
}

/// Finds sessions of one owner.
pub(crate) async fn search(host: &Host, owner: &str, wanted: &Wanted<'_>) -> Result<Vec<Hit>> {
    let day = |text: Option<&str>| {
        let unfit = |why| RuntimeError::usage("search.day", why, "give a day as 2026-11-22");
        text.map(|text| sessions::day_ms(text).map_err(unfit)).transpose()
    };
    let query = SearchQuery {
        owner: owner.to_owned(),
        words: wanted.words.join(" "),
        plugin: wanted.plugin.map(ToOwned::to_owned),
        subject: wanted.subject.map(|id| About::id(id.to_owned())),
        since_ms: day(wanted.since)?.map(|(start, _)| start),
        until_ms: day(wanted.until)?.map(|(_, end)| end.saturating_sub(1)),
        limit: wanted.limit,
    };
    Ok(host.store_to_read()?.search(query).await?)
}

pub(crate) fn print_hits(hits: &[Hit], output: Output) {
    match output {
        Output::Text => render::hits(hits),
        Output::Json => print_json(&hits.iter().map(found).collect::<Vec<_>>()),
        Output::Jsonl => hits.iter().map(found).for_each(|hit| print_json(&hit)),
    }
}

fn found(hit: &Hit) -> Value {
    json!({ "session": hit.session, "snippet": hit.snippet, "rank": hit.rank })
}

/// Makes runs again. A run that came out otherwise is a failure.
pub(crate) async fn replay(host: &Host, runs: &[String], swapped: Option<&str>, output: Output) -> Result<Code> {
    if let Some(text) = swapped {
        let swapped = replay::swap(host, runs, &swap(text)?).await?;
        match output {
            Output::Text => outln!("{}", ta_runtime::surface::visible(&markdown::report(&swapped))),
            _ => print_json(&swapped),
        }
        return Ok(exit::SUCCESS);
    }
    let mut all: Vec<Replayed> = Vec::new();
    for id in runs {
        all.push(replay::replay(host, id).await?);
    }
    match (output, all.as_slice()) {
        (Output::Text, _) => all.iter().for_each(render::replayed),
        (Output::Json, [one]) => print_json(one),
        (Output::Json, _) => print_json(&all),
        (Output::Jsonl, _) => all.iter().for_each(print_json),
    }
    let diverged = all.iter().any(|run| run.divergence.is_some());
    Ok(if diverged { exit::CONFIGURATION } else { exit::SUCCESS })
}

/// Makes a fork and drives it.
pub(crate) async fn fork(host: &Host, args: &Args, request: &ForkRequest) -> Result<Code> {
    where_it_began(host, args, &request.run).await?;
    let room = Room::of(args)?;
    for file in standing::of_fork(host, request).await? {
        room.progress.notice(&file.told());
    }
    let end = run::fork(host, request, &*room.person, &*room.progress).await?;
    room.progress.quiet();
    Ok(report::end(&end, args.places.output, &host.config.workspace))
}

/// Prints a file as it was, to the byte.
pub(crate) async fn before(host: &Host, run: &str, path: &str) -> Result<Code> {
    use std::io::Write as _;
    let bytes = standing::before(host, run, path).await?;
    let mut out = std::io::stdout().lock();
    match out.write_all(&bytes).and_then(|()| out.flush()) {
        // Whoever reads it may have had enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let message = format!("standard output cannot be written: {error}");
            Err(RuntimeError::environment("output.io", message, "look at the place that it goes to"))
        }
        _ => Ok(exit::SUCCESS),
    }
}
