//! The server as a browser sees it: a running binary, a client with a cookie, a stream that is read frame by frame.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Home;

static KEYS: AtomicU64 = AtomicU64::new(0);

/// A number that no other request of this process has.
pub fn key() -> u64 {
    KEYS.fetch_add(1, Ordering::Relaxed)
}

/// A running server; it is killed with the test.
pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
    pub link: Option<String>,
    out: BufReader<std::process::ChildStdout>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    pub fn start(home: &Home, more: &[&str]) -> Self {
        Self::start_with(home, more, &[])
    }

    /// The same, with more in its environment.
    pub fn start_with(home: &Home, more: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut arguments = vec!["serve", "--addr", "127.0.0.1:0", "--no-open", "--output", "json"];
        arguments.extend(more);
        let mut child = home
            .command(&arguments)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        if line.is_empty() {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("the server does not begin: {said}");
        }
        let said: Value = serde_json::from_str(&line).unwrap();
        let address = said["listening"].as_str().unwrap().parse().unwrap();
        Self { child, address, link: said["link"].as_str().map(ToOwned::to_owned), out }
    }

    /// The next link that the server prints.
    pub fn next_link(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["link"].as_str().unwrap().to_owned()
    }

    pub fn anybody(&self) -> Client {
        Client { address: self.address, cookie: None }
    }

    /// Whoever opens the link.
    pub fn single(&self) -> Client {
        let path = self.link.as_deref().unwrap().split_once(&self.address.to_string()).unwrap().1.to_owned();
        let answer = self.anybody().get(&path);
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
        Client { address: self.address, cookie: Some(answer.cookie().unwrap()) }
    }

    /// The one person in another browser, by the link that was printed when the first was used.
    pub fn single_again(&mut self) -> Client {
        self.link = Some(self.next_link());
        self.single()
    }

    /// What somebody is answered who has this code and nothing else.
    pub fn with_code(&self, code: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let client = self.anybody();
        let (origin, code) = (format!("http://{}", client.address), format!("Bearer {code}"));
        let key = format!("k-{}", key());
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", &key),
            ("authorization", &code),
        ];
        client.send(&client.request(method, path, &headers, body.map(ToString::to_string).as_deref()))
    }

    /// Whoever knows a passcode.
    pub fn person(&self, name: &str, passcode: &str) -> Client {
        let answer = self.anybody().post("/api/sign-in", &json!({ "name": name, "passcode": passcode }));
        assert_eq!(answer.status, 204, "{}", answer.body);
        Client { address: self.address, cookie: Some(answer.cookie().unwrap()) }
    }

    pub fn signal(&self, name: &str) {
        let status = std::process::Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the end; how long it took.
    pub fn ended(&mut self) -> (i32, Duration) {
        let started = Instant::now();
        let status = self.child.wait().unwrap();
        (status.code().unwrap_or(-1), started.elapsed())
    }

    /// Memory that the process has, in KiB.
    pub fn rss_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

/// One request's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn cookie(&self) -> Option<String> {
        Some(self.header("set-cookie")?.split(';').next()?.to_owned())
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    pub fn code(&self) -> String {
        let value: Value = serde_json::from_str(&self.body).unwrap_or_default();
        value["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A browser: it knows its cookie.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub cookie: Option<String>,
}

impl Client {
    pub fn get(&self, path: &str) -> Answer {
        self.send(&self.request("GET", path, &[], None))
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.write("POST", path, body)
    }

    pub fn write(&self, method: &str, path: &str, body: &Value) -> Answer {
        let key = format!("k-{}-{}", std::process::id(), key());
        self.keyed(method, path, body, &key)
    }

    pub fn keyed(&self, method: &str, path: &str, body: &Value, key: &str) -> Answer {
        let origin = format!("http://{}", self.address);
        let headers = [("origin", origin.as_str()), ("content-type", "application/json"), ("idempotency-key", key)];
        self.send(&self.request(method, path, &headers, Some(&body.to_string())))
    }

    /// A request as it goes over the wire. A `host` among the headers takes the place of the right one.
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> String {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text.push_str(&format!("host: {}\r\n", self.address));
        }
        if let Some(cookie) = &self.cookie {
            text.push_str(&format!("cookie: {cookie}\r\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            text.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body.unwrap_or_default());
        text
    }

    /// Sends whatever it is and reads whatever comes back.
    pub fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // Refused before it was read to its end: the answer is there all the same.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        parse(&bytes)
    }

    pub fn start(&self, input: &str) -> (String, String) {
        let new = json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": input });
        let begun = self.post("/api/runs", &new).expect(202).json();
        (begun["session"].as_str().unwrap().to_owned(), begun["run"].as_str().unwrap().to_owned())
    }

    /// The question that waits in a session, as soon as there is one.
    pub fn question(&self, session: &str) -> Value {
        until("a question", || {
            let waiting = self.get("/api/waiting").expect(200).json();
            waiting.as_array().unwrap().iter().find(|it| it["session"] == session).cloned()
        })
    }

    /// Decisions that accept every item that is left.
    pub fn accepting(question: &Value) -> Value {
        let options = question["question"]["options"].as_array().unwrap();
        let option = options.iter().find(|it| it["id"] == "accept").unwrap_or(&options[0]);
        let decided: Vec<&Value> = question["decided"].as_array().unwrap().iter().map(|it| &it["item"]).collect();
        let items = question["question"]["items"].as_array().unwrap().iter();
        let left = items.filter(|item| !decided.contains(&&item["id"]));
        let decisions: Vec<Value> = left.map(|it| json!({ "item": it["id"], "choice": option["id"] })).collect();
        json!({ "hash": question["hash"], "decisions": decisions })
    }

    pub fn accept(&self, question: &Value) -> Answer {
        let path = format!("/api/runs/{}/answers", question["run"].as_str().unwrap());
        self.post(&path, &Self::accepting(question))
    }

    pub fn session(&self, id: &str) -> Value {
        self.get(&format!("/api/sessions/{id}")).expect(200).json()
    }

    /// Accepts whatever is asked until the session's run is over.
    pub fn to_the_end(&self, session: &str) -> Value {
        until("the end of the run", || {
            let now = self.session(session);
            if now["session"]["state"] == "finished" {
                return Some(now);
            }
            let waiting = self.get("/api/waiting").expect(200).json();
            if let Some(question) = waiting.as_array().unwrap().iter().find(|it| it["session"] == session) {
                let answer = self.accept(question);
                assert!([202, 409].contains(&answer.status), "{} {}", answer.status, answer.body);
            }
            None
        })
    }

    /// The session's own records.
    pub fn records(&self, session: &str) -> Vec<Value> {
        let mut records: Vec<Value> = Vec::new();
        loop {
            let after = records.last().map_or(0, |record| record["seq"].as_u64().unwrap());
            let page = self.get(&format!("/api/sessions/{session}/records?after={after}")).expect(200).json();
            if page.as_array().unwrap().is_empty() {
                return records;
            }
            records.extend(page.as_array().unwrap().clone());
        }
    }

    pub fn stream(&self, path: &str, headers: &[(&str, &str)]) -> Stream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(self.request("GET", path, headers, None).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status).unwrap();
        let status = status.split(' ').nth(1).unwrap().parse().unwrap();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap() == 0 || line == "\r\n" {
                break;
            }
        }
        Stream { status, reader, rest: String::new() }
    }
}

/// Tries until there is something, half a minute at the most.
#[track_caller]
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default().split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Answer { status, headers, body }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(rest.get(..size).unwrap_or(rest));
        body = rest.get(size + 2..).unwrap_or_default();
    }
    whole
}

/// One frame of a stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    pub event: String,
    pub id: Option<u64>,
    pub data: Value,
}

/// An open event stream.
pub struct Stream {
    pub status: u16,
    pub reader: BufReader<TcpStream>,
    rest: String,
}

impl Stream {
    /// The next frame; none when the stream has ended.
    pub fn next(&mut self) -> Option<Frame> {
        let begun = Instant::now();
        loop {
            if let Some(at) = self.rest.find("\n\n") {
                let text = self.rest[..at].to_owned();
                self.rest.drain(..at + 2);
                let frame = frame(&text);
                if frame.event.is_empty() {
                    assert!(begun.elapsed() < Duration::from_secs(60), "nothing but signs of life for a minute");
                    continue;
                }
                return Some(frame);
            }
            let mut size = String::new();
            if self.reader.read_line(&mut size).ok()? == 0 {
                return None;
            }
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            self.reader.read_exact(&mut chunk).ok()?;
            if size == 0 {
                return None;
            }
            self.rest.push_str(std::str::from_utf8(&chunk[..size]).unwrap());
        }
    }

    /// Records until one of this type; all of them.
    pub fn records_until(&mut self, kind: &str) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next() {
            let last = frame.data["type"] == kind;
            if frame.event == "record" {
                frames.push(frame);
            }
            if last {
                break;
            }
        }
        frames
    }
}

fn frame(text: &str) -> Frame {
    let mut frame = Frame::default();
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut frame.event),
            Some(("id", id)) => frame.id = id.parse().ok(),
            Some(("data", data)) => frame.data = serde_json::from_str(data).unwrap(),
            _ => {}
        }
    }
    frame
}
