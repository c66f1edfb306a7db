//! Sentences that bring a wish into a section whose pattern does not hold it already.

use super::bank::patterns;
use super::examples::{Example, Role, dealt};
use super::material::{Material, Question};
use super::means::Means;
use super::phrase::{listed, sentence, uncapitalised};
use super::sections::Kind;
use super::wish::{Demand, Wish};
use super::words::says;

/// How each way of working is brought in.
fn of_means(means: Means, material: &Material) -> String {
    let words = material.words().unwrap_or_else(|| "the words of the topic".to_owned());
    match means {
        Means::Whiteboards => "**On mini-whiteboards:** everybody writes, boards stay down until “show me”, and you look along the rows before anybody comments.".to_owned(),
        Means::Pairs => "**In pairs:** one speaks, one writes, and they change over after every step.".to_owned(),
        Means::Groups => "**In groups** of three or four that you put together, with a reader, a writer and a checker.".to_owned(),
        Means::Alone => "**Quiet and alone:** two minutes without talking before anything is compared.".to_owned(),
        Means::Visuals => "**With pictures:** a drawing or diagram stands beside every step on the board, with its label; pupils point at it when they answer.".to_owned(),
        Means::Eal => format!("**For pupils new to English:** one instruction a line, verb first; {words} with a picture; a minute of talk before any writing."),
        Means::NoComputers => "**Without computers:** everything runs on paper and on the board; print or write out what would have been opened on screen.".to_owned(),
        Means::Outdoors => "**Outdoors:** clipboards, one sheet a team and an agreed signal for coming back; say all instructions before you leave the room. If it rains, the corridor will do.".to_owned(),
        Means::Game => "**As a game:** a point for every answer that can be explained, none for speed; the class plays against its own last score.".to_owned(),
        Means::Movement => "**On their feet:** answers are given by going to a place in the room; whoever cannot or would rather not walk points to it.".to_owned(),
        Means::Talk => "**Talk first:** a minute with the partner before each answer, then three answers are heard before you say which is right.".to_owned(),
        Means::HandsOn => "**With something in hand:** cards, counters or strips that can be moved stand for each part, and are moved before anything is written.".to_owned(),
        Means::WorkedExample => "**With a worked example:** before pupils begin, do one from beginning to end on the board, thinking aloud, and leave it there.".to_owned(),
        Means::Aloud => "**Aloud:** instructions and questions are read out twice; answers may be spoken instead of written.".to_owned(),
        Means::Written => "**In writing:** every pupil puts the answer into the jotter in a full sentence before any is heard.".to_owned(),
        Means::Drama => "**Acted out:** three pupils play it through in front of the class, at half speed; the others say stop when a step is wrong.".to_owned(),
    }
}

/// What is to be left out, said so that it happens.
fn without_means(means: Means) -> Option<&'static str> {
    Some(match means {
        Means::Groups => "**Not in groups:** pupils work alone or with one partner.",
        Means::Pairs => "**Not in pairs:** each pupil works alone and compares with your answer.",
        Means::Whiteboards => "**Without mini-whiteboards:** answers go into the jotter, and you look over shoulders.",
        Means::Game => "**Not as a game:** no points and no clock.",
        Means::Movement => "**Seated:** everybody stays at the table and shows the answer with a card or a hand.",
        Means::Aloud => "**Nothing read aloud by pupils:** you read, or everybody reads in silence.",
        Means::Written => "**Without writing:** answers are spoken, shown or pointed at.",
        Means::Talk => "**Without discussion:** one question, one minute to think, then the answer.",
        Means::Drama => "**Nothing acted out:** the same steps are told with a drawing on the board.",
        Means::Visuals => "**Without pictures:** describe it in words, and ask pupils for theirs.",
        _ => return None,
    })
}

/// Lines for what was asked for and is not in the body yet: means, context, focus, questions, additions.
pub(crate) fn additions(kind: Kind, wish: &Wish, body: &str, material: &Material) -> Vec<String> {
    let present: Vec<Means> = patterns(kind, material.family)
        .into_iter()
        .filter(|pattern| body.contains(&format!("**{}.**", pattern.name)))
        .flat_map(|pattern| pattern.means)
        .collect();
    let missing = wish.preference.wants.iter().filter(|means| !present.contains(means));
    let mut lines: Vec<String> = missing.map(|means| of_means(*means, material)).collect();
    lines.extend(wish.preference.avoids.iter().filter_map(|means| without_means(*means)).map(str::to_owned));
    // The questions of a material file are not told anew by rules: whoever asks for that is told so.
    let context = wish.context.as_ref().filter(|_| !material.is_given());
    if let Some(context) = context.filter(|context| !body.contains(context.as_str())) {
        lines.push(context_line(kind, context, material));
    }
    if let Some(focus) = &wish.focus {
        lines.push(format!("**At the centre: {focus}.** Take the first example from there, ask one question about it in the middle, and come back to it at the end."));
    }
    if let Some(number) = wish.more_questions {
        lines.extend(more_questions(kind, number, body, material));
    }
    lines.extend(wish.additions.iter().map(|text| addition(text, material)));
    lines.retain(|line| !body.contains(line.as_str()));
    lines
}

fn context_line(kind: Kind, context: &str, material: &Material) -> String {
    let topic = &material.topic;
    match kind {
        Kind::Starter => format!(
            "**Set in {context}:** choose the examples beside the questions from there, the last one so that it leads to {topic}."
        ),
        Kind::Explanation => format!(
            "**Set in {context}:** take the example that you work through from there, and keep to it until the second check."
        ),
        Kind::Practice if !dealt(&material.examples).sheet.is_empty() => format!(
            "**Set in {context}:** tell the questions of the sheet anew with it where they have a story; numbers and answers stay as they are. Ask at the end what {topic} has to do with it."
        ),
        Kind::Practice => format!(
            "**Set in {context}:** all three entrances use it; let pupils choose what they take from it, and ask what {topic} shows about it."
        ),
        Kind::Plenary | Kind::Exit => {
            format!("**Set in {context}:** put the last question into it, and ask for one more example from there.")
        }
        Kind::Keywords | Kind::Misconceptions => {
            format!("**Set in {context}:** give one example from there for each, and ask the class for a second.")
        }
        _ => format!("**Set in {context}:** take the examples for this part from there."),
    }
}

fn addition(text: &str, material: &Material) -> String {
    const QUESTION_LEADS: &[&str] = &[
        "a question about ",
        "a question on ",
        "question about ",
        "question on ",
        "questions about ",
        "questions on ",
    ];
    match QUESTION_LEADS.iter().find_map(|lead| text.strip_prefix(lead)) {
        Some(about) => format!(
            "**One question more:** what do you know about {about}, and what has it to do with {}? Take two answers, with a reason each.",
            material.topic
        ),
        None => format!("**Also in this part:** {}", sentence(&uncapitalised(text)).trim_start()),
    }
}

/// Questions that the body does not ask yet.
fn more_questions(kind: Kind, number: usize, body: &str, material: &Material) -> Option<String> {
    const QUESTIONS_MAX: usize = 8;
    // The starter looks back, every other part asks about today first.
    let (first, then) =
        if kind == Kind::Starter { (&material.past, &material.exit) } else { (&material.exit, &material.past) };
    let today = if kind == Kind::Starter { Vec::new() } else { spare(material) };
    let kept = material.examples.iter().filter(|one| one.role == Role::Spare && !one.is_long()).map(Example::question);
    let kept: Vec<Question> = if kind == Kind::Starter { Vec::new() } else { kept.collect() };
    let pool =
        kept.into_iter().chain(first.iter().cloned()).chain(today).chain(then.iter().cloned()).chain(spare(material));
    let mut fresh: Vec<Question> = Vec::new();
    for question in pool {
        let is_new = !body.contains(&question.ask) && !fresh.iter().any(|known| known.ask == question.ask);
        if is_new && fresh.len() < number.clamp(1, QUESTIONS_MAX) {
            fresh.push(question);
        }
    }
    if fresh.is_empty() {
        return None;
    }
    let lines = fresh.iter().enumerate().map(|(at, question)| {
        let answer = question.answer.as_ref().map(|answer| format!(" **Answer:** {answer}")).unwrap_or_default();
        format!("{}. {}{answer}", at + 1, question.ask)
    });
    Some(format!("**More questions:**\n\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// Questions that can be asked about any material.
fn spare(material: &Material) -> Vec<Question> {
    let topic = &material.topic;
    let mut spare: Vec<Question> = material
        .keywords
        .iter()
        .map(|word| Question { ask: format!("Use *{}* in a sentence about today's work.", word.term), answer: None })
        .collect();
    let general = [
        format!("Where have you met {topic} outside this room?"),
        format!("What is the first thing you check in {}?", material.example()),
        format!("Which part of {topic} would you explain first to somebody who was absent?"),
        format!("What could go wrong with {topic}, and how would you notice?"),
        format!("What would change if one thing about {topic} were different?"),
    ];
    spare.extend(general.into_iter().map(|ask| Question { ask, answer: None }));
    spare
}

/// Lines that make a section easier or harder.
pub(crate) fn demands(kind: Kind, wish: &Wish, material: &Material) -> Option<String> {
    let words = material.words().unwrap_or_else(|| "the words of the topic".to_owned());
    let first = material.tasks.first().cloned().unwrap_or_else(|| format!("work through {}", material.example()));
    let line = match (wish.demand?, kind) {
        (Demand::Easier, Kind::Starter) => format!("**Easier way in:** {words} stand on the board while the questions run; the first two questions are answered with a partner, and notes may be opened for the last."),
        (Demand::Harder, Kind::Starter) => "**Harder:** no hints and no notes; every answer ends with “because”, and the last question is turned round: here is the answer, what was the question?".to_owned(),
        (Demand::Easier, Kind::Explanation) => format!("**In smaller steps:** stop after each, let one pupil repeat it in other words, and do the example twice, the second time with pupils speaking. Sentence starter on the board: “First I …, because …”. Keep to {words}."),
        (Demand::Harder, Kind::Explanation) => "**Harder:** leave out one step of the example and let the class find it; ask after each check when the opposite would be true.".to_owned(),
        (Demand::Easier, Kind::Practice) => format!("**Easier way in:** everybody begins with this, the first one together: {first}. The core task follows after two right answers; a finished example lies on each table."),
        (Demand::Harder, Kind::Practice) => {
            let ahead = material.ahead.clone().unwrap_or_else(|| format!("write a task on {} that most would get wrong at first, with its answer", material.topic));
            format!("**Harder:** the support task is left out; core answers need a reason each. Last task for all: {ahead}.")
        }
        (Demand::Easier, Kind::Keywords) => {
            let first: Vec<String> = material.keywords.iter().take(2).map(|word| format!("*{}*", word.term)).collect();
            format!("**Easier:** only {} have to be known by heart today, the others stand on the wall with a drawing; pupils say each meaning in words of their own before they read it here.", listed(&first))
        }
        (Demand::Harder, Kind::Keywords) => "**Harder:** pupils write each meaning themselves before they see it here, and find one case in which the word does not apply.".to_owned(),
        (Demand::Easier, Kind::Misconceptions) => "**Easier:** take the first one only, and begin with what is right about it; the others when they come up.".to_owned(),
        (Demand::Harder, Kind::Misconceptions) => "**Harder:** pupils find an example that seems to prove each wrong idea, and say where it deceives.".to_owned(),
        (Demand::Easier, Kind::Criteria) => "**Easier:** a criterion counts as reached when it was done once with a partner; the last one may wait until next lesson.".to_owned(),
        (Demand::Harder, Kind::Criteria) => "**Harder:** a criterion counts as reached when it was done with an example of the pupil's own and explained to somebody else.".to_owned(),
        (Demand::Easier, _) => format!("**Easier:** {words} stay on the board; pupils may first say it to a partner, and one answer of two is enough."),
        (Demand::Harder, _) => "**Harder:** no notes and no word list; each answer needs a reason, and one example that nobody has used today.".to_owned(),
    };
    Some(line)
}

/// The text without lines that made it easier or harder before: the newest word counts.
pub(crate) fn without_demands(body: &str) -> String {
    const LEADS: &[&str] = &["**Easier:**", "**Easier way in:**", "**In smaller steps:**", "**Harder:**"];
    let kept = body.split("\n\n").filter(|paragraph| !LEADS.iter().any(|lead| paragraph.starts_with(lead)));
    kept.collect::<Vec<_>>().join("\n\n")
}

/// Wishes for the whole section that only say what is meant, for texts that are not from the bank.
pub(crate) fn speaks_of_questions(text: &str) -> bool {
    says(text, "question|questions")
}
