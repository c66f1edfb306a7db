//! Elements that the host puts into messages: `<context-…>` and `<rework-…>`. Each tag carries a mark that occurs nowhere in
//! what the elements hold, so no text of a person or a file can open or close one.

/// Digits of a mark.
const DIGITS: usize = 12;

/// A text that holds elements of one mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marked<'a> {
    text: &'a str,
    mark: &'a str,
}

/// An element as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found<'a> {
    head: &'a str,
    /// What it holds.
    pub(crate) inner: &'a str,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

impl<'a> Marked<'a> {
    /// The text with the mark of its first tag: the host writes that one, whatever stands in the element.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let marks = text.match_indices('<').filter_map(|(at, _)| mark_of(text.get(at + 1..)?));
        marks.map(|mark| Self { text, mark }).next()
    }

    /// The mark.
    pub(crate) const fn mark(self) -> &'a str {
        self.mark
    }

    /// The elements with a tag, in order. None holds another of its own tag.
    pub(crate) fn elements(self, tag: &str) -> Vec<Found<'a>> {
        let (open, close) = (format!("<{tag}-{}", self.mark), format!("</{tag}-{}>", self.mark));
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(element) = self.next(at, &open, &close) {
            at = element.end;
            found.push(element);
        }
        found
    }

    fn next(self, from: usize, open: &str, close: &str) -> Option<Found<'a>> {
        let text = self.text;
        let start = from + text.get(from..)?.find(open)?;
        let head_start = start + open.len();
        let head_end = head_start + text.get(head_start..)?.find('>')?;
        let inner_start = head_end + 1;
        let inner_end = inner_start + text.get(inner_start..)?.find(close)?;
        let (head, inner) = (text.get(head_start..head_end)?, text.get(inner_start..inner_end)?);
        Some(Found { head, inner: inner.trim_matches('\n'), start, end: inner_end + close.len() })
    }
}

impl<'a> Found<'a> {
    /// The value of an attribute of the opening tag.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        let (_, rest) = self.head.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()
    }
}

/// Whether a text begins with an element of this tag.
pub(crate) fn opens(text: &str, tag: &str) -> bool {
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
    fn an_element_is_found_by_its_tag_and_mark() {
        let text = "Before.\n<rework-0123456789ab hook=\"gate\" round=\"1\">\n</rework> one </rework-abcdef012345>\n</rework-0123456789ab>\n\nafter";
        let marked = Marked::read(text).unwrap();
        let found = marked.elements("rework");
        assert_eq!((found.len(), found[0].attribute("hook")), (1, Some("gate")));
        assert_eq!(found[0].inner, "</rework> one </rework-abcdef012345>");
        assert_eq!(&text[found[0].end..], "\n\nafter");
        assert!(opens(&text["Before.\n".len()..], "rework") && !opens(text, "rework"));
        assert!(marked.elements("work").is_empty());
    }

    #[test]
    fn a_text_without_marks_has_no_elements() {
        assert!(Marked::read("<b>no marks</b>").is_none());
        assert!(!opens("<rework>none</rework>", "rework"));
    }
}
