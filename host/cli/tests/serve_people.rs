//! Several people on one server: passcodes, roles, and whose data are whose.
#![cfg(unix)]

use crate::support;

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use support::Home;
use support::server::{Client, Server};

const PASSCODE: &str = "four quiet words here";

fn add(home: &Home, name: &str, roles: &[&str]) {
    let mut arguments = vec!["people", "add", name];
    roles.iter().for_each(|role| arguments.extend(["--role", role]));
    typing(home, &arguments, &passcode(name));
}

/// Calls the program with a passcode on standard input.
fn typing(home: &Home, arguments: &[&str], passcode: &str) {
    let mut child = home.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{passcode}\n").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

fn passcode(name: &str) -> String {
    format!("{PASSCODE} {name}")
}

fn serve(home: &Home) -> Server {
    Server::start(home, &[])
}

#[test]
fn what_one_teacher_has_is_nothing_to_another() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    add(&home, "ben", &["teacher"]);
    let server = serve(&home);
    assert_eq!(server.link, None);
    let (ana, ben) = (server.person("ana", &passcode("ana")), server.person("ben", &passcode("ben")));
    assert_eq!(ana.get("/api/me").json()["owner"], "ana");
    let (session, run) = ana.start("iteration for 3B");
    let question = ana.question(&session);
    let text = json!({ "text": "- Ana's own note\n", "before": null });
    let note = ana.write("PUT", "/api/memory/MEMORY.md", &text).expect(200).json();

    assert_eq!(ben.get("/api/sessions").json()["sessions"], json!([]));
    assert_eq!(ben.get("/api/sessions?q=iteration").json()["sessions"], json!([]));
    assert_eq!(ben.get("/api/waiting").json(), json!([]));
    assert_eq!(ben.get("/api/memory").json(), json!([]));
    assert_eq!(ben.get("/api/memory-audit").json(), json!([]));
    // Every route with an id in it, from the description of the API: another's is not told apart from none.
    let api = ben.get("/api/openapi.json").json();
    let mut tried = 0;
    for (path, item) in api["paths"].as_object().unwrap() {
        let of_one = path.contains("{id}") || path.contains("{run}");
        for method in item.as_object().unwrap().keys().filter(|_| of_one && !path.contains("/research/")) {
            let path = path.replace("{id}", &session).replace("{run}", &run);
            let none = path.replace(&session, "0123").replace(&run, "0123");
            let export = if path.ends_with("export") { "?form=md" } else { "" };
            let body = match (method.as_str(), path.rsplit('/').next().unwrap()) {
                ("patch", _) => json!({ "title": "mine now" }),
                (_, "fork") => json!({ "at": 1 }),
                (_, "answers") => Client::accepting(&question),
                (_, "say") => json!({ "text": "mine now", "after": 1 }),
                (_, "observations") => json!({ "observations": [{ "name": "mine", "data": 1 }] }),
                _ => json!({}),
            };
            let ask = |path: &str| match method.as_str() {
                "get" => ben.get(&format!("{path}{export}")),
                method => ben.write(&method.to_uppercase(), path, &body),
            };
            let (answer, same) = (ask(&path), ask(&none));
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (404, "store.not_found"),
                "{method} {path}: {}",
                answer.body
            );
            assert_eq!(answer.body, same.body, "{method} {path}");
            tried += 1;
        }
    }
    assert!(tried >= 12, "{tried}");
    assert_eq!(ben.get(&format!("/api/events?session={session}")).status, 404);
    let into =
        json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "3B loops", "session": session });
    assert_eq!(ben.post("/api/runs", &into).status, 404);
    assert_eq!(ben.write("DELETE", "/api/memory/MEMORY.md", &json!({ "before": note["sha256"] })).status, 404);
    // What one is told as it happens is not told to the other.
    let mut stream = ben.stream("/api/events", &[]);
    ana.to_the_end(&session);
    let (own, _) = ben.start("equations for 1B");
    ben.question(&own);
    while let Some(frame) = stream.next() {
        assert!(!frame.data.to_string().contains(&session), "{frame:?}");
        if frame.event == "waiting" && frame.data["count"] == 1 {
            break;
        }
    }
    // An idempotency key is its sender's.
    let new = json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "iteration for 3B" });
    let first = ana.keyed("POST", "/api/runs", &new, "same").expect(202).json();
    assert_ne!(ben.keyed("POST", "/api/runs", &new, "same").expect(202).json(), first);
}

#[test]
fn researchers_see_runs_and_nobody() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    add(&home, "ben", &["teacher"]);
    add(&home, "rae", &["researcher"]);
    let server = serve(&home);
    let (ana, ben, rae) = (
        server.person("ana", &passcode("ana")),
        server.person("ben", &passcode("ben")),
        server.person("rae", &passcode("rae")),
    );
    let api = rae.get("/api/openapi.json").json();
    for path in api["paths"].as_object().unwrap().keys().filter(|path| api["paths"][*path].get("get").is_some()) {
        let open = ["/api/me", "/api/me/sign-ins", "/api/sign-in", "/api/openapi.json"].contains(&path.as_str());
        let (refused, of) = match path.as_str() {
            path if path.contains("/research/") => (&ana, "researcher"),
            path if path.starts_with("/api/people") => (&rae, "operator"),
            _ => (&rae, "teacher"),
        };
        let answer = refused.get(&path.replace(['{', '}'], ""));
        if !open {
            assert_eq!((answer.status, answer.code().as_str()), (403, "auth.role"), "{path}");
            assert!(answer.json()["message"].as_str().unwrap().contains(of));
        }
    }
    let (session, run) = ana.start("iteration for 3B");
    ana.to_the_end(&session);
    ben.start("iteration for 3B");
    assert_eq!(rae.get("/api/research/runs").json()["runs"], json!([]), "nobody agreed yet");
    assert_eq!(rae.get(&format!("/api/research/runs/{run}/trace")).status, 404);
    ana.write("PUT", "/api/me/research", &json!({ "research": true })).expect(204);
    let runs = rae.get("/api/research/runs").expect(200).json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "{runs}");
    let row = &runs["runs"][0];
    assert!(row["owner_alias"].as_str().unwrap().starts_with("owner-"));
    assert_eq!((row["id"].as_str(), row["subject"]["id"].as_str()), (Some(run.as_str()), Some("3B")));
    assert!(row["hooks"]["scope-check"]["pass"].as_u64() >= Some(1), "{row}");
    let workspace = home.workspace().display().to_string();
    for path in ["trace", "journal"] {
        let body = rae.get(&format!("/api/research/runs/{run}/{path}")).expect(200).body;
        assert!(!body.contains("\"ana\"") && !body.contains(&workspace), "{path} names the teacher");
        assert!(body.len() > 10_000);
    }
    let again = rae.post(&format!("/api/research/runs/{run}/replay"), &json!({})).expect(200).json();
    assert_eq!(again["divergence"], Value::Null);
    let component = json!({ "swap": { "hook": "scope-check", "component": "scope-check-other" } });
    let replay = format!("/api/research/runs/{run}/replay");
    assert_eq!(rae.post(&replay, &component).code(), "component.unknown");
    assert_eq!(
        rae.post(&replay, &json!({ "swap": { "hook": "scope-check", "component": "../../x" } })).code(),
        "component.unknown"
    );
    std::fs::create_dir_all(home.path("data/swaps")).unwrap();
    std::fs::copy(support::component("scope-check"), home.path("data/swaps/scope-check-other.wasm")).unwrap();
    let listed = rae.get("/api/research/components").expect(200).json();
    assert_eq!(
        (&listed[0]["id"], &listed[0]["hook"]),
        (&json!("scope-check-other"), &json!("scope-check")),
        "{listed}"
    );
    assert!(listed[0]["points"].as_array().is_some_and(|points| !points.is_empty()), "{listed}");
    let swapped = rae.post(&replay, &component).expect(200).json();
    assert_eq!(swapped["hook"], "scope-check", "{swapped}");
    ana.write("PUT", "/api/me/research", &json!({ "research": false })).expect(204);
    assert_eq!(rae.get("/api/research/runs").json()["runs"], json!([]));
}

#[test]
fn guessing_is_slow_and_a_cookie_ends() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    add(&home, "ben", &["teacher"]);
    let server = serve(&home);
    let anybody = server.anybody();
    let guess = |name: &str, word: &str| anybody.post("/api/sign-in", &json!({ "name": name, "passcode": word }));
    let (mut wrong, mut throttled) = (0, 0);
    let begun = std::time::Instant::now();
    for number in 0..200 {
        let answer = guess("ana", &format!("guess number {number}"));
        match answer.status {
            401 => wrong += 1,
            429 => {
                assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
                throttled += 1;
            }
            other => panic!("{other} {}", answer.body),
        }
    }
    // Five at once, then one each time that twice as long has gone by, however slow the machine is.
    let most = 6 + (begun.elapsed().as_secs() + 1).ilog2();
    assert!(wrong <= most && wrong + throttled == 200, "{wrong} were looked at, {throttled} not");
    assert_eq!(guess("ana", &passcode("ana")).status, 429, "the right one waits as well");
    // Others come in, a name that does not exist is told the same, and one person's passcode is not another's.
    let ben = server.person("ben", &passcode("ben"));
    assert_eq!(guess("nobody", &passcode("ben")).body, guess("ben", &passcode("ana")).body);
    assert_eq!(anybody.post("/api/sign-in", &json!({ "passcode": "x" })).status, 401);

    assert_eq!(ben.get("/api/me").status, 200);
    let twice = Client { cookie: Some(format!("{}; ta_session=other", ben.cookie.as_deref().unwrap())), ..ben.clone() };
    assert_eq!(twice.get("/api/me").status, 401, "of two cookies one was put there by somebody else");
    let mut stream = ben.stream("/api/events", &[]);
    let out = ben.post("/api/sign-out", &json!({})).expect(204);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(ben.get("/api/me").status, 401);
    assert_eq!(stream.status, 200);
    assert_eq!(stream.next(), None, "a stream ends with its sign-in");
    let people = std::fs::read_to_string(home.path("data/people.json")).unwrap();
    assert!(people.contains("$argon2id$") && !people.contains(PASSCODE));
    for file in ["people.json", "sign-ins.json", "pseudonyms.key"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(home.path("data").join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

#[test]
fn the_link_works_once() {
    let home = Home::new();
    let mut server = serve(&home);
    let path = server.link.clone().unwrap().split_once(&server.address.to_string()).unwrap().1.to_owned();
    let anybody = server.anybody();
    assert_eq!(anybody.get("/sign-in?token=0123").header("location"), Some("/sign-in?problem=wrong"));
    let tab = server.single();
    let cookie = anybody.get("/sign-in?token=0123");
    assert_eq!(cookie.cookie(), None);
    let used = anybody.get(&path);
    assert_eq!((used.status, used.header("location"), used.cookie()), (303, Some("/sign-in?problem=used"), None));
    assert_eq!(tab.get(&path).header("location"), Some("/"), "whoever is in goes to the page");
    assert_eq!(anybody.post("/api/sign-in", &json!({ "passcode": "x" })).code(), "auth.wrong");
    let next = server.next_link();
    let next = next.split_once(&server.address.to_string()).unwrap().1.to_owned();
    assert!(anybody.get(&next).cookie().is_some(), "another browser has a link of its own");
    let cookie = anybody.get("/api/me").header("set-cookie").map(ToOwned::to_owned);
    assert_eq!(cookie, None);
}

#[test]
fn the_cookie_is_for_this_server_alone() {
    let home = Home::new();
    let server = Server::start(&home, &["--https", "--host-name", "plans.example"]);
    let link = server.link.clone().unwrap();
    assert!(link.starts_with("https://plans.example/sign-in?token="), "{link}");
    let anybody = server.anybody();
    let path = link.trim_start_matches("https://plans.example");
    let answer = anybody.send(&anybody.request("GET", path, &[("host", "plans.example")], None));
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
}

#[test]
fn who_is_added_under_a_removed_name_inherits_nothing() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    add(&home, "ben", &["teacher"]);
    let server = serve(&home);
    let ana = server.person("ana", &passcode("ana"));
    let (session, _) = ana.start("iteration for 3B");
    ana.question(&session);
    ana.write("PUT", "/api/memory/MEMORY.md", &json!({ "text": "- Ana's own note\n", "before": null })).expect(200);
    let mut stream = ana.stream(&format!("/api/events?session={session}"), &[]);
    // By the command line, while the server runs.
    assert_eq!(home.run(&["people", "remove", "ana"]).code, 0);
    while stream.next().is_some() {}
    assert_eq!(ana.get("/api/me").status, 401);
    assert_eq!(
        server.anybody().post("/api/sign-in", &json!({ "name": "ana", "passcode": passcode("ana") })).status,
        401
    );

    add(&home, "ana", &["teacher"]);
    assert_eq!(ana.get("/api/me").status, 401, "an old cookie is nobody's");
    let other = server.person("ana", &passcode("ana"));
    let me = other.get("/api/me").json();
    assert_eq!((&me["name"], &me["owner"]), (&json!("ana"), &json!("ana-2")));
    assert_eq!(other.get("/api/sessions").json()["sessions"], json!([]));
    assert_eq!(other.get("/api/memory").json(), json!([]));
    assert_eq!(other.get(&format!("/api/sessions/{session}")).status, 404);
    let listed: Value = serde_json::from_str(&home.run(&["people", "list", "--output", "json"]).out).unwrap();
    assert_eq!(listed[0], json!({ "id": "ana-2", "name": "ana", "roles": ["teacher"] }), "{listed}");
}

#[test]
fn another_name_keeps_what_is_theirs_and_another_passcode_ends_sign_ins() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    let server = serve(&home);
    let ana = server.person("ana", &passcode("ana"));
    let (session, _) = ana.start("iteration for 3B");
    ana.to_the_end(&session);
    assert_eq!(home.run(&["people", "rename", "ana", "anna"]).code, 0);
    let me = ana.get("/api/me").expect(200).json();
    assert_eq!((&me["name"], &me["owner"]), (&json!("anna"), &json!("ana")));
    assert_eq!(ana.get("/api/sessions").json()["sessions"].as_array().map(Vec::len), Some(1));
    typing(&home, &["people", "add", "anna", "--role", "teacher"], "four other words here");
    assert_eq!(ana.get("/api/me").status, 401, "a sign-in by the old passcode");
    let anybody = server.anybody();
    let old = json!({ "name": "anna", "passcode": passcode("ana") });
    assert_eq!(anybody.post("/api/sign-in", &old).status, 401);
    let again = server.person("anna", "four other words here");
    assert_eq!(again.get(&format!("/api/sessions/{session}")).status, 200);
    let unknown = home.run(&["people", "sign-out", "ana"]);
    assert!(unknown.code == 2 && unknown.err.contains("people.unknown"), "{}", unknown.err);
    assert_eq!(home.run(&["people", "sign-out", "anna"]).code, 0);
    assert_eq!(again.get("/api/me").status, 401);
}

#[test]
fn one_sees_where_one_is_signed_in_and_ends_it() {
    let home = Home::new();
    add(&home, "ana", &["teacher"]);
    add(&home, "ben", &["teacher"]);
    let server = serve(&home);
    let [desk, phone, tablet] = [0; 3].map(|_| server.person("ana", &passcode("ana")));
    let ben = server.person("ben", &passcode("ben"));
    let lines = desk.get("/api/me/sign-ins").expect(200).json();
    let current = |line: &Value| line["current"] == true;
    let all = lines.as_array().unwrap();
    assert_eq!((all.len(), all.iter().filter(|line| current(line)).count()), (3, 1), "{lines}");
    let of_phone = phone.get("/api/me/sign-ins").json();
    let of_phone = of_phone.as_array().unwrap().iter().find(|line| current(line)).unwrap()["id"].clone();
    let place = format!("/api/me/sign-ins/{}", of_phone.as_str().unwrap());
    assert_eq!(ben.write("DELETE", &place, &json!({})).status, 404, "another's is not there");
    let mut stream = phone.stream("/api/events", &[]);
    desk.write("DELETE", &place, &json!({})).expect(204);
    assert_eq!((phone.get("/api/me").status, desk.get("/api/me").status), (401, 200));
    while stream.next().is_some() {}
    let mut stream = tablet.stream("/api/events", &[]);
    desk.post("/api/sign-out-everywhere", &json!({})).expect(204);
    while stream.next().is_some() {}
    let statuses = [&desk, &tablet, &ben].map(|client| client.get("/api/me").status);
    assert_eq!(statuses, [401, 401, 200]);
}

#[test]
fn an_operator_says_who_may_sign_in() {
    let home = Home::new();
    add(&home, "olu", &["operator"]);
    add(&home, "ana", &["teacher"]);
    let server = serve(&home);
    let (olu, ana) = (server.person("olu", &passcode("olu")), server.person("ana", &passcode("ana")));
    assert_eq!(olu.get("/api/sessions").code(), "auth.role", "an operator has no sessions");
    assert_eq!(ana.get("/api/people").code(), "auth.role");
    let new = json!({ "name": "rae", "roles": ["researcher"], "passcode": passcode("rae") });
    assert_eq!(olu.post("/api/people", &new).expect(201).json()["id"], "rae");
    assert_eq!(olu.post("/api/people", &new).code(), "people.taken");
    let short = json!({ "name": "sue", "roles": ["teacher"], "passcode": "short" });
    assert_eq!(olu.post("/api/people", &short).code(), "people.passcode");
    let rae = server.person("rae", &passcode("rae"));
    assert_eq!(rae.get("/api/research/runs").status, 200);
    olu.write("PATCH", "/api/people/rae", &json!({ "roles": ["teacher"], "name": "ray" })).expect(204);
    assert_eq!((rae.get("/api/research/runs").code(), rae.get("/api/sessions").status), ("auth.role".to_owned(), 200));
    let names = olu.get("/api/people").json();
    let names: Vec<&str> = names.as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["ana", "olu", "ray"]);
    let mut stream = ana.stream("/api/events", &[]);
    olu.post("/api/people/ana/sign-out", &json!({})).expect(204);
    while stream.next().is_some() {}
    assert_eq!(ana.get("/api/me").status, 401);
    assert_eq!(olu.write("DELETE", "/api/people/olu", &json!({})).code(), "people.self");
    olu.write("DELETE", "/api/people/rae", &json!({})).expect(204);
    assert_eq!((rae.get("/api/me").status, olu.write("DELETE", "/api/people/rae", &json!({})).status), (401, 404));
}

#[test]
fn a_server_of_one_person_has_no_people_and_signs_out_everywhere_too() {
    let home = Home::new();
    let server = Server::start(&home, &["--researcher"]);
    let tab = server.single();
    assert_eq!(tab.get("/api/people").code(), "auth.role");
    assert_eq!(tab.get("/api/me/sign-ins").json().as_array().map(Vec::len), Some(1));
    tab.post("/api/sign-out-everywhere", &json!({})).expect(204);
    assert_eq!(tab.get("/api/me").status, 401);
}
