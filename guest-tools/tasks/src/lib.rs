//! The tool `update_tasks`: the task list of the session, replaced as a whole.
//!
//! This crate keeps no list: the host does, and what is given here takes effect when the call ends well.
//! Start reading at [`update_tasks`].

use std::collections::BTreeSet;

use ta_guest::Context;
use ta_guest::arguments::{Arguments, folded};
use ta_guest::tasks::{self, Status, Task};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;

/// Longest title, in characters: a line, not a paragraph.
const TITLE_CHARS_MAX: usize = 200;

/// Longest id, in characters.
const ID_CHARS_MAX: usize = 64;

/// The 100 is the host's limit; refusing here names the argument.
const UPDATE_TASKS: &str = r#"{
    "type": "object", "required": ["tasks"], "additionalProperties": false,
    "properties": {
        "tasks": {
            "type": "array", "maxItems": 100, "description": "The whole list, in order",
            "items": {
                "type": "object", "required": ["id", "title", "status"], "additionalProperties": false,
                "properties": {
                    "id": { "type": "string", "description": "Stays the same while the task is on the list" },
                    "title": { "type": "string", "description": "What is to be done, on one line" },
                    "status": { "type": "string", "enum": ["pending", "in-progress", "completed"] }
                }
            }
        }
    }
}"#;

ta_guest::tool!(definitions, call);

/// Where the list is kept: the host in a component, a cell in tests.
trait Tasks {
    fn replace(&self, tasks: &[Task]) -> Result<(), String>;
}

struct Host;

impl Tasks for Host {
    fn replace(&self, tasks: &[Task]) -> Result<(), String> {
        tasks::replace(tasks)
    }
}

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "update_tasks".into(),
        description:
            "Replaces the task list of this session. Give the whole list each time: what is left out is gone. \
                      Use it for work of several steps, and keep the statuses true as you go."
                .into(),
        input_schema: UPDATE_TASKS.into(),
        idempotent: true,
        only_reads: false,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Host, call)
}

fn dispatch(tasks: &impl Tasks, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "update_tasks" => update_tasks(tasks, &Arguments::parse(call, UPDATE_TASKS)?),
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is update_tasks."))),
    }
}

fn update_tasks(host: &impl Tasks, arguments: &Arguments) -> Result<String, Failure> {
    let tasks = arguments.objects("tasks").iter().enumerate().map(task).collect::<Result<Vec<_>, _>>()?;
    let mut ids = BTreeSet::new();
    if let Some(task) = tasks.iter().find(|task| !ids.insert(task.id.as_str())) {
        return Err(invalid(&format!("the id `{}` occurs twice; give each task an id of its own", task.id)));
    }
    host.replace(&tasks).map_err(|message| Failure::new("tasks", message))?;
    Ok(rendered(&tasks))
}

fn task((index, fields): (usize, &Arguments)) -> Result<Task, Failure> {
    let text = |name: &str, chars_max: usize| {
        let text = fields.text(name).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        match text.chars().count() {
            0 => Err(invalid(&format!("tasks[{index}].{name} is empty"))),
            count if count > chars_max => {
                Err(invalid(&format!("tasks[{index}].{name} has {count} characters; at most {chars_max} are shown")))
            }
            _ => Ok(text),
        }
    };
    let status = match folded(fields.text("status").unwrap_or_default()).as_str() {
        "completed" => Status::Completed,
        "in-progress" => Status::InProgress,
        _ => Status::Pending,
    };
    Ok(Task { id: text("id", ID_CHARS_MAX)?, title: text("title", TITLE_CHARS_MAX)?, status })
}

fn invalid(problem: &str) -> Failure {
    Failure::new("arguments", format!("`tasks`: {problem}."))
}

fn rendered(tasks: &[Task]) -> String {
    let count = |status| tasks.iter().filter(|task| task.status == status).count();
    let (completed, begun) = (count(Status::Completed), count(Status::InProgress));
    let mut lines = match tasks.len() {
        0 => vec!["The task list is empty.".to_owned()],
        all => vec![format!("{completed} of {all} completed, {begun} in progress.")],
    };
    lines.extend(tasks.iter().map(|task| {
        let mark = match task.status {
            Status::Pending => "[ ]",
            Status::InProgress => "[-]",
            Status::Completed => "[x]",
        };
        format!("{mark} {}: {}", task.id, task.title)
    }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use ta_guest::tasks::{Status, Task};
    use ta_guest::types::ToolCall;

    use super::{Tasks, dispatch};

    #[derive(Default)]
    struct List(RefCell<Vec<Task>>);

    impl Tasks for List {
        fn replace(&self, tasks: &[Task]) -> Result<(), String> {
            *self.0.borrow_mut() = tasks.to_vec();
            Ok(())
        }
    }

    fn update(list: &List, arguments: &str) -> Result<String, String> {
        let call = ToolCall { id: "1".into(), name: "update_tasks".into(), arguments: arguments.into() };
        dispatch(list, &call).map_err(|failure| {
            assert_eq!(failure.code, "arguments");
            failure.message
        })
    }

    #[test]
    fn the_list_is_replaced_and_shown() {
        let list = List::default();
        let text = update(
            &list,
            r#"{"tasks":[{"id":"1","title":"Read the\n profile","status":"completed"},
                {"id":"2","title":"Find outcomes","status":"in_progress"},
                {"id":"3","title":"Draft","status":"in-progress"},
                {"id":"4","title":"Check","status":"pending"}]}"#,
        );
        assert_eq!(
            text.unwrap(),
            "1 of 4 completed, 2 in progress.\n\
             [x] 1: Read the profile\n[-] 2: Find outcomes\n[-] 3: Draft\n[ ] 4: Check"
        );
        let statuses: Vec<Status> = list.0.borrow().iter().map(|task| task.status).collect();
        assert_eq!(statuses, [Status::Completed, Status::InProgress, Status::InProgress, Status::Pending]);
        assert_eq!(update(&list, r#"{"tasks":[]}"#).unwrap(), "The task list is empty.");
        assert!(list.0.borrow().is_empty());
    }

    #[test]
    fn a_bad_list_changes_nothing() {
        let one = |id: &str, title: &str| format!(r#"{{"id":"{id}","title":"{title}","status":"pending"}}"#);
        let long = "x".repeat(201);
        for (tasks, problem) in [
            (
                format!("{},{}", one("1", "a"), one(" 1", "b")),
                "the id `1` occurs twice; give each task an id of its own.",
            ),
            (one("", "a"), "tasks[0].id is empty."),
            (format!("{},{}", one("1", "a"), one("2", " ")), "tasks[1].title is empty."),
            (one("1", &long), "tasks[0].title has 201 characters; at most 200 are shown."),
        ] {
            let list = List::default();
            assert_eq!(update(&list, &format!(r#"{{"tasks":[{tasks}]}}"#)).unwrap_err(), format!("`tasks`: {problem}"));
            assert!(list.0.borrow().is_empty());
        }
        let many = vec![one("1", "a"); 101].join(",");
        let message = update(&List::default(), &format!(r#"{{"tasks":[{many}]}}"#)).unwrap_err();
        assert!(message.starts_with("`tasks`: at most 100 entries, found 101. The arguments of"), "{message}");
        assert!(update(&List::default(), r#"{"tasks":[{"id":"1","title":"a","status":"done"}]}"#).is_err());
    }
}
