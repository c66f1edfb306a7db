//! Completion contracts: when a run has done what it was asked for, as conditions that are looked at after each answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use ta_fields::fields::Fields;
use ta_fields::problem::Problem;

/// Conditions of one contract at the most.
pub const CONDITIONS_MAX: usize = 20;

/// One thing that has to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// A name for it, such as `report`.
    pub id: String,
    /// What it says, to people and to the model that works on it.
    pub description: String,
    /// How it is looked at.
    pub check: Check,
}

/// How a condition is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Check {
    /// A file that fits the pattern was made or changed in this run.
    Artifact {
        /// A glob of paths below the workspace: `reports/*.md`, `**/strategy.md`.
        pattern: String,
    },
    /// The person says so, once the others hold.
    Manual,
}

/// What a run has to come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contract {
    /// The capability that it is of.
    pub capability: String,
    /// The conditions, in order.
    pub conditions: Vec<Condition>,
}

/// A condition as somebody writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    description: String,
    check: String,
    pattern: Option<String>,
}

/// The field `conditions` of a capability.
pub fn conditions(fields: &Fields, problems: &mut Vec<Problem>) -> Option<Vec<Condition>> {
    let field = fields.fields.get("conditions")?;
    let place = if fields.path.is_empty() { "conditions".to_owned() } else { format!("{}.conditions", fields.path) };
    let mut wrong = |message: String| {
        let remedy = "write a list of `{ id: report, description: The report is written., check: artifact, pattern: \"reports/*.md\" }`; \
                      `check` is artifact or manual";
        problems
            .push(Problem::new("contract.condition", &fields.file, message, remedy).at(Some(field.line)).field(&place));
    };
    let Value::Array(list) = &field.value else {
        wrong("the conditions are no list".to_owned());
        return None;
    };
    if list.is_empty() || list.len() > CONDITIONS_MAX {
        wrong(format!("a contract has 1 to {CONDITIONS_MAX} conditions, not {}", list.len()));
    }
    let mut read: Vec<Condition> = Vec::new();
    for value in list {
        match serde_json::from_value::<Written>(value.clone()).map_err(|error| error.to_string()).and_then(condition) {
            Err(why) => wrong(why),
            Ok(condition) if read.iter().any(|it| it.id == condition.id) => {
                wrong(format!("there are two conditions `{}`", condition.id));
            }
            Ok(condition) => read.push(condition),
        }
    }
    Some(read)
}

fn condition(written: Written) -> Result<Condition, String> {
    let Written { id, description, check, pattern } = written;
    let check = match (check.as_str(), pattern) {
        ("artifact", Some(pattern)) => {
            glob(&pattern).map_err(|why| format!("the pattern of `{id}` cannot be used: {why}"))?;
            Check::Artifact { pattern }
        }
        ("artifact", None) => return Err(format!("`{id}` looks for a file and has no `pattern`")),
        ("manual", None) => Check::Manual,
        ("manual", Some(_)) => return Err(format!("`{id}` asks the person and has a `pattern`")),
        (other, _) => return Err(format!("`{other}` is no way to look at the condition `{id}`")),
    };
    Ok(Condition { id, description, check })
}

fn glob(pattern: &str) -> Result<globset::GlobMatcher, String> {
    let built = globset::GlobBuilder::new(pattern).literal_separator(true).build();
    built.map(|glob| glob.compile_matcher()).map_err(|error| error.kind().to_string())
}

impl Condition {
    /// Whether these files meet it; none where files cannot say.
    #[must_use]
    pub fn met_by<'a>(&self, mut changed: impl Iterator<Item = &'a str>) -> Option<bool> {
        match &self.check {
            Check::Manual => None,
            Check::Artifact { pattern } => {
                let glob = glob(pattern).ok();
                Some(glob.is_some_and(|glob| changed.any(|path| glob.is_match(path))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ta_fields::front_matter::yaml;

    #[test]
    fn files_meet_a_condition_and_people_are_asked() {
        let text = "conditions:\n  - { id: a, description: A., check: artifact, pattern: '**/strategy.md' }\n  - { id: b, description: B., check: manual }\n";
        let mut problems = Vec::new();
        let read = conditions(&yaml("c.yaml", text).unwrap(), &mut problems).unwrap();
        assert_eq!(problems, []);
        assert_eq!(read[0].met_by(["docs/strategy.md"].into_iter()), Some(true));
        assert_eq!(read[0].met_by(["strategy.md"].into_iter()), Some(true));
        assert_eq!(read[0].met_by(["docs/strategy.txt"].into_iter()), Some(false));
        assert_eq!(read[1].met_by(["strategy.md"].into_iter()), None);
    }

    #[test]
    fn what_cannot_be_looked_at_is_told() {
        for (condition, part) in [
            ("{ id: a, description: A., check: artifact }", "has no `pattern`"),
            ("{ id: a, description: A., check: artifact, pattern: '[' }", "cannot be used"),
            ("{ id: a, description: A., check: guess }", "no way to look"),
            ("{ id: a, description: A., check: manual, patern: x }", "unknown field"),
        ] {
            let mut problems = Vec::new();
            conditions(&yaml("c.yaml", &format!("conditions: [{condition}]")).unwrap(), &mut problems);
            assert!(problems.len() == 1 && problems[0].message.contains(part), "{condition}: {problems:?}");
        }
    }
}
