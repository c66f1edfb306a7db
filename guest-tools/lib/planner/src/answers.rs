//! What the planner says where it writes no lesson: what it looked at, what there is, and what to do.

use super::matching::Offered;
use super::phrase::{capitalised, listed};

/// How an answer begins, and what stands under Outcomes, where nothing in the files fits.
pub(crate) const NO_OUTCOME: &str = "No outcome in this workspace's curriculum files covers this topic.";

/// The class that was asked for has no profile.
pub(crate) fn unknown_class(class: &str, classes: &[String]) -> String {
    let mut text = format!("There is no profile of a class {class} in `classes/`, so I have not planned anything.\n\n");
    if classes.is_empty() {
        text.push_str("There are no class profiles in this workspace yet.\n\n");
    } else {
        text.push_str(&format!("Classes with a profile: {}.\n\n", listed(classes)));
    }
    text.push_str(&format!(
        "What you can do:\n\n- ask again with one of these classes;\n- write `classes/{class}.md` (year, level, length of the period, needs, no names) and ask again;\n- ask without a class: then I plan for the level of the topic and for nobody in particular."
    ));
    text
}

/// The request names no topic.
pub(crate) fn no_topic(class: Option<&str>, topics: &[String]) -> String {
    let whom = class.map(|class| format!(" for {class}")).unwrap_or_default();
    let mut text = format!(
        "Which topic shall the lesson{whom} be about? The request names none, so I have not planned anything.\n"
    );
    push_topics(&mut text, "Topics that the curriculum files hold, for example:", topics);
    text.push_str("\nAsk for instance: “iteration for 3B” or “40 minutes on percentages for 1B”.");
    text
}

/// What was looked through for a topic that fits nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search<'a> {
    /// The topic in the teacher's words.
    pub(crate) topic: &'a str,
    pub(crate) class: Option<&'a str>,
    /// Paths of the files that were read.
    pub(crate) files: Vec<String>,
    /// The subjects of these files.
    pub(crate) subjects: String,
    /// Files that could not be read, each with the reason.
    pub(crate) unread: Vec<(String, String)>,
    /// Topics to offer, and whether they are near or only there.
    pub(crate) offered: Offered,
}

/// The topic fits no outcome.
pub(crate) fn no_outcome(search: &Search<'_>) -> String {
    let whom = search.class.map(|class| format!(" for {class}")).unwrap_or_default();
    let mut text = format!(
        "{NO_OUTCOME}\n\nYou asked for “{}”{whom}. I have not written a lesson, and I name no outcome for it.\n\n",
        search.topic
    );
    text.push_str(&format!("I looked through {} ({}).\n", listed(&code_marked(&search.files)), search.subjects));
    if !search.unread.is_empty() {
        text.push_str(&format!("\nNot looked through, because they could not be read: {}.\n", unread(&search.unread)));
    }
    let lead = if search.offered.are_near {
        "The nearest topics in them:"
    } else {
        "Nothing in them comes near. Topics they do hold, for example:"
    };
    push_topics(&mut text, lead, &search.offered.topics);
    text.push_str(
        "\nWhat you can do:\n\n- ask again with one of these topics, or with the topic in other words;\n- add a curriculum file for the subject to `curriculum/` and ask again;\n- plan it with a language model, which can do so without a link to an outcome.",
    );
    text
}

/// No file holds a code that was asked for. The code itself is not repeated: that would read like a claim.
pub(crate) fn no_such_code(class: Option<&str>, files: &[String], unread_files: &[(String, String)]) -> String {
    let whom = class.map(|class| format!(" for {class}")).unwrap_or_default();
    let mut text = format!(
        "{NO_OUTCOME}\n\nYou asked for a lesson{whom} by the code of an outcome, and no file holds that code, so I have not written one.\n\nI looked through {}.\n",
        listed(&code_marked(files))
    );
    if !unread_files.is_empty() {
        text.push_str(&format!("\nNot looked through, because they could not be read: {}.\n", unread(unread_files)));
    }
    text.push_str("\nWhat you can do:\n\n- compare the code with the files and ask again;\n- ask by the topic instead: “iteration for 3B”;\n- add the outcome to a file in `curriculum/` and ask again.");
    text
}

/// The curriculum could not be read at all.
pub(crate) fn no_curriculum(unread_files: &[(String, String)], listing: Option<&str>) -> String {
    let mut text = String::from(
        "I could not read any curriculum file, so I have not written a lesson: without one I have nothing to plan from, and I do not make up outcomes.\n\n",
    );
    match listing {
        Some(why) => text.push_str(&format!("Listing `curriculum/` did not work: {why}.\n")),
        None if unread_files.is_empty() => text.push_str("There is no file in `curriculum/` that holds an outcome.\n"),
        None => text.push_str(&format!("Could not be read: {}.\n", unread(unread_files))),
    }
    text.push_str("\nCheck that the agent may use `list_directory` and `read_file` and that `curriculum/` holds a curriculum file; then ask again.");
    text
}

/// The lesson that was to be refined is not there.
pub(crate) fn no_lesson(wanted: &str, lessons: &[String]) -> String {
    let mut text = format!("I did not find the lesson to change ({wanted}), so nothing was changed.\n\n");
    if lessons.is_empty() {
        text.push_str("There are no lessons in `lessons/` yet: create one first.");
    } else {
        let paths: Vec<String> = lessons.iter().map(|name| format!("- `lessons/{name}`")).collect();
        text.push_str(&format!(
            "Lessons there are:\n\n{}\n\nName one of them, and what to change: “shorter starter in lessons/{}”.",
            paths.join("\n"),
            lessons.first().map_or("", String::as_str)
        ));
    }
    text
}

/// Nothing in the request says what to change.
pub(crate) fn what_to_change(lesson: &str, sections: &[String]) -> String {
    format!(
        "What shall change in {lesson}? I could not tell from the request which part is meant, so nothing was changed.\n\nName a part and what it needs, for instance “shorter starter” or “practice: harder, in pairs”. Parts of this lesson: {}.",
        listed(sections)
    )
}

/// A rework without a lesson to work on.
pub(crate) fn nothing_to_rework() -> String {
    "There is no lesson in this conversation that could be revised. Ask for one first: “iteration for 3B”.".to_owned()
}

/// A command that is none of this planner's.
pub(crate) fn other_command(command: &str) -> String {
    format!(
        "{} is not something the offline planner can do: it works by rules and only plans and changes lessons. Set a key for a provider with a language model to use this command, or ask for a lesson.",
        capitalised(command)
    )
}

fn push_topics(text: &mut String, lead: &str, topics: &[String]) {
    if !topics.is_empty() {
        let items: Vec<String> = topics.iter().map(|topic| format!("- {topic}")).collect();
        text.push_str(&format!("\n{lead}\n\n{}\n", items.join("\n")));
    }
}

fn unread(files: &[(String, String)]) -> String {
    let items: Vec<String> = files.iter().map(|(path, why)| format!("`{path}` ({why})")).collect();
    listed(&items)
}

fn code_marked(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| format!("`{path}`")).collect()
}
