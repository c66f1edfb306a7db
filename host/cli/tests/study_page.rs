//! The page of a study: a participant with a code, over HTTP, from consent to the end.

use crate::support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use support::Home;
use support::server::{Answer, Client};

const STUDY: &str = "winter";

struct Page {
    child: Child,
    client: Client,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    fn open(home: &Home) -> Self {
        let words = ["study", "serve", STUDY, "--addr", "127.0.0.1:0", "--output", "json"];
        let mut child = home.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let address = said["listening"].as_str().unwrap().parse().unwrap();
        Self { child, client: Client { address, cookie: None } }
    }

    fn step(&self, code: &str, more: &Value) -> Answer {
        let mut body = json!({ "code": code, "elapsed_ms": 1200 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.client.post("/api/study/step", &body)
    }
}

/// What somebody who says yes to everything sends to a page.
fn answer(page: &Value) -> Value {
    match page["kind"].as_str().unwrap() {
        "consent" => json!({ "answers": { "consent": "agree" } }),
        "task" => json!({ "begin": true }),
        "work" => json!({ "answers": { "work": "What I wrote alone." } }),
        "questionnaire" => {
            let items = page["items"].as_array().unwrap();
            let answers: serde_json::Map<String, Value> =
                items.iter().map(|item| (item["id"].as_str().unwrap().to_owned(), item["scale"][1].clone())).collect();
            json!({ "answers": answers })
        }
        "question" => {
            let question = &page["question"];
            let answer = match question["kind"].as_str().unwrap() {
                "choice" => question["choices"][0]["id"].clone(),
                "text" => json!(question["suggestion"].as_str().unwrap_or("nothing")),
                _ => {
                    let options = question["options"].as_array().unwrap();
                    let plain = options.iter().find(|it| it["text_prompt"].is_null()).unwrap();
                    let items = question["items"].as_array().unwrap();
                    let decided = items.iter().map(|item| {
                        (item["id"].as_str().unwrap().to_owned(), json!({ "choice": plain["id"], "text": null }))
                    });
                    Value::Object(decided.collect())
                }
            };
            json!({ "hash": page["hash"], "answer": answer })
        }
        other => panic!("{other}: {page}"),
    }
}

#[test]
fn a_participant_does_everything_in_the_page_and_reads_no_condition() {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    home.run(&["study", "start", STUDY]).expect(0);
    let given = home.run(&["study", "codes", STUDY, "--count", "1", "--output", "json"]).expect(0).json();
    let code = given[0]["code"].as_str().unwrap().to_owned();
    let mut kinds = Vec::new();
    {
        let page = Page::open(&home);
        let html = page.client.get("/").expect(200);
        assert!(html.header("content-security-policy").unwrap().contains("default-src 'none'"));
        assert_eq!(page.step("01234-56789-ABCDE-FGHJK", &json!({})).expect(400).code(), "code.unknown");
        let mut shown = page.step(&code.to_lowercase(), &json!({})).expect(200).json();
        for turn in 0..60 {
            for name in ["agents", "\"alone\"", "bare", "condition"] {
                assert!(
                    !shown["page"].to_string().contains(name) || shown["page"]["kind"] == "question",
                    "{name}: {shown}"
                );
            }
            kinds.push(shown["page"]["kind"].as_str().unwrap().to_owned());
            if shown["page"]["kind"] == "finished" || turn == 12 {
                break;
            }
            shown = page.step(&code, &answer(&shown["page"])).expect(200).json();
        }
    }
    // The server was killed in the middle: with the same code it goes on where it was.
    let page = Page::open(&home);
    let mut shown = page.step(&code, &json!({})).expect(200).json();
    assert_eq!(Some(shown["page"]["kind"].as_str().unwrap()), kinds.last().map(String::as_str));
    for _ in 0..60 {
        if shown["page"]["kind"] == "finished" {
            break;
        }
        shown = page.step(&code, &answer(&shown["page"])).expect(200).json();
        kinds.push(shown["page"]["kind"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds.first().map(String::as_str), Some("consent"));
    assert_eq!((kinds.last().map(String::as_str), &shown["done"]), (Some("finished"), &shown["of"]));
    assert_eq!(kinds.iter().filter(|kind| *kind == "task").count(), 4, "practice and three tasks: {kinds:?}");
    // An answer to another question, or sent twice, changes nothing.
    let again = page.step(&code, &json!({ "hash": "00", "answer": "x" })).expect(200).json();
    assert_eq!(again["page"]["kind"], json!("finished"));
}

#[test]
fn a_page_elsewhere_cannot_speak_for_a_participant() {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    assert!(home.run(&["study", "serve", STUDY]).expect(2).err.contains("study.not_started"));
    home.run(&["study", "start", STUDY]).expect(0);
    let page = Page::open(&home);
    let body = json!({ "code": "x" }).to_string();
    let elsewhere = [("origin", "http://evil.example"), ("content-type", "application/json")];
    let sent = page.client.send(&page.client.request("POST", "/api/study/step", &elsewhere, Some(&body)));
    assert_eq!((sent.status, sent.code()), (403, "request.origin".to_owned()));
    let rebound = [("host", "evil.example"), ("content-type", "application/json")];
    let sent = page.client.send(&page.client.request("POST", "/api/study/step", &rebound, Some(&body)));
    assert_eq!(sent.code(), "request.host");
    assert_eq!(page.client.post("/api/study/step", &json!({ "condition": "full", "code": "x" })).status, 400);
    assert_eq!(page.client.get("/api/sessions").status, 404);
}
