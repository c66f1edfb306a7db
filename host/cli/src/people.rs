//! Who answers the questions of this call.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use ta_runtime::person::{Always, AnswersFile, Nobody};
use ta_runtime::{Person, RuntimeError};

use crate::args::{Args, Output};
use crate::progress::Progress;
use crate::prompt::Terminal;

/// Who answers and who watches, for one call of the program.
pub(crate) struct Room {
    pub(crate) person: Box<dyn Person>,
    pub(crate) progress: Arc<Progress>,
}

impl Room {
    pub(crate) fn of(args: &Args) -> Result<Self, RuntimeError> {
        let progress = Arc::new(Progress::new(args.places.output));
        let person = person(args.places.answers.as_deref(), args.places.output, &progress)?;
        Ok(Self { person, progress })
    }
}

/// The person: who was named, else whoever sits at the terminal, else nobody.
pub(crate) fn person(
    answers: Option<&str>,
    output: Output,
    progress: &Arc<Progress>,
) -> Result<Box<dyn Person>, RuntimeError> {
    match answers {
        Some("accept") => Ok(Box::new(Always::Accept)),
        Some("dismiss") => Ok(Box::new(Always::Dismiss)),
        Some(file) => Ok(Box::new(answers_file(Path::new(file))?)),
        None if output == Output::Text && std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
            Ok(Box::new(Terminal::new(Arc::clone(progress))))
        }
        None => Ok(Box::new(Nobody)),
    }
}

fn answers_file(path: &Path) -> Result<AnswersFile, RuntimeError> {
    let broken = |why: String| {
        let message = format!("the answers {} cannot be used: {why}", path.display());
        RuntimeError::configuration(
            "answers.invalid",
            message,
            "docs/cli.md shows the form; `accept` and `dismiss` need no file",
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    AnswersFile::parse(&text).map_err(broken)
}
