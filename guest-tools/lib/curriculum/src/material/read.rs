//! From text to items.

use super::faults::{of_file, of_item};
use super::{Check, Fault, Item, MaterialFile};
use crate::front_matter::field;
use crate::markdown::{Kind, Line, heading, item, lines};

/// A section of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Worked,
    Sources,
    Recall,
    Practice(u8),
    Exit,
    Misconceptions,
}

impl Section {
    pub(super) const ALL: [(&str, Self); 8] = [
        ("Worked examples", Self::Worked),
        ("Sources", Self::Sources),
        ("Recall", Self::Recall),
        ("Practice: first step", Self::Practice(1)),
        ("Practice: second step", Self::Practice(2)),
        ("Practice: third step", Self::Practice(3)),
        ("Exit questions", Self::Exit),
        ("Misconceptions", Self::Misconceptions),
    ];

    fn of(title: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(title.trim())).map(|(_, section)| *section)
    }
}

/// Reads a file: what of it is whole, and what is wrong with the rest.
#[must_use]
pub fn parse(text: &str) -> (MaterialFile, Vec<Fault>) {
    let mut faults = Vec::new();
    let value = |name: &str| field(text, name).unwrap_or_default().to_owned();
    let mut file = MaterialFile { outcome: value("outcome"), subject: value("subject"), ..MaterialFile::default() };
    let mut section = None;
    let mut open: Option<(Section, u32, String, Vec<Line<'_>>)> = None;
    for line in body(text) {
        let Kind::Heading(level) = line.kind else {
            if let Some((_, _, _, lines)) = &mut open {
                lines.push(line);
            }
            continue;
        };
        if level > 3 {
            faults.push(fault(
                line.number,
                "a heading of the fourth level or below has no meaning here",
                "make it bold text",
            ));
            continue;
        }
        close(open.take(), &mut file, &mut faults);
        let title = heading(line.text).map(|(_, title)| title).unwrap_or_default();
        match level {
            2 => {
                section = Section::of(title);
                if section.is_none() {
                    let names: Vec<&str> = Section::ALL.iter().map(|(name, _)| *name).collect();
                    let remedy = format!("name it as one of these: {}", names.join(", "));
                    faults.push(Fault { line: line.number, message: format!("there is no section `{title}`"), remedy });
                }
            }
            3 => match section {
                Some(section) => open = Some((section, line.number, title.to_owned(), Vec::new())),
                None => {
                    faults.push(fault(line.number, "an item stands outside the sections", "move it below one of them"))
                }
            },
            _ => {}
        }
    }
    close(open, &mut file, &mut faults);
    of_file(text, &file, &mut faults);
    faults.sort_by_key(|fault| fault.line);
    (file, faults)
}

/// The lines behind the front matter, with the numbers that they have in the file.
fn body(text: &str) -> impl Iterator<Item = Line<'_>> {
    let all = lines(text);
    let fences: Vec<usize> =
        all.iter().enumerate().filter(|(_, it)| it.text.trim_end() == "---").map(|(at, _)| at).collect();
    let skip = match fences.as_slice() {
        [0, end, ..] => end + 1,
        _ => 0,
    };
    all.into_iter().skip(skip)
}

pub(super) fn fault(line: u32, message: &str, remedy: &str) -> Fault {
    Fault { line, message: message.to_owned(), remedy: remedy.to_owned() }
}

/// Puts an item where it belongs, if it is whole.
fn close(open: Option<(Section, u32, String, Vec<Line<'_>>)>, file: &mut MaterialFile, faults: &mut Vec<Fault>) {
    let Some((section, line, title, lines)) = open else { return };
    let before = faults.len();
    let item = read_item(section, line, &title, &lines, faults);
    of_item(section, &item, faults);
    if file.items().any(|other| other.id == item.id) {
        faults.push(fault(
            line,
            &format!("the id `{}` stands twice", item.id),
            "number the items of a section through",
        ));
    }
    if faults.len() > before {
        return;
    }
    match section {
        Section::Worked => file.worked.push(item),
        Section::Sources => file.sources.push(item),
        Section::Recall => file.recall.push(item),
        Section::Practice(_) => file.practice.push(item),
        Section::Exit => file.exit.push(item),
        Section::Misconceptions => file.misconceptions.push(item),
    }
}

fn read_item(section: Section, line: u32, title: &str, lines: &[Line<'_>], faults: &mut Vec<Fault>) -> Item {
    let (id, title) = title.split_once(':').unwrap_or((title, ""));
    let step = if let Section::Practice(step) = section { Some(step) } else { None };
    let mut read = Item { id: id.trim().to_owned(), line, step, title: title.trim().to_owned(), ..Item::default() };
    let mut question: Vec<&str> = Vec::new();
    let mut fields: Vec<(u32, String, String)> = Vec::new();
    for line in lines {
        if let Some((name, value)) = named(line) {
            fields.push((line.number, name.to_owned(), value.to_owned()));
        } else if let Some((_, _, value)) = fields.last_mut() {
            let more = line.text.trim();
            if !more.is_empty() {
                *value = format!("{value} {more}").trim().to_owned();
            }
        } else if section == Section::Worked && numbered(line) {
            read.steps.extend(item(line.text).map(str::to_owned));
        } else if line.kind == Kind::Text && !read.steps.is_empty() {
            if let Some(step) = read.steps.last_mut() {
                *step = format!("{step} {}", line.text.trim());
            }
        } else if line.kind != Kind::Comment {
            question.push(line.text);
        }
    }
    read.question = question.join("\n").trim().to_owned();
    for (line, name, value) in fields {
        set(&mut read, line, &name, value, faults);
    }
    read
}

fn set(read: &mut Item, line: u32, name: &str, value: String, faults: &mut Vec<Fault>) {
    match name {
        "Answer" => read.answer = value,
        "Reason" => read.reason = value,
        "From" => read.from = value,
        "Uses" => read.uses = Some(value),
        "Topics" => read.topics = value.split(',').map(|topic| topic.trim().to_owned()).collect(),
        "Criterion" => match value.parse().ok().filter(|number| (1..=9).contains(number)) {
            Some(number) => read.criterion = Some(number),
            None => faults.push(fault(
                line,
                &format!("`Criterion` is `{value}`"),
                "give the number of the item of `Assessment` in the curriculum file, from 1",
            )),
        },
        "Check" => match check(&value) {
            Ok(check) => read.check = Some(check),
            Err(remedy) => {
                // Said once: the field is there.
                read.check = Some(Check::Human);
                faults.push(fault(line, &format!("`Check` is `{value}`"), remedy));
            }
        },
        _ => faults.push(fault(
            line,
            &format!("there is no field `{name}`"),
            "use Answer, Reason, Check, Criterion, Topics, Uses or From",
        )),
    }
}

/// `- **Answer:** £12` as name and value. Other list items belong to the question.
fn named<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    if line.kind != Kind::Item || line.text.starts_with(' ') {
        return None;
    }
    let (name, value) = line.text.strip_prefix("- **")?.split_once(":**")?;
    Some((name, value.trim()))
}

fn numbered(line: &Line<'_>) -> bool {
    line.kind == Kind::Item && line.text.starts_with(|c: char| c.is_ascii_digit())
}

fn check(value: &str) -> Result<Check, &'static str> {
    const EQUATION: &str = "write it as `left = right`, several parted by `;`";
    let (kind, rest) = value.split_once(' ').unwrap_or((value, ""));
    let pairs = || -> Option<Vec<(String, String)>> {
        let sides =
            |one: &str| one.rsplit_once('=').map(|(left, right)| (left.trim().to_owned(), right.trim().to_owned()));
        let pairs: Option<Vec<(String, String)>> = rest.split(';').map(sides).collect();
        pairs.filter(|pairs| pairs.iter().all(|(left, right)| !left.is_empty() && !right.is_empty()))
    };
    match kind {
        "expr" => pairs().map(Check::Expr).ok_or(EQUATION),
        "grammar" => pairs().map(Check::Grammar).ok_or(EQUATION),
        "code" => Ok(Check::Code(rest.trim_matches('`').to_owned())),
        "quote" if !rest.trim().is_empty() => Ok(Check::Quote(rest.trim().to_owned())),
        "quote" => Err("give the words that stand in the source"),
        "human" => Ok(Check::Human),
        _ => Err("begin it with expr, code, grammar, quote or human"),
    }
}
