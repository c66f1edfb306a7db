//! The table of a component in a manifest: what all kinds have, and what only hooks have.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ComponentEntry, actions, declared, kinds};
use crate::capability::Capability;
use crate::hook::OnFailure;
use crate::kind::Kind;
use crate::point::Point;
use crate::text::visible;
use ta_fields::fields::Fields;
use ta_fields::problem::Problem;

/// Limits that a manifest may set, each with the most that it may be set to.
const LIMITS: [(&str, u32); 4] =
    [("fuel-millions", 20_000), ("cpu-ms", 60_000), ("memory-mib", 256), ("model-calls", 16)];

/// A table of components in a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Hooks,
    Tools,
    Flows,
    Providers,
    Writers,
    Readers,
    Actions,
}

impl Section {
    /// All of them, each with its word in the file.
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("hooks", Self::Hooks),
        ("tools", Self::Tools),
        ("flows", Self::Flows),
        ("providers", Self::Providers),
        ("writers", Self::Writers),
        ("readers", Self::Readers),
        ("actions", Self::Actions),
    ];
}

/// Reads the table of a component, of any kind.
pub(super) fn component(
    fields: &Fields,
    section: Section,
    line: Option<usize>,
    problems: &mut Vec<Problem>,
) -> ComponentEntry {
    let common = ["component", "sha256", "capabilities", "optional", "calls", "workspace", "config", "limits"];
    let hook_fields = [&common[..], &["points", "kind", "on-failure"]].concat();
    let flow_fields = [&common[..], &["agents", "hooks", "http", "codes", "begins", "skills"]].concat();
    match section {
        Section::Hooks => fields.only(&hook_fields, problems),
        Section::Tools => fields.only(&common, problems),
        Section::Providers => fields.only(&kinds::PROVIDER_FIELDS, problems),
        Section::Writers => fields.only(&kinds::WRITER_FIELDS, problems),
        Section::Readers => fields.only(&kinds::READER_FIELDS, problems),
        Section::Actions => fields.only(&actions::ACTION_FIELDS, problems),
        Section::Flows => fields.only(&flow_fields, problems),
    }
    let kind = match section {
        Section::Tools | Section::Actions => Kind::Tool,
        Section::Flows => Kind::Flow,
        Section::Providers => Kind::Provider,
        Section::Writers => Kind::Writer,
        Section::Readers => Kind::Reader,
        Section::Hooks => {
            let named = fields.one_of("kind", &Kind::OF_HOOKS.map(Kind::name), problems);
            named.and_then(|name| name.parse().ok()).unwrap_or(Kind::Guardrail)
        }
    };
    ComponentEntry {
        component: fields.required("component", "component = \"components/name.wasm\"", problems),
        sha256: digest(fields, problems),
        points: if section == Section::Hooks { points(fields, line, problems) } else { Vec::new() },
        kind,
        on_failure: on_failure(fields, kind, problems),
        capabilities: capabilities(fields, "capabilities", |_| true, problems),
        optional: capabilities(fields, "optional", Capability::is_optional, problems),
        calls: declared::calls(fields, problems),
        calls_line: fields.fields.get("calls").map(|field| field.line),
        directories: directories(fields, problems),
        config: texts(&fields.table("config", problems)),
        limits: limits(&fields.table("limits", problems), problems),
        line,
    }
}

/// What a hook's failure means. A guardrail fails closed; a dialogue and an observer have nothing to choose.
fn on_failure(fields: &Fields, kind: Kind, problems: &mut Vec<Problem>) -> OnFailure {
    let Some(field) = fields.fields.get("on-failure") else { return kind.on_failure() };
    // As it stands, where it is no text.
    let said = field.value.as_str().map_or_else(|| field.value.to_string(), ToOwned::to_owned);
    let (message, remedy) = match (kind, said.as_str()) {
        (Kind::Guardrail, "abort") => return OnFailure::Abort,
        (Kind::Guardrail, "ask") => return OnFailure::Ask,
        (Kind::Guardrail, "skip") => (
            "a guardrail never fails open".to_owned(),
            "write `abort` or `ask`, or call it a `dialogue` or an `observer`: those are skipped when they fail",
        ),
        (Kind::Guardrail, _) => (
            format!("`{said}` is not a value of `on-failure`"),
            "a guardrail has one of: abort, ask; what it leaves out is `abort`",
        ),
        _ => (
            format!("only a guardrail has `on-failure`, and this hook is of the kind `{kind}`"),
            "leave it out, since there is nothing to choose: a dialogue that fails is skipped and the person is told, an \
             observer is skipped; for `abort` or `ask`, call it a `guardrail`",
        ),
    };
    let problem = Problem::new("field.value", &fields.file, message, remedy).at(Some(field.line));
    problems.push(problem.field(&format!("{}.on-failure", fields.path)));
    kind.on_failure()
}

fn digest(fields: &Fields, problems: &mut Vec<Problem>) -> String {
    let sha256 = fields.required("sha256", "sha256 = \"<64 hexadecimal digits>\"", problems);
    let whole = sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit());
    if !sha256.is_empty() && !whole {
        let line = fields.fields.get("sha256").map(|field| field.line);
        let message = "a SHA-256 has 64 hexadecimal digits";
        problems.push(
            Problem::new("field.value", &fields.file, message, "pin the component with `sha256sum` of its file")
                .at(line)
                .field(&format!("{}.sha256", fields.path)),
        );
    }
    sha256.to_lowercase()
}

fn points(fields: &Fields, line: Option<usize>, problems: &mut Vec<Problem>) -> Vec<Point> {
    let names = fields.list("points", problems);
    let at = fields.fields.get("points").map_or(line, |field| Some(field.line));
    let field = format!("{}.points", fields.path);
    if names.is_empty() {
        let remedy = "add `points = [\"post-loop\"]`, the lifecycle points at which it runs";
        problems.push(
            Problem::new("field.missing", &fields.file, "a hook needs at least one point", remedy).at(at).field(&field),
        );
    }
    let mut points = Vec::new();
    for name in names {
        match name.parse::<Point>() {
            Ok(point) => points.push(point),
            Err(reason) => {
                problems
                    .push(Problem::new("field.value", &fields.file, reason, "use one of these").at(at).field(&field));
            }
        }
    }
    points
}

pub(super) fn capabilities(
    fields: &Fields,
    list: &str,
    allowed: fn(Capability) -> bool,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let names = fields.list(list, problems);
    let is_wrong = |name: &&String| !name.parse().is_ok_and(allowed);
    for name in names.iter().filter(is_wrong) {
        let line = fields.fields.get(list).map(|field| field.line);
        let message = match name.parse::<Capability>() {
            Ok(_) => format!("a component that asks for the capability `{name}` cannot do without it"),
            Err(_) => format!("there is no capability `{name}`"),
        };
        let known: Vec<&str> = Capability::ALL.into_iter().filter(|it| allowed(*it)).map(Capability::name).collect();
        let remedy = format!("use some of: {}", known.join(", "));
        let field = format!("{}.{list}", fields.path);
        problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field(&field));
    }
    names
}

pub(super) fn directories(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let table = fields.table("workspace", problems);
    for (name, field) in &table.fields {
        table.one_of(name, &["read", "read-write"], problems);
        if !below_the_workspace(name) {
            let message = format!("`{}` is no directory below the workspace", visible(name));
            let remedy = "name it from the workspace on, such as `notes`; `.` is the workspace itself";
            let problem = Problem::new("field.value", &table.file, message, remedy).at(Some(field.line));
            problems.push(problem.field(&format!("{}.{name}", table.path)));
        }
    }
    texts(&table)
}

/// Whether a name is one of a directory below the workspace: never up, never from the root, never of a drive.
fn below_the_workspace(name: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains([':', '\\']);
    name == "." || (visible(name) == name && name.split('/').all(plain))
}

/// The values of a table as texts.
pub(super) fn texts(table: &Fields) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    table.fields.iter().map(|(name, field)| (name.clone(), text(&field.value))).collect()
}

fn limits(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, u32> {
    table.only(&LIMITS.map(|(name, _)| name), problems);
    let mut limits = BTreeMap::new();
    for (name, ceiling) in LIMITS {
        if let Some(value) = table.count(name, 1..=ceiling, problems) {
            limits.insert(name.to_owned(), value);
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::below_the_workspace;
    use crate::manifest::manifest;

    #[test]
    fn directories_lie_below_the_workspace() {
        for name in [
            "/etc",
            "..",
            "../outside",
            "lessons/..",
            "a/../../b",
            "C:/x",
            "a\\b",
            "",
            "a//b",
            "/",
            "./a",
            "a\u{202e}b",
        ] {
            let text = format!(
                "name = 'p'\nversion = '1'\n[tools.t]\ncomponent = 'c.wasm'\nsha256 = '{}'\n[tools.t.workspace]\n{} = 'read'\n",
                "0".repeat(64),
                Value::String(name.to_owned())
            );
            let mut problems = Vec::new();
            manifest("plugin.toml", &text, &mut problems);
            assert_eq!(problems.len(), 1, "{name}: {problems:?}");
            assert_eq!((problems[0].code.as_str(), problems[0].line), ("field.value", Some(7)), "{name}");
        }
        assert!([".", "lessons", "classes/3B", "Year 3"].into_iter().all(below_the_workspace));
    }
}
