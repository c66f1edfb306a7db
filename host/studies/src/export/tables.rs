//! The tables of an export. Header, values and codebook come from one declaration each, so that they cannot differ.

/// A column as the codebook tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// `text`, `whole number`, `number`, `yes or no`; with `, may be empty` where it may be.
    pub kind: String,
    /// What it holds, with its unit.
    pub about: String,
}

/// A row of a table.
pub trait Row {
    /// The name of its file, without an ending.
    const TABLE: &'static str;
    /// What a row is.
    const ABOUT: &'static str;
    /// The columns in order.
    fn columns() -> Vec<Column>;
    /// The values in order.
    fn cells(&self) -> Vec<String>;
}

/// A value of a table.
trait Cell {
    /// What it is, for the codebook.
    fn kind() -> String;
    /// As it stands in the file.
    fn cell(&self) -> String;
}

macro_rules! cells {
    ($($type:ty => $kind:literal),+) => {
        $(impl Cell for $type {
            fn kind() -> String {
                $kind.to_owned()
            }
            fn cell(&self) -> String {
                self.to_string()
            }
        })+
    };
}

cells!(String => "text", u64 => "whole number", f64 => "number", bool => "yes or no");

impl<T: Cell> Cell for Option<T> {
    fn kind() -> String {
        format!("{}, may be empty", T::kind())
    }

    fn cell(&self) -> String {
        self.as_ref().map(Cell::cell).unwrap_or_default()
    }
}

/// Declares a table: the row's type, and from the same lines its header and its part of the codebook.
macro_rules! table {
    ($(#[doc = $about:literal])+ $name:ident in $table:literal { $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+ }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl Row for $name {
            const TABLE: &'static str = $table;
            const ABOUT: &'static str = concat!($($about),+);

            fn columns() -> Vec<Column> {
                vec![$(Column {
                    name: stringify!($field),
                    kind: <$type as Cell>::kind(),
                    about: concat!($($doc),+).trim().to_owned(),
                }),+]
            }

            fn cells(&self) -> Vec<String> {
                vec![$(Cell::cell(&self.$field)),+]
            }
        }
    };
}

table! {
    /// One row for each participant who has begun and has not withdrawn.
    ParticipantRow in "participants" {
        /// The participant's id; a code where the export is blinded.
        participant: String,
        /// When they agreed to take part, in milliseconds since 1970-01-01 UTC; shifted by whole days where the export is blinded.
        began_ms: u64,
        /// When they did the last thing, as above.
        last_ms: u64,
        /// Whether they have done everything.
        finished: bool,
        /// Whether they went no further.
        dropped_out: bool,
        /// Tasks that count and are done.
        tasks_done: u64,
        /// Active time over all tasks that count, in milliseconds.
        active_ms: u64,
    }
}

table! {
    /// One row for each task that a participant has begun, practices included.
    RunRow in "runs" {
        /// The participant.
        participant: String,
        /// The task.
        task: String,
        /// The condition; empty for a practice, a code where the export is blinded.
        condition: String,
        /// The how-manieth condition of the participant, counted from 1; 0 for a practice.
        place: u64,
        /// Whether it is a practice.
        practice: bool,
        /// How it ended: the run's status, `written` for work without help, `time`; empty while it has not.
        how: String,
        /// When it began, in milliseconds since 1970-01-01 UTC; shifted where the export is blinded.
        began_ms: u64,
        /// Active time in milliseconds, breaks left out.
        active_ms: u64,
        /// Model calls.
        turns: u64,
        /// Tokens sent.
        input_tokens: u64,
        /// Tokens received.
        output_tokens: u64,
        /// What the model calls cost, in US dollars.
        cost_usd: f64,
        /// Calls of tools.
        tool_calls: u64,
        /// Questions that were put to the participant.
        questions: u64,
        /// Decisions that the participant took.
        decisions: u64,
        /// Times that a hook sent the run round again.
        reworks: u64,
        /// What guards found, over all drafts.
        findings: u64,
        /// Words of what came of it.
        output_words: u64,
        /// Whether something was not as at the start of the study, where such sessions are allowed.
        drift: bool,
    }
}

table! {
    /// One row for each part of a draft that a participant was asked to decide on.
    SectionRow in "sections" {
        /// The participant.
        participant: String,
        /// The task.
        task: String,
        /// The condition.
        condition: String,
        /// The question; the one about the parts of a draft is `sections`.
        question: String,
        /// The part, as its question names it.
        section: String,
        /// How often it was shown for a decision.
        shown: u64,
        /// The last decision.
        decision: Option<String>,
        /// Time for all decisions on it, in milliseconds.
        elapsed_ms: u64,
        /// How it was changed from the first time shown to the last: `none`, `wording`, `structure`, `content`, `replaced`.
        edit: String,
        /// How far both are apart, by words: 0 the same, 1 nothing in common.
        distance: f64,
        /// Words the first time.
        words_first: u64,
        /// Words the last time.
        words_last: u64,
    }
}

table! {
    /// One row for each decision of a participant: on an item of a question, or on a question as a whole.
    DecisionRow in "decisions" {
        /// The participant.
        participant: String,
        /// The task.
        task: String,
        /// The condition.
        condition: String,
        /// The how-manieth of this task, counted from 1.
        number: u64,
        /// Who asked: a hook, a tool, `host`.
        asked_by: String,
        /// The question.
        question: String,
        /// The item; empty where the question is a whole.
        item: String,
        /// What was chosen, `text` for words, or what became of the question: `declined`, `dismissed`, `timed-out`.
        choice: String,
        /// Characters that were written with it.
        text_chars: u64,
        /// The words themselves, where the export holds texts.
        text: Option<String>,
        /// Time to decide in milliseconds.
        elapsed_ms: u64,
        /// When, in milliseconds since the task began.
        after_ms: u64,
    }
}

table! {
    /// One row for each item of a questionnaire that was answered.
    AnswerRow in "answers" {
        /// The participant.
        participant: String,
        /// The task; empty for what is asked at the end.
        task: String,
        /// The condition; empty for a practice and at the end.
        condition: String,
        /// When: `before`, `after` or `end`.
        moment: String,
        /// The questionnaire.
        questionnaire: String,
        /// The item.
        item: String,
        /// The point of the scale; empty for words and where it was left out.
        value: Option<f64>,
        /// The words, where the export holds texts.
        text: Option<String>,
        /// Time for the whole questionnaire in milliseconds.
        elapsed_ms: u64,
    }
}

/// A table as CSV (RFC 4180, lines that end in a line feed).
#[must_use]
pub fn csv<R: Row>(rows: &[R]) -> String {
    let names: Vec<String> = R::columns().into_iter().map(|column| column.name.to_owned()).collect();
    let lines = std::iter::once(names).chain(rows.iter().map(Row::cells));
    lines.map(|cells| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n").collect()
}

fn quoted(cell: &str) -> String {
    // A cell that a spreadsheet would take for a formula is given to it as words.
    let formula =
        cell.starts_with(['=', '@', '\t', '\r']) || (cell.starts_with(['+', '-']) && cell.parse::<f64>().is_err());
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// What each table and column holds, as markdown.
#[must_use]
pub fn codebook() -> String {
    let mut page =
        "# Codebook\n\nEvery table is a CSV file in UTF-8 with a header. An empty cell is a missing value.\n"
            .to_owned();
    page.push_str(&chapter::<ParticipantRow>());
    page.push_str(&chapter::<RunRow>());
    page.push_str(&chapter::<SectionRow>());
    page.push_str(&chapter::<DecisionRow>());
    page.push_str(&chapter::<AnswerRow>());
    page
}

fn chapter<R: Row>() -> String {
    let head =
        format!("\n## {}.csv\n\n{}\n\n| column | type | what it holds |\n|---|---|---|\n", R::TABLE, R::ABOUT.trim());
    let line = |column: &Column| format!("| {} | {} | {} |\n", column.name, column.kind, column.about);
    head + &R::columns().iter().map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula_runs() {
        let row = AnswerRow {
            item: "a,\"b\"\nc".into(),
            text: Some("=1+1".into()),
            value: Some(-2.0),
            ..AnswerRow::default()
        };
        let text = csv(&[row]);
        assert!(text.ends_with(",\"a,\"\"b\"\"\nc\",-2,'=1+1,0\n"), "{text}");
        assert!(text.starts_with("participant,task,condition,moment,questionnaire,item,value,text,elapsed_ms\n"));
    }

    #[test]
    fn every_column_is_in_the_codebook() {
        let page = codebook();
        for column in DecisionRow::columns() {
            assert!(page.contains(&format!("| {} | {} |", column.name, column.kind)), "{column:?}");
            assert!(!column.about.is_empty());
        }
    }
}
