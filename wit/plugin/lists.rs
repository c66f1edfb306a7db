// The lifecycle points and the capabilities, each written down once. The host's core and sandbox and the guest SDK include
// this file: names, parsing, bindings, indices, exports and the tables of the documentation are made from it. A row that WIT,
// a conversion or a feature of the SDK knows nothing of does not compile, or a test names what is missing.

/// Calls `$then! { [$more] rows }`. A row: variant, module, name (that of the interface in `points.wit` and in manifests),
/// world, when hooks run there.
#[allow(unused_macros)]
macro_rules! points {
    ($then:ident $($more:tt)*) => {
        $then! { [$($more)*]
            PreLoop pre_loop "pre-loop" "pre-loop-hook" "Before the first model call.";
            PreModel pre_model "pre-model" "pre-model-hook" "Before each model call.";
            PostModel post_model "post-model" "post-model-hook" "After each model response.";
            PreTool pre_tool "pre-tool" "pre-tool-hook" "Before each tool call.";
            PostTool post_tool "post-tool" "post-tool-hook" "After each tool call.";
            PostLoop post_loop "post-loop" "post-loop-hook" "After the final response.";
            OnHandoff on_handoff "on-handoff" "on-handoff-hook" "When an agent hands over to another.";
            OnSubagentStart on_subagent_start "on-subagent-start" "on-subagent-start-hook" "When a subagent is about to start.";
            OnSubagentEnd on_subagent_end "on-subagent-end" "on-subagent-end-hook" "When a subagent has ended.";
        }
    };
}

/// Calls `$then! { [$more] rows }`. A row: variant, name (that of the interface in `imports.wit` and in manifests), whether
/// a component can ask for it and do without it, what it gives.
#[allow(unused_macros)]
macro_rules! capabilities {
    ($then:ident $($more:tt)*) => {
        $then! { [$($more)*]
            Log "log" required "lines for the trace, 32 at the most for a hook";
            Ask "ask" required "questions to the person: a choice, a text, a decision on each of several items";
            Workspace "workspace" required "directories that were granted by name, to read or to write";
            Skills "skills" required "the plugin's skills";
            Tasks "tasks" required "the session's task list";
            Clock "clock" required "the journal's time: the same whenever the call is run again";
            Random "random" required "the journal's randomness: the same whenever the call is run again";
            Config "config" required "the values under `[hooks.NAME.config]`";
            Memory "memory" required "the owner's memory files, each note with kind, importance, evidence";
            MemoryUpdate "memory-update" required "notes added, taken out, whole files written; staged";
            Sessions "sessions" required "earlier sessions of the same owner: searched, read, or as past runs";
            Journal "journal" required "drafts and answered questions of this very run";
            Prompt "prompt" required "passages of workspace and memory shown otherwise in this run; staged";
            Model "model" optional "short questions to a cheap model, at the run's cost";
            Tools "tools" required "other tools of the plugin called, those that are named under `calls`";
            Wasi "wasi" required "what a language runtime needs to start, and nothing else: no files, no network, no environment";
        }
    };
}
