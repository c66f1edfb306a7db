//! Changing the workspace as the teacher says: one place, one small passage, once.
//!
//! Whether a change is made is not decided here: the host shows it to the teacher, and a no comes back as the call's
//! result. It is then said and not tried again.

mod edit;

use serde_json::json;

use super::look;
use super::phrase::{capitalised, listed, sentence, without_stop};
use super::request::Ask;
use super::talk::{Desk, Reply};
use edit::{Edit, Wanted};

/// Makes the change that is asked for; none while tools have to be asked first.
pub(crate) fn change(desk: &mut Desk<'_>) -> Option<String> {
    let request = desk.talk.task();
    let classes = look::list(desk, "classes");
    if desk.waits() {
        return None;
    }
    let names = classes.here().unwrap_or_default();
    let known: Vec<String> = names.iter().map(|name| name.trim_end_matches(".md").to_owned()).collect();
    let ask = Ask::read(&request, &known);
    if let Some(unknown) = &ask.unknown_class {
        return desk.decline(format!(
            "There is no profile of a class {unknown}; I have changed nothing. Classes with a profile: {}.",
            listed(&known)
        ));
    }
    let Some(wanted) = Wanted::read(&request, ask.class.as_deref()) else { return desk.decline(unclear(&known)) };
    if let Wanted::Remember(note) = &wanted {
        let scope = ask.class.as_deref().unwrap_or("teacher");
        let arguments = json!({ "note": note, "scope": scope, "kind": "preference", "evidence": request.trim() });
        return said(desk.try_once("update_memory", &arguments), &format!("memory of {scope}"), note, "");
    }
    let path = match (wanted.file(), &ask.class) {
        (Some(file), _) => file.to_owned(),
        (None, Some(class)) => format!("classes/{class}.md"),
        (None, None) => {
            return desk.decline(format!(
                "Which class is it about? I have changed nothing. Classes with a profile: {}.",
                listed(&known)
            ));
        }
    };
    let text = match look::file(desk, &path) {
        Reply::Here(text) => text,
        Reply::Asked => return None,
        _ => return desk.decline(format!("`{path}` could not be read, so I have changed nothing.")),
    };
    match wanted.edit(&text) {
        Edit::There(line) => Some(format!("`{path}` says so already: “{}”. I have changed nothing.", line.trim())),
        Edit::NoPlace => desk.decline(format!(
            "I found no place in `{path}` where this belongs, so I have changed nothing. Say under which heading it should stand, or edit the file."
        )),
        Edit::Exchange { old, new } => {
            let arguments = json!({ "path": path, "old": old, "new": new });
            said(desk.try_once("str_replace", &arguments), &format!("`{path}`"), &wanted.told(), wanted.open())
        }
    }
}

/// What is said when the tool has answered.
fn said(reply: Reply<&str>, place: &str, what: &str, open: &str) -> Option<String> {
    match reply {
        Reply::Asked => None,
        Reply::Here(_) => Some(format!("Changed in {place}: {}{open}", sentence(&capitalised(what)))),
        Reply::Failed(why) => Some(format!(
            "Not changed in {place}: {}\n\n{}",
            sentence(&capitalised(what)),
            sentence(without_stop(&why))
        )),
        Reply::NotOffered => Some(format!("I have no tool to change {place} with, so nothing was changed.")),
    }
}

fn unclear(known: &[String]) -> String {
    format!(
        "I could not tell what to change, so I have changed nothing. I work by rules and understand sentences such as:\n\n\
         - “3B now has a pupil who needs enlarged print”\n- “periods of 2A are 45 minutes”, “1B has 26 pupils”\n\
         - “works with 3B: trace tables in pairs”, “does not work with 3B: long starters”\n\
         - “I like: mini-whiteboards”, “I avoid: homework on Fridays”, “pedagogy: one check after each step”\n\
         - “remember for 3B: the trolley is booked on Tuesdays”\n\nClasses with a profile: {}.",
        listed(known)
    )
}
