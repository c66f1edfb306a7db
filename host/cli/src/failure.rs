//! Errors, printed: code, sentence, hint, and every problem with its place.

use anstyle::{AnsiColor, Style};
use serde_json::json;
use ta_runtime::RuntimeError;
use ta_runtime::error::Kind;
use ta_runtime::surface::visible;

use crate::args::Output;
use crate::exit::{self, Code};
use crate::out::outln;

const RED: Style = AnsiColor::Red.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default();

/// Prints an error, for a person on standard error, for a program as one object on standard output.
pub(crate) fn print(error: &RuntimeError, output: Output) -> Code {
    if output == Output::Text {
        anstream::eprintln!("{RED}error{RED:#}: {} [{}]", visible(&error.message), error.code);
        for problem in &error.problems {
            anstream::eprintln!("  {}", visible(&problem.to_string()).replace('\n', "\n  "));
        }
        anstream::eprintln!("{CYAN}hint{CYAN:#}: {}", visible(&error.hint));
    } else {
        let mut object = json!({ "error": {
            "code": error.code, "message": error.message, "hint": error.hint, "problems": error.problems,
        }});
        // A run that nothing can answer has a status, though it never began.
        if let (Kind::NoProvider, Some(fields)) = (error.kind, object.as_object_mut()) {
            fields.insert("status".to_owned(), error.code.clone().into());
        }
        outln!("{object}");
        eprintln!("error: {} [{}]\nhint: {}", visible(&error.message), error.code, visible(&error.hint));
    }
    exit::of_error(error)
}
