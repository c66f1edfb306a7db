//! The files around the text: styles, numbering, properties, footer.

use std::rc::Rc;

use super::body::{INDENT, TEXT_WIDTH};
use super::xml::Xml;
use crate::Part;

const WORD: (&str, &str) = ("xmlns:w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main");

pub(super) const CONTENT_TYPES: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
    r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
    r#"<Default Extension="xml" ContentType="application/xml"/>"#,
    r#"<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>"#,
    r#"<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>"#,
    r#"<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>"#,
    r#"<Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>"#,
    r#"<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>"#,
    r#"<Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>"#,
    "</Types>"
);

pub(super) const PACKAGE_RELATIONS: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    r#"<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>"#,
    r#"<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>"#,
    "</Relationships>"
);

/// Title and language.
pub(super) fn core(title: &str, language: &str) -> Vec<u8> {
    let mut xml = Xml::new();
    xml.open(
        "cp:coreProperties",
        &[
            ("xmlns:cp", "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"),
            ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ],
    );
    for (name, value) in [("dc:title", title), ("dc:language", language)] {
        xml.open(name, &[]);
        xml.text(value);
        xml.close(name);
    }
    xml.close("cp:coreProperties");
    xml.finish()
}

pub(super) fn relations(links: &[Rc<str>]) -> Vec<u8> {
    const BASE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let mut xml = Xml::new();
    xml.open("Relationships", &[("xmlns", "http://schemas.openxmlformats.org/package/2006/relationships")]);
    for (id, kind, target) in [
        ("rIdStyles", "styles", "styles.xml"),
        ("rIdNumbering", "numbering", "numbering.xml"),
        ("rIdSettings", "settings", "settings.xml"),
        ("rIdFooter", "footer", "footer1.xml"),
    ] {
        xml.empty("Relationship", &[("Id", id), ("Type", &format!("{BASE}/{kind}")), ("Target", target)]);
    }
    for (number, address) in (1..).zip(links) {
        let id = format!("rIdLink{number}");
        let kind = format!("{BASE}/hyperlink");
        xml.empty("Relationship", &[("Id", &id), ("Type", &kind), ("Target", address), ("TargetMode", "External")]);
    }
    xml.close("Relationships");
    xml.finish()
}

/// A style of paragraphs: id, name, size in half points, the rest.
struct Paragraph {
    id: &'static str,
    name: &'static str,
    based_on: &'static str,
    /// What follows such a paragraph.
    next: &'static str,
    /// Attributes of the space around it.
    before: &'static str,
    after: &'static str,
    /// Half points; empty for as it was.
    size: &'static str,
    bold: bool,
    colour: &'static str,
    /// Of a heading: its level from 0.
    outline: &'static str,
}

const PLAIN: Paragraph = Paragraph {
    id: "",
    name: "",
    based_on: "Normal",
    next: "",
    before: "0",
    after: "100",
    size: "",
    bold: false,
    colour: "",
    outline: "",
};

const INK: &str = "1F3A5F";

const PARAGRAPHS: [Paragraph; 12] = [
    heading("Heading1", "heading 1", "240", "120", "36", "0"),
    heading("Heading2", "heading 2", "280", "80", "27", "1"),
    heading("Heading3", "heading 3", "200", "60", "24", "2"),
    heading("Heading4", "heading 4", "160", "60", "22", "3"),
    Paragraph { id: "ListBullet", name: "List Bullet", after: "60", ..PLAIN },
    Paragraph { id: "ListNumber", name: "List Number", after: "60", ..PLAIN },
    Paragraph { id: "ListContinue", name: "List Continue", after: "60", ..PLAIN },
    Paragraph { id: "Quote", name: "Quote", before: "60", colour: "404040", ..PLAIN },
    Paragraph { id: "Code", name: "Code", after: "0", size: "19", ..PLAIN },
    Paragraph { id: "TableText", name: "Table Text", before: "40", after: "40", ..PLAIN },
    Paragraph {
        id: "TableHead",
        name: "Table Head",
        based_on: "TableText",
        before: "40",
        after: "40",
        bold: true,
        ..PLAIN
    },
    Paragraph { id: "Footer", name: "footer", size: "17", colour: "595959", after: "0", ..PLAIN },
];

const fn heading(
    id: &'static str,
    name: &'static str,
    before: &'static str,
    after: &'static str,
    size: &'static str,
    outline: &'static str,
) -> Paragraph {
    Paragraph { id, name, before, after, size, outline, next: "Normal", bold: true, colour: INK, ..PLAIN }
}

/// Pupils read it at arm's length: larger letters and more room between lines.
pub(super) fn styles(language: &str, part: Part) -> Vec<u8> {
    let (size, line) = match part {
        Part::All => ("21", "264"),
        Part::Pupil => ("24", "300"),
    };
    let mut xml = Xml::new();
    xml.open("w:styles", &[WORD]);
    xml.open("w:docDefaults", &[]);
    xml.open("w:rPrDefault", &[]);
    xml.open("w:rPr", &[]);
    font(&mut xml, "Arial");
    xml.value("w:sz", size);
    xml.value("w:szCs", size);
    xml.empty("w:lang", &[("w:val", language), ("w:eastAsia", language), ("w:bidi", "ar-SA")]);
    xml.close("w:rPr");
    xml.close("w:rPrDefault");
    xml.open("w:pPrDefault", &[]);
    xml.open("w:pPr", &[]);
    xml.empty("w:spacing", &[("w:after", "100"), ("w:line", line), ("w:lineRule", "auto")]);
    xml.close("w:pPr");
    xml.close("w:pPrDefault");
    xml.close("w:docDefaults");
    xml.open("w:style", &[("w:type", "paragraph"), ("w:default", "1"), ("w:styleId", "Normal")]);
    xml.value("w:name", "Normal");
    xml.empty("w:qFormat", &[]);
    xml.close("w:style");
    for style in &PARAGRAPHS {
        paragraph_style(&mut xml, style);
    }
    character_styles(&mut xml);
    table_style(&mut xml);
    xml.close("w:styles");
    xml.finish()
}

fn font(xml: &mut Xml, name: &str) {
    xml.empty("w:rFonts", &[("w:ascii", name), ("w:hAnsi", name), ("w:cs", name), ("w:eastAsia", name)]);
}

fn paragraph_style(xml: &mut Xml, style: &Paragraph) {
    xml.open("w:style", &[("w:type", "paragraph"), ("w:styleId", style.id)]);
    xml.value("w:name", style.name);
    xml.value("w:basedOn", style.based_on);
    if !style.next.is_empty() {
        xml.value("w:next", style.next);
    }
    xml.empty("w:qFormat", &[]);
    xml.open("w:pPr", &[]);
    if !style.outline.is_empty() {
        xml.empty("w:keepNext", &[]);
        xml.empty("w:keepLines", &[]);
    }
    if style.id == "Quote" {
        xml.open("w:pBdr", &[]);
        let line = [("w:val", "single"), ("w:sz", "18"), ("w:space", "8"), ("w:color", "9FB3C8")];
        xml.empty("w:left", &line);
        xml.close("w:pBdr");
    }
    if style.id == "Code" {
        xml.empty("w:shd", &[("w:val", "clear"), ("w:color", "auto"), ("w:fill", "F2F4F7")]);
    }
    if style.id == "Footer" {
        xml.open("w:tabs", &[]);
        xml.empty("w:tab", &[("w:val", "right"), ("w:pos", &TEXT_WIDTH.to_string())]);
        xml.close("w:tabs");
    }
    xml.empty("w:spacing", &[("w:before", style.before), ("w:after", style.after)]);
    if style.id == "Quote" {
        xml.empty("w:ind", &[("w:left", "340"), ("w:right", "340")]);
    }
    if !style.outline.is_empty() {
        xml.value("w:outlineLvl", style.outline);
    }
    xml.close("w:pPr");
    xml.open("w:rPr", &[]);
    if style.id == "Code" {
        font(xml, "Courier New");
    }
    if style.bold {
        xml.empty("w:b", &[]);
    }
    if !style.colour.is_empty() {
        xml.value("w:color", style.colour);
    }
    if !style.size.is_empty() {
        xml.value("w:sz", style.size);
    }
    xml.close("w:rPr");
    xml.close("w:style");
}

fn character_styles(xml: &mut Xml) {
    xml.open("w:style", &[("w:type", "character"), ("w:styleId", "Hyperlink")]);
    xml.value("w:name", "Hyperlink");
    xml.open("w:rPr", &[]);
    xml.value("w:color", "0B57A4");
    xml.value("w:u", "single");
    xml.close("w:rPr");
    xml.close("w:style");
    xml.open("w:style", &[("w:type", "character"), ("w:styleId", "CodeInline")]);
    xml.value("w:name", "Code Inline");
    xml.open("w:rPr", &[]);
    font(xml, "Courier New");
    xml.close("w:rPr");
    xml.close("w:style");
}

fn table_style(xml: &mut Xml) {
    xml.open("w:style", &[("w:type", "table"), ("w:styleId", "LessonTable")]);
    xml.value("w:name", "Lesson Table");
    xml.open("w:tblPr", &[]);
    xml.open("w:tblBorders", &[]);
    for side in ["w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"] {
        xml.empty(side, &[("w:val", "single"), ("w:sz", "4"), ("w:space", "0"), ("w:color", "9AA5B1")]);
    }
    xml.close("w:tblBorders");
    xml.open("w:tblCellMar", &[]);
    xml.empty("w:left", &[("w:w", "100"), ("w:type", "dxa")]);
    xml.empty("w:right", &[("w:w", "100"), ("w:type", "dxa")]);
    xml.close("w:tblCellMar");
    xml.close("w:tblPr");
    xml.open("w:tblStylePr", &[("w:type", "firstRow")]);
    xml.open("w:tcPr", &[]);
    xml.empty("w:shd", &[("w:val", "clear"), ("w:color", "auto"), ("w:fill", "E8EDF3")]);
    xml.close("w:tcPr");
    xml.close("w:tblStylePr");
    xml.close("w:style");
}

/// Bullets are the first list; each numbered list is one of its own, so that it begins with its own number.
pub(super) fn numbering(numbers: &[(usize, u64)]) -> Vec<u8> {
    let mut xml = Xml::new();
    xml.open("w:numbering", &[WORD]);
    for (id, format) in [("0", "bullet"), ("1", "decimal")] {
        xml.open("w:abstractNum", &[("w:abstractNumId", id)]);
        xml.value("w:multiLevelType", "hybridMultilevel");
        for level in 0..9_usize {
            level_of(&mut xml, level, format);
        }
        xml.close("w:abstractNum");
    }
    xml.open("w:num", &[("w:numId", "1")]);
    xml.value("w:abstractNumId", "0");
    xml.close("w:num");
    for (number, (level, first)) in (2..).zip(numbers) {
        xml.open("w:num", &[("w:numId", &i32::to_string(&number))]);
        xml.value("w:abstractNumId", "1");
        xml.open("w:lvlOverride", &[("w:ilvl", &level.to_string())]);
        xml.value("w:startOverride", &(*first).min(30_000).to_string());
        xml.close("w:lvlOverride");
        xml.close("w:num");
    }
    xml.close("w:numbering");
    xml.finish()
}

fn level_of(xml: &mut Xml, level: usize, format: &str) {
    let text = match (format, level % 3) {
        ("decimal", _) => format!("%{}.", level + 1),
        (_, 0) => "•".to_owned(),
        (_, 1) => "–".to_owned(),
        _ => "▪".to_owned(),
    };
    xml.open("w:lvl", &[("w:ilvl", &level.to_string())]);
    xml.value("w:start", "1");
    let letters = format == "decimal" && level % 2 == 1;
    xml.value("w:numFmt", if letters { "lowerLetter" } else { format });
    xml.value("w:lvlText", &text);
    xml.value("w:lvlJc", "left");
    xml.open("w:pPr", &[]);
    let left = (INDENT * (level + 1)).to_string();
    xml.empty("w:ind", &[("w:left", &left), ("w:hanging", &INDENT.to_string())]);
    xml.close("w:pPr");
    xml.close("w:lvl");
}

pub(super) fn settings(language: &str) -> Vec<u8> {
    let mut xml = Xml::new();
    xml.open("w:settings", &[WORD]);
    xml.value("w:defaultTabStop", "720");
    xml.open("w:compat", &[]);
    let mode =
        [("w:name", "compatibilityMode"), ("w:uri", "http://schemas.microsoft.com/office/word"), ("w:val", "15")];
    xml.empty("w:compatSetting", &mode);
    xml.close("w:compat");
    xml.empty("w:themeFontLang", &[("w:val", language)]);
    xml.close("w:settings");
    xml.finish()
}

/// The title on the left, the page on the right.
pub(super) fn footer(title: &str) -> Vec<u8> {
    let mut xml = Xml::new();
    xml.open("w:ftr", &[WORD]);
    xml.open("w:p", &[]);
    xml.open("w:pPr", &[]);
    xml.value("w:pStyle", "Footer");
    xml.close("w:pPr");
    // Half a line of title is enough to know the sheet by.
    let shown: String = title.chars().take(70).collect();
    words(&mut xml, &shown);
    xml.open("w:r", &[]);
    xml.empty("w:tab", &[]);
    xml.close("w:r");
    words(&mut xml, "Page ");
    field(&mut xml, "PAGE");
    words(&mut xml, " of ");
    field(&mut xml, "NUMPAGES");
    xml.close("w:p");
    xml.close("w:ftr");
    xml.finish()
}

fn words(xml: &mut Xml, text: &str) {
    xml.open("w:r", &[]);
    xml.open("w:t", &[("xml:space", "preserve")]);
    xml.text(text);
    xml.close("w:t");
    xml.close("w:r");
}

fn field(xml: &mut Xml, name: &str) {
    xml.open("w:fldSimple", &[("w:instr", name)]);
    words(xml, "1");
    xml.close("w:fldSimple");
}
