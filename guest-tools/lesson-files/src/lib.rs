//! The files of a teacher's workspace, for people: what is wrong with one, the first ones from a few answers, what a lesson
//! can begin with, and for whom the sections of a lesson are.
//!
//! Each is an action: a page or a command calls it with JSON and shows what comes back, and no model is offered it. What is wrong
//! with what it was given is `{"error": {code, message, hint}}`, for the person who gave it; a failure is a fault of the caller.
//! Files are read in the workspace as far as that was granted; what is written is staged, and the host puts it in place only when
//! the person says so.
//!
//! Start at [`actions`], which has their names and arguments.

mod actions;
mod beginnings;
mod check;
mod document;
mod set_up;

ta_guest::tool!(actions::definitions, actions::call);
