//! Files of signals: a list of `{capability, pattern?, keywords?, confidence}`.

use ta_fields::fields::Fields;
use ta_fields::front_matter::yaml_list;
use ta_fields::problem::Problem;

/// A signal with its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SignalEntry {
    /// The capability that it tells of.
    pub capability: String,
    /// A regular expression.
    pub pattern: Option<String>,
    /// Words.
    pub keywords: Vec<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// The file, as the person would name it.
    pub file: String,
    /// Its line.
    pub line: usize,
}

/// Signals of one file at the most.
pub const SIGNALS_MAX: usize = 2_000;

/// Reads a file of signals.
pub fn signals(file: &str, text: &str, problems: &mut Vec<Problem>) -> Vec<SignalEntry> {
    let list = match yaml_list(file, text) {
        Ok(list) => list,
        Err(problem) => {
            problems.push(problem);
            return Vec::new();
        }
    };
    if list.len() > SIGNALS_MAX {
        let message = format!("the file has {} signals; at most {SIGNALS_MAX} are read", list.len());
        problems.push(Problem::new("signal.too_many", file, message, "join signals of one capability"));
    }
    list.iter().take(SIGNALS_MAX).map(|(line, fields)| signal(fields, *line, problems)).collect()
}

fn signal(fields: &Fields, line: usize, problems: &mut Vec<Problem>) -> SignalEntry {
    fields.only(&["capability", "pattern", "keywords", "confidence"], problems);
    let before = problems.len();
    let capability = fields.required("capability", "capability: code-review", problems);
    let confidence = fields.amount("confidence", problems);
    if confidence.is_none() && problems.len() == before {
        let problem =
            Problem::new("field.missing", &fields.file, "a signal says how sure it is", "add `confidence: 0.8`");
        problems.push(problem.field("confidence"));
    }
    // What is missing stands in no line of its own: the signal's is the place.
    for problem in problems.iter_mut().skip(before).filter(|problem| problem.line.is_none()) {
        problem.line = Some(line);
    }
    SignalEntry {
        capability,
        pattern: fields.text("pattern", problems),
        keywords: fields.list("keywords", problems),
        confidence: confidence.unwrap_or_default(),
        file: fields.file.clone(),
        line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_with_their_lines() {
        let mut problems = Vec::new();
        let text = "# ours\n- capability: aml-review\n  keywords: [aml, money laundering]\n  confidence: 0.9\n- capabilty: x\n";
        let read = signals("s.yaml", text, &mut problems);
        assert_eq!((read[0].line, read[0].keywords.len(), read.len()), (2, 2, 2));
        let told: Vec<(&str, Option<usize>)> = problems.iter().map(|it| (it.code.as_str(), it.line)).collect();
        assert_eq!(told, [("field.unknown", Some(5)), ("field.missing", Some(5))]);
    }
}
