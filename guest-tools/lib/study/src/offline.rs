//! What is answered where there is no model, or none that answers as asked: plans, messages, judgements and summaries from the
//! files of the topics. The provider `offline` of the plugin answers so too.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::agents::{Evaluation, Kind, Meta, Written};
use crate::judge::{self, Verdict};
use crate::plan::{Plan, Status, Step};
use crate::replan::{Proposal, Proposed};
use crate::state::clipped;
use crate::topic::{Asked, Topic, TopicStep};

/// Reads a file of the topics; the list of topics for an empty name.
pub type Files<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// Questions that a step is reckoned at.
const QUESTIONS_A_STEP: usize = 3;
/// Characters of a summary.
const SUMMARY_CHARS_MAX: usize = 1_200;

/// Answers what an agent is asked.
///
/// # Errors
/// Why there is no answer, in words for the learner.
pub fn answer(files: &Files, input: &str) -> Result<String, String> {
    let input: Json =
        serde_json::from_str(input).map_err(|_| "I answer the agents of this tutor, nothing else.".to_owned())?;
    match input.get("task").and_then(Json::as_str) {
        Some("plan") => plan(files, &input).map(|it| planned(&it).to_string()),
        Some("write") => write(files, &input).map(|it| wrote(&it).to_string()),
        Some("evaluate") => evaluate(files, &input).map(|it| evaluated(&it).to_string()),
        Some("summarise") => Ok(json!({ "summary": summary(&input) }).to_string()),
        _ => Err("I answer the agents of this tutor, nothing else.".to_owned()),
    }
}

fn planned(it: &Proposal) -> Json {
    let step = |it: &Proposed| {
        json!({
            "step_id": it.step_id, "title": it.title, "description": it.description,
            "teaching_approach": it.teaching_approach, "success_criteria": it.success_criteria,
        })
    };
    json!({
        "todo_list": it.todo_list.iter().map(step).collect::<Vec<_>>(), "reasoning": it.reasoning,
        "estimated_total_questions": it.estimated_total_questions,
        "estimated_duration_minutes": it.estimated_duration_minutes, "changes_made": it.changes_made,
    })
}

fn wrote(it: &Written) -> Json {
    let kind = match it.meta.message_type {
        Kind::Question => "question",
        Kind::Explanation => "explanation",
        Kind::Encouragement => "encouragement",
        Kind::Hint => "hint",
    };
    let meta = json!({ "message_type": kind, "difficulty": it.meta.difficulty });
    json!({ "message": it.message, "reasoning": it.reasoning, "meta": meta })
}

fn evaluated(it: &Evaluation) -> Json {
    json!({
        "score": it.score, "feedback": it.feedback, "reasoning": it.reasoning,
        "updated_step_statuses": it.updated_step_statuses, "assessment_note": it.assessment_note,
        "was_off_topic": it.was_off_topic, "off_topic_response": it.off_topic_response,
        "replan_needed": it.replan_needed, "replan_reason": it.replan_reason,
    })
}

fn text<'a>(of: &'a Json, path: &str) -> &'a str {
    of.pointer(path).and_then(Json::as_str).unwrap_or_default()
}

fn parse<T: for<'a> serde::Deserialize<'a>>(of: &Json, name: &str) -> Option<T> {
    of.get(name).and_then(|it| serde_json::from_value(it.clone()).ok())
}

/// The topic that a session is about.
fn topic(files: &Files, input: &Json) -> Result<Topic, String> {
    let list = files("")?;
    let (topic, subtopic) = (text(input, "/topic_info/topic"), text(input, "/topic_info/subtopic"));
    let wanted = [format!("{topic} {subtopic}"), subtopic.to_owned(), topic.to_owned()];
    let file = wanted.iter().find_map(|wanted| ta_tutor::places::topic(&list, wanted));
    let file = file.ok_or_else(|| {
        format!("There is no language model here to plan with. {}", ta_tutor::places::which(&list, topic))
    })?;
    Topic::read(&files(&format!("{file}.yaml"))?).map_err(|why| format!("{file}.yaml: {why}"))
}

/// The words of a topic and of its answers; none where there is no such topic.
#[must_use]
pub fn vocabulary(files: &Files, input: &Json) -> Vec<String> {
    let Ok(topic) = topic(files, input) else { return Vec::new() };
    let mut words: BTreeSet<String> = topic.words.iter().cloned().collect();
    for question in topic.all().flat_map(|step| &step.questions) {
        let ideas = question.ideas.iter().flatten();
        words.extend(
            question.accept.iter().chain(&question.options).chain(ideas).chain(question.mistakes.keys()).cloned(),
        );
    }
    words.into_iter().collect()
}

fn proposed(step: &TopicStep, kept: Option<&Step>, again: bool) -> Proposed {
    Proposed {
        step_id: kept.map(|step| step.step_id.clone()),
        title: step.title.clone(),
        description: step.description.clone(),
        teaching_approach: if again { step.approach_again.clone() } else { step.approach.clone() },
        success_criteria: step.criteria.clone(),
    }
}

/// A plan, or one made anew.
///
/// # Errors
/// Where there is no such topic.
pub fn plan(files: &Files, input: &Json) -> Result<Proposal, String> {
    let topic = topic(files, input)?;
    let minutes = input.pointer("/session_context/estimated_duration_minutes").and_then(Json::as_u64).unwrap_or(20);
    let (todo_list, reasoning, changes_made) = match parse::<Plan>(input, "original_plan") {
        Some(before) => anew(&topic, &before, text(input, "/replan_reason")),
        None => {
            let steps = topic.steps.iter().map(|step| proposed(step, None, false)).collect();
            let reasoning =
                format!("The steps of the file for {}, from what is needed first to what builds on it.", topic.title);
            (steps, reasoning, None)
        }
    };
    let questions = todo_list.len() * QUESTIONS_A_STEP;
    Ok(Proposal {
        todo_list,
        reasoning,
        estimated_total_questions: u32::try_from(questions).unwrap_or(u32::MAX),
        estimated_duration_minutes: u32::try_from(minutes).unwrap_or(u32::MAX),
        changes_made,
    })
}

/// Before a blocked step comes the one that it needs, once; the second time it is taught in another way.
fn anew(topic: &Topic, before: &Plan, reason: &str) -> (Vec<Proposed>, String, Option<String>) {
    let mut steps = Vec::new();
    let mut changes = Vec::new();
    for step in before.todo_list.iter().filter(|it| matches!(it.status, Status::Pending | Status::Blocked)) {
        let known = topic.titled(&step.title);
        let blocked = step.status == Status::Blocked;
        let needed = known.filter(|_| blocked).and_then(|it| it.needs.as_deref());
        let needed = needed.and_then(|id| topic.first.iter().find(|it| it.id == id));
        let there = |title: &str| before.todo_list.iter().any(|it| it.title == title);
        if let Some(needed) = needed.filter(|it| !there(&it.title)) {
            changes.push(format!("\u{201c}{}\u{201d} now comes first.", needed.title));
            steps.push(proposed(needed, None, false));
        } else if blocked {
            changes.push(format!("\u{201c}{}\u{201d} is tried in another way.", step.title));
        }
        steps.push(match known {
            Some(known) => proposed(known, Some(step), blocked),
            None => Proposed {
                step_id: Some(step.step_id.clone()),
                title: step.title.clone(),
                description: step.description.clone(),
                teaching_approach: step.teaching_approach.clone(),
                success_criteria: step.success_criteria.clone(),
            },
        });
    }
    let changes = if changes.is_empty() { "The open steps stay as they are.".to_owned() } else { changes.join(" ") };
    (steps, format!("Asked for because: {reason}"), Some(changes))
}

/// The next message of a step.
///
/// # Errors
/// Where there are no data for the step, or the plan has none that is open.
pub fn write(files: &Files, input: &Json) -> Result<Written, String> {
    let topic = topic(files, input)?;
    let step: Step = parse(input, "current_step").ok_or("There is no step to write for.")?;
    let known = topic.titled(&step.title).ok_or("There are no data for this step.")?;
    let open = text(input, "/open_question/text");
    let question = topic.question(open).map(|(_, asked)| asked);
    let hints = input.pointer("/open_question/hints").and_then(Json::as_u64).unwrap_or_default();
    let hint = question.and_then(|it| it.hints.get(usize::try_from(hints).unwrap_or(usize::MAX)));
    if let (Some(question), Some(hint)) = (question, hint) {
        return Ok(Written {
            message: hint.clone(),
            reasoning: format!("Hint {} of {} on the question that is open.", hints + 1, question.hints.len()),
            meta: Meta { message_type: Kind::Hint, difficulty: question.difficulty.clone() },
        });
    }
    let before: Vec<String> = parse(input, "asked_before").unwrap_or_default();
    let was_asked = |it: &&Asked| before.iter().any(|text| text.ends_with(&it.ask));
    let fresh = known.questions.iter().find(|it| !was_asked(it));
    // Once all were asked they come again, the one that was asked longest ago first.
    let last_asked = |it: &&Asked| before.iter().rposition(|text| text.ends_with(&it.ask));
    let next = fresh.or_else(|| known.questions.iter().min_by_key(last_asked));
    let next = next.ok_or("The step has no questions.")?;
    let begins = step.counts().questions_asked == 0;
    let message = if begins { format!("{}\n\n{}", known.explain.trim(), next.ask) } else { next.ask.clone() };
    let reasoning =
        if fresh.is_some() { "The next question of the step." } else { "All questions were asked: one comes again." };
    Ok(Written {
        message,
        reasoning: reasoning.to_owned(),
        meta: Meta { message_type: Kind::Question, difficulty: next.difficulty.clone() },
    })
}

/// A judgement of a reply.
///
/// # Errors
/// Where the open question is none of the topic's.
pub fn evaluate(files: &Files, input: &Json) -> Result<Evaluation, String> {
    let topic = topic(files, input)?;
    let step: Step = parse(input, "current_step").ok_or("There is no step to judge for.")?;
    let (known, asked) =
        topic.question(text(input, "/question_context/text")).ok_or("There are no data for this question.")?;
    let reply = text(input, "/student_response");
    let verdict = judge::judge(&topic, asked, reply);
    let wrong = input.get("wrong_in_a_row").and_then(Json::as_u64).unwrap_or_default();
    Ok(judged(known, &step, asked, verdict, wrong))
}

fn judged(known: &TopicStep, step: &Step, asked: &Asked, verdict: Verdict, wrong: u64) -> Evaluation {
    let off = |response: &str| Evaluation {
        was_off_topic: true,
        off_topic_response: Some(response.to_owned()),
        reasoning: "It holds no answer.".to_owned(),
        ..Evaluation::default()
    };
    let scored = |score: f64, feedback: String, note: String| Evaluation {
        score: Some(score),
        feedback,
        reasoning: format!("By the answers that stand in the file: {score:.1}."),
        assessment_note: note,
        ..Evaluation::default()
    };
    let title = &known.title;
    match verdict {
        Verdict::Right => {
            let done = step.counts().questions_correct + 1 >= crate::decide::CORRECT_MIN;
            let statuses = done.then(|| (step.step_id.clone(), "completed".to_owned()));
            let note = format!("Answered a question of \u{201c}{title}\u{201d} ({}) rightly.", asked.difficulty);
            Evaluation {
                updated_step_statuses: statuses.into_iter().collect(),
                ..scored(1.0, format!("Yes. {}", asked.right), note)
            }
        }
        Verdict::Part(there, of) => {
            // A part is never as good as the whole.
            let score = 0.6 * f64::from(u32::try_from(there).unwrap_or(0)) / f64::from(u32::try_from(of).unwrap_or(1));
            let feedback = "That is part of it: what you wrote holds, and something is still missing.";
            let note = format!("Had {there} of {of} ideas of an answer in \u{201c}{title}\u{201d}.");
            scored(score, feedback.to_owned(), note)
        }
        Verdict::Wrong(told) => {
            let again = if wrong == 0 { "Not quite." } else { "Not yet." };
            let feedback = told.map_or_else(|| again.to_owned(), |told| format!("{again} {told}"));
            scored(0.0, feedback, format!("Was wrong on a question of \u{201c}{title}\u{201d} ({}).", asked.difficulty))
        }
        Verdict::Lost => Evaluation {
            replan_needed: true,
            replan_reason: Some(format!("The learner says that \u{201c}{title}\u{201d} is not clear to them.")),
            ..scored(
                0.0,
                "That is fine, and good to say. Let us go a step back.".to_owned(),
                format!("Said that \u{201c}{title}\u{201d} is not clear."),
            )
        },
        Verdict::Unclear => off("I cannot tell which one you mean. Write just the answer that you choose."),
        Verdict::OffTopic => off(&format!("We can keep that for later. Now it is about this: {}.", lower_first(title))),
    }
}

fn lower_first(title: &str) -> String {
    let mut signs = title.chars();
    signs.next().map_or_else(String::new, |first| first.to_lowercase().chain(signs).collect())
}

/// A summary of what was said, from the notes that were taken and the questions that were asked.
#[must_use]
pub fn summary(input: &Json) -> String {
    let notes: Vec<&str> = text(input, "/assessment_notes").lines().collect();
    let notes: Vec<&str> = notes.iter().map(|line| line.split_once(" - ").map_or(*line, |(_, note)| note)).collect();
    let said = match notes.as_slice() {
        [] => "Nothing was noted yet.".to_owned(),
        [first] => (*first).to_owned(),
        [first, .., last] => format!("{} notes. First: {first} Last: {last}", notes.len()),
    };
    clipped(&said, SUMMARY_CHARS_MAX)
}
