//! The contract as the host sees it, generated from `wit/plugin`.

#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../../wit/plugin",
    world: "host",
    imports: {
        "teacher-assist:plugin/sessions": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "teacher-assist:plugin/workspace.directory": crate::workspace::Handle,
        "teacher-assist:plugin/conversation.messages": ta_core::message::Messages,
    },
});
