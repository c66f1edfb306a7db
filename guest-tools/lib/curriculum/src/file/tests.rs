use super::*;

const FILE: &str = "\
---
subject: \"Computing Science\"   # the department's name
title: CfE Technologies: computing
framework: CfE
version: 2017
text_kind: paraphrase
source: 'Experiences and Outcomes: Technologies'
status:
---
# Computing

How to read this file: see TCH 3-14a.

## Third level

### TCH 3-14a: constructs of languages
- **Level:** third
- **Outcome:** explains constructs that
  represent structured information
* **Misconceptions**: a loop's counter
  - is not its total
  - **counts:** from 0 or 1

#### Examples

```python
## TCH 3-99z: not a heading
```

### LIT 3-26a / LIT 4-26a — linking sources
Some prose.

## Fourth level

### **TCH 414a**

### TCH 3-14a: again
";

fn file() -> CurriculumFile {
    CurriculumFile::parse(FILE)
}

#[test]
fn front_matter_is_key_and_value() {
    let meta = file().meta;
    assert_eq!(meta.subject.as_deref(), Some("Computing Science"));
    assert_eq!(meta.title.as_deref(), Some("CfE Technologies: computing"));
    assert_eq!(meta.framework.as_deref(), Some("CfE"));
    assert_eq!(meta.version.as_deref(), Some("2017"));
    assert_eq!(meta.text_kind.as_deref(), Some("paraphrase"));
    assert_eq!(meta.source.as_deref(), Some("Experiences and Outcomes: Technologies"));
}

#[test]
fn an_entry_is_a_heading_that_begins_with_its_code() {
    let shown: Vec<_> = file()
        .entries
        .into_iter()
        .map(|entry| {
            let codes: Vec<String> = entry.codes.iter().map(Code::to_string).collect();
            (codes.join(" / "), entry.title, entry.first_line, entry.last_line)
        })
        .collect();
    let expected = [
        ("TCH 3-14a", "constructs of languages", 16, 28),
        ("LIT 3-26a / LIT 4-26a", "linking sources", 30, 31),
        ("TCH 4-14a", "", 35, 35),
        ("TCH 3-14a", "again", 37, 37),
    ];
    assert_eq!(shown, expected.map(|(codes, title, first, last)| (codes.to_owned(), title.to_owned(), first, last)));
}

#[test]
fn fields_are_items_with_a_bold_name() {
    let file = file();
    let fields: Vec<_> = file.entries[0].fields.iter().map(|f| (f.name.as_str(), f.value.as_str(), f.line)).collect();
    assert_eq!(
        fields,
        [
            ("Level", "third", 17),
            ("Outcome", "explains constructs that\nrepresent structured information", 18),
            ("Misconceptions", "a loop's counter\n- is not its total\n- **counts:** from 0 or 1", 20),
        ]
    );
    assert_eq!(file.entries[0].field("level"), Some("third"));
    assert_eq!(file.entries[0].field("status"), None);
}

#[test]
fn an_entry_keeps_its_text_as_it_stands() {
    let file = file();
    assert!(file.entries[0].text.starts_with("### TCH 3-14a: constructs"));
    assert!(file.entries[0].text.ends_with("```"));
    assert_eq!(file.entries[1].text, "### LIT 3-26a / LIT 4-26a — linking sources\nSome prose.");
}

#[test]
fn an_entry_that_stands_twice_is_kept_twice() {
    let code = "TCH 3-14a".parse().expect("a code");
    assert_eq!(file().entries_of(code).map(|entry| entry.first_line).collect::<Vec<_>>(), [16, 37]);
}

#[test]
fn line_breaks_of_other_systems_and_a_byte_order_mark_change_nothing() {
    let windows = CurriculumFile::parse(&format!("\u{FEFF}{}", FILE.replace('\n', "\r\n")));
    let unix = file();
    assert_eq!(windows.meta, unix.meta);
    let places = |file: &CurriculumFile| {
        file.entries.iter().map(|e| (e.codes.clone(), e.title.clone(), e.last_line)).collect::<Vec<_>>()
    };
    assert_eq!(places(&windows), places(&unix));
    assert_eq!(windows.entries[0].fields, unix.entries[0].fields);
    assert_eq!(CurriculumFile::parse("\u{FEFF}## TCH 3-14a: loops").entries.len(), 1);
}

#[test]
fn headings_may_be_written_in_many_ways() {
    for (heading, codes, title) in [
        ("## TCH 3-14a: loops", "TCH 3-14a", "loops"),
        ("## TCH 3-14a — loops", "TCH 3-14a", "loops"),
        ("## TCH 3-14a - loops", "TCH 3-14a", "loops"),
        ("## TCH 3-14a", "TCH 3-14a", ""),
        ("###### tch 3-14a loops", "TCH 3-14a", "loops"),
        ("## MNU 201a: rounding", "MNU 2-01a", "rounding"),
        ("## `TCH 3-14a`: loops", "TCH 3-14a", "loops"),
        ("## **TCH 3-14a: loops**", "TCH 3-14a", "loops"),
        ("## TCH 3-13a, 3-13b: models", "TCH 3-13a / TCH 3-13b", "models"),
        ("## XYZ 3-14a: a new framework", "XYZ 3-14a", "a new framework"),
        ("## LIT 3-26a / 4-26a: sources", "LIT 3-26a / LIT 4-26a", "sources"),
        ("## TCH 3-14a: builds on TCH 2-14a", "TCH 3-14a", "builds on TCH 2-14a"),
    ] {
        let file = CurriculumFile::parse(heading);
        let found = file.entries.first().expect(heading);
        let shown: Vec<String> = found.codes.iter().map(Code::to_string).collect();
        assert_eq!((shown.join(" / ").as_str(), found.title.as_str()), (codes, title), "{heading}");
    }
    for heading in ["## About TCH 3-14a", "## Third level", "TCH 3-14a: no heading", "## TCH 9-14a: no such level"] {
        assert!(CurriculumFile::parse(heading).entries.is_empty(), "{heading}");
    }
}

#[test]
fn missing_front_matter_is_no_error() {
    let file = CurriculumFile::parse("## TCH 3-14a: loops\n");
    assert_eq!((file.meta, file.entries.len()), (Meta::default(), 1));
    let unclosed = CurriculumFile::parse("---\nsubject: x\n## TCH 3-14a: loops\n");
    assert_eq!((unclosed.meta, unclosed.entries.len()), (Meta::default(), 1));
    assert_eq!(CurriculumFile::parse(""), CurriculumFile::default());
}

#[test]
fn entries_of_another_curriculum_keep_their_codes_as_written() {
    let text = "---\nframework: england\n---\n# Key stage 3\n\n## KS3/Co/2: two languages\n- **Level:** key stage 3\n\n## Notes\n\n## KS3/Co/3:\n";
    let file = CurriculumFile::parse(text);
    let labels: Vec<(&str, u32)> = file.labelled.iter().map(|it| (it.label.as_str(), it.entry.last_line)).collect();
    assert_eq!(labels, [("KS3/Co/2", 7), ("KS3/Co/3", 11)]);
    assert_eq!(file.labelled[0].entry.field("level"), Some("key stage 3"));
    assert!(file.entries.is_empty());
    for framework in ["cfe", "CfE", "Curriculum for Excellence"] {
        let own = CurriculumFile::parse(&text.replace("england", framework));
        assert!(own.labelled.is_empty() && own.entries.is_empty(), "{framework}");
    }
}
