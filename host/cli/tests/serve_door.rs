//! The door of the server: what is refused before any work is done, and how it closes.
#![cfg(unix)]

use crate::support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::Home;
use support::server::{Client, Server};

/// The action that writes the first files of a workspace.
const SET_UP: &str = "/api/plugins/lesson-planning/actions/set_up";

/// Every route with its method, from the description of the API itself.
fn routes(tab: &Client) -> Vec<(String, String)> {
    let api = tab.get("/api/openapi.json").expect(200).json();
    let paths = api["paths"].as_object().unwrap();
    let of = |(path, item): (&String, &Value)| {
        let methods = item
            .as_object()
            .unwrap()
            .keys()
            .filter(|it| ["get", "post", "put", "patch", "delete"].contains(&it.as_str()));
        methods
            .map(|method| (method.to_uppercase(), path.replace("{path}", "teacher.md").replace(['{', '}'], "")))
            .collect::<Vec<_>>()
    };
    let routes: Vec<_> = paths.iter().flat_map(of).collect();
    assert!(routes.len() > 35, "{routes:?}");
    routes
}

const OPEN: [(&str, &str); 2] = [("GET", "/api/sign-in"), ("POST", "/api/sign-in")];

#[test]
fn every_route_wants_a_cookie_and_our_host() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let anybody = server.anybody();
    let origin = format!("http://{}", server.address);
    for (method, path) in routes(&tab) {
        let body = (method != "GET").then_some("{}");
        let ours = [("origin", origin.as_str()), ("content-type", "application/json"), ("idempotency-key", "k")];
        if !OPEN.contains(&(method.as_str(), path.as_str())) {
            for client in [&anybody, &Client { cookie: Some("ta_session=0123".into()), ..anybody.clone() }] {
                let answer = client.send(&client.request(&method, &path, &ours, body));
                assert_eq!((answer.status, answer.code().as_str()), (401, "auth.required"), "{method} {path}");
            }
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "", "localhost:1:2"] {
            let mut headers = ours.to_vec();
            headers.push(("host", host));
            let answer = tab.send(&tab.request(&method, &path, &headers, body));
            assert_eq!((answer.status, answer.code().as_str()), (403, "request.host"), "{method} {path} {host}");
        }
        if method == "GET" {
            continue;
        }
        for foreign in ["null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"] {
            let headers = [("origin", foreign), ("content-type", "application/json"), ("idempotency-key", "k")];
            let answer = tab.send(&tab.request(&method, &path, &headers, body));
            assert_eq!((answer.status, answer.code().as_str()), (403, "request.origin"), "{method} {path} {foreign}");
        }
        let answer = tab.send(&tab.request(&method, &path, &[("content-type", "application/json")], body));
        assert_eq!((answer.status, answer.code().as_str()), (403, "request.origin"), "{method} {path} no origin");
        for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", "application/jsonp", ""]
        {
            let headers = [("origin", origin.as_str()), ("content-type", kind), ("idempotency-key", "k")];
            let answer = tab.send(&tab.request(&method, &path, &headers, body));
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (415, "request.content_type"),
                "{method} {path} {kind}"
            );
        }
    }
    // Pages too, and a host named twice or in the target.
    for request in [
        "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n".to_owned(),
        format!("GET / HTTP/1.1\r\nhost: {0}\r\nhost: {0}\r\nconnection: close\r\n\r\n", server.address),
        format!("GET http://evil.example/ HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address),
        "GET / HTTP/1.0\r\n\r\n".to_owned(),
    ] {
        assert_eq!(tab.send(&request).status, 403, "{request}");
    }
    tab.get("/api/me").expect(200);
}

#[test]
fn the_page_and_what_it_may_do() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let anybody = server.anybody();
    let mut nonces = Vec::new();
    for path in ["/", "/sign-in", "/sessions/0123", "/index.html", "/learn", "/learn.html"] {
        let page = anybody.get(path).expect(200);
        assert!(page.body.contains("<div id=\"root\""), "{path}: {}", page.body);
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
        // Whoever has an access code has a page of their own, under one address.
        assert_eq!(page.body.contains("<title>Learn</title>"), path == "/learn", "{path}");
        let policy = page.header("content-security-policy").unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        assert!(page.body.contains(&format!("content=\"{nonce}\"")), "the page is told its nonce");
        nonces.push(nonce);
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 6, "each answer has a nonce of its own");
    for path in ["/assets/nothing.js", "/api", "/api/nothing", "/api/files/../teacher.md"] {
        let answer = anybody.get(path);
        assert!([401, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
    }
    let tab = server.single();
    for path in ["/", "/api/me", "/api/files/teacher.md", "/api/nothing"] {
        let answer = tab.get(path);
        for (name, value) in
            [("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer")]
        {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        assert!(answer.header("access-control-allow-origin").is_none());
    }
}

#[test]
fn half_a_request_is_closed() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let origin = format!("http://{}", server.address);
    let head = tab.request(
        "POST",
        SET_UP,
        &[("origin", &origin), ("content-type", "application/json"), ("idempotency-key", "k")],
        None,
    );
    let slow = head.replace("connection: close", "connection: close\r\ncontent-length: 100");
    let halves = ["GET / HTTP/1.1\r\nhost: loc".to_owned(), String::new(), format!("{slow}{{\"write\":")];
    std::thread::scope(|scope| {
        for half in &halves {
            let address = server.address;
            scope.spawn(move || {
                let started = Instant::now();
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all(half.as_bytes()).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
                let mut said = String::new();
                stream.read_to_string(&mut said).unwrap();
                assert!(started.elapsed() < Duration::from_secs(10), "{half:?}: {:?}", started.elapsed());
                assert!(said.starts_with("HTTP/1.1 408"), "{half:?}: {said}");
            });
        }
        // A byte now and then does not help either.
        let address = server.address;
        scope.spawn(move || {
            let started = Instant::now();
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
            let mut byte = [0];
            while started.elapsed() < Duration::from_secs(12) {
                if stream.write_all(b"a").is_err() || stream.read(&mut byte).is_ok() {
                    break;
                }
            }
            assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        });
    });
    tab.get("/api/me").expect(200);
}

#[test]
fn too_much_of_anything_is_refused() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let origin = format!("http://{}", server.address);
    let ours = [("origin", origin.as_str()), ("content-type", "application/json"), ("idempotency-key", "k")];
    let before = server.rss_kib();
    let big = "x".repeat(10 * 1024 * 1024);
    assert_eq!(tab.send(&tab.request("POST", "/api/runs", &ours, Some(&big))).code(), "request.too_large");
    // Without saying how much it will be.
    let chunked = tab
        .request("POST", "/api/runs", &ours, None)
        .replace("connection: close", "connection: close\r\ntransfer-encoding: chunked");
    let answer = tab.send(&format!("{chunked}{:x}\r\n{big}\r\n0\r\n\r\n", big.len()));
    assert_eq!(answer.status, 413, "{}", answer.body);
    assert_eq!(server.anybody().send(&server.anybody().request("POST", "/api/runs", &ours, Some(&big))).status, 413);

    let many: Vec<(String, String)> = (0..200).map(|n| (format!("x-{n}"), "v".to_owned())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tab.send(&tab.request("GET", "/api/me", &many, None)).status, 431);
    assert_eq!(tab.send(&tab.request("GET", "/api/me", &[("x-long", &"v".repeat(200_000))], None)).status, 431);
    let parameters: Vec<String> = (0..10_000).map(|n| format!("p{n}=1")).collect();
    assert!([400, 414, 431].contains(&tab.get(&format!("/api/sessions?{}", parameters.join("&"))).status));
    assert_eq!(tab.get(&format!("/api/sessions?{}", parameters[..100].join("&"))).code(), "request.parameters");
    assert_eq!(tab.get(&format!("/api/sessions?q={}", "a".repeat(9_000))).code(), "request.address");
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(tab.send(&tab.request("POST", "/api/runs", &ours, Some(&deep))).code(), "request.too_deep");
    for (body, path) in
        [("{", "/api/runs"), ("[]", "/api/runs"), ("{\"input\": 1}", "/api/runs"), ("{\"unknown\": 1}", SET_UP)]
    {
        let own = [ours[0], ours[1], ("idempotency-key", body)];
        let answer = tab.send(&tab.request("POST", path, &own, Some(body)));
        assert_eq!((answer.status, answer.code().as_str()), (400, "request.invalid"), "{body}: {}", answer.body);
    }
    let words = json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "a".repeat(20_001) });
    assert_eq!(tab.post("/api/runs", &words).code(), "usage.input");
    assert_eq!(tab.get("/api/sessions?limit=many").code(), "request.invalid");
    assert_eq!(tab.write("PATCH", "/api/me", &json!({})).code(), "request.method");
    let grown = server.rss_kib().saturating_sub(before);
    assert!(grown < 60 * 1024, "it grew by {grown} KiB");
}

#[test]
fn files_stay_below_the_workspace_and_are_no_pages() {
    let home = Home::new();
    home.write("workspace/page.html", "<script>alert(1)</script>");
    home.write("workspace/.secret", "key");
    home.write("outside.md", "outside");
    std::os::unix::fs::symlink(home.path("outside.md"), home.workspace().join("link.md")).unwrap();
    std::os::unix::fs::symlink("/proc", home.workspace().join("proc")).unwrap();
    std::fs::hard_link(home.path("outside.md"), home.workspace().join("hard.md")).unwrap();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    for path in [
        "..%2foutside.md",
        "%2e%2e/outside.md",
        "%252e%252e/outside.md",
        "classes/..%2f..%2foutside.md",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "..%5coutside.md",
        "link.md",
        "hard.md",
        "proc/self/environ",
        "proc",
        "classes",
        ".secret",
        "classes/%2esecret",
        "teacher.md%00.txt",
        "C:/x",
        "teacher.md/",
        "%ff",
        "",
    ] {
        let answer = tab.get(&format!("/api/files/{path}"));
        assert!((400..500).contains(&answer.status), "{path}: {} {}", answer.status, answer.body);
        assert!(!answer.body.contains("\"text\":\"outside"), "{path}: {}", answer.body);
        if path.is_empty() {
            continue;
        }
        let written = tab.write("PUT", &format!("/api/files/{path}"), &json!({ "text": "mine", "before": null }));
        assert!(
            (400..500).contains(&written.status) || path == "%252e%252e/outside.md",
            "{path}: {} {}",
            written.status,
            written.body
        );
        let gone = tab.write("DELETE", &format!("/api/files/{path}"), &json!({ "before": "0" }));
        assert!((400..500).contains(&gone.status) || path == "%252e%252e/outside.md", "{path}: {}", gone.status);
    }
    assert_eq!(std::fs::read_to_string(home.path("outside.md")).unwrap(), "outside");
    let page = tab.get("/api/files/page.html").expect(200);
    assert_eq!(page.header("content-type"), Some("application/json"));
    assert!(page.header("content-security-policy").unwrap().contains("sandbox"));
    let tree = tab.get("/api/files").expect(200).body;
    assert!(!tree.contains("secret") && !tree.contains("link.md") && tree.contains("page.html"), "{tree}");
    // A range is for pages; here it changes nothing.
    let ranged =
        tab.send(&tab.request("GET", "/api/files/teacher.md", &[("range", "bytes=0-99999999999999999999")], None));
    assert_eq!(ranged.status, 200);
    let large = json!({ "text": "x".repeat(1024 * 1024 + 1), "before": null });
    assert_eq!(tab.write("PUT", "/api/files/large.md", &large).code(), "path.too_large");
}

#[test]
fn nothing_is_overwritten_that_was_not_seen() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let file = tab.get("/api/files/teacher.md").expect(200).json();
    let changes = json!({ "text": "# Mine\n", "before": file["sha256"] });
    // An editor beside the browser was quicker.
    home.write("workspace/teacher.md", "# Theirs\n");
    let refused = tab.write("PUT", "/api/files/teacher.md", &changes);
    assert_eq!((refused.status, refused.code().as_str()), (409, "file.conflict"));
    assert_eq!(refused.json()["current"]["text"], "# Theirs\n");
    assert_eq!(std::fs::read_to_string(home.workspace().join("teacher.md")).unwrap(), "# Theirs\n");
    let again = json!({ "text": "# Both\n", "before": refused.json()["current"]["sha256"] });
    let written = tab.write("PUT", "/api/files/teacher.md", &again).expect(200).json();
    assert_eq!(
        tab.write("DELETE", "/api/files/teacher.md", &json!({ "before": file["sha256"] })).code(),
        "file.conflict"
    );
    tab.write("DELETE", "/api/files/teacher.md", &json!({ "before": written["sha256"] })).expect(204);
    assert!(!home.workspace().join("teacher.md").exists());
    assert_eq!(
        tab.write("PUT", "/api/files/classes/3B.md", &json!({ "text": "x", "before": null })).code(),
        "file.conflict"
    );

    let answers = json!({ "teacher": { "about": ["Maths."] }, "classes": [{ "id": "4A", "level": "fourth", "subjects": ["maths"], "period_minutes": 50 }], "curriculum": ["cfe-maths.md"] });
    let templates = json!(["soul.md", "curriculum/cfe-maths.md"]);
    let setup = json!({ "arguments": answers, "templates": templates });
    let shown = tab.post(SET_UP, &setup).expect(200).json();
    assert_eq!(shown["written"], json!([]));
    assert!(!home.workspace().join("classes/4A.md").exists());
    let paths: Vec<&str> = shown["writes"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["teacher.md", "soul.md", "classes/4A.md", "curriculum/cfe-maths.md"]);
    let mut write = setup.clone();
    write["apply"] = json!(true);
    home.write("workspace/pedagogy.md", "mine");
    write["arguments"]["pedagogy"] = json!({ "principles": ["Small steps."] });
    let done = tab.post(SET_UP, &write).expect(200).json();
    assert_eq!(done["written"], json!(["teacher.md", "classes/4A.md"]), "{done}");
    assert_eq!(std::fs::read_to_string(home.workspace().join("pedagogy.md")).unwrap(), "mine");
    // What was shown may be replaced; what somebody has changed since then may not.
    let before =
        done["writes"].as_array().unwrap().iter().find(|it| it["path"] == "pedagogy.md").unwrap()["sha256_before"]
            .clone();
    write["replace"] = json!({ "pedagogy.md": before });
    home.write("workspace/pedagogy.md", "mine, again");
    let late = tab.post(SET_UP, &write);
    assert_eq!((late.status, late.code().as_str()), (409, "file.conflict"));
    assert_eq!(std::fs::read_to_string(home.workspace().join("pedagogy.md")).unwrap(), "mine, again");
    home.run(&["validate"]).expect(0);
}

#[test]
fn it_closes_in_good_order() {
    for name in ["-INT", "-TERM"] {
        let home = Home::new();
        let mut server = Server::start(&home, &[]);
        let tab = server.single();
        let (session, _) = tab.start("iteration for 3B");
        let mut streams: Vec<_> = (0..20).map(|_| tab.stream(&format!("/api/events?session={session}"), &[])).collect();
        tab.question(&session);
        server.signal(name);
        let (code, took) = server.ended();
        assert_eq!(code, 0);
        assert!(took < Duration::from_secs(5), "{took:?}");
        for stream in &mut streams {
            while stream.next().is_some() {}
        }
        let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
        assert_eq!(rows[0]["state"], "parked", "{rows}");
    }
}

#[test]
fn one_server_for_a_journal() {
    let home = Home::new();
    let _server = Server::start(&home, &[]);
    let second = home.run(&["serve", "--addr", "127.0.0.1:0", "--no-open"]).expect(6);
    assert!(second.err.contains("store.locked"), "{}", second.err);
    let exposed = home.run(&["serve", "--addr", "0.0.0.0:0", "--no-open"]).expect(2);
    assert!(exposed.err.contains("server.exposed"), "{}", exposed.err);
}

#[test]
fn actions_say_what_is_wrong_with_what_they_are_given() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let plugins = tab.get("/api/plugins").expect(200).json();
    let planning = plugins.as_array().unwrap().iter().find(|it| it["name"] == "lesson-planning").unwrap();
    assert_eq!(planning["set_up"], "set_up");
    let set_up = planning["actions"].as_array().unwrap().iter().find(|it| it["name"] == "set_up").unwrap();
    assert_eq!(
        (&set_up["reads_only"], &set_up["schema"]["properties"]["classes"]["title"]),
        (&json!(false), &json!("Classes"))
    );
    assert_eq!(planning["roles"]["classes/"], "class");
    let refused = |path: &str, body: Value| {
        let answer = tab.post(path, &body);
        (answer.status, answer.code())
    };
    let of = |action: &str| format!("/api/plugins/lesson-planning/actions/{action}");
    for (path, body, status, code) in [
        (of("set_up"), json!({ "arguments": { "classes": [{ "id": "../3B" }] } }), 400, "setup.class"),
        (of("set_up"), json!({ "arguments": { "curriculum": ["none.md"] } }), 400, "setup.curriculum"),
        (of("set_up"), json!({ "arguments": { "pupils": 3 } }), 400, "action.arguments"),
        (of("set_up"), json!({ "templates": ["none.md"] }), 400, "template.unknown"),
        (of("set_down"), json!({}), 404, "action.unknown"),
        ("/api/plugins/none/actions/set_up".to_owned(), json!({}), 404, "plugin.unknown"),
    ] {
        assert_eq!(refused(&path, body), (status, code.to_owned()), "{path}");
    }
    // A tool of a model is no action, and what changes files is not to be had by a link.
    assert_eq!(tab.get(&of("write_file")).status, 404);
    assert_eq!(tab.get(&of("set_up")).code(), "action.changes");
}
