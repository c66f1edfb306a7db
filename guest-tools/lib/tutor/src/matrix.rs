//! The decision matrix: what is done about an answer or a request, as data.
//!
//! Rows are read from above, and the first that fits is taken. `matrix.yaml` of the plugin is the one that runs; a study puts
//! another in its place.

use serde::{Deserialize, Serialize};

/// Hints of a problem.
pub const HINTS: u32 = 3;
/// Attempts that the validator tries the matrix with.
const ATTEMPTS_TRIED: u32 = 8;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// The next hint.
    GiveHint,
    /// The worked solution, and a problem of the same shape.
    GiveSolution,
    /// The next problem: of this section, or of the next one where this one is mastered.
    NewProblem,
    /// The end: everything is mastered.
    Celebrate,
}

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Happened {
    /// A right answer.
    Right,
    /// A wrong answer.
    Wrong,
    /// The learner asks for a hint, or does not know.
    Hint,
    /// The learner asks for the solution.
    Solution,
}

/// How well a learner understands what they work at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Understanding {
    /// Alone and at once.
    Strong,
    /// With some help.
    #[default]
    Developing,
    /// Not without being shown.
    Struggling,
}

/// What the matrix is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// What has happened.
    pub happened: Happened,
    /// How well the learner understands.
    pub understanding: Understanding,
    /// Wrong answers to this problem, this one counted in.
    pub attempts: u32,
    /// Hints that were given for it.
    pub hints: u32,
}

/// The matrix.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    when: Vec<Happened>,
    #[serde(default)]
    understanding: Vec<Understanding>,
    #[serde(default)]
    attempts: Bounds,
    #[serde(default)]
    hints: Bounds,
    action: Action,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    from: Option<u32>,
    to: Option<u32>,
}

impl Bounds {
    fn hold(self, value: u32) -> bool {
        self.from.is_none_or(|from| from <= value) && self.to.is_none_or(|to| value <= to)
    }
}

impl Row {
    fn fits(&self, it: &Situation) -> bool {
        let understood = self.understanding.is_empty() || self.understanding.contains(&it.understanding);
        self.when.contains(&it.happened) && understood && self.attempts.hold(it.attempts) && self.hints.hold(it.hints)
    }
}

impl Matrix {
    /// Reads a matrix, which must have an answer to every situation.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and what to do.
    pub fn read(yaml: &str) -> Result<Self, String> {
        let matrix: Self = serde_saphyr::from_str(yaml).map_err(|error| error.to_string())?;
        for situation in situations() {
            matrix.check(&situation)?;
        }
        Ok(matrix)
    }

    fn check(&self, it: &Situation) -> Result<(), String> {
        let said = format!(
            "{:?}, understanding {:?}, {} wrong answers, {} hints given",
            it.happened, it.understanding, it.attempts, it.hints
        );
        let wrong = match (self.rows.iter().find(|row| row.fits(it)).map(|row| row.action), it.happened) {
            (None, _) => "no row fits; add one without bounds at the end",
            (Some(Action::Celebrate), _) => "CELEBRATE follows from mastery of all sections and stands in no row",
            (Some(Action::GiveHint), _) if it.hints >= HINTS => "no hint is left; choose GIVE_SOLUTION",
            (Some(Action::GiveHint | Action::GiveSolution), Happened::Right) => {
                "after a right answer comes NEW_PROBLEM"
            }
            (Some(Action::NewProblem), Happened::Wrong | Happened::Hint | Happened::Solution) => {
                "NEW_PROBLEM would leave the learner without the solution; choose GIVE_SOLUTION"
            }
            _ => return Ok(()),
        };
        Err(format!("matrix: {said}: {wrong}"))
    }

    /// What is to be done. Where no row fits, which the reader of a matrix rules out, the solution is given.
    #[must_use]
    pub fn action(&self, situation: &Situation) -> Action {
        self.rows.iter().find(|row| row.fits(situation)).map_or(Action::GiveSolution, |row| row.action)
    }
}

/// Every situation that can come about, up to the eighth wrong answer.
fn situations() -> impl Iterator<Item = Situation> {
    let happened = [Happened::Right, Happened::Wrong, Happened::Hint, Happened::Solution];
    let levels = [Understanding::Strong, Understanding::Developing, Understanding::Struggling];
    happened.into_iter().flat_map(move |happened| {
        levels.into_iter().flat_map(move |understanding| {
            (0..=ATTEMPTS_TRIED).flat_map(move |attempts| {
                (0..=HINTS).map(move |hints| Situation { happened, understanding, attempts, hints })
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "rows:\n  - { when: [right], action: NEW_PROBLEM }\n";

    #[test]
    fn a_matrix_answers_every_situation_or_says_which_it_does_not() {
        assert!(Matrix::read(ROWS).unwrap_err().contains("Wrong, understanding Strong, 0 wrong answers, 0 hints"));
        let hints = format!("{ROWS}  - {{ when: [wrong, hint, solution], action: GIVE_HINT }}\n");
        assert!(Matrix::read(&hints).unwrap_err().contains("no hint is left"));
        let whole = format!("{ROWS}  - {{ when: [wrong, hint, solution], action: GIVE_SOLUTION }}\n");
        assert!(Matrix::read(&whole).is_ok());
    }
}
