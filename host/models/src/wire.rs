//! The wire formats: what is sent and what comes back, without a network.
//!
//! Each format is a pure function from a [`ModelRequest`] to JSON and a [`Decoder`] that takes the answer's bytes
//! however they are cut. They are our own rather than a library's. `genai`, which covers the same formats, keeps the
//! bytes and the transport to itself, and what we exist for lies just there: the timers and tries, which error came
//! after status 200, whether a call was cut off before it was complete, limits on what is taken in, and the same bytes
//! played back to the same answer. Whether there are tool calls is decided from the content, never from the stop reason.

use serde_json::Value;
use ta_core::message::Role;
use ta_core::model::{Deltas, ModelRequest};

use crate::failure::{Failure, Kind};

mod anthropic;
mod chat;
mod counts;
mod draft;
mod errors;
mod frames;
mod gemini;
mod names;
mod ollama;
mod responses;
mod schema;
mod signatures;
#[cfg(test)]
mod tests;
mod turns;

pub use draft::{ARGUMENTS_BYTES_MAX, CALLS_MAX, Reply, TEXT_BYTES_MAX};
pub use errors::refused;
pub use signatures::Signatures;

use draft::Draft;
use frames::{Frame, Frames};

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions, which many other servers speak.
    Chat,
    /// Google's Gemini, `generateContent` and its stream.
    Gemini,
    /// Ollama's own chat.
    Ollama,
}

/// What a request needs to know besides the conversation.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Whether the server is the one that the format was made for; others know fewer fields.
    pub native: bool,
    /// Signatures of earlier calls, for the provider that asks for them.
    pub signatures: &'a Signatures,
}

impl Wire {
    /// Name of the format, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "Anthropic Messages",
            Self::Responses => "OpenAI Responses",
            Self::Chat => "OpenAI Chat Completions",
            Self::Gemini => "Google Gemini",
            Self::Ollama => "Ollama chat",
        }
    }

    /// What comes after the base URL for a call that streams.
    #[must_use]
    pub fn path(self, model: &str) -> String {
        match self {
            Self::Anthropic => "/v1/messages".to_owned(),
            Self::Responses => "/responses".to_owned(),
            Self::Chat => "/chat/completions".to_owned(),
            Self::Gemini => format!("/models/{}:streamGenerateContent?alt=sse", names::in_path(model)),
            Self::Ollama => "/api/chat".to_owned(),
        }
    }

    /// What comes after the base URL for the list of models.
    #[must_use]
    pub const fn models_path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/models?limit=1000",
            Self::Responses | Self::Chat => "/models",
            Self::Gemini => "/models?pageSize=1000",
            Self::Ollama => "/api/tags",
        }
    }

    /// The names of the models in an answer to a call of [`Wire::models_path`], sorted; those of Google that can
    /// generate text only.
    #[must_use]
    pub fn models(self, answer: &Value) -> Vec<String> {
        let (list, name) = match self {
            Self::Anthropic | Self::Responses | Self::Chat => ("data", "id"),
            Self::Gemini | Self::Ollama => ("models", "name"),
        };
        let generates = |model: &&Value| {
            let methods = model.get("supportedGenerationMethods").and_then(Value::as_array);
            methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
        };
        let models = answer.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let names = models.iter().filter(generates).filter_map(|model| model.get(name)?.as_str());
        let mut names: Vec<String> =
            names.map(|name| name.strip_prefix("models/").unwrap_or(name).to_owned()).collect();
        names.sort();
        names
    }

    /// The body of a call that streams.
    #[must_use]
    pub fn encode(self, request: &ModelRequest, setting: Setting<'_>) -> Value {
        match self {
            Self::Anthropic => anthropic::encode(request),
            Self::Responses => responses::encode(request),
            Self::Chat => chat::encode(request, setting.native),
            Self::Gemini => gemini::encode(request, setting.signatures),
            Self::Ollama => ollama::encode(request),
        }
    }
}

/// Reads one format's values into a draft.
trait Format: Send {
    /// Takes one value in.
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure>;

    /// The signatures that came with the calls, by the calls' places.
    fn signatures(&mut self) -> Vec<(usize, String)> {
        Vec::new()
    }
}

/// What a value meant for the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Something that the format knows.
    More,
    /// Nothing that this format knows. A stream may hold such; a body of nothing else is another format.
    Unknown,
    /// Nothing more will come.
    Over,
}

/// What a push of bytes came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The answer has grown, or has come to its end.
    Moved,
    /// Nothing that counts: part of a line, a keep-alive, an event with nothing in it.
    None,
    /// The answer is complete; what may follow does not matter.
    Over,
}

/// Reads an answer from its bytes, however they are cut.
pub struct Decoder {
    format: Box<dyn Format>,
    frames: Frames,
    draft: Draft,
    turn: usize,
    known: bool,
    over: bool,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("draft", &self.draft).finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder for the answer to a request.
    #[must_use]
    pub fn new(wire: Wire, request: &ModelRequest) -> Self {
        let answers = request.messages.iter().filter(|message| message.role == Role::Assistant).count();
        Self::of_turn(wire, answers + 1)
    }

    /// A decoder for the answer of a turn, counted from 1: the number is part of ids that the provider does not give.
    #[must_use]
    pub fn of_turn(wire: Wire, turn: usize) -> Self {
        let format: Box<dyn Format> = match wire {
            Wire::Anthropic => Box::new(anthropic::Messages::default()),
            Wire::Responses => Box::new(responses::Responses),
            Wire::Chat => Box::new(chat::Completions::default()),
            Wire::Gemini => Box::new(gemini::Content::default()),
            Wire::Ollama => Box::new(ollama::Chat),
        };
        Self {
            format,
            frames: Frames::new(wire == Wire::Ollama),
            draft: Draft::default(),
            turn,
            known: false,
            over: false,
        }
    }

    /// Takes bytes in.
    ///
    /// # Errors
    /// Where the bytes are not of the format, the answer is too long, or the provider says that it failed.
    pub fn push(&mut self, bytes: &[u8], deltas: &dyn Deltas) -> Result<Progress, Failure> {
        self.frames.push(bytes);
        let before = self.draft.grown();
        while !self.over {
            // What is wrong behind a complete answer does not undo it: it is there, and paid for.
            let complete = self.draft.ended;
            match self.next(deltas) {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) if complete => self.over = true,
                Err(failure) => return Err(failure),
            }
        }
        Ok(match (self.over, self.draft.grown() == before) {
            (true, _) => Progress::Over,
            (false, true) => Progress::None,
            (false, false) => Progress::Moved,
        })
    }

    /// Takes the next frame in, where one is complete.
    fn next(&mut self, deltas: &dyn Deltas) -> Result<bool, Failure> {
        let Some(frame) = self.frames.next()? else { return Ok(false) };
        self.take(frame, deltas)?;
        Ok(true)
    }

    fn take(&mut self, frame: Frame, deltas: &dyn Deltas) -> Result<(), Failure> {
        let taken = match frame {
            // Several formats end like this: it does not show which one it is.
            Frame::Done => {
                self.draft.ended = true;
                self.over = true;
                Taken::Unknown
            }
            Frame::Value(value) => {
                let (unseen, counted) = (self.draft.unseen, self.draft.counted().copied());
                let taken = self.format.take(&value, &mut self.draft, deltas);
                if self.draft.unseen > unseen {
                    deltas.unseen(self.draft.unseen - unseen);
                }
                if let Some(usage) = self.draft.counted().filter(|usage| Some(**usage) != counted) {
                    deltas.counted(usage);
                }
                // An error after status 200 comes in the middle of an answer, even of one without a word yet.
                taken.map_err(Failure::midway)?
            }
        };
        self.known |= taken != Taken::Unknown;
        self.over |= taken == Taken::Over;
        Ok(())
    }

    /// The finished reply.
    ///
    /// # Errors
    /// As [`Decoder::push`], and where the answer ends before it is complete.
    pub fn finish(self, deltas: &dyn Deltas) -> Result<Reply, Failure> {
        self.finish_signed(deltas).map(|(reply, _)| reply)
    }

    /// The finished reply with the signatures of its calls, by their places.
    pub(crate) fn finish_signed(mut self, deltas: &dyn Deltas) -> Result<(Reply, Vec<(usize, String)>), Failure> {
        if !self.over {
            let complete = self.draft.ended;
            match self.last(deltas) {
                Err(failure) if !complete => return Err(failure),
                _ => {}
            }
        }
        if !self.known {
            return Err(Failure::new(Kind::Unreadable, "The provider's reply holds nothing of the expected format."));
        }
        if !self.draft.ended {
            return Err(self.cut());
        }
        let signatures = self.format.signatures();
        Ok((self.draft.finish(self.turn), signatures))
    }

    /// Takes in what is left when the body is over.
    fn last(&mut self, deltas: &dyn Deltas) -> Result<(), Failure> {
        self.frames.finish()?.into_iter().try_for_each(|frame| self.take(frame, deltas))
    }

    /// Whether the answer could end here: some formats do not say when nothing more comes.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.draft.ended
    }

    /// Whether part of an answer has come.
    #[must_use]
    pub fn partial(&self) -> bool {
        self.draft.partial()
    }

    fn cut(&self) -> Failure {
        let what = if self.draft.partial() { "in the middle" } else { "before it began" };
        Failure::new(Kind::StreamCut, format!("The provider's answer broke off {what}.")).midway()
    }
}

/// Sets a field of an object.
fn set(object: &mut Value, field: &str, value: impl Into<Value>) {
    if let Value::Object(object) = object {
        object.insert(field.to_owned(), value.into());
    }
}

/// A field's text, empty where there is none.
fn string<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A field's items, none where it is no list.
fn items<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The text of arguments that come as an object or, with some servers, as text already.
fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}
