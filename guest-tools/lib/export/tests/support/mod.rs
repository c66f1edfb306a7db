//! Reads documents back.
#![allow(dead_code, unreachable_pub, reason = "each test uses what it needs")]

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Stream};
use quick_xml::events::Event;

/// A file of XML that has been read to its end.
#[derive(Debug, Default)]
pub struct Xml {
    /// What is shown, paragraph by paragraph.
    pub text: String,
    elements: Vec<(String, BTreeMap<String, String>)>,
}

impl Xml {
    fn read(bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap();
        let mut reader = quick_xml::Reader::from_str(text);
        reader.config_mut().check_end_names = true;
        let mut xml = Self::default();
        let mut open = 0_i32;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => {
                    open += 1;
                    xml.element(&start);
                }
                Event::Empty(start) => xml.element(&start),
                Event::End(end) => {
                    open -= 1;
                    if end.name().as_ref() == "w:p" {
                        xml.text.push('\n');
                    }
                }
                Event::Text(text) => xml.text.push_str(&text),
                Event::GeneralRef(name) => xml.text.push_str(match &*name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "apos" => "'",
                    "quot" => "\"",
                    other => panic!("&{other};"),
                }),
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(open, 0, "every element is closed");
        xml
    }

    fn element(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        let name = start.name().as_ref().to_owned();
        let attributes = start.attributes().map(|it| {
            let it = it.unwrap();
            let value = it.value.to_string();
            (it.key.as_ref().to_owned(), value)
        });
        self.elements.push((name, attributes.collect()));
    }

    pub fn count(&self, element: &str) -> usize {
        self.elements.iter().filter(|(name, _)| name == element).count()
    }

    pub fn attributes(&self, element: &str, attribute: &str) -> Vec<&str> {
        let all = self.elements.iter().filter(|(name, _)| name == element);
        all.filter_map(|(_, attributes)| attributes.get(attribute).map(String::as_str)).collect()
    }
}

/// The files of a Word document; their sums are checked.
pub fn docx(bytes: &[u8]) -> BTreeMap<String, Xml> {
    let archive = rawzip::ZipArchive::from_slice(bytes).unwrap();
    let mut files = BTreeMap::new();
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().unwrap() {
        let name = String::from_utf8(entry.file_path().as_ref().to_vec()).unwrap();
        let file = archive.get_entry(entry.wayfinder()).unwrap();
        let unpacked = miniz_oxide::inflate::decompress_to_vec(file.data()).unwrap();
        assert_eq!(rawzip::crc32(&unpacked), file.claim_verifier().crc, "{name}");
        files.insert(name, Xml::read(&unpacked));
    }
    files
}

/// The words on the pages of a PDF, by its own tables of characters, and how many pages it has.
pub fn pdf(bytes: &[u8]) -> (String, usize) {
    let pdf = Pdf::new(bytes.to_vec()).unwrap();
    let mut text = String::new();
    for page in pdf.pages().iter() {
        let mut fonts: BTreeMap<String, BTreeMap<u16, String>> = BTreeMap::new();
        let mut current = String::new();
        let content = page.page_stream().unwrap().to_vec();
        let mut operations = hayro_syntax::content::UntypedIter::new(&content);
        while let Some(operation) = operations.next() {
            let operator: &[u8] = operation.operator;
            match operator {
                b"Tf" => {
                    let name = operation.operands().next().unwrap().clone().into_name().unwrap();
                    current = String::from_utf8(name.as_ref().to_vec()).unwrap();
                    let font: Dict<'_> = page.resources().get_font(&name).unwrap();
                    fonts.entry(current.clone()).or_insert_with(|| characters(&font));
                }
                b"Tj" => {
                    let shown = operation.operands().next().unwrap().clone().into_string().unwrap();
                    for code in shown.as_bytes().chunks(2) {
                        let code = u16::from_be_bytes(code.try_into().unwrap());
                        text.push_str(&fonts[&current][&code]);
                    }
                }
                b"ET" => text.push(' '),
                _ => {}
            }
        }
        text.push('\n');
    }
    (text, pdf.pages().len())
}

fn characters(font: &Dict<'_>) -> BTreeMap<u16, String> {
    let stream: Stream<'_> = font.get(b"ToUnicode").unwrap();
    let map = String::from_utf8(stream.decoded().unwrap().to_vec()).unwrap();
    let pairs = map.lines().filter_map(|line| line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <"));
    let read = |(code, text): (&str, &str)| {
        let units: Vec<u16> = text
            .as_bytes()
            .chunks(4)
            .map(|it| u16::from_str_radix(std::str::from_utf8(it).unwrap(), 16).unwrap())
            .collect();
        Some((u16::from_str_radix(code, 16).ok()?, String::from_utf16(&units).unwrap()))
    };
    pairs.filter(|(code, _)| code.len() == 4).filter_map(read).collect()
}

/// The objects of a PDF as they are written; what is packed stays so.
pub fn pdf_objects(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
