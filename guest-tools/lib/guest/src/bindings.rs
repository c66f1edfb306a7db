//! Generated from `wit/plugin`: what a guest may import once, and one module for each point that it exports.

#![allow(missing_docs, unsafe_code, unreachable_pub, clippy::all, clippy::pedantic, reason = "generated")]

pub mod imports {
    wit_bindgen::generate!({ path: "../../../wit/plugin", world: "imports", additional_derives: [PartialEq] });
}

macro_rules! point {
    ($feature:literal, $module:ident, $world:literal) => {
        #[cfg(feature = $feature)]
        pub mod $module {
            wit_bindgen::generate!({
                path: "../../../wit/plugin",
                world: $world,
                pub_export_macro: true,
                default_bindings_module: "ta_guest",
                additional_derives: [PartialEq],
                with: { "teacher-assist:plugin/types@0.2.0": super::imports::teacher_assist::plugin::types },
            });
            pub use self::exports::teacher_assist::plugin::$module::*;
        }
    };
}

point!("pre-loop", pre_loop, "pre-loop-hook");
point!("pre-model", pre_model, "pre-model-hook");
point!("post-model", post_model, "post-model-hook");
point!("pre-tool", pre_tool, "pre-tool-hook");
point!("post-tool", post_tool, "post-tool-hook");
point!("post-loop", post_loop, "post-loop-hook");
point!("on-handoff", on_handoff, "on-handoff-hook");
point!("on-subagent-start", on_subagent_start, "on-subagent-start-hook");
point!("on-subagent-end", on_subagent_end, "on-subagent-end-hook");
point!("tool", tool, "tool-guest");
point!("flow", flow, "flow-guest");
