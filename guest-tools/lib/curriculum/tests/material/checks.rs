//! What a machine can find out about the answers of a material file.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::process::{Command, Stdio};

use ta_curriculum::material::{Check, Item, MaterialFile};
use ta_maths::judge::{Options, Verdict, judge};

use crate::french;

/// A program of a question runs no longer.
const PYTHON_SECONDS_MAX: u64 = 5;

/// How many answers there are of each kind of check.
#[derive(Debug, Default)]
pub(crate) struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    pub(crate) fn add(&mut self, check: &Check) {
        *self.0.entry(kind(check)).or_default() += 1;
    }

    pub(crate) fn of(&self, check: &Check) -> usize {
        self.0.get(kind(check)).copied().unwrap_or_default()
    }

    pub(crate) fn all(&self) -> usize {
        self.0.values().sum()
    }

    pub(crate) fn checked(&self) -> usize {
        self.all() - self.of(&Check::Human)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.0.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let human = 100 * self.of(&Check::Human) / self.all().max(1);
        write!(f, "{} answers ({}); {human} % are for people alone", self.all(), kinds.join(", "))
    }
}

fn kind(check: &Check) -> &'static str {
    match check {
        Check::Expr(_) => "expr",
        Check::Code(_) => "code",
        Check::Grammar(_) => "grammar",
        Check::Quote(_) => "quote",
        Check::Human => "human",
    }
}

/// The answers of a file that are wrong, each with its line.
pub(crate) fn wrong_in(name: &str, file: &MaterialFile, counts: &mut Counts) -> Vec<String> {
    let mut wrong = Vec::new();
    let programs: Vec<String> = file
        .items()
        .filter_map(|item| match &item.check {
            Some(Check::Code(more)) => Some(format!("{}\n{more}\n", item.python().unwrap_or_default())),
            _ => None,
        })
        .collect();
    let mut printed = run(&programs).into_iter();
    for item in file.items() {
        let Some(check) = &item.check else { continue };
        counts.add(check);
        let found = match check {
            Check::Expr(pairs) => pairs.iter().find_map(|(left, right)| of_expr(item, left, right)),
            Check::Code(_) => of_code(item, &printed.next().unwrap()),
            Check::Grammar(pairs) => pairs.iter().find_map(|(asked, form)| of_grammar(item, asked, form)),
            Check::Quote(words) => of_quote(file, item, words),
            Check::Human => None,
        };
        wrong.extend(found.map(|why| format!("{name}:{}: {}: {why}", item.line, item.id)));
    }
    wrong
}

/// Both sides come to the same, and the answer has the right one.
fn of_expr(item: &Item, left: &str, right: &str) -> Option<String> {
    let judged = judge("", right, left, &Options::default());
    if judged.verdict != Verdict::Right {
        return Some(format!("{left} is not {right} ({})", judged.why));
    }
    // Thousands are written with a comma, money with its sign and two places.
    let answer = item.answer.replace([',', '£'], "").replace('−', "-");
    let answer = answer.replace(" + ", "+").replace(" - ", "-").replace('²', "^2").replace('³', "^3");
    let in_pence = has(&without_pence(&answer), right);
    let pence = right.contains('.').then(|| format!("{right}0"));
    let stands =
        in_pence || has(&answer, right) || pence.is_some_and(|right| has(&answer, &right)) || has(&item.answer, right);
    (!stands).then(|| format!("the answer “{}” does not have {right}", item.answer))
}

/// The text with its amounts of pence as bare numbers: 75p is 75.
fn without_pence(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_pence = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let after = chars.get(at + 1).is_some_and(|c| c.is_alphanumeric());
        chars[at] == 'p' && before.is_some_and(char::is_ascii_digit) && !after
    };
    (0..chars.len()).filter(|at| !is_pence(*at)).map(|at| chars[at]).collect()
}

/// Whether the text has this as a word of its own: 12 does not stand in 120.
fn has(text: &str, wanted: &str) -> bool {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
    text.match_indices(&wanted).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + wanted.len()..].chars();
        let (next, then) = (after.next(), after.next());
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let goes_on = joins(next) || next == Some('.') && then.is_some_and(|c| c.is_ascii_digit());
        !(goes_on || joins(before) && wanted.starts_with(char::is_alphanumeric))
    })
}

/// Every line that is printed stands in the answer, in this order, and no number stands there that was not printed before the first
/// full stop.
fn of_code(item: &Item, printed: &Result<String, String>) -> Option<String> {
    let printed = match printed {
        Ok(printed) => printed,
        Err(why) => return Some(format!("the program failed: {why}")),
    };
    if printed.trim().is_empty() {
        return Some("the program prints nothing".to_owned());
    }
    let answer = item.answer.replace('−', "-");
    let mut rest = answer.as_str();
    for line in printed.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !has(rest, line) {
            return Some(format!("“{line}” is printed and does not stand in the answer “{}”", item.answer));
        }
        rest = rest.find(line).and_then(|at| rest.get(at + line.len()..)).unwrap_or_default();
    }
    // What follows as a bare list goes on counting where the program has stopped.
    let more = rest.trim_start_matches([',', ' ', '`']);
    more.starts_with(|c: char| c.is_ascii_digit())
        .then(|| format!("the answer goes on with “{more}”, the program does not"))
}

/// Runs each program on its own names in one process, which takes a start for a file and not for a question.
const RUNNER: &str = r#"
import contextlib, io, signal, sys
def late(*_):
    raise TimeoutError("it runs for too long")
signal.signal(signal.SIGALRM, late)
for program in sys.stdin.read().split("\0"):
    out = io.StringIO()
    signal.alarm(int(sys.argv[1]))
    try:
        with contextlib.redirect_stdout(out):
            exec(program, {"__name__": "__main__"})
        end = "+" + out.getvalue()
    except BaseException as error:
        end = f"-{type(error).__name__}: {error}"
    signal.alarm(0)
    sys.stdout.write(end + "\0")
"#;

/// What each program prints, or why it failed.
fn run(programs: &[String]) -> Vec<Result<String, String>> {
    if programs.is_empty() {
        return Vec::new();
    }
    let mut child = Command::new("python3")
        .args(["-I", "-c", RUNNER, &PYTHON_SECONDS_MAX.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(programs.join("\0").as_bytes()).unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let results: Vec<Result<String, String>> = printed
        .split_terminator('\0')
        .map(|one| one.strip_prefix('+').map(str::to_owned).ok_or_else(|| one.trim_start_matches('-').to_owned()))
        .collect();
    assert_eq!(results.len(), programs.len(), "a program ended the others");
    results
}

fn of_grammar(item: &Item, asked: &str, form: &str) -> Option<String> {
    match french::form(asked) {
        None => Some(format!("`{asked}` is beyond what is known here of French: use human")),
        Some(right) if right != form => Some(format!("{asked} is {right}, not {form}")),
        Some(_) => (!has(&item.answer.replace('’', "'"), form)).then(|| format!("the answer does not have {form}")),
    }
}

/// The words stand in the source that is used, and in the answer.
fn of_quote(file: &MaterialFile, item: &Item, words: &str) -> Option<String> {
    let source = item.uses.as_deref().and_then(|id| file.source(id))?;
    let text: String =
        source.question.lines().map(|line| line.trim_start_matches(['>', ' '])).collect::<Vec<_>>().join(" ");
    if !has(&text, words) {
        return Some(format!("“{words}” does not stand in {}", source.id));
    }
    (!has(&item.answer, words)).then(|| format!("the answer does not have “{words}”"))
}
