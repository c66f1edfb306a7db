//! The chain of a session: it holds whatever is appended, and nothing can be changed, moved or left out unseen.

use std::sync::Arc;

use super::{Outcome, Wrong, called, finished, same, started};
use crate::chain::{Body, Chain, Hash, Stored, Why, verify_chain};
use crate::store::Store;
use ta_core::event::Status;

/// A session of six records.
async fn fill(store: &dyn Store) -> Result<Vec<Stored>, Wrong> {
    store.append("s-1", "r-1", 0, 10, vec![started("p", "c", "Loops"), called(1)], vec![]).await?;
    store.append("s-2", "r-2", 0, 11, vec![started("p", "c", "Loops")], vec![]).await?;
    store.append("s-1", "r-1", 2, 12, vec![finished(Status::Success)], vec![]).await?;
    let again = vec![started("p", "c", "Loops"), called(1), finished(Status::Success)];
    store.append("s-1", "r-3", 3, 13, again, vec![]).await?;
    Ok(store.stored("s-1", 0, 100).await?)
}

pub(super) async fn holds(store: Arc<dyn Store>) -> Outcome {
    let stored = fill(&*store).await?;
    let read = store.read("s-1", 0, 100).await?;
    let headers = stored.iter().map(|it| {
        let header = &it.header;
        (header.session.as_str(), header.seq, header.run.as_str(), header.at_ms, header.kind.as_str())
    });
    let expected = read
        .iter()
        .map(|record| (record.session.as_str(), record.seq, record.run.as_str(), record.at_ms, record.event.name()));
    same("headers say which records they are of", &headers.collect::<Vec<_>>(), &expected.collect::<Vec<_>>())?;
    same("a page", &store.stored("s-1", 4, 1).await?, &stored.get(4..5).unwrap_or_default().to_vec())?;
    same("of no session", &store.stored("s-9", 0, 100).await?, &Vec::new())?;
    let mut previous = Hash::NONE;
    for record in &stored {
        same("the hash of the header before it", &record.header.previous, &previous)?;
        let commitment = record.body.as_ref().map(Body::commitment);
        same("what its body fits", &commitment, &Some(record.header.commitment))?;
        previous = record.header.hash();
    }
    let mut salts: Vec<_> = stored.iter().filter_map(|record| record.body.as_ref()).map(|body| body.salt).collect();
    salts.sort_unstable();
    salts.dedup();
    same("salts", &salts.len(), &stored.len())?;
    for session in ["s-1", "s-2", "s-9"] {
        same("the chain", &verify_chain(&*store, session).await?, &Vec::new())?;
    }
    Ok(())
}

/// What is found in these records.
fn found(records: &[Stored]) -> Vec<(u64, Why)> {
    let mut chain = Chain::default();
    records.iter().for_each(|record| chain.next(record));
    chain.end().into_iter().map(|broken| (broken.seq, broken.why)).collect()
}

type Change = fn(&mut Vec<Stored>);
type Case = (&'static str, Change, &'static [(u64, Why)]);

/// What somebody could do to stored records, and where it has to be found.
const CHANGES: &[Case] = &[
    ("nothing", |_| {}, &[]),
    ("a body is changed", |all| all.iter_mut().skip(2).take(1).for_each(word), &[(3, Why::Body)]),
    ("the last body is changed", |all| all.iter_mut().skip(5).for_each(word), &[(6, Why::Body)]),
    ("a body is taken away", |all| all.iter_mut().skip(2).take(1).for_each(|it| it.body = None), &[(3, Why::NoBody)]),
    (
        "all bodies are taken away",
        |all| all.iter_mut().for_each(|it| it.body = None),
        &[(1, Why::NoBody), (2, Why::NoBody), (3, Why::NoBody), (4, Why::NoBody), (5, Why::NoBody), (6, Why::NoBody)],
    ),
    // With its salt, so that it fits its commitment: the type in the header tells.
    (
        "a body takes another's place",
        |all| swap_bodies(all, true),
        &[(2, Why::Kind), (3, Why::Previous), (3, Why::Kind), (4, Why::Previous)],
    ),
    ("two bodies are exchanged", |all| swap_bodies(all, false), &[(2, Why::Body), (3, Why::Body)]),
    ("two records are exchanged", |all| all.swap(1, 2), &[(3, Why::Gap), (2, Why::Gap), (4, Why::Gap)]),
    (
        "two records are exchanged and numbered anew",
        |all| renumbered(all, |all| all.swap(1, 2)),
        &[(2, Why::Previous), (3, Why::Previous), (4, Why::Previous)],
    ),
    ("a record is left out", |all| drop(all.remove(2)), &[(4, Why::Gap)]),
    (
        "a record is left out and the others numbered anew",
        |all| renumbered(all, |all| drop(all.remove(2))),
        &[(3, Why::Previous), (4, Why::Previous), (5, Why::Previous)],
    ),
    ("the first record is left out", |all| drop(all.remove(0)), &[(2, Why::Gap)]),
    ("a record stands twice", |all| all.extend(all.first().cloned()), &[(1, Why::Gap)]),
    ("a time is changed", |all| all.iter_mut().take(1).for_each(|it| it.header.at_ms += 1), &[(2, Why::Previous)]),
    ("a run is changed", |all| all.iter_mut().take(1).for_each(|it| it.header.run.push('x')), &[(2, Why::Previous)]),
    (
        "a session is changed",
        |all| all.iter_mut().take(1).for_each(|it| it.header.session.push('x')),
        &[(2, Why::Previous)],
    ),
    (
        "a body is changed and its commitment with it",
        |all| all.iter_mut().skip(2).take(1).for_each(committed),
        &[(4, Why::Previous)],
    ),
];

/// Changes a word of a body, and nothing that a reader of events would stumble over.
fn word(record: &mut Stored) {
    if let Some(body) = &mut record.body {
        body.json = body.json.replace("success", "error_max_turns");
        body.json.push(' ');
    }
}

fn committed(record: &mut Stored) {
    word(record);
    record.header.commitment = record.body.as_ref().map_or(Hash::NONE, Body::commitment);
}

/// Exchanges the bodies of the second and the third record, and their commitments too.
fn swap_bodies(all: &mut [Stored], with_commitments: bool) {
    if let [_, second, third, ..] = all {
        std::mem::swap(&mut second.body, &mut third.body);
        if with_commitments {
            std::mem::swap(&mut second.header.commitment, &mut third.header.commitment);
        }
    }
}

fn renumbered(all: &mut Vec<Stored>, change: Change) {
    change(all);
    (1..).zip(all).for_each(|(seq, record)| record.header.seq = seq);
}

pub(super) async fn tells(store: Arc<dyn Store>) -> Outcome {
    let stored = fill(&*store).await?;
    for (what, change, expected) in CHANGES {
        let mut changed = stored.clone();
        change(&mut changed);
        let (mut found, mut expected) = (found(&changed), expected.to_vec());
        found.sort_by_key(|(seq, why)| (*seq, format!("{why:?}")));
        expected.sort_by_key(|(seq, why)| (*seq, format!("{why:?}")));
        same(what, &found, &expected)?;
    }
    Ok(())
}
