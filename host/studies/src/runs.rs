//! The runs of a study, to make them again.

use ta_runtime::surface::{Event, StudyStep};
use ta_runtime::{Host, RuntimeError, history};

use crate::definition::StudyFiles;
use crate::study::{Standing, session_of_participant};

/// The sessions of all runs in a study, those in which this component ran where one is named.
///
/// # Errors
/// `study.not_started`, `study.runs` where there are none.
pub async fn sessions(host: &Host, files: &StudyFiles, component: Option<&str>) -> Result<Vec<String>, RuntimeError> {
    let store = host.store_to_read()?;
    let standing = Standing::of(&*store, &files.name).await?;
    standing.started(&files.name)?;
    let mut sessions = Vec::new();
    for (participant, state) in &standing.participants {
        if state.gone == Some("withdrawn") {
            continue;
        }
        for record in history::records(&*store, &session_of_participant(&files.name, participant)).await? {
            if let Event::StudyRecorded(recorded) = record.event
                && let StudyStep::TaskBegun { session: Some(session), .. } = recorded.what
            {
                sessions.push(session);
            }
        }
    }
    let mut with_it = Vec::new();
    for session in sessions {
        let first = store.read(&session, 0, 1).await?.into_iter().next();
        let Some(Event::RunStarted(start)) = first.map(|record| record.event) else { continue };
        let name = component.map(|name| name.rsplit(':').next().unwrap_or(name));
        if name.is_none_or(|name| start.components.contains_key(name)) {
            with_it.push(session);
        }
    }
    if with_it.is_empty() {
        let message = match component {
            Some(name) => format!("`{name}` has run in no session of the study `{}`", files.name),
            None => format!("the study `{}` has no runs yet", files.name),
        };
        return Err(RuntimeError::usage("study.runs", message, "`study status` shows who has begun"));
    }
    Ok(with_it)
}
