//! Results of cases in the form that most build servers read: JUnit's XML.

use std::fmt::Write as _;

use crate::cases::{Ran, Verdict};

/// The results of a guest's cases.
#[must_use]
pub fn of(guest: &str, all: &[Ran]) -> String {
    let count = |verdict: Verdict| all.iter().filter(|ran| ran.verdict == verdict).count();
    let seconds = |ran: &Ran| ran.call.as_ref().map_or(0, |call| call.elapsed_us);
    let total: u64 = all.iter().map(seconds).sum();
    let (failures, errors) = (count(Verdict::Failed), count(Verdict::Refused));
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let name = escaped(guest);
    let _ = writeln!(
        xml,
        "<testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\">",
        all.len(),
        in_seconds(total)
    );
    for ran in all {
        let (case, time) = (escaped(&ran.name), in_seconds(seconds(ran)));
        let _ = write!(xml, "  <testcase classname=\"{name}\" name=\"{case}\" time=\"{time}\"");
        let element = match ran.verdict {
            Verdict::Passed | Verdict::Accepted => None,
            Verdict::Failed => Some("failure"),
            Verdict::Refused => Some("error"),
        };
        let _ = match (element, ran.why.as_deref().unwrap_or_default()) {
            (None, _) => writeln!(xml, "/>"),
            (Some(element), why) => {
                let first = escaped(why.lines().next().unwrap_or_default());
                writeln!(xml, ">\n    <{element} message=\"{first}\">{}</{element}>\n  </testcase>", escaped(why))
            }
        };
    }
    xml.push_str("</testsuite>\n");
    xml
}

fn in_seconds(microseconds: u64) -> String {
    format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000)
}

/// A text within XML. What XML cannot hold at all is shown as its number.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_and_what_was_refused_are_told_apart_and_nothing_breaks_out() {
        let ran = |name: &str, verdict, why: Option<&str>| Ran {
            name: name.into(),
            verdict,
            why: why.map(Into::into),
            call: None,
        };
        let all = [
            ran("good", Verdict::Passed, None),
            ran("bad\"<", Verdict::Failed, Some("-a & b\u{1}\n+c")),
            ran("not", Verdict::Refused, Some("no")),
        ];
        let xml = of("g", &all);
        assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
        assert!(xml.contains("name=\"bad&quot;&lt;\"") && xml.contains("-a &amp; b\\u{1}\n+c</failure>"), "{xml}");
        assert!(xml.contains("name=\"good\" time=\"0.000000\"/>"), "{xml}");
    }
}
