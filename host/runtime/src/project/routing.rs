//! Which capability a request goes to: signals first, then a model where they are not sure and there is one.

use serde::Serialize;
use ta_fields::fields::nearest;
use ta_fields::problem::Problem;
use ta_routing::{BadSignal, Router, Signal};

use super::classify::{self, Classified};
use super::layers::{Capability, GENERAL};
use super::{Found, Project};
use crate::error::RuntimeError;
use crate::host::Host;
use crate::models::Asked;

/// Who resolved a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Signals.
    Fast,
    /// A model.
    Model,
    /// Nobody is sure: the person is asked.
    Unsure,
}

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Route {
    /// The capability.
    pub capability: String,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
    /// Who says so.
    pub tier: Tier,
    /// The agent that does it.
    pub agent: String,
    /// What the person is told.
    pub narration: String,
    /// What is worth saying besides: why no model was asked, what asking one cost.
    #[serde(skip)]
    pub notices: Vec<String>,
}

/// A line of the table of signals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignalLine {
    /// The capability.
    pub capability: String,
    /// The pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The keywords.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// How sure it is.
    pub confidence: f64,
    /// The file that says so.
    pub file: String,
    /// The line.
    pub line: usize,
}

/// The table by which requests are routed.
#[derive(Debug)]
pub struct Routes {
    /// The project.
    pub project: Project,
    router: Router,
}

impl Routes {
    /// Reads the project and makes its signals ready.
    ///
    /// # Errors
    /// Where the project has problems; where a signal cannot be used or names no capability.
    pub fn open(host: &Host) -> Result<Self, RuntimeError> {
        let project = Project::open(host)?;
        let mut found = Found::default();
        match router(&project, &mut found) {
            Some(router) if found.problems.is_empty() => Ok(Self { project, router }),
            _ => Err(RuntimeError::problems("the routing", found.problems)),
        }
    }

    /// Where a request goes by signals alone.
    #[must_use]
    pub fn by_signals(&self, text: &str) -> Route {
        let routed = self.router.route(text);
        let name = routed.capability.unwrap_or(GENERAL);
        let tier = if routed.sure() { Tier::Fast } else { Tier::Unsure };
        self.route_to(name, routed.confidence, tier, &routed.tied)
    }

    /// Where a request goes; a model is asked where signals are not sure and `asked` says that one may be.
    pub async fn route(&self, host: &Host, text: &str, asked: Option<&Asked>) -> Route {
        let by_signals = self.by_signals(text);
        let Some(asked) = asked.filter(|_| by_signals.tier == Tier::Unsure) else { return by_signals };
        match classify::classify(host, &self.project, text, asked).await {
            Classified::As { capability, confidence, notice } => {
                let tier = if confidence >= ta_routing::SURE { Tier::Model } else { Tier::Unsure };
                let mut route = self.route_to(&capability, confidence, tier, &[]);
                route.notices.extend(notice);
                route
            }
            Classified::Nobody { why } => Route { notices: vec![why], ..by_signals },
        }
    }

    /// The route to a capability that somebody named.
    ///
    /// # Errors
    /// `capability.unknown`, with the nearest.
    pub fn named(&self, capability: &str) -> Result<Route, RuntimeError> {
        if self.project.capabilities.contains_key(capability) {
            return Ok(self.route_to(capability, 1.0, Tier::Fast, &[]));
        }
        let known: Vec<&str> = self.project.capabilities.keys().map(String::as_str).collect();
        let near = nearest(capability, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let message = format!("there is no capability `{capability}`");
        Err(RuntimeError::usage("capability.unknown", message, format!("{near}`teacher-assist routes` lists them")))
    }

    fn route_to(&self, name: &str, confidence: f64, tier: Tier, tied: &[&str]) -> Route {
        let agent = self.capability(name).map(|it| it.agent.value.clone()).unwrap_or_default();
        let who = self.project.agent_name(&agent);
        let narration = match (tier, tied) {
            (Tier::Fast | Tier::Model, _) => format!("Treating this as {name} using {who}. Starting."),
            (Tier::Unsure, []) => format!("This may be {name}, for {who}."),
            (Tier::Unsure, others) => format!("This may be {name}, for {who}, or as well {}.", others.join(", ")),
        };
        Route { capability: name.to_owned(), confidence, tier, agent, narration, notices: Vec::new() }
    }

    /// A capability.
    #[must_use]
    pub fn capability(&self, name: &str) -> Option<&Capability> {
        self.project.capabilities.get(name)
    }

    /// The signals, by capability.
    #[must_use]
    pub fn table(&self) -> Vec<SignalLine> {
        table(&self.project)
    }
}

/// The signals of a project and of all plugins, by capability.
#[must_use]
pub fn table(project: &Project) -> Vec<SignalLine> {
    let line = |it: &ta_core::project::signals::SignalEntry| SignalLine {
        capability: it.capability.clone(),
        pattern: it.pattern.clone(),
        keywords: it.keywords.clone(),
        confidence: it.confidence,
        file: it.file.clone(),
        line: it.line,
    };
    let mut lines: Vec<SignalLine> = project.all_signals.iter().map(line).collect();
    lines.sort_by(|one, other| one.capability.cmp(&other.capability));
    lines
}

/// The signals made ready; what is wrong with them goes into the list.
pub(super) fn router(project: &Project, found: &mut Found) -> Option<Router> {
    let known: Vec<&str> = project.capabilities.keys().map(String::as_str).collect();
    for signal in
        project.all_signals.iter().filter(|it| !it.capability.is_empty() && !known.contains(&it.capability.as_str()))
    {
        let message = format!("the signal tells of the capability `{}`, which there is none of", signal.capability);
        let near =
            nearest(&signal.capability, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let remedy = format!("{near}Declare a new one under `capabilities` in .agent/config.yaml, with its agent");
        let problem = Problem::new("capability.unknown", &signal.file, message, remedy);
        found.problems.push(problem.at(Some(signal.line)).field("capability"));
    }
    let signal = |it: &ta_core::project::signals::SignalEntry| Signal {
        capability: it.capability.clone(),
        pattern: it.pattern.clone(),
        keywords: it.keywords.clone(),
        confidence: it.confidence,
    };
    match Router::new(project.all_signals.iter().map(signal).collect()) {
        Ok(router) => Some(router),
        Err(bad) => {
            for BadSignal { at, code, message } in bad {
                let Some(signal) = project.all_signals.get(at) else { continue };
                let remedy =
                    "mend the signal; patterns are regular expressions without look-around and back-references";
                found.problems.push(Problem::new(code, &signal.file, message, remedy).at(Some(signal.line)));
            }
            None
        }
    }
}
