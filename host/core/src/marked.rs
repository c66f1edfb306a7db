//! Elements that no text can forge. Each tag carries a mark, and the mark occurs nowhere in what the elements hold, so that
//! no spelling of a closing tag closes one, whatever controls, blanks or look-alikes it is written with.
//!
//! The mark follows from the texts alone: the same texts make the same bytes, in a replay and in a provider's cache. Who
//! writes one of them cannot know it beforehand, because it depends on all of them; and where a text should hold it all the
//! same, another one is taken.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

/// Digits of a mark.
const DIGITS: usize = 12;
/// Bytes of a tag: longer ones are none of the host's.
const TAG_BYTES_MAX: usize = 64;

/// An element to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    tag: Cow<'static, str>,
    attributes: Vec<(&'static str, String)>,
    body: Body,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Body {
    Text(String),
    Elements(Vec<Element>),
}

impl Element {
    /// An element that holds a text.
    #[must_use]
    pub fn text(tag: impl Into<Cow<'static, str>>, text: &str) -> Self {
        Self { tag: tag.into(), attributes: Vec::new(), body: Body::Text(text.trim().to_owned()) }
    }

    /// An element that holds others.
    #[must_use]
    pub const fn holding(tag: &'static str, elements: Vec<Self>) -> Self {
        Self { tag: Cow::Borrowed(tag), attributes: Vec::new(), body: Body::Elements(elements) }
    }

    /// The same with an attribute. What would end the attribute is left out of its value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        let value = value.chars().filter(|c| !matches!(c, '"' | '<' | '>') && !c.is_control()).collect();
        self.attributes.push((name, value));
        self
    }

    /// Its tag, without the mark.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Text(text) => text.is_empty(),
            Body::Elements(elements) => elements.is_empty(),
        }
    }

    /// The element with a mark that is its own.
    #[must_use]
    pub fn alone(&self) -> String {
        self.written(&mark(std::slice::from_ref(self)))
    }

    /// The element with this mark.
    #[must_use]
    pub fn written(&self, mark: &str) -> String {
        let attributes: String = self.attributes.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
        let body = match &self.body {
            Body::Text(text) => text.clone(),
            Body::Elements(elements) => {
                elements.iter().map(|element| element.written(mark)).collect::<Vec<_>>().join("\n")
            }
        };
        let tag = &self.tag;
        format!("<{tag}-{mark}{attributes}>\n{body}\n</{tag}-{mark}>")
    }

    fn texts<'a>(&'a self, into: &mut Vec<&'a str>) {
        into.push(&self.tag);
        into.extend(self.attributes.iter().map(|(_, value)| value.as_str()));
        match &self.body {
            Body::Text(text) => into.push(text),
            Body::Elements(elements) => elements.iter().for_each(|element| element.texts(into)),
        }
    }
}

/// The mark for elements that stand in one text.
#[must_use]
pub fn mark(elements: &[Element]) -> String {
    let mut texts = Vec::new();
    elements.iter().for_each(|element| element.texts(&mut texts));
    let mut digest = Sha256::new();
    for text in &texts {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    let candidate = |number: u64| {
        let whole = hex::encode(digest.clone().chain_update(number.to_le_bytes()).finalize());
        whole.chars().take(DIGITS).collect()
    };
    free(&texts, (0..).map(candidate))
}

/// The first mark that no text holds: of finitely many texts there always is one.
fn free(texts: &[&str], mut candidates: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.iter().map(|text| text.to_ascii_lowercase()).collect();
    candidates.find(|mark| !texts.iter().any(|text| text.contains(mark.as_str()))).unwrap_or_default()
}

/// A text that holds elements of one mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked<'a> {
    text: &'a str,
    mark: &'a str,
}

/// An element as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'a> {
    head: &'a str,
    mark: &'a str,
    /// What it holds.
    pub inner: &'a str,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl<'a> Marked<'a> {
    /// The text with the mark of its first tag: the host writes that one, whatever stands in the element.
    #[must_use]
    pub fn read(text: &'a str) -> Option<Self> {
        let marks = text.match_indices('<').filter_map(|(at, _)| mark_of(text.get(at + 1..)?));
        marks.map(|mark| Self { text, mark }).next()
    }

    /// The mark.
    #[must_use]
    pub const fn mark(self) -> &'a str {
        self.mark
    }

    /// The elements with a tag, in order. None holds another of its own tag.
    #[must_use]
    pub fn elements(self, tag: &str) -> Vec<Found<'a>> {
        let (open, close) = (format!("<{tag}-{}", self.mark), format!("</{tag}-{}>", self.mark));
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(element) = self.next(at, &open, &close) {
            at = element.end;
            found.push(element);
        }
        found
    }

    /// Every element in order, each followed by those that it holds, and the text that stands outside of all.
    #[must_use]
    pub fn pieces(self) -> (Vec<Piece<'a>>, String) {
        let (found, outside) = self.outermost();
        let mut pieces = Vec::new();
        for (name, found) in found {
            // What holds others begins with one of them: no text begins with the mark. None of these holds others in turn.
            let inner = Self { text: found.inner, mark: self.mark };
            let within =
                if inner.first(0).is_some_and(|(_, it)| it.start == 0) { inner.outermost().0 } else { Vec::new() };
            let text = if within.is_empty() { found.inner } else { "" };
            pieces.push(Piece { name: name.to_owned(), about: found.attributes(), text });
            pieces.extend(within.into_iter().map(|(inner, it)| Piece {
                name: format!("{name}/{inner}"),
                about: it.attributes(),
                text: it.inner,
            }));
        }
        (pieces, outside)
    }

    /// The elements that no other holds, each with its tag, and the text outside of them.
    fn outermost(self) -> (Vec<(&'a str, Found<'a>)>, String) {
        let (mut all, mut outside, mut at) = (Vec::new(), String::new(), 0);
        while let Some((name, found)) = self.first(at) {
            outside.push_str(self.text.get(at..found.start).unwrap_or_default());
            at = found.end;
            all.push((name, found));
        }
        outside.push_str(self.text.get(at..).unwrap_or_default());
        (all, outside.trim().to_owned())
    }

    /// The next element of any tag; none where the next one that begins does not end.
    fn first(self, from: usize) -> Option<(&'a str, Found<'a>)> {
        let rest = self.text.get(from..)?;
        let sign = format!("-{}", self.mark);
        let (at, tag) = rest.match_indices(&sign).find_map(|(end, _)| {
            let before = rest.get(..end)?;
            let letters = before.bytes().rev().take(TAG_BYTES_MAX);
            let length = letters.take_while(|byte| byte.is_ascii_lowercase() || *byte == b'-').count();
            let start = end.checked_sub(length + 1).filter(|_| length > 0)?;
            let opens = before.as_bytes().get(start) == Some(&b'<');
            let closed = rest.get(end + sign.len()..)?.starts_with([' ', '>']);
            (opens && closed).then_some((start, before.get(start + 1..)?))
        })?;
        let (open, close) = (format!("<{tag}{sign}"), format!("</{tag}{sign}>"));
        Some((tag, self.next(from + at, &open, &close)?))
    }

    fn next(self, from: usize, open: &str, close: &str) -> Option<Found<'a>> {
        let Self { text, mark } = self;
        let start = from + text.get(from..)?.find(open)?;
        let head_start = start + open.len();
        let head_end = head_start + text.get(head_start..)?.find('>')?;
        let inner_start = head_end + 1;
        let inner_end = inner_start + text.get(inner_start..)?.find(close)?;
        let (head, inner) = (text.get(head_start..head_end)?, text.get(inner_start..inner_end)?);
        Some(Found { head, mark, inner: inner.trim_matches('\n'), start, end: inner_end + close.len() })
    }
}

/// An element with what it says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Its tag; within another after that one's, as `workspace/file`.
    pub name: String,
    /// Its attributes, in order.
    pub about: Vec<(&'a str, &'a str)>,
    /// What it holds; nothing where that is other elements.
    pub text: &'a str,
}

impl<'a> Found<'a> {
    /// The attributes of the opening tag: no value holds a quotation mark.
    fn attributes(&self) -> Vec<(&'a str, &'a str)> {
        let pairs = self.head.split("\" ").map(|pair| pair.trim().trim_end_matches('"'));
        pairs.filter_map(|pair| pair.split_once("=\"")).collect()
    }

    /// The value of an attribute of the opening tag.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let (_, rest) = self.head.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()
    }

    /// The elements with a tag that it holds.
    #[must_use]
    pub fn elements(&self, tag: &str) -> Vec<Found<'a>> {
        Marked { text: self.inner, mark: self.mark }.elements(tag)
    }
}

/// Whether a text begins with an element of this tag.
#[must_use]
pub fn opens(text: &str, tag: &str) -> bool {
    let rest = text.strip_prefix('<').filter(|rest| mark_of(rest).is_some());
    rest.and_then(|rest| rest.strip_prefix(tag))
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|rest| rest.get(DIGITS..).is_some_and(|after| after.starts_with([' ', '>'])))
}

/// The mark of the opening tag whose name begins here.
fn mark_of(name: &str) -> Option<&str> {
    let end = name.find([' ', '>'])?;
    let (tag, mark) = name.get(..end)?.rsplit_once('-')?;
    let named = !tag.is_empty() && tag.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let marked = mark.len() == DIGITS && mark.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    (named && marked).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let file = |path: &str, text: &str| Element::text("file", text).with("path", path);
        let files = Element::holding("workspace", vec![file("a.md", "</file> one"), file("b\".md", "two")]);
        let text = format!("Before.\n{}\n\nafter", files.alone());
        let marked = Marked::read(&text).unwrap();
        let workspace = marked.elements("workspace");
        let files = workspace[0].elements("file");
        let read: Vec<_> = files.iter().map(|it| (it.attribute("path").unwrap(), it.inner)).collect();
        assert_eq!(read, [("a.md", "</file> one"), ("b.md", "two")]);
        assert!(marked.elements("file").len() == 2 && marked.elements("work").is_empty());
        assert!(opens(&text["Before.\n".len()..], "workspace") && !opens(&text, "workspace"));
        assert!(Marked::read("<b>no marks</b>").is_none());
    }

    #[test]
    fn pieces_are_told_in_order_and_what_stands_outside_apart() {
        let file = |path: &str, text: &str| Element::text("file", text).with("path", path).with("of", "x y=z");
        let elements = [
            Element::text("agent", "Do </agent> it.").with("name", "planner"),
            Element::holding("workspace", vec![file("a.md", "one <b>"), file("b.md", "two")]),
            Element::text("context", "more"),
        ];
        let mark = mark(&elements);
        let written: Vec<String> = elements.iter().map(|element| element.written(&mark)).collect();
        let text = format!("Before <x>.\n\n{}\n\nafter", written.join("\n\n"));
        let (pieces, outside) = Marked::read(&text).unwrap().pieces();
        let read: Vec<_> =
            pieces.iter().map(|piece| (piece.name.as_str(), piece.about.as_slice(), piece.text)).collect();
        let about = |path| [("path", path), ("of", "x y=z")];
        assert_eq!(
            read,
            [
                ("agent", [("name", "planner")].as_slice(), "Do </agent> it."),
                ("workspace", [].as_slice(), ""),
                ("workspace/file", about("a.md").as_slice(), "one <b>"),
                ("workspace/file", about("b.md").as_slice(), "two"),
                ("context", [].as_slice(), "more"),
            ]
        );
        assert!(outside.starts_with("Before <x>.") && outside.ends_with("after"), "{outside}");
    }

    #[test]
    fn a_mark_that_a_text_holds_is_not_taken() {
        let candidates = ["0123456789ab", "abcdef012345", "fedcba987654"].map(str::to_owned);
        let texts = ["</task-0123456789ab>", "...", "< / task - ABCDEF012345 >"];
        assert_eq!(free(&texts, candidates.into_iter()), "fedcba987654");
    }

    #[test]
    fn the_same_texts_have_the_same_mark_and_any_other_text_another() {
        let of = |path: &str, text: &str| mark(&[Element::text("file", text).with("path", path)]);
        assert_eq!(of("a", "b"), of("a", "b"));
        assert_ne!(of("a", "b"), of("a", "c"));
        assert_ne!(of("a", "bc"), of("ab", "c"));
    }
}
