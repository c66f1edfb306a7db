//! Over a real connection to this machine: what is sent, what comes back in pieces, and what goes wrong below HTTP.

use crate::stage;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use stage::{CANARY, Shown, keys, prices, request};
use ta_core::model::Model;
use ta_models::transport::RealTime;
use ta_models::{Connection, HttpClients, Provider, Timing};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Answers one connection after the other with raw bytes, piece by piece, and gives back what it was sent.
async fn server(answers: Vec<Vec<Vec<u8>>>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut text = String::new();
            let mut buffer = [0; 4096];
            while !complete(&text) {
                let read = stream.read(&mut buffer).await.unwrap();
                text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
            }
            requests.push(text);
            for piece in answer {
                stream.write_all(&piece).await.unwrap();
                stream.flush().await.unwrap();
                tokio::task::yield_now().await;
            }
        }
        requests
    });
    (base, served)
}

fn complete(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const FIRST: &str =
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Loops\"}}\n\n";
const LAST: &str = "data: {\"type\":\"message_stop\"}\n\n";

fn anthropic(base: &str) -> Connection {
    let connection = Connection::open(
        &HttpClients::default(),
        Provider::shipped("anthropic").unwrap(),
        "",
        Some(base),
        &keys("anthropic"),
        prices(),
    )
    .unwrap();
    let timing = Timing { pauses: vec![Duration::ZERO; 3], ..Timing::default() };
    connection.timed(timing, Arc::new(RealTime))
}

#[tokio::test]
async fn the_key_goes_into_its_header_and_the_answer_comes_in_pieces() {
    let (first, rest) = FIRST.split_at(40);
    let answer = vec![HEAD.to_vec(), chunk(first), chunk(rest), chunk(LAST), b"0\r\n\r\n".to_vec()];
    let (base, served) = server(vec![answer]).await;
    let shown = Shown::default();
    let answer = anthropic(&format!("{base}/v1/")).stream(&request(), &shown).await.unwrap();
    assert_eq!(answer.text, "Loops");
    // The last letter could begin the key, and waits until it is decided.
    assert_eq!(*shown.0.lock().unwrap(), ["+Loop", "+s"]);
    let sent = served.await.unwrap().remove(0);
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("x-api-key: {CANARY}")) && head.contains("anthropic-version: 2023-06-01"), "{head}");
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!((&body["stream"], &body["model"]), (&true.into(), &"claude-sonnet-4-6".into()));
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_is_made_again() {
    let cut = vec![HEAD.to_vec(), chunk(FIRST)];
    let whole = vec![HEAD.to_vec(), chunk(FIRST), chunk(LAST), b"0\r\n\r\n".to_vec()];
    let (base, served) = server(vec![cut.clone(), whole]).await;
    let shown = Shown::default();
    let answer = anthropic(&base).stream(&request(), &shown).await.unwrap();
    assert_eq!(answer.text, "Loops", "never spliced");
    assert_eq!(served.await.unwrap().len(), 2);
    assert_eq!(shown.0.lock().unwrap().iter().filter(|it| *it == "<").count(), 1);

    let (base, served) = server(vec![cut.clone(), cut]).await;
    let error = anthropic(&base).complete(&request()).await.unwrap_err();
    assert_eq!((error.code.as_str(), served.await.unwrap().len()), ("model.stream_cut", 2));
}

#[tokio::test]
async fn where_nobody_listens_the_host_is_named_and_the_key_is_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = anthropic(&format!("http://{address}")).complete(&request()).await.unwrap_err();
    assert_eq!(error.code, "model.connect");
    assert!(error.message.starts_with(&format!("No connection to {address}")), "{}", error.message);
    assert!(!format!("{error:?}").contains(CANARY));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let answer =
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n".to_vec();
    let (base, _served) = server(vec![vec![answer]]).await;
    let error = anthropic(&base).complete(&request()).await.unwrap_err();
    assert_eq!(error.code, "model.base_url");
}

#[tokio::test]
async fn bytes_that_are_no_http_are_a_connection_that_failed() {
    let answers = vec![vec![b"220 mail.example.org ready\r\n".to_vec()]; 4];
    let (base, _served) = server(answers).await;
    let error = anthropic(&base).complete(&request()).await.unwrap_err();
    assert_eq!(error.code, "model.connect");
    assert!(error.message.contains("answered something that is no HTTP"), "{}", error.message);
    assert!(error.hint.starts_with("Check the base URL"), "{}", error.hint);
}

#[tokio::test]
async fn a_connection_that_is_closed_before_an_answer_was_one() {
    let (base, served) = server(vec![vec![]; 4]).await;
    let error = anthropic(&base).complete(&request()).await.unwrap_err();
    assert_eq!((error.code.as_str(), served.await.unwrap().len()), ("model.connect", 4));
    let host = base.trim_start_matches("http://");
    assert!(
        error.message.starts_with(&format!("{host} closed the connection before it answered")),
        "{}",
        error.message
    );
}

/// Answers any number of requests, each as soon as it is whole; what ends a body comes a moment after the answer in it.
/// Gives the number of connections that were made.
async fn slow_to_end() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                let (mut text, mut buffer) = (String::new(), [0; 4096]);
                while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                    text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
                    if complete(&text) {
                        text.clear();
                        let answer = [HEAD, &chunk(FIRST), &chunk(LAST)].concat();
                        stream.write_all(&answer).await.unwrap();
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        stream.write_all(b"0\r\n\r\n").await.unwrap();
                    }
                }
            });
        }
    });
    (base, connections)
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_call_and_for_the_next_run() {
    let (base, connections) = slow_to_end().await;
    let http_clients = HttpClients::default();
    for _ in 0..3 {
        let run = Connection::open(
            &http_clients,
            Provider::shipped("anthropic").unwrap(),
            "",
            Some(&base),
            &keys("anthropic"),
            prices(),
        )
        .unwrap();
        for _ in 0..2 {
            assert_eq!(run.complete(&request()).await.unwrap().text, "Loops");
            // A turn of a run takes longer than this: its tools run, and the journal is written.
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}
