//! The curriculum files of a workspace, checked as a whole: gaps, duplicates, unknown codes, broken progressions.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use ta_curriculum::file::{CurriculumFile, Entry};

use crate::framework::{BUILT_IN, Code, Framework};
use crate::papers;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something may be missing.
    Warning,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// What: `unknown-code`, `duplicate`, `broken-progression`, `level-mismatch`, `gap`, `two-wordings`, `no-pattern`,
    /// `empty`.
    pub kind: &'static str,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A sentence.
    pub message: String,
}

/// What was checked and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Curriculum files.
    pub files: usize,
    /// Outcomes.
    pub outcomes: usize,
    /// Outcomes that are `verified`.
    pub verified: usize,
    /// Outcomes that are not.
    pub unverified: usize,
    /// Outcomes of each level, by framework and level.
    pub levels: BTreeMap<String, usize>,
    /// Questions and sections of papers.
    pub paper_items: usize,
    /// Those of them that have a code.
    pub paper_items_tagged: usize,
    /// Errors first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether something is wrong.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The report in lines for a person: each finding, then what was counted.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for finding in &self.findings {
            let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
            let Finding { file, line, message, kind, .. } = finding;
            lines.push(format!("{file}:{line}: {severity}: {message} [{kind}]"));
        }
        let errors = self.findings.iter().filter(|it| it.severity == Severity::Error).count();
        let levels: Vec<String> = self.levels.iter().map(|(level, count)| format!("{level} {count}")).collect();
        lines.push(format!(
            "{} outcomes in {} files ({}); {} verified, {} unverified; {} questions and sections, {} tagged; {errors} errors, {} warnings",
            self.outcomes,
            self.files,
            levels.join(", "),
            self.verified,
            self.unverified,
            self.paper_items,
            self.paper_items_tagged,
            self.findings.len() - errors
        ));
        lines
    }
}

/// One outcome with all that the checks need.
struct Known<'a> {
    file: &'a str,
    official: bool,
    framework: usize,
    codes: Vec<Code>,
    entry: &'a Entry,
}

/// Checks curriculum files and papers, each a path and a text. `framework_of` finds a framework by its name in front matter.
pub fn check(
    files: &[(String, String)],
    paper_files: &[(String, String)],
    framework_of: impl Fn(&str) -> Option<Framework>,
) -> Report {
    let parsed: Vec<(&str, CurriculumFile)> =
        files.iter().map(|(path, text)| (path.as_str(), CurriculumFile::parse(text))).collect();
    let mut report = Report { files: files.len(), ..Report::default() };
    let mut frameworks: Vec<Framework> = Vec::new();
    let mut known: Vec<Known<'_>> = Vec::new();
    for (path, file) in &parsed {
        let name = file.meta.framework.as_deref().unwrap_or(BUILT_IN).to_lowercase();
        let at = frameworks.iter().position(|framework| framework.name.to_lowercase() == name);
        let at = at.or_else(|| {
            frameworks.push(framework_of(&name)?);
            Some(frameworks.len() - 1)
        });
        let Some((index, framework)) = at.and_then(|at| Some((at, frameworks.get(at)?))) else {
            let message = format!("there is no pattern file for the framework `{name}`, so its codes are not checked");
            report.add(Severity::Warning, "no-pattern", path, 1, None, message);
            continue;
        };
        if file.entries.is_empty() && file.labelled.is_empty() {
            report.add(Severity::Warning, "empty", path, 1, None, "there is no outcome in it".to_owned());
        }
        let official = file.meta.text_kind.as_deref() == Some("official");
        let own = file.entries.iter().map(|entry| {
            let heading = entry.codes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" / ");
            (heading, entry)
        });
        for (heading, entry) in own.chain(file.labelled.iter().map(|it| (it.label.clone(), &it.entry))) {
            let codes = report.codes(framework, path, entry, &heading);
            known.push(Known { file: path, official, framework: index, codes, entry });
        }
    }
    report.count(&known, &frameworks);
    report.duplicates(&known);
    report.progressions(&known, &frameworks);
    report.gaps(&known, &frameworks);
    report.papers(paper_files, &known, framework_of);
    report.findings.sort_by(|a, b| (a.severity, &a.file, a.line).cmp(&(b.severity, &b.file, b.line)));
    report
}

impl Report {
    fn add(
        &mut self,
        severity: Severity,
        kind: &'static str,
        file: &str,
        line: u32,
        code: Option<&str>,
        message: String,
    ) {
        let code = code.map(ToOwned::to_owned);
        self.findings.push(Finding { severity, kind, file: file.to_owned(), line, code, message });
    }

    /// The codes of an entry's heading; what is none of the framework's is an error.
    fn codes(&mut self, framework: &Framework, file: &str, entry: &Entry, heading: &str) -> Vec<Code> {
        let found: Vec<Code> = framework.find(heading).into_iter().flat_map(|found| found.codes).collect();
        let written = found.iter().map(|code| code.text.as_str()).collect::<Vec<_>>().join(" / ");
        if found.is_empty() || written != heading {
            let message = format!("`{heading}` is no code of {}", framework.title);
            self.add(Severity::Error, "unknown-code", file, entry.first_line, Some(heading), message);
        }
        for code in found.iter().filter(|code| !framework.knows_organiser(&code.organiser)) {
            let message = format!("`{}` is no organiser of {}", code.organiser, framework.title);
            self.add(Severity::Error, "unknown-code", file, entry.first_line, Some(&code.text), message);
        }
        let named = entry.fields.iter().find(|field| field.name.eq_ignore_ascii_case("level"));
        if let Some((field, level)) = named.and_then(|field| Some((field, framework.level_named(&field.value)?)))
            && !found.is_empty()
            && found.iter().all(|code| code.level.is_some_and(|own| own != level))
        {
            let message = format!("the field says `{}`, the code does not", field.value);
            self.add(Severity::Error, "level-mismatch", file, field.line, Some(heading), message);
        }
        found
    }

    fn count(&mut self, known: &[Known<'_>], frameworks: &[Framework]) {
        self.outcomes = known.len();
        let verified = |it: &&Known<'_>| it.entry.field("Status").is_some_and(|it| it.eq_ignore_ascii_case("verified"));
        self.verified = known.iter().filter(verified).count();
        self.unverified = self.outcomes - self.verified;
        for it in known {
            let Some(framework) = frameworks.get(it.framework) else { continue };
            let levels: BTreeSet<usize> = it.codes.iter().filter_map(|code| code.level).collect();
            for level in levels {
                *self.levels.entry(format!("{} {}", framework.name, framework.level_name(level))).or_default() += 1;
            }
        }
    }

    fn duplicates(&mut self, known: &[Known<'_>]) {
        let mut first: BTreeMap<(usize, &str), &Known<'_>> = BTreeMap::new();
        for it in known {
            for code in &it.codes {
                let key = (it.framework, code.text.as_str());
                let Some(earlier) = first.get(&key) else {
                    first.insert(key, it);
                    continue;
                };
                let place = format!("{}:{}", earlier.file, earlier.entry.first_line);
                let (severity, kind, message) = if earlier.official == it.official {
                    (Severity::Error, "duplicate", format!("{} has an entry already, at {place}", code.text))
                } else {
                    let message =
                        format!("{} has an official and a paraphrased entry, the other at {place}", code.text);
                    (Severity::Warning, "two-wordings", message)
                };
                self.add(severity, kind, it.file, it.entry.first_line, Some(&code.text), message);
            }
        }
    }

    /// `Before` and `After` must name outcomes that there are, of a level that is not above or below.
    fn progressions(&mut self, known: &[Known<'_>], frameworks: &[Framework]) {
        let all: BTreeSet<(usize, &str)> =
            known.iter().flat_map(|it| it.codes.iter().map(|code| (it.framework, code.text.as_str()))).collect();
        for it in known {
            let Some(framework) = frameworks.get(it.framework) else { continue };
            for field in &it.entry.fields {
                let down = field.name.eq_ignore_ascii_case("before");
                if !down && !field.name.eq_ignore_ascii_case("after") {
                    continue;
                }
                for found in framework.find(&field.value) {
                    if found.codes.is_empty() {
                        let message = format!("`{}` names something that is no code", field.name);
                        self.add(Severity::Error, "broken-progression", it.file, field.line, None, message);
                    }
                    for code in found.codes {
                        let own = it.codes.first().and_then(|own| own.level);
                        let wrong =
                            own.zip(code.level).is_some_and(|(own, step)| if down { step > own } else { step < own });
                        let why = if !all.contains(&(it.framework, code.text.as_str())) {
                            "is in no file"
                        } else if it.codes.contains(&code) {
                            "is the outcome itself"
                        } else if wrong {
                            if down { "lies above it" } else { "lies below it" }
                        } else {
                            continue;
                        };
                        let message = format!("`{}` names {}, which {why}", field.name, code.text);
                        let code = it.codes.first().map(|code| code.text.clone());
                        self.add(Severity::Error, "broken-progression", it.file, field.line, code.as_deref(), message);
                    }
                }
            }
        }
    }

    /// An outcome between the lowest and the highest level of its organiser needs a step below and one above: named by it, or
    /// naming it.
    fn gaps(&mut self, known: &[Known<'_>], frameworks: &[Framework]) {
        let mut steps: BTreeSet<(usize, String, String)> = BTreeSet::new();
        let mut reach: BTreeMap<(usize, &str), (usize, usize)> = BTreeMap::new();
        for it in known {
            let Some(framework) = frameworks.get(it.framework) else { continue };
            for own in &it.codes {
                if let Some(level) = own.level {
                    let reach = reach.entry((it.framework, own.organiser.as_str())).or_insert((level, level));
                    *reach = (reach.0.min(level), reach.1.max(level));
                }
                let named = |name: &str| it.entry.field(name).map(|value| framework.find(value)).unwrap_or_default();
                let pair = |low: &str, high: &str| (it.framework, low.to_owned(), high.to_owned());
                for code in named("Before").into_iter().flat_map(|found| found.codes) {
                    steps.insert(pair(&code.text, &own.text));
                }
                for code in named("After").into_iter().flat_map(|found| found.codes) {
                    steps.insert(pair(&own.text, &code.text));
                }
            }
        }
        for it in known {
            let Some(code) = it.codes.first() else { continue };
            let Some((level, (low, high))) =
                code.level.zip(reach.get(&(it.framework, code.organiser.as_str())).copied())
            else {
                continue;
            };
            let has = |below: bool| {
                it.codes.iter().any(|own| {
                    steps.iter().any(|(framework, from, to)| {
                        *framework == it.framework && *(if below { to } else { from }) == own.text
                    })
                })
            };
            let top = it.codes.iter().filter_map(|code| code.level).max().unwrap_or(level);
            let missing = match (level > low && !has(true), top < high && !has(false)) {
                (true, true) => "below or above",
                (true, false) => "below",
                (false, true) => "above",
                (false, false) => continue,
            };
            let message = format!("{} has no step {missing}", code.text);
            self.add(Severity::Warning, "gap", it.file, it.entry.first_line, Some(&code.text), message);
        }
    }

    fn papers(
        &mut self,
        files: &[(String, String)],
        known: &[Known<'_>],
        framework_of: impl Fn(&str) -> Option<Framework>,
    ) {
        let all: BTreeSet<&str> = known.iter().flat_map(|it| it.codes.iter().map(|code| code.text.as_str())).collect();
        for (path, text) in files {
            let meta = CurriculumFile::parse(text).meta;
            let framework = framework_of(meta.framework.as_deref().unwrap_or(BUILT_IN));
            for entry in papers::entries(text) {
                self.paper_items += 1;
                let Some(framework) = &framework else { continue };
                let found = framework.find(&entry.codes);
                self.paper_items_tagged += usize::from(!entry.codes.is_empty());
                let codes: Vec<Code> = found.into_iter().flat_map(|found| found.codes).collect();
                if codes.is_empty() && !entry.codes.is_empty() {
                    let message = format!("`{}` holds no code of {}", entry.codes, framework.title);
                    self.add(Severity::Error, "unknown-code", path, entry.codes_line, None, message);
                }
                for code in codes.iter().filter(|code| !all.contains(code.text.as_str())) {
                    let message = format!("{} is tagged with {}, which no curriculum file has", entry.title, code.text);
                    self.add(Severity::Error, "unknown-code", path, entry.codes_line, Some(&code.text), message);
                }
            }
        }
    }
}
