//! Many tabs: a thousand open streams, slow readers among them, and the others do not notice.
#![cfg(unix)]

use crate::support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::Home;
use support::server::{Client, Server};

const STREAMS: usize = 1_024;
const OF_ONE: usize = 64;

/// So many tabs, over as many sign-ins as they need.
fn signed_in(server: &mut Server, count: usize) -> Vec<Client> {
    let mut all = vec![server.single()];
    while all.len() < count {
        let link = server.next_link();
        let path = link.split_once(&server.address.to_string()).unwrap().1.to_owned();
        let cookie = server.anybody().get(&path).cookie().unwrap();
        all.push(Client { address: server.address, cookie: Some(cookie) });
    }
    all
}

/// How long a page's requests take while a run is at work: the 99th percentile of a hundred requests, in most hundreds. What
/// else the machine does is in a few of them.
fn quick(tab: &Client, session: &str, question: &Value) -> Duration {
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            tab.accept(question).expect(202);
            tab.to_the_end(session)
        });
        while !working.is_finished() || times.len() < 400 {
            for path in ["/api/me", "/api/sessions", "/api/waiting", "/"] {
                let started = Instant::now();
                tab.get(path).expect(200);
                times.push(started.elapsed());
            }
        }
        working.join().unwrap();
    });
    let mut slow: Vec<Duration> = times
        .chunks_exact(100)
        .map(|hundred| {
            let mut hundred = hundred.to_vec();
            hundred.sort();
            hundred[98]
        })
        .collect();
    slow.sort();
    slow[slow.len() / 2]
}

#[test]
fn a_thousand_streams_and_the_others_do_not_notice() {
    let home = Home::new();
    let mut server = Server::start(&home, &[]);
    let people = signed_in(&mut server, STREAMS / OF_ONE);
    let tab = people[0].clone();
    let (session, _) = tab.start("equations for 1B");
    let alone = quick(&tab, &session, &tab.question(&session));
    let (session, _) = tab.start("iteration for 3B");
    let question = tab.question(&session);
    let path = format!("/api/events?session={session}");
    let before = server.rss_kib();
    let mut streams = Vec::new();
    for person in &people {
        for _ in 0..OF_ONE {
            let stream = person.stream(&path, &[]);
            assert_eq!(stream.status, 200);
            streams.push(stream);
        }
    }
    assert_eq!(streams.len(), STREAMS);
    let over = tab.get(&path);
    assert_eq!((over.status, over.code().as_str()), (429, "stream.too_many"));

    // What happens goes to all of them, and none of them reads.
    let beside = quick(&tab, &session, &question);
    let grown = server.rss_kib().saturating_sub(before);
    eprintln!("p99 {alone:?} alone, {beside:?} beside {STREAMS} streams; {grown} KiB more");
    // On a machine that is busy with other things the page is no quicker without streams.
    let allowed = Duration::from_millis(200).max(alone * 2);
    assert!(beside < allowed, "p99 {beside:?} beside {STREAMS} streams, {alone:?} alone");
    assert!(grown < 150 * 1024, "{grown} KiB for {STREAMS} streams");

    // Whoever was slow reads everything, in order.
    let last = tab.session(&session)["last_seq"].as_u64().unwrap();
    for stream in streams.iter_mut().step_by(100) {
        let ids: Vec<u64> = stream.records_until("run.finished").iter().filter_map(|frame| frame.id).collect();
        assert_eq!(ids, (1..=last).collect::<Vec<_>>());
    }
    drop(streams);
    support::server::until("places for new streams", || (tab.stream(&path, &[]).status == 200).then_some(()));
}

#[test]
fn memory_stays_flat() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let round = || {
        let file = tab.get("/api/files/teacher.md").json();
        let text = format!("{}\n- more\n", file["text"].as_str().unwrap());
        tab.write("PUT", "/api/files/teacher.md", &json!({ "text": text, "before": file["sha256"] })).expect(200);
        let back = tab.get("/api/files/teacher.md").json();
        tab.write("PUT", "/api/files/teacher.md", &json!({ "text": file["text"], "before": back["sha256"] }))
            .expect(200);
        tab.get("/api/plugins/lesson-planning/actions/beginnings").expect(200);
        tab.stream("/api/events", &[]);
    };
    (0..100).for_each(|_| round());
    let before = server.rss_kib();
    (0..500).for_each(|_| round());
    let grown = server.rss_kib().saturating_sub(before);
    eprintln!("{grown} KiB more after 500 rounds of six requests");
    assert!(grown < 16 * 1024, "{grown} KiB");
}
