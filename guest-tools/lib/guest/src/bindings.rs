//! Generated from `wit/plugin`: what a guest may import once, and one module for each point that it exports.

#![allow(missing_docs, unsafe_code, unreachable_pub, clippy::all, clippy::pedantic, reason = "generated")]

pub mod imports {
    wit_bindgen::generate!({ path: "../../../wit/plugin", world: "imports", additional_derives: [PartialEq] });
}

include!("../../../../wit/plugin/lists.rs");

macro_rules! export {
    // The one point whose event holds something that stays with the host.
    ($feature:literal pre_model $world:literal) => {
        export!($feature pre_model $world { "teacher-assist:plugin/conversation@0.2.0": super::imports::teacher_assist::plugin::conversation });
    };
    ($feature:literal $module:ident $world:literal) => {
        export!($feature $module $world {});
    };
    ($feature:literal $module:ident $world:literal { $($interface:literal: $path:path)? }) => {
        #[cfg(feature = $feature)]
        pub mod $module {
            wit_bindgen::generate!({
                path: "../../../wit/plugin",
                world: $world,
                pub_export_macro: true,
                default_bindings_module: "ta_guest",
                additional_derives: [PartialEq],
                with: {
                    "teacher-assist:plugin/types@0.2.0": super::imports::teacher_assist::plugin::types,
                    $($interface: $path,)?
                },
            });
            pub use self::exports::teacher_assist::plugin::$module::*;
        }
    };
}

macro_rules! exports {
    ([] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
        $(export!($name $module $world);)*
    };
}

points!(exports);
export!("tool" tool "tool-guest");
export!("flow" flow "flow-guest");
export!("provider" provider "provider-guest");
export!("writer" writer "writer-guest");
export!("reader" reader "reader-guest");
