//! The imports as they are outside a component, in a guest's own tests: the generated types, and functions that the world of
//! the test answers. See [`crate::testing`].

#![allow(missing_docs, unreachable_pub, reason = "as in the contract")]

use crate::bindings::imports::teacher_assist::plugin as contract;
use crate::testing::imports;

pub use contract::{conversation, types};

macro_rules! shadowed {
    ($($module:ident { $($name:ident),+ })*) => {
        $(pub mod $module {
            #[allow(unused_imports, reason = "some interfaces have no types")]
            pub use super::contract::$module::*;
            // What is named takes the place of what the contract generates under the same name.
            pub use super::imports::$module::{$($name),+};
        })*
    };
}

shadowed! {
    log { write }
    ask { put }
    workspace { Directory, granted_directories, open }
    skills { read }
    tasks { current, replace }
    clock { now }
    random { bytes }
    config { all, get }
    memory { files, read }
    memory_update { forget, remember, write }
    sessions { past_runs, read, search }
    journal { drafts, questions }
    prompt { correct }
    model { ask }
    tools { call }
}
