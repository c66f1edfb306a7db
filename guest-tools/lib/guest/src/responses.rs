//! Words for verdicts: `Response::pass()`, `Response::abort(…)`, each with notes and findings.

#![allow(unused_macros, unused_imports, reason = "which of these are used depends on the features")]

use crate::types::{Abort, Finding, Rework, Section};

macro_rules! responses {
    ($feature:literal, $point:ident) => {
        /// A response that says no more than its verdict.
        #[cfg(feature = $feature)]
        impl From<crate::$point::Verdict> for crate::$point::Response {
            fn from(verdict: crate::$point::Verdict) -> Self {
                Self { verdict, notes: Vec::new(), findings: Vec::new() }
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
                let abort = Abort { code: code.into(), reason: reason.into() };
                crate::$point::Verdict::Abort(abort).into()
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

            /// Sections that stay as they are in a rework; no other verdict has any.
            #[must_use]
            pub fn accepted(mut self, sections: Vec<Section>) -> Self {
                if let crate::$point::Verdict::Rework(rework) = &mut self.verdict {
                    rework.accepted = sections;
                }
                self
            }
        }
    };
}

reworks!("post-model", post_model);
reworks!("post-loop", post_loop);
