//! The tools that work on files of the workspace: `read_file`, `write_file`, `str_replace`, `list_directory`.
//!
//! This crate opens nothing by itself: a path is matched with a directory that was granted, and the host decides about
//! the rest. It never changes a file that it was not told to, and never repairs what a model meant where that is in doubt.
//! Start reading at [`actions`], what the four tools do, then [`paths`], how a path of the model becomes a place.

mod actions;
mod definitions;
mod failures;
mod files;
mod paths;
#[cfg(test)]
mod testing;

use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::tool::Failure;
use ta_guest::types::ToolCall;

use crate::definitions::definitions;
use crate::files::{Files, Host};

ta_guest::tool!(definitions, call);

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Host, call)
}

fn dispatch(files: &impl Files, call: &ToolCall) -> Result<String, Failure> {
    let arguments = |schema| Arguments::parse(call, schema);
    match call.name.as_str() {
        "read_file" => actions::read_file(files, &arguments(definitions::READ_FILE)?),
        "write_file" => actions::write_file(files, &arguments(definitions::WRITE_FILE)?),
        "str_replace" => actions::str_replace(files, &arguments(definitions::STR_REPLACE)?),
        "list_directory" => actions::list_directory(files, &arguments(definitions::LIST_DIRECTORY)?),
        other => Err(Failure::new(
            "unknown-tool",
            format!(
                "There is no tool `{other}` here; there are read_file, write_file, str_replace and list_directory."
            ),
        )),
    }
}
