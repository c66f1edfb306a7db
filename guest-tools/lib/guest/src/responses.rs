//! Words for verdicts: `Response::pass()`, `Response::abort(…)`, each with notes and findings.

#![allow(unused_macros, unused_imports, reason = "which of these are used depends on the features")]

use crate::types::{Abort, Entry, Finding, Observation, Part, Rework};

impl Abort {
    /// The run cannot go on: something is wrong.
    #[must_use]
    pub fn fault(code: &str, reason: impl Into<String>) -> Self {
        Self { code: code.into(), reason: reason.into(), declined: false }
    }

    /// What was asked is turned down: a polite no, and no fault.
    #[must_use]
    pub fn no(code: &str, reason: impl Into<String>) -> Self {
        Self { code: code.into(), reason: reason.into(), declined: true }
    }
}

/// Another output, for a run whose person is shown the output itself.
#[cfg(feature = "post-loop")]
impl From<String> for crate::post_loop::Change {
    fn from(output: String) -> Self {
        Self { output, shown: Vec::new() }
    }
}

#[cfg(feature = "post-loop")]
impl From<&str> for crate::post_loop::Change {
    fn from(output: &str) -> Self {
        output.to_owned().into()
    }
}

macro_rules! responses {
    ($feature:literal, $point:ident) => {
        /// A response that says no more than its verdict.
        #[cfg(feature = $feature)]
        impl From<crate::$point::Verdict> for crate::$point::Response {
            fn from(verdict: crate::$point::Verdict) -> Self {
                Self { verdict, notes: Vec::new(), findings: Vec::new(), observations: Vec::new() }
            }
        }

        #[cfg(feature = $feature)]
        impl crate::$point::Response {
            /// The run goes on.
            #[must_use]
            pub fn pass() -> Self {
                crate::$point::Verdict::Pass.into()
            }

            /// The run ends, with a stable word for the trace and a reason for the person.
            #[must_use]
            pub fn abort(code: &str, reason: impl Into<String>) -> Self {
                crate::$point::Verdict::Abort(Abort::fault(code, reason)).into()
            }

            /// The run ends with a polite no to what was asked.
            #[must_use]
            pub fn decline(code: &str, reason: impl Into<String>) -> Self {
                crate::$point::Verdict::Abort(Abort::no(code, reason)).into()
            }

            /// Adds a sentence for the trace.
            #[must_use]
            pub fn note(mut self, note: impl Into<String>) -> Self {
                self.notes.push(note.into());
                self
            }

            /// Adds sentences for the trace.
            #[must_use]
            pub fn notes(mut self, notes: Vec<String>) -> Self {
                self.notes.extend(notes);
                self
            }

            /// Adds findings.
            #[must_use]
            pub fn findings(mut self, findings: Vec<Finding>) -> Self {
                self.findings.extend(findings);
                self
            }

            /// Adds observations, for dashboards and studies.
            #[must_use]
            pub fn observations(mut self, observations: Vec<Observation>) -> Self {
                self.observations.extend(observations);
                self
            }
        }
    };
}

responses!("pre-loop", pre_loop);
responses!("pre-model", pre_model);
responses!("post-model", post_model);
responses!("pre-tool", pre_tool);
responses!("post-tool", post_tool);
responses!("post-loop", post_loop);
responses!("on-handoff", on_handoff);
responses!("on-subagent-start", on_subagent_start);
responses!("on-subagent-end", on_subagent_end);

macro_rules! reworks {
    ($feature:literal, $point:ident) => {
        #[cfg(feature = $feature)]
        impl crate::$point::Response {
            /// The model is asked again, at most `rounds_max` times by this hook.
            #[must_use]
            pub fn rework(instruction: impl Into<String>, rounds_max: u32) -> Self {
                let rework = Rework { instruction: instruction.into(), accepted: Vec::new(), rounds_max };
                crate::$point::Verdict::Rework(rework).into()
            }

            /// Parts that stay as they are in a rework; no other verdict has any.
            #[must_use]
            pub fn accepted(mut self, parts: Vec<Part>) -> Self {
                if let crate::$point::Verdict::Rework(rework) = &mut self.verdict {
                    rework.accepted = parts;
                }
                self
            }
        }
    };
}

reworks!("post-model", post_model);
reworks!("post-loop", post_loop);

impl Finding {
    /// A finding: its kind, a stable word, and what was expected, what was found, what to do.
    #[must_use]
    pub fn new(class: &str, message: impl Into<String>) -> Self {
        Self { class: class.into(), about: Vec::new(), part: None, line: None, message: message.into() }
    }

    /// Says what it is about, such as `outcome` and its code.
    #[must_use]
    pub fn about(mut self, name: &str, value: impl Into<String>) -> Self {
        self.about.push(Entry { name: name.into(), value: value.into() });
        self
    }

    /// Says where it stands: the id of the part, and the line of the output, counted from 1.
    #[must_use]
    pub fn at(mut self, part: Option<String>, line: Option<u32>) -> Self {
        self.part = part;
        self.line = line;
        self
    }
}
