//! XML, element by element.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// A file of XML that grows. Everything that is text is escaped here, and nowhere else.
pub(super) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    pub(super) fn new() -> Self {
        let mut xml = Self { writer: Writer::new(Vec::new()) };
        xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("yes"))));
        xml
    }

    fn event(&mut self, event: Event<'_>) {
        // Writing into memory does not fail.
        let _ = self.writer.write_event(event);
    }

    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Start(element(name, attributes)));
    }

    pub(super) fn close(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Empty(element(name, attributes)));
    }

    /// An element whose one attribute is its value, as most of Word's are.
    pub(super) fn value(&mut self, name: &str, value: &str) {
        let attribute = if name.starts_with("m:") { "m:val" } else { "w:val" };
        self.empty(name, &[(attribute, value)]);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.event(Event::Text(BytesText::new(text)));
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.writer.into_inner()
    }
}

fn element<'a>(name: &'a str, attributes: &[(&'a str, &'a str)]) -> BytesStart<'a> {
    BytesStart::new(name).with_attributes(attributes.iter().copied())
}
