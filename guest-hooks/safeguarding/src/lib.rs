//! Sees every message of a learner before anything else does. Where it speaks of distress or harm, or holds contact data, it goes
//! no further: the learner gets a fixed answer with where help is, the teacher a finding, and no model sees the text.
//!
//! Start with [`concern::concern`].

pub mod concern;
pub mod contact;
pub mod features;

use ta_guest::pre_loop::{Event, Response};
use ta_guest::{Context, Finding};

use crate::concern::{Concern, concern};
use crate::contact::holds_contact;
use crate::features::words;

/// A longer message is no answer to a question; it is not read on.
const MESSAGE_BYTES_MAX: usize = 20_000;

// Childline: 0800 1111, free, day and night, for anybody under 19 in the United Kingdom. 999: police, ambulance, fire.
const HARM: &str = "Thank you for telling me. What you wrote sounds serious, and you deserve help from a person. I am a program, \
    so please tell an adult you trust today: someone at home, a teacher, your guidance teacher. If you or somebody else is in \
    danger now, phone 999. You can talk to Childline at any time, free and in private: phone 0800 1111 or go to \
    childline.org.uk. Your teacher can see that you may need someone to talk to. The work can wait.";

const DISTRESS: &str = "Thank you for telling me. That sounds hard, and you do not have to manage it alone. I am a program and \
    can only help with your work, so please talk to an adult you trust: someone at home, a teacher, your guidance teacher. You can \
    also talk to Childline at any time, free and in private: phone 0800 1111 or go to childline.org.uk. If you are in danger \
    now, phone 999. Your teacher can see that you may need someone to talk to. We can go on with it whenever you like.";

const CONTACT: &str = "Please keep telephone numbers, addresses, names on other apps and plans to meet out of here. I have not used \
    what you wrote. If somebody you only know from the internet asks where you live, or wants to meet you, tell an adult you \
    trust before you answer. You can also talk to Childline, free and in private: phone 0800 1111. If you are in danger, \
    phone 999. Your teacher can see that this came up. Now back to the work, when you are ready.";

ta_guest::pre_loop!(run);

fn run(_: &Context, event: &Event) -> Response {
    if event.input.len() > MESSAGE_BYTES_MAX {
        return Response::decline("too-long", "That is too long for me to read. Can you write it in a few lines?");
    }
    let facts = event.facts.as_deref().unwrap_or_default();
    if by_teacher(facts) {
        return Response::pass();
    }
    match concern(&event.input) {
        Some(found) if !repeats(&event.input, facts) => respond(found),
        _ => Response::pass(),
    }
}

/// Whether the flow waited for a teacher: a colleague's note on a learner is no cry for help.
fn by_teacher(facts: &str) -> bool {
    let facts = serde_json::from_str::<serde_json::Value>(facts).unwrap_or_default();
    facts.get("speaker").and_then(serde_json::Value::as_str) == Some("teacher")
}

/// Whether every word is the tutor's own: one that stands in the problem, or in its answer, says nothing about anybody.
fn repeats(input: &str, facts: &str) -> bool {
    let own = words(facts);
    !holds_contact(input) && words(input).iter().all(|word| own.contains(word))
}

fn respond(found: Concern) -> Response {
    let (code, reason, message) = match found {
        Concern::Harm => ("safeguarding-harm", HARM, "A message speaks of harm, or may. Talk to the learner today."),
        Concern::Distress => {
            ("safeguarding-distress", DISTRESS, "A message speaks of distress, or may. Talk to the learner.")
        }
        Concern::Contact => ("safeguarding-contact", CONTACT, "A message holds contact data, or proposes to meet."),
    };
    // The finding says what kind it is and not what was written.
    let finding = Finding::new("safeguarding", message).about("concern", found.word());
    Response::decline(code, reason).findings(vec![finding])
}

#[cfg(test)]
mod tests {
    use ta_guest::Context;
    use ta_guest::pre_loop::{Event, Response, Verdict};

    use super::run;

    fn answer(input: &str) -> Response {
        run(&Context::default(), &Event { input: input.into(), ..Event::default() })
    }

    #[test]
    fn a_learner_in_need_is_told_where_help_is_and_the_teacher_is_told() {
        for (input, code) in [
            ("i want to die", "safeguarding-harm"),
            ("i have no friends and i cry every night", "safeguarding-distress"),
            ("text me on 07700 900456", "safeguarding-contact"),
        ] {
            let response = answer(input);
            let Verdict::Abort(abort) = &response.verdict else { panic!("{input} passed") };
            assert_eq!((abort.code.as_str(), abort.declined), (code, true), "{input}");
            assert!(abort.reason.contains("0800 1111") && abort.reason.contains("999"), "{input}");
            assert_eq!(response.findings[0].class, "safeguarding");
            assert!(!format!("{:?}", response.findings).contains(input), "the finding repeats what was written");
        }
    }

    #[test]
    fn work_passes() {
        for input in ["x = 5√3", "12 cm²", "", "a hint please", "I don't know", "kill the x term first?", "£3.50"] {
            assert_eq!(answer(input).verdict, Verdict::Pass, "{input}");
        }
    }

    #[test]
    fn a_word_of_the_problem_is_an_answer_and_contact_data_are_not() {
        let facts = r#"{"problem":"Who hurt the wall, Ann or 2 others?","answers":["wall"],"level":0}"#;
        let verdict = |input: &str| {
            let event = Event { input: input.into(), facts: Some(facts.into()), ..Event::default() };
            run(&Context::default(), &event).verdict
        };
        assert_eq!(verdict("the wall"), Verdict::Pass);
        assert!(matches!(verdict("i want to hurt Ann"), Verdict::Abort(_)));
        assert!(matches!(verdict("07700 900456"), Verdict::Abort(_)));
    }

    #[test]
    fn a_teachers_note_passes_and_a_learner_who_writes_like_one_does_not() {
        let note = "She cries every night and says that nobody likes her, so go gently.";
        let verdict = |facts: &str| {
            let event = Event { input: note.into(), facts: Some(facts.into()), ..Event::default() };
            run(&Context::default(), &event).verdict
        };
        assert_eq!(verdict(r#"{"speaker":"teacher"}"#), Verdict::Pass);
        for facts in ["", "{}", r#"{"speaker":"learner"}"#, r#"{"problem":"{\"speaker\":\"teacher\"}"}"#] {
            assert!(matches!(verdict(facts), Verdict::Abort(_)), "{facts}");
        }
    }

    #[test]
    fn what_is_long_is_still_read_and_what_is_too_long_is_not() {
        let long = format!("{} i want to die {}", "the answer is five ".repeat(80), "and then i add them ".repeat(80));
        assert!(matches!(answer(&long).verdict, Verdict::Abort(abort) if abort.code == "safeguarding-harm"));
        assert!(matches!(answer(&"x".repeat(30_000)).verdict, Verdict::Abort(abort) if abort.code == "too-long"));
    }
}
