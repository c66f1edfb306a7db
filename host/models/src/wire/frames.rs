//! Bytes into JSON values: server-sent events, one value a line, or one value for the whole body.
//!
//! Which of them a body is, is read from its first byte: an event stream begins with a field name or a colon, never with
//! a brace. Servers label their bodies wrongly too often for the label to decide. Lines are cut on bytes and only whole
//! lines are read as UTF-8, so a code point that is split between two packets needs no care of its own.

use serde_json::Value;

use crate::failure::{Failure, Kind};

/// One line, or one body that is not a stream: arguments of 5 MB, escaped, fit in.
const PIECE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// What a piece of the body turned out to be.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    /// A JSON value. An event's name is not kept: every format says it again inside.
    Value(Value),
    /// The end that an event stream announces with `[DONE]`.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    Events,
    Lines,
    Whole,
}

/// Cuts a body into frames, however its bytes arrive.
#[derive(Debug)]
pub(super) struct Frames {
    form: Form,
    /// Whether a body that begins with a brace holds one value a line.
    by_line: bool,
    buffer: Vec<u8>,
    /// Where in the buffer the next line begins, and up to where it is known to hold no line end.
    begin: usize,
    searched: usize,
    /// Whether the last line ended with a carriage return: a line feed behind it belongs to the same end.
    returned: bool,
    data: Option<String>,
}

impl Frames {
    pub(super) fn new(by_line: bool) -> Self {
        Self { form: Form::Unknown, by_line, buffer: Vec::new(), begin: 0, searched: 0, returned: false, data: None }
    }

    /// Takes in bytes. What is complete is asked for with [`Frames::next`], until there is nothing more: so the first
    /// word of a packet is shown before the last is read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.form == Form::Unknown {
            self.recognise();
        }
    }

    /// The next frame that is complete. Keep-alives are none.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, Failure> {
        let buffer = std::mem::take(&mut self.buffer);
        let frame = self.of_lines(&buffer);
        self.buffer = buffer;
        if let Ok(None) = frame {
            self.buffer.drain(..self.begin);
            (self.begin, self.searched) = (0, self.searched - self.begin);
            if self.buffer.len() > PIECE_BYTES_MAX {
                let megabytes = PIECE_BYTES_MAX / 1024 / 1024;
                let message = format!("The provider sent more than {megabytes} MB in one piece.");
                return Err(Failure::new(Kind::ReplyTooLarge, message));
            }
        }
        frame
    }

    fn of_lines(&mut self, buffer: &[u8]) -> Result<Option<Frame>, Failure> {
        if !matches!(self.form, Form::Events | Form::Lines) {
            return Ok(None);
        }
        let bare = self.form == Form::Events;
        let ends = |byte: &u8| *byte == b'\n' || (bare && *byte == b'\r');
        while let Some(next) = buffer.get(self.begin) {
            if std::mem::take(&mut self.returned) && *next == b'\n' {
                self.begin += 1;
                self.searched = self.searched.max(self.begin);
            }
            let Some(length) = buffer.get(self.searched..).and_then(|rest| rest.iter().position(ends)) else { break };
            let (begin, end) = (self.begin, self.searched + length);
            (self.begin, self.searched) = (end + 1, end + 1);
            self.returned = buffer.get(end) == Some(&b'\r');
            if let Some(frame) = self.line(buffer.get(begin..end).unwrap_or_default())? {
                return Ok(Some(frame));
            }
        }
        // What was there has no line end: it need not be searched again.
        self.searched = buffer.len();
        Ok(None)
    }

    /// What is left when the body is over: a last line without its end, or the whole value.
    pub(super) fn finish(&mut self) -> Result<Vec<Frame>, Failure> {
        let mut frames = Vec::new();
        let mut rest = std::mem::take(&mut self.buffer);
        if std::mem::take(&mut self.returned) && rest.first() == Some(&b'\n') {
            rest.remove(0);
        }
        (self.begin, self.searched) = (0, 0);
        match self.form {
            Form::Events => {
                frames.extend(self.line(&rest)?);
                frames.extend(self.line(b"")?);
            }
            Form::Lines => frames.extend(self.line(&rest)?),
            Form::Whole => match json(text(&rest)?)? {
                // Google sends a stream that was not asked for as events as one list.
                Value::Array(values) => {
                    frames.extend(values.into_iter().map(Frame::Value));
                }
                value => frames.push(Frame::Value(value)),
            },
            Form::Unknown => {}
        }
        Ok(frames)
    }

    fn recognise(&mut self) {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if self.buffer.starts_with(MARK) {
            self.buffer.drain(..MARK.len());
        } else if !self.buffer.is_empty() && MARK.starts_with(&self.buffer) {
            return;
        }
        let first = self.buffer.iter().find(|byte| !byte.is_ascii_whitespace());
        self.form = match first {
            None => Form::Unknown,
            Some(b'{') if self.by_line => Form::Lines,
            Some(b'{' | b'[') => Form::Whole,
            Some(_) => Form::Events,
        };
    }

    fn line(&mut self, line: &[u8]) -> Result<Option<Frame>, Failure> {
        let line = text(line.strip_suffix(b"\r").unwrap_or(line))?;
        if self.form == Form::Lines {
            return if line.trim().is_empty() { Ok(None) } else { json(line).map(|value| Some(Frame::Value(value))) };
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        // A comment keeps the connection alive; names, ids and reconnection times are not for us.
        if field == "data" {
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        let held = self.data.as_ref().map_or(0, String::len);
        if held > PIECE_BYTES_MAX {
            return Err(Failure::new(Kind::ReplyTooLarge, "The provider sent an event that has no end."));
        }
        Ok(None)
    }

    fn dispatch(&mut self) -> Result<Option<Frame>, Failure> {
        let Some(data) = self.data.take() else { return Ok(None) };
        match data.trim() {
            "" => Ok(None),
            "[DONE]" => Ok(Some(Frame::Done)),
            data => json(data).map(|value| Some(Frame::Value(value))),
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(bytes)
        .map_err(|_| Failure::new(Kind::Unreadable, "The provider's reply holds bytes that are no text."))
}

fn json(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| {
        // A value that ends too early is a stream that was cut, not another format.
        let (kind, what) = match error.classify() {
            serde_json::error::Category::Eof => (Kind::StreamCut, "The provider's reply broke off"),
            _ => (Kind::Unreadable, "The provider's reply is no JSON"),
        };
        Failure::new(kind, format!("{what}: {error}."))
    })
}
