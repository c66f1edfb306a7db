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

include!("../../../../wit/plugin/lists.rs");

macro_rules! exporters {
    ([$d:tt] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
        $(exporter!($d $name $module);)*
    };
}

points!(exporters $);

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

/// Exports a function `fn(&Request) -> Result<Answer, Failure>` as `provider`.
#[cfg(feature = "provider")]
#[macro_export]
macro_rules! provider {
    ($complete:path) => {
        const _: fn(&$crate::provider::Request) -> Result<$crate::provider::Answer, $crate::provider::Failure> =
            $complete;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct ExportedGuest;
            impl $crate::provider::Guest for ExportedGuest {
                fn complete(
                    request: $crate::provider::Request,
                ) -> Result<$crate::provider::Answer, $crate::provider::Failure> {
                    $crate::start();
                    $complete(&request)
                }
            }
    $crate::provider::export!(ExportedGuest with_types_in $crate::provider);
        };
    };
}

/// Exports a function `fn(&Request) -> Result<Document, Failure>` as `writer`.
#[cfg(feature = "writer")]
#[macro_export]
macro_rules! writer {
    ($write:path) => {
        const _: fn(&$crate::writer::Request) -> Result<$crate::writer::Document, $crate::writer::Failure> = $write;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct ExportedGuest;
            impl $crate::writer::Guest for ExportedGuest {
                fn write(
                    request: $crate::writer::Request,
                ) -> Result<$crate::writer::Document, $crate::writer::Failure> {
                    $crate::start();
                    $write(&request)
                }
            }
    $crate::writer::export!(ExportedGuest with_types_in $crate::writer);
        };
    };
}

/// Exports a function `fn(Request) -> Result<Document, Failure>` as `reader`. The request is the function's own, so that bytes
/// which a library wants for itself are held once.
#[cfg(feature = "reader")]
#[macro_export]
macro_rules! reader {
    ($read:path) => {
        const _: fn($crate::reader::Request) -> Result<$crate::reader::Document, $crate::reader::Failure> = $read;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct ExportedGuest;
            impl $crate::reader::Guest for ExportedGuest {
                fn read(request: $crate::reader::Request) -> Result<$crate::reader::Document, $crate::reader::Failure> {
                    $crate::start();
                    $read(request)
                }
            }
    $crate::reader::export!(ExportedGuest with_types_in $crate::reader);
        };
    };
}
