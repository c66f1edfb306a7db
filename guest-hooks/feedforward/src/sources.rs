//! What is read: the class's profile, the teacher's files, and the entry points of memory.

use ta_guest::granted::locate;
use ta_guest::pre_loop::Event;
use ta_guest::{Context, memory};

use crate::flow::Host;

/// A longer file is cut: a profile has a page or two.
const FILE_BYTES_MAX: usize = 64 * 1024;

/// A text with the path that it is corrected by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Everything the items may come from; what is missing is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sources {
    pub(crate) class: Option<String>,
    pub(crate) input: String,
    pub(crate) profile: Source,
    pub(crate) teacher: Source,
    pub(crate) pedagogy: Source,
    pub(crate) class_memory: Option<memory::File>,
    pub(crate) teacher_memory: Option<memory::File>,
}

impl Sources {
    pub(crate) fn read(context: &Context, event: &Event, host: &impl Host) -> Self {
        // The name becomes part of a path, so it may not hold anything that leads elsewhere.
        let plain = |class: &&str| class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
        let class = context.about("class").filter(plain).map(str::to_owned);
        let of_class = |path: String| file(host, &path);
        Self {
            profile: class.as_ref().map(|class| of_class(format!("classes/{class}.md"))).unwrap_or_default(),
            teacher: file(host, "teacher.md"),
            pedagogy: file(host, "pedagogy.md"),
            class_memory: class
                .as_ref()
                .and_then(|class| host.remembered(&format!("memory/classes/{class}/MEMORY.md"))),
            teacher_memory: host.remembered("memory/MEMORY.md"),
            input: event.input.clone(),
            class,
        }
    }
}

fn file(host: &impl Host, path: &str) -> Source {
    let place = locate(&host.granted(), path);
    let text = place.and_then(|place| host.read(&place.directory, &place.path)).unwrap_or_default();
    Source { path: path.into(), text: bounded(text) }
}

/// The text, cut at a line end where it is too long.
fn bounded(mut text: String) -> String {
    if text.len() > FILE_BYTES_MAX {
        let end = text.bytes().take(FILE_BYTES_MAX).rposition(|byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(end);
    }
    text
}
