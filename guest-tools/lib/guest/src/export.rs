//! The lines that export a plain function as a lifecycle point.

use std::sync::Once;

use crate::log;

/// Sends a panic's text to the trace before the trap; without this it would be lost with the instance.
pub fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| log::write(log::Level::Error, &panic.to_string())));
    });
}

// In both macros the function is named once with its whole type: a wrong one is an error at the guest's own line, and
// natively, where tests run and nothing is exported, the guest's logic still counts as used.

macro_rules! exporter {
    ($d:tt $feature:literal $point:ident) => {
        /// Exports a function `fn(&Context, &Event) -> Response` of this point.
        #[cfg(feature = $feature)]
        #[macro_export]
        macro_rules! $point {
                    ($d function:path) => {
                        const _: fn(&$crate::Context, &$crate::$point::Event) -> $crate::$point::Response = $d function;

                        #[cfg(target_arch = "wasm32")]
                        const _: () = {
                            struct ExportedGuest;
                            impl $crate::$point::Guest for ExportedGuest {
                                fn run(
                                    context: $crate::Context,
                                    event: $crate::$point::Event,
                                ) -> $crate::$point::Response {
                                    $crate::start();
                                    $d function(&context, &event)
                                }
                            }
                            $crate::$point::export!(ExportedGuest with_types_in $crate::$point);
                        };
                    };
                }
    };
}

exporter!($ "pre-loop" pre_loop);
exporter!($ "pre-model" pre_model);
exporter!($ "post-model" post_model);
exporter!($ "pre-tool" pre_tool);
exporter!($ "post-tool" post_tool);
exporter!($ "post-loop" post_loop);
exporter!($ "on-handoff" on_handoff);
exporter!($ "on-subagent-start" on_subagent_start);
exporter!($ "on-subagent-end" on_subagent_end);

/// Exports two functions as `tool`: `fn() -> Vec<Definition>` and `fn(&Context, &ToolCall) -> Result<String, Failure>`.
#[cfg(feature = "tool")]
#[macro_export]
macro_rules! tool {
    ($definitions:path, $call:path) => {
        const _: fn() -> Vec<$crate::tool::Definition> = $definitions;
        const _: fn(&$crate::Context, &$crate::types::ToolCall) -> Result<String, $crate::tool::Failure> = $call;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct ExportedGuest;
            impl $crate::tool::Guest for ExportedGuest {
                fn definitions() -> Vec<$crate::tool::Definition> {
                    $crate::start();
                    $definitions()
                }
                fn call(
                    context: $crate::Context,
                    call: $crate::types::ToolCall,
                ) -> Result<String, $crate::tool::Failure> {
                    $crate::start();
                    $call(&context, &call)
                }
            }
    $crate::tool::export!(ExportedGuest with_types_in $crate::tool);
        };
    };
}

/// Exports two functions as `flow`: `fn(&Context, Option<&str>, &Event) -> Result<FlowStep, Failure>` and
/// `fn(&str, &str) -> Result<String, Failure>`.
#[cfg(feature = "flow")]
#[macro_export]
macro_rules! flow {
    ($step:path, $view:path) => {
        const _: fn(
            &$crate::Context,
            Option<&str>,
            &$crate::flow::Event,
        ) -> Result<$crate::flow::FlowStep, $crate::flow::Failure> = $step;
        const _: fn(&str, &str) -> Result<String, $crate::flow::Failure> = $view;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct ExportedGuest;
            impl $crate::flow::Guest for ExportedGuest {
                fn step(
                    context: $crate::Context,
                    state: Option<String>,
                    event: $crate::flow::Event,
                ) -> Result<$crate::flow::FlowStep, $crate::flow::Failure> {
                    $crate::start();
                    $step(&context, state.as_deref(), &event)
                }
                fn view(state: String, role: String) -> Result<String, $crate::flow::Failure> {
                    $crate::start();
                    $view(&state, &role)
                }
            }
    $crate::flow::export!(ExportedGuest with_types_in $crate::flow);
        };
    };
}
