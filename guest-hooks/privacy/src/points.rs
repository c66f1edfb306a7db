//! The three points at which a text could leave: the request with the files of the prompt, the messages to the model, the arguments of a tool.

use serde_json::Value;
use ta_guest::types::{Message, Role};
use ta_guest::{Abort, Context, Conversation, pre_loop, pre_model, pre_tool};

use crate::decide::{Ask, Earlier, QUESTION, Settled, Stage, Text, settle};
use crate::files::{self, File, Files};
use crate::scan::Source;

/// More is not looked through in one call: it is more than a model reads. A hundred kilobytes of lessons take an eighth of
/// the fuel that the manifest asks for; what takes more for its length is refused by its [effort](crate::scan::Scanner::is_exhausted).
const BYTES_MAX: usize = 2_000_000;

/// A longer message of the person is a file that was pasted in rather than a request.
const REQUEST_BYTES_MAX: usize = 4_000;

/// Tools that keep what they are given.
const TOOLS_DEFAULT: &str = "write_file, str_replace, update_memory";

/// Arguments inside arguments are looked through to this depth; deeper ones are no tool's.
const DEPTH_MAX: usize = 32;

/// What the person asked for, and the files that the prompt is made of.
pub(crate) fn request(context: &Context, event: &pre_loop::Event, host: &mut (impl Ask + Files)) -> pre_loop::Response {
    let read = files::read(context, host);
    let bytes = read.files.iter().map(|file| file.text.len()).sum::<usize>();
    if let Some(abort) = too_long(event.input.len().saturating_add(bytes)) {
        return pre_loop::Verdict::Abort(abort).into();
    }
    let place = "your request".into();
    let mut texts = vec![Text { text: &event.input, source: source(&event.input), place, stage: Stage::New }];
    texts.extend(read.files.iter().map(File::text));
    let earlier = Earlier::read(&host.asked(), QUESTION);
    let settled = match settle(QUESTION, &texts, earlier, host) {
        Ok(settled) => settled,
        Err(abort) => return pre_loop::Verdict::Abort(abort).into(),
    };
    let staged = match files::stage(&read.files, settled.ranges.get(1..).unwrap_or_default(), host) {
        Ok(staged) => staged,
        Err(abort) => return pre_loop::Response::from(pre_loop::Verdict::Abort(abort)).findings(settled.findings),
    };
    let input = settled.texts.first().cloned().flatten();
    let verdict = match input {
        Some(input) => pre_loop::Verdict::Modify(pre_loop::Change { input: Some(input), additions: Vec::new() }),
        None => pre_loop::Verdict::Pass,
    };
    let notes = settled.notes.into_iter().chain(staged).chain(read.notes);
    pre_loop::Response::from(verdict).notes(notes.collect()).findings(settled.findings)
}

/// The messages that are about to be sent. What earlier calls of the run looked through is gone through again only where
/// something was redacted; otherwise it is not even read.
pub(crate) fn messages(context: &Context, conversation: &impl Conversation, ask: &mut impl Ask) -> pre_model::Response {
    let id = format!("{QUESTION}:turn-{}", context.turn);
    let earlier = Earlier::read(&ask.asked(), &id);
    let new = new_from(context.turn, conversation);
    let first = if earlier.redacted_any() { 0 } else { new };
    let looked: Vec<Message> = conversation.since(first).collect();
    let arguments: Vec<Vec<Arguments>> = looked.iter().map(calls).collect();
    let mut texts = Vec::new();
    for (number, (message, arguments)) in (first..).zip(looked.iter().zip(&arguments)) {
        let stage = if number < new { Stage::Seen } else { Stage::New };
        push_texts(message, arguments, stage, &mut texts);
    }
    for text in texts.iter_mut().filter(|text| text.stage == Stage::Seen && !earlier.may_be_in(text.text)) {
        text.stage = Stage::Clean;
    }
    let looked_at = texts.iter().filter(|text| text.stage != Stage::Clean);
    if let Some(abort) = too_long(looked_at.map(|text| text.text.len()).sum()) {
        return pre_model::Verdict::Abort(abort).into();
    }
    let settled = match settle(&id, &texts, earlier, ask) {
        Ok(settled) => settled,
        Err(abort) => return pre_model::Verdict::Abort(abort).into(),
    };
    let verdict = if settled.changed() {
        let kept = conversation.some(0, first);
        pre_model::Verdict::Modify(kept.into_iter().chain(rewritten(&looked, &arguments, &settled)).collect())
    } else {
        pre_model::Verdict::Pass
    };
    pre_model::Response::from(verdict).notes(settled.notes).findings(settled.findings)
}

/// Where the messages begin that no call of this run has looked through. The first call looks at all, since the session
/// may have a history. Later everything up to the last answer has been sent before. The answer itself is the model's own
/// unless a person speaks after it: then it is a draft that hooks and the teacher may have changed.
fn new_from(turn: u32, conversation: &impl Conversation) -> usize {
    let mut changed = false;
    for (number, message) in conversation.backwards().take_while(|_| turn > 0) {
        match message.role {
            Role::Assistant => return if changed { number } else { number + 1 },
            Role::User => changed = true,
            Role::Tool => {}
        }
    }
    0
}

/// The texts of a message, in the order in which [`rewritten`] takes them.
fn push_texts<'a>(message: &'a Message, arguments: &'a [Arguments], stage: Stage, texts: &mut Vec<Text<'a>>) {
    let (source, place) = match message.role {
        Role::User => (source(&message.text), "what you wrote"),
        Role::Assistant => (Source::File, "the draft"),
        Role::Tool => (Source::File, "what a tool found"),
    };
    texts.push(Text { text: &message.text, source, place: place.into(), stage });
    if let Some(result) = &message.result {
        let place = format!("what `{}` answered", result.name);
        texts.push(Text { text: &result.text, source: Source::File, place, stage });
    }
    for arguments in arguments {
        texts.extend(arguments.texts(stage));
    }
}

/// The messages with the texts that changed, in the order in which they were looked through.
fn rewritten(messages: &[Message], arguments: &[Vec<Arguments>], settled: &Settled) -> Vec<Message> {
    let mut texts = settled.texts.iter();
    let rewrite = |(message, arguments): (&Message, &Vec<Arguments>)| {
        let mut message = message.clone();
        if let Some(Some(text)) = texts.next() {
            message.text.clone_from(text);
        }
        if let Some(result) = &mut message.result
            && let Some(Some(text)) = texts.next()
        {
            result.text.clone_from(text);
        }
        for (call, arguments) in message.calls.iter_mut().zip(arguments) {
            if let Some(changed) = arguments.with(&mut texts) {
                call.arguments = changed;
            }
        }
        message
    };
    messages.iter().zip(arguments).map(rewrite).collect()
}

fn calls(message: &Message) -> Vec<Arguments> {
    message.calls.iter().map(|call| Arguments::read(&call.name, &call.arguments)).collect()
}

/// The arguments of a tool that keeps what it is given.
pub(crate) fn call(
    context: &Context,
    event: &pre_tool::Event,
    tools: Option<&str>,
    ask: &mut impl Ask,
) -> pre_tool::Response {
    let tools = tools.unwrap_or(TOOLS_DEFAULT);
    if !tools.split(',').any(|tool| tool.trim() == event.call.name) {
        return pre_tool::Response::pass();
    }
    if let Some(abort) = too_long(event.call.arguments.len()) {
        return pre_tool::Response::from(pre_tool::Verdict::Refuse(abort.reason));
    }
    let arguments = Arguments::read(&event.call.name, &event.call.arguments);
    if arguments.value.is_none() {
        return pre_tool::Response::pass().note("the arguments are not JSON, so there was nothing to look through");
    }
    let id = format!("{QUESTION}:turn-{}-{}", context.turn, event.call.id);
    let earlier = Earlier::read(&ask.asked(), &id);
    let settled = match settle(&id, &arguments.texts(Stage::New), earlier, ask) {
        Ok(settled) => settled,
        Err(abort) => return pre_tool::Verdict::Refuse(abort.reason).into(),
    };
    let verdict = match arguments.with(&mut settled.texts.iter()) {
        Some(changed) => pre_tool::Verdict::Modify(changed),
        None => pre_tool::Verdict::Pass,
    };
    pre_tool::Response::from(verdict).notes(settled.notes).findings(settled.findings)
}

/// A call's arguments and the texts in them.
struct Arguments {
    tool: String,
    value: Option<Value>,
    texts: Vec<String>,
}

impl Arguments {
    fn read(tool: &str, arguments: &str) -> Self {
        let value: Option<Value> = serde_json::from_str(arguments).ok();
        let mut texts = Vec::new();
        if let Some(value) = &value {
            collect(value, 0, &mut texts);
        }
        Self { tool: tool.into(), value, texts }
    }

    fn texts(&self, stage: Stage) -> Vec<Text<'_>> {
        let place = || format!("what `{}` is to write", self.tool);
        self.texts.iter().map(|text| Text { text, source: Source::File, place: place(), stage }).collect()
    }

    /// The arguments as JSON with the texts that changed; none where none did. Takes as many texts as there are.
    fn with<'a>(&self, texts: &mut impl Iterator<Item = &'a Option<String>>) -> Option<String> {
        let changed: Vec<Option<String>> = texts.take(self.texts.len()).cloned().collect();
        let mut value = self.value.clone().filter(|_| changed.iter().any(Option::is_some))?;
        put(&mut value, 0, &mut changed.into_iter());
        serde_json::to_string(&value).ok()
    }
}

/// All texts of a value, in order.
fn collect(value: &Value, depth: usize, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) if depth < DEPTH_MAX => items.iter().for_each(|item| collect(item, depth + 1, texts)),
        Value::Object(fields) if depth < DEPTH_MAX => fields.values().for_each(|item| collect(item, depth + 1, texts)),
        _ => {}
    }
}

/// Puts changed texts back, in the order in which they were collected.
fn put(value: &mut Value, depth: usize, texts: &mut impl Iterator<Item = Option<String>>) {
    match value {
        Value::String(text) => {
            if let Some(Some(changed)) = texts.next() {
                *text = changed;
            }
        }
        Value::Array(items) if depth < DEPTH_MAX => items.iter_mut().for_each(|item| put(item, depth + 1, texts)),
        Value::Object(fields) if depth < DEPTH_MAX => fields.values_mut().for_each(|item| put(item, depth + 1, texts)),
        _ => {}
    }
}

fn source(text: &str) -> Source {
    if text.len() <= REQUEST_BYTES_MAX { Source::Request } else { Source::File }
}

fn too_long(bytes: usize) -> Option<Abort> {
    let reason = || {
        format!(
            "There is too much text to be looked through for personal data: {bytes} bytes, and at most {BYTES_MAX} are. Ask for \
             less at a time, or begin a new session."
        )
    };
    (bytes > BYTES_MAX).then(|| Abort::fault("too-long", reason()))
}
