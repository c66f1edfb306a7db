//! A provider on this machine: as quick as one can be, so that what is measured is the client.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};
use ta_bench::Outcome;

/// Anthropic's format, streamed; each event in a packet of its own.
pub(crate) struct Provider {
    address: String,
}

impl Provider {
    /// Starts one. A thread for every connection, which may bring one request after the other.
    ///
    /// # Errors
    /// Where no port can be had.
    pub(crate) fn start() -> Outcome<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                std::thread::spawn(move || serve(stream));
            }
        });
        Ok(Self { address })
    }

    /// Where it answers with so many tokens.
    pub(crate) fn base(&self, tokens: usize) -> String {
        format!("{}/{tokens}", self.address)
    }
}

/// Answers until the client goes away.
fn serve(mut stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let tokens = request(&mut reader)?;
        let events = events(tokens);
        let length: usize = events.iter().map(String::len).sum();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {length}\r\n\r\n")
            .ok()?;
        for event in events {
            stream.write_all(event.as_bytes()).ok()?;
        }
    }
}

/// Reads a request and says how many tokens its path asks for.
fn request(reader: &mut impl BufRead) -> Option<usize> {
    let mut first = String::new();
    reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).ok()? > 2 {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    reader.take(length).read_to_end(&mut Vec::new()).ok()?;
    first.split('/').nth(1)?.parse().ok()
}

fn events(tokens: usize) -> Vec<String> {
    let usage = json!({ "input_tokens": 100, "output_tokens": tokens });
    let delta = json!({ "type": "text_delta", "text": "loops " });
    let begin = json!({ "type": "message_start", "message": { "role": "assistant", "content": [], "usage": usage } });
    let open = json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } });
    let token = json!({ "type": "content_block_delta", "index": 0, "delta": delta });
    let end = [
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ];
    let event = |value: &Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default());
    let token = event(&token);
    let mut events = vec![event(&begin), event(&open)];
    events.extend(std::iter::repeat_n(token, tokens));
    events.extend(end.iter().map(event));
    events
}
