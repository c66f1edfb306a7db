//! Sessions found by words.

use std::sync::Arc;

use ta_core::event::Status;
use ta_core::question::{Answer, Outcome};

use super::{
    Outcome as Checked, Wrong, asked, decided, decision, finished, finished_with, refused, replied, same, started_for,
};
use crate::limits::SEARCH_WORDS_MAX;
use crate::search::{Hit, SearchQuery};
use crate::store::{About, Store};

/// Three sessions of one owner and one of another.
async fn fill(store: &dyn Store) -> Checked {
    let long = format!("A whole lesson. {} Loops at the end.", "Pupils work in pairs. ".repeat(40));
    for (id, owner, class, input, output, at_ms) in [
        ("s-1", "ana", "3B", "Bubble sort for 3B", "Compare neighbours and swap.", 100),
        ("s-2", "ana", "4A", "Loops: LOOPS, loops!", "Look-and-say numbers.", 200),
        ("s-3", "ana", "3B", "Variables", &long, 300),
        ("s-4", "ben", "3B", "Bubble sort and loops", "Secret of another owner.", 400),
    ] {
        let events = vec![started_for(owner, class, input), finished_with(Status::Success, output)];
        store.append(id, &format!("r-{id}"), 0, at_ms, events, vec![]).await?;
    }
    Ok(())
}

fn of(owner: &str, words: &str) -> SearchQuery {
    SearchQuery { owner: owner.into(), words: words.into(), limit: 10, ..SearchQuery::default() }
}

fn ids(hits: &[Hit]) -> String {
    hits.iter().map(|hit| hit.session.id.as_str()).collect::<Vec<_>>().join(" ")
}

async fn found(store: &dyn Store, query: SearchQuery) -> Result<String, Wrong> {
    Ok(ids(&store.search(query).await?))
}

pub(super) async fn finds_words(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    for (words, expected) in [
        ("bubble", "s-1"),
        ("BUBBLE Sort", "s-1"),
        ("sort bubble", "s-1"),
        ("neighbours", "s-1"),
        ("bubbl", ""),
        ("bubbl*", "s-1"),
        ("3b", "s-1"),
        ("look-and-say", "s-2"),
        ("say-and-look", ""),
        ("bubble neighbours", ""),
        ("secret", ""),
        ("bubble -- sort!", "s-1"),
    ] {
        same(words, &found(&*store, of("ana", words)).await?, &expected)?;
    }
    let hits = store.search(of("ana", "bubble")).await?;
    let row = store.session("s-1").await?;
    same("the session", &hits.into_iter().next().map(|hit| hit.session), &row)
}

pub(super) async fn words_are_data(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    for words in ["bubble NOT sort", "bubble OR loops", "NEAR(bubble sort)", "words:bubble", "^variables bubble"] {
        same(words, &found(&*store, of("ana", words)).await?, &"")?;
    }
    for words in ["\"bubble sort\"", "\"bubble", "bubble\" *", "'bubble'", "(bubble)", "{bubble} +sort", "bubble\0sort"]
    {
        same(words, &found(&*store, of("ana", words)).await?, &"s-1")?;
    }
    for words in ["*", "\"", "!?", "- --", "\"\" *", "…"] {
        refused(words, store.search(of("ana", words)).await, "store.bad_query")?;
    }
    let many = "loops ".repeat(SEARCH_WORDS_MAX);
    same("as many words as may be", &found(&*store, of("ana", &many)).await?, &"s-2 s-3")?;
    refused("too many words", store.search(of("ana", &(many + "loops"))).await, "store.bad_query").map(drop)
}

pub(super) async fn newest_without_words(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    same("no words", &found(&*store, of("ana", "")).await?, &"s-3 s-2 s-1")?;
    same("blank words", &found(&*store, of("ana", " \n\t")).await?, &"s-3 s-2 s-1")?;
    same("a few", &found(&*store, SearchQuery { limit: 2, ..of("ana", "") }).await?, &"s-3 s-2")?;
    let hits = store.search(of("ben", "")).await?;
    let shown: Vec<_> = hits.iter().map(|hit| (hit.snippet.as_str(), hit.rank)).collect();
    same("what is shown", &shown, &vec![("Bubble sort and loops", 0.0)])
}

pub(super) async fn keeps_owners_apart(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    same("of ana", &found(&*store, of("ana", "sort")).await?, &"s-1")?;
    same("of ben", &found(&*store, of("ben", "sort")).await?, &"s-4")?;
    for nobody in ["", "Ana", "ana' OR 1=1", "%"] {
        same("of nobody", &found(&*store, of(nobody, "sort")).await?, &"")?;
        same("of nobody, the newest", &found(&*store, of(nobody, "")).await?, &"")?;
    }
    Ok(())
}

pub(super) async fn filters(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    let about = |id: &str| Some(About::id(id.to_owned()));
    for words in ["", "loops"] {
        let query = of("ana", words);
        let third = found(&*store, SearchQuery { subject: about("3B"), since_ms: Some(200), ..query.clone() }).await?;
        same("a subject since a time", &third, &"s-3")?;
        let fourth = found(&*store, SearchQuery { subject: about("4A"), ..query.clone() }).await?;
        same("a subject", &fourth, &"s-2")?;
        let other = Some(About { kind: Some("release".into()), id: "4A".into() });
        let none = found(&*store, SearchQuery { subject: other, ..query.clone() }).await?;
        same("a subject of another kind", &none, &"")?;
        let early = found(&*store, SearchQuery { since_ms: Some(200), until_ms: Some(200), ..query.clone() }).await?;
        same("a time", &early, &"s-2")?;
        let plugin = found(&*store, SearchQuery { plugin: Some("lesson".into()), ..query.clone() }).await?;
        same("another plugin", &plugin, &"")?;
        let plugin = SearchQuery { plugin: Some("lesson-planning".into()), since_ms: Some(150), ..query };
        same("the plugin", &found(&*store, plugin).await?.split(' ').count(), &2)?;
    }
    Ok(())
}

pub(super) async fn ranks(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    // Three of three words against one of two hundred.
    let hits = store.search(of("ana", "loops")).await?;
    same("the best first", &ids(&hits), &"s-2 s-3")?;
    let ranks: Vec<f64> = hits.iter().map(|hit| hit.rank).collect();
    same("ranks in order", &ranks.is_sorted(), &true)?;
    let expected = SearchQuery { limit: 1, ..of("ana", "loops") };
    same("the best alone", &found(&*store, expected).await?, &"s-2")?;
    // The same text: the later one first.
    for (id, at_ms) in [("s-6", 600), ("s-5", 500), ("s-7", 600)] {
        store.append(id, &format!("r-{id}"), 0, at_ms, vec![started_for("ana", "3B", "Recursion")], vec![]).await?;
    }
    same("of equals the last", &found(&*store, of("ana", "recursion")).await?, &"s-7 s-6 s-5")?;
    // Several texts of a session are one hit.
    let again = vec![started_for("ana", "3B", "Recursion again"), finished(Status::Success)];
    store.append("s-5", "r-8", 1, 700, again, vec![]).await?;
    same("one hit of a session", &found(&*store, of("ana", "recursion")).await?.split(' ').count(), &3)
}

pub(super) async fn marks_snippets(store: Arc<dyn Store>) -> Checked {
    fill(&*store).await?;
    let snippet = |words: &'static str, at: usize| {
        let store = Arc::clone(&store);
        async move {
            let hits = store.search(of("ana", words)).await?;
            Ok::<_, Wrong>(hits.into_iter().nth(at).map(|hit| hit.snippet).unwrap_or_default())
        }
    };
    same("the word", &snippet("bubble", 0).await?.contains("[Bubble]"), &true)?;
    same("the beginning of a word", &snippet("vari*", 0).await?, &"[Variables]")?;
    same("side by side", &snippet("look-and-say", 0).await?.contains("[Look-and-say]"), &true)?;
    let long = snippet("loops", 1).await?;
    same("a part of a long text", &(long.contains("[Loops]") && long.chars().count() < 300), &true)?;
    same("in one line", &long.contains('\n'), &false)
}

pub(super) async fn finds_decisions(store: Arc<dyn Store>) -> Checked {
    let (question, hash) = asked("teacher-adjudication", &["starter", "plenary"]);
    let revised = decision("starter", "revise", Some("Begin with a riddle"));
    let waved = decision("plenary", "accept", None);
    let events = vec![
        started_for("ana", "3B", "Loops"),
        question,
        decided(&hash, revised.clone()),
        replied(&hash, Outcome::Answered(Answer::Items(vec![revised, waved]))),
    ];
    store.append("s-1", "r-1", 0, 10, events, vec![]).await?;
    let (question, hash) = asked("reflection-prompt", &[]);
    let written = replied(&hash, Outcome::Answered(Answer::Text("Two pupils need pictograms".into())));
    store.append("s-1", "r-1", 4, 20, vec![question, written], vec![]).await?;
    same("a decision", &found(&*store, of("ana", "riddle")).await?, &"s-1")?;
    same("an answer", &found(&*store, of("ana", "pictograms")).await?, &"s-1")?;
    store.rebuild_views().await?;
    same("made again", &found(&*store, of("ana", "riddle")).await?, &"s-1")?;
    same("nothing twice", &found(&*store, of("ana", "riddle pictograms")).await?, &"")
}
