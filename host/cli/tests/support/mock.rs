//! A provider on this machine that answers what a test tells it to, and remembers what it was asked.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What one request is answered with.
pub enum Reply {
    /// A status, headers, and a body.
    Status(u16, &'static str, String),
    /// An answer whole, streamed.
    Stream(String),
    /// The same, each piece sent by itself, whatever bytes are in it.
    Pieces(Vec<Vec<u8>>),
    /// The beginning of an answer; then the connection is closed.
    Cut(String),
    /// The beginning of an answer; then nothing, for as long as the client waits.
    Hang(String),
}

pub struct Mock {
    pub base: String,
    asked: Arc<Mutex<Vec<Request>>>,
    /// Hears of every beginning of an answer after which nothing comes, once it was sent.
    pub hanging: Receiver<()>,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub head: String,
    pub body: Value,
}

impl Mock {
    pub fn new(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (told, hanging) = channel();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut replies = VecDeque::from(replies);
            for stream in listener.incoming() {
                let reply = replies.pop_front();
                answer(stream.unwrap(), reply, &kept, &told);
            }
        });
        Self { base, asked, hanging }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, reply: Option<Reply>, asked: &Mutex<Vec<Request>>, told: &Sender<()>) {
    asked.lock().unwrap().push(request(&mut stream));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
    let sent = match reply {
        None => stream.write_all(b"HTTP/1.1 418 I'm a teapot\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
        Some(Reply::Status(status, headers, body)) => {
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            )
        }
        Some(Reply::Stream(body)) => write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()),
        Some(Reply::Pieces(pieces)) => {
            stream.set_nodelay(true).unwrap();
            let length: usize = pieces.iter().map(Vec::len).sum();
            let sent = write!(stream, "{head}content-length: {length}\r\n\r\n");
            pieces.iter().fold(sent, |sent, piece| sent.and_then(|()| stream.write_all(piece)))
        }
        Some(Reply::Cut(body)) => write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len() + 1),
        Some(Reply::Hang(body)) => {
            let sent = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len() + 1);
            told.send(()).unwrap();
            // Nothing more is said until the client is gone.
            let _ = stream.read(&mut [0]);
            sent
        }
    };
    // A client that has gone away is one of the cases.
    drop(sent);
}

fn request(stream: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65_536];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|it| it.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.map_or(0, |it| it.parse().unwrap()) {
                return Request { head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() };
            }
        }
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the client went away before it had asked");
        bytes.extend_from_slice(&buffer[..read]);
    }
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
}

/// The beginning of an answer of Anthropic's: this text, and no end.
pub fn begun(text: &str) -> String {
    let usage = json!({ "input_tokens": 1_000, "output_tokens": 1 });
    let delta = json!({ "type": "text_delta", "text": text });
    [
        json!({ "type": "message_start", "message": { "role": "assistant", "content": [], "usage": usage } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
    ]
    .iter()
    .map(event)
    .collect()
}

fn ended(stop: &str) -> String {
    let end = json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 500 } });
    event(&end) + &event(&json!({ "type": "message_stop" }))
}

/// An answer of Anthropic's.
pub fn text(text: &str) -> Reply {
    stopped(text, "end_turn")
}

/// The same, that stopped for a reason.
pub fn stopped(text: &str, stop: &str) -> Reply {
    Reply::Stream(begun(text) + &event(&json!({ "type": "content_block_stop", "index": 0 })) + &ended(stop))
}

/// A call of a tool, of Anthropic's, with the reason for which the answer stopped.
pub fn call(name: &str, arguments: &str, stop: &str) -> Reply {
    calls(&[("toolu_1", name, arguments)], stop)
}

/// Several calls in one answer: id, name and arguments of each.
pub fn calls(calls: &[(&str, &str, &str)], stop: &str) -> Reply {
    let events = calls.iter().enumerate().flat_map(|(place, (id, name, arguments))| {
        let index = place + 1;
        let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
        let delta = json!({ "type": "input_json_delta", "partial_json": arguments });
        [
            json!({ "type": "content_block_start", "index": index, "content_block": block }),
            json!({ "type": "content_block_delta", "index": index, "delta": delta }),
            json!({ "type": "content_block_stop", "index": index }),
        ]
    });
    let events: String = events.map(|it| event(&it)).collect();
    Reply::Stream(begun("I read it.") + &events + &ended(stop))
}

/// An answer of Anthropic's without text, that stopped for a reason; with `thought`, after it had thought.
pub fn silent(stop: &str, thought: bool) -> Reply {
    let usage = json!({ "input_tokens": 1_000, "output_tokens": 1 });
    let message = json!({ "role": "assistant", "content": [], "usage": usage });
    let thinking = [
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "Hm." } }),
        json!({ "type": "content_block_stop", "index": 0 }),
    ];
    let thinking: String = thinking.iter().filter(|_| thought).map(event).collect();
    Reply::Stream(event(&json!({ "type": "message_start", "message": message })) + &thinking + &ended(stop))
}

/// An answer of Ollama's.
pub fn local(words: &str) -> Reply {
    let said = json!({ "message": { "role": "assistant", "content": words }, "done": true, "done_reason": "stop" });
    Reply::Stream(format!("{said}\n"))
}

/// The bytes of an answer.
pub fn bytes(reply: Reply) -> Vec<u8> {
    match reply {
        Reply::Stream(body) => body.into_bytes(),
        _ => panic!("no whole answer"),
    }
}

/// A refusal of Anthropic's.
pub fn refusal(status: u16, headers: &'static str, kind: &str) -> Reply {
    let body = json!({ "type": "error", "error": { "type": kind, "message": "so says the mock" } });
    Reply::Status(status, headers, body.to_string())
}
