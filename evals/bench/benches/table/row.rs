//! Rows of the table, and the page that they stand on.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

/// One thing that was measured.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    what: String,
    measured: String,
    ratio: String,
    target: String,
    met: Option<bool>,
    how: String,
}

impl Row {
    /// A row about something.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    /// What was measured, with its unit.
    pub(crate) fn measured(mut self, value: impl Into<String>) -> Self {
        self.measured = value.into();
        self
    }

    /// What it is compared with.
    pub(crate) fn ratio(mut self, ratio: impl Into<String>) -> Self {
        self.ratio = ratio.into();
        self
    }

    /// What was aimed at, and whether it was reached.
    pub(crate) fn target(mut self, target: impl Into<String>, met: bool) -> Self {
        self.target = target.into();
        self.met = Some(met);
        self
    }

    /// How it was measured, in a sentence.
    pub(crate) fn how(mut self, how: impl Into<String>) -> Self {
        self.how = how.into();
        self
    }

    /// A row without a figure, and why.
    pub(crate) fn not_measured(self, target: impl Into<String>, why: impl Into<String>) -> Self {
        Self { measured: "not measured".into(), target: target.into(), ..self }.how(why)
    }

    fn line(&self) -> String {
        let met = match self.met {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        format!("| {} | {} | {} | {} | {met} |\n", self.what, self.measured, self.ratio, self.target)
    }
}

/// Microseconds, for people.
pub(crate) fn micros(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 10.0 { format!("{micros:.1} µs") } else { format!("{micros:.0} µs") }
}

/// Milliseconds, for people.
pub(crate) fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    if millis < 10.0 { format!("{millis:.2} ms") } else { format!("{millis:.0} ms") }
}

/// The table alone.
pub(crate) fn table(rows: &[Row]) -> String {
    let head = "| what | measured | ratio | target | met? |\n|---|---|---|---|---|\n".to_owned();
    rows.iter().fold(head, |table, row| table + &row.line())
}

/// The page: machine, table, and how each row is measured.
pub(crate) fn page(rows: &[Row]) -> String {
    let mut page =
        "# Benchmark\n\nMade by `cargo xtask bench`, which measures again and writes this page.\n\n".to_owned();
    page += &machine();
    page += "\nTimes are medians, taken in turns, so that a busy moment slows every participant. Compare the ratios: the \
             microseconds belong to the machine.\n\n";
    page += &table(rows);
    page += "\n## How each row is measured\n\n";
    for row in rows {
        let _ = writeln!(page, "- **{}.** {}", row.what, row.how);
    }
    page
}

fn machine() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok();
        output.map_or_else(|| "unknown".to_owned(), |it| String::from_utf8_lossy(&it.stdout).trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    format!(
        "| machine | |\n|---|---|\n| date | {} |\n| cores | {cores} |\n| processor | {} |\n| kernel | {} |\n| load when it ended | {load} |\n| compiler | {} |\n",
        said("date", &["-u", "+%Y-%m-%d"]),
        processor.trim_start_matches([' ', '\t', ':']),
        said("uname", &["-sr"]),
        said("rustc", &["--version"]),
    )
}
