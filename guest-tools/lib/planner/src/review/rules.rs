//! What makes a lesson stronger or weaker, as far as that can be seen from its text.
//!
//! The evidence is that of the skills: each rule names whose finding it rests on.

use super::super::material::Material;
use super::super::phrase::{uncapitalised, without_stop};
use super::super::profile::Profile;
use super::super::sections::Kind;
use super::super::words::{is_soft, keys, overlap, says};
use super::Point;
use super::find::{Line, Page};

const DESIGN: &str = "Wiggins and McTighe 2005";
const RETRIEVAL: &str = "Roediger and Karpicke 2006";
const TEACHING: &str = "Rosenshine 2012";
const EXAMPLES: &str = "Sweller and Cooper 1985";
const ASSESSMENT: &str = "Wiliam 2011";
const NEEDS: &str = "Tomlinson 2014";
const FEEDBACK: &str = "Hattie and Timperley 2007";

fn point(line: &Line, evidence: &'static str, says: String, next: String) -> Point {
    Point { section: line.section.clone(), line: line.number, quote: line.quote(), says, evidence, next }
}

/// The problems, the gravest first.
pub(crate) fn problems(page: &Page, material: &Material, profile: &Profile) -> Vec<Point> {
    let mut found = Vec::new();
    found.extend(criteria_never_asked(page));
    found.extend(vague_criteria(page));
    found.extend(no_answers(page));
    found.extend(examples_not_there(page));
    found.extend(few_checks(page));
    found.extend(needs_unmet(page, profile));
    found.extend(empty_words(page));
    found.extend(ideas_never_met(page, material));
    found.extend(words_never_used(page, material));
    found.extend(short_of_time(page));
    found.extend(starter_off_the_point(page));
    found
}

/// Criteria that no question at the end asks about.
fn criteria_never_asked(page: &Page) -> Vec<Point> {
    let exit: Vec<String> = page.of(Kind::Exit).map(|line| line.text.clone()).collect();
    if exit.is_empty() {
        let say = |line| {
            point(
                line,
                DESIGN,
                "nothing at the end shows who has learned what".into(),
                "write two exit questions with answers, one for each criterion that matters most".into(),
            )
        };
        return page.head(Kind::Exit).map(say).into_iter().collect();
    }
    let criteria = page.of(Kind::Criteria).filter(|line| line.text.starts_with('-')).enumerate();
    // A question may name the criterion that it asks for by its number.
    let unnamed = criteria.filter(|(at, _)| !exit.iter().any(|line| line.contains(&format!("(criterion {})", at + 1))));
    let unasked = unnamed.map(|(_, line)| line).filter(|line| {
        let wanted: Vec<String> = keys(&line.text).into_iter().filter(|key| !is_soft(key)).collect();
        let best = exit.iter().map(|question| overlap(question, &wanted)).max().unwrap_or(0);
        wanted.len() >= 2 && best * 3 < wanted.len()
    });
    let say = |line: &Line| {
        let goal = uncapitalised(line.quote().trim_start_matches("I can ").trim_end_matches('.'));
        point(
            line,
            DESIGN,
            "no exit question asks for this, so nobody will know who can".into(),
            format!("exchange one exit question for a task in which pupils {goal}"),
        )
    };
    unasked.map(say).collect()
}

fn vague_criteria(page: &Page) -> Vec<Point> {
    const UNSEEN: &str = "understand|know|know about|appreciate|learn|be aware|explore|look at";
    let vague = page.of(Kind::Criteria).filter(|line| says(&line.text, UNSEEN));
    let next = "write what a pupil says, writes or does, and how well, in place of the verb";
    vague.map(|line| point(line, ASSESSMENT, "this can be neither seen nor heard".into(), next.into())).collect()
}

fn has_answer(line: &Line) -> bool {
    let after = line.text.rsplit_once('?').map_or("", |(_, after)| after);
    line.text.to_lowercase().contains("answer:") || line.text.contains('→') || after.chars().any(char::is_alphanumeric)
}

fn no_answers(page: &Page) -> Vec<Point> {
    let open = [Kind::Starter, Kind::Exit].into_iter().flat_map(|kind| page.of(kind)).filter(|line| {
        let is_item = line.text.starts_with('-') || line.text.chars().next().is_some_and(|c| c.is_ascii_digit());
        is_item && line.text.contains('?') && !has_answer(line)
    });
    let next = "write the answer beside it, and what the commonest wrong answer reveals";
    open.take(2)
        .map(|line| {
            point(
                line,
                FEEDBACK,
                "the question stands without its answer: pupils cannot be put right at once".into(),
                next.into(),
            )
        })
        .collect()
}

/// Tasks that speak of an example which is not there.
fn examples_not_there(page: &Page) -> Vec<Point> {
    const PROMISED: &str =
        "an example of|example of|examples of|a source on|a short text on|a model of|a short model of";
    let shown = |kind| {
        page.of(kind).any(|line| line.text.contains("```") || line.text.contains(" = ") || line.text.contains('£'))
            || page
                .of(kind)
                .any(|line| line.text.starts_with("**Worked example") || line.text.starts_with("**Question"))
    };
    let line = [Kind::Explanation, Kind::Practice]
        .into_iter()
        .filter(|kind| !shown(*kind))
        .find_map(|kind| page.of(kind).find(|line| says(&line.text, PROMISED)));
    let next = "write the example out with every step and its result, and a second one for the class to finish";
    line.map(|line| {
        point(
            line,
            EXAMPLES,
            "the lesson speaks of an example and does not hold it; a worked example carries the explanation".into(),
            next.into(),
        )
    })
    .into_iter()
    .collect()
}

fn few_checks(page: &Page) -> Vec<Point> {
    let checks = page
        .of(Kind::Explanation)
        .filter(|line| line.text.contains('?') || says(&line.text, "check|show me|true or false|boards"))
        .count();
    let minutes = page.minutes_of(Kind::Explanation).unwrap_or(0);
    if checks >= 2 || page.of(Kind::Explanation).next().is_none() {
        return Vec::new();
    }
    let what =
        format!("{checks} checks of the whole class in {minutes} minutes of explanation: who is lost stays lost");
    let next = "add a question that everybody answers at once after each step, with the answer you expect";
    page.head(Kind::Explanation).map(|line| point(line, TEACHING, what, next.into())).into_iter().collect()
}

fn needs_unmet(page: &Page, profile: &Profile) -> Vec<Point> {
    let text = page.text_of(Kind::Differentiation);
    let unmet = profile.needs.iter().filter(|need| {
        let wanted: Vec<String> =
            keys(need.short_group()).into_iter().filter(|key| !is_soft(key) && key != "pupil").collect();
        overlap(&text, &wanted) * 2 < wanted.len()
    });
    let say = |need: &super::super::profile::Need| {
        let line = page.head(Kind::Differentiation)?;
        let support = without_stop(&need.support);
        Some(point(
            line,
            NEEDS,
            format!("nothing is planned for {}", need.group),
            format!("give them this, and say where in the lesson: {support}"),
        ))
    };
    unmet.filter_map(say).collect()
}

/// Support and tasks that say nothing.
fn empty_words(page: &Page) -> Vec<Point> {
    const EMPTY: &str = "as needed|where needed|extra help|extra support|discuss in groups|in their own way|extension task|extension worksheet|support as appropriate|fun activity";
    let empty = page.lines.iter().filter(|line| line.kind != Kind::About && says(&line.text, EMPTY));
    let next = "say who gets what, at which task, and when it is taken away again";
    empty.take(2).map(|line| point(line, NEEDS, "this fits any lesson and helps in none".into(), next.into())).collect()
}

fn ideas_never_met(page: &Page, material: &Material) -> Vec<Point> {
    let later: String = [Kind::Starter, Kind::Explanation, Kind::Practice, Kind::Plenary, Kind::Exit]
        .map(|kind| page.text_of(kind))
        .join(" ");
    let unmet = material.misconceptions.iter().filter(|idea| {
        let wanted: Vec<String> = keys(&idea.idea).into_iter().filter(|key| !is_soft(key)).collect();
        !wanted.is_empty() && overlap(&later, &wanted) * 2 < wanted.len()
    });
    let say = |idea: &super::super::material::Misconception| {
        let wanted = keys(&idea.idea);
        let line = page.of(Kind::Misconceptions).max_by_key(|line| overlap(&line.text, &wanted))?;
        Some(point(
            line,
            ASSESSMENT,
            "the wrong idea is named and never met again".into(),
            "make it a true-or-false question in the explanation and say what follows if many say true".into(),
        ))
    };
    unmet.filter_map(say).take(2).collect()
}

fn words_never_used(page: &Page, material: &Material) -> Vec<Point> {
    let later: String = [Kind::Explanation, Kind::Practice, Kind::Exit].map(|kind| page.text_of(kind)).join(" ");
    let unused = material.keywords.iter().filter(|word| overlap(&later, &keys(&word.term)) == 0);
    let say = |word: &super::super::material::Keyword| {
        let line = page.of(Kind::Keywords).find(|line| line.text.contains(&word.term))?;
        Some(point(
            line,
            "Beck, McKeown and Kucan 2013",
            format!("“{}” is defined and never used", word.term),
            "have pupils use it in a sentence during the practice, or take it off the list".into(),
        ))
    };
    unused.filter_map(say).take(1).collect()
}

/// Exit questions need minutes; long practice needs a pause.
fn short_of_time(page: &Page) -> Vec<Point> {
    const MINUTES_A_QUESTION: usize = 2;
    const PRACTICE_MINUTES_MAX: u32 = 25;
    let mut found = Vec::new();
    let questions = page
        .of(Kind::Exit)
        .filter(|line| line.text.chars().next().is_some_and(|c| c.is_ascii_digit() || c == '-'))
        .count();
    if let (Some(minutes), Some(line)) = (page.minutes_of(Kind::Plenary), page.head(Kind::Plenary))
        && usize::try_from(minutes).unwrap_or(0) < questions * MINUTES_A_QUESTION
    {
        found.push(point(
            line,
            TEACHING,
            format!("{questions} exit questions do not fit into {minutes} minutes"),
            "keep the two that decide what you teach next".into(),
        ));
    }
    if let (Some(minutes), Some(line)) = (page.minutes_of(Kind::Practice), page.head(Kind::Practice))
        && minutes > PRACTICE_MINUTES_MAX
        && !says(&page.text_of(Kind::Practice), "stop|pause|halfway|second round|after the first")
    {
        found.push(point(
            line,
            TEACHING,
            format!("{minutes} minutes of practice without a stop: mistakes are practised too"),
            "stop after a third and put one mistake right with everybody".into(),
        ));
    }
    found
}

fn starter_off_the_point(page: &Page) -> Vec<Point> {
    let prior: Vec<String> = keys(&page.text_of(Kind::Prior)).into_iter().filter(|key| !is_soft(key)).collect();
    let Some(line) = page.head(Kind::Starter).filter(|line| line.kind == Kind::Starter) else { return Vec::new() };
    if prior.is_empty() || overlap(&page.text_of(Kind::Starter), &prior) > 0 {
        return Vec::new();
    }
    let next = "ask two questions about the prior knowledge that the practice needs, with answers";
    vec![point(line, RETRIEVAL, "the starter asks about nothing that the lesson stands on".into(), next.into())]
}

/// The strengths, the most telling first.
pub(crate) fn strengths(page: &Page, material: &Material, profile: &Profile) -> Vec<Point> {
    let mut found = Vec::new();
    let good = |line: &Line, evidence, says: &str| point(line, evidence, says.to_owned(), String::new());
    let ideas: Vec<String> =
        material.misconceptions.iter().flat_map(|idea| keys(&idea.idea)).filter(|key| !is_soft(key)).collect();
    let met = page
        .of(Kind::Explanation)
        .find(|line| overlap(&line.text, &ideas) >= 3 && says(&line.text, "check|true or false|right|wrong"));
    found.extend(met.map(|line| {
        good(line, ASSESSMENT, "a wrong idea is asked about in front of everybody, with what to say when it shows")
    }));
    let prior: Vec<String> = keys(&page.text_of(Kind::Prior)).into_iter().filter(|key| !is_soft(key)).collect();
    let back = page.of(Kind::Starter).find(|line| has_answer(line) && overlap(&line.text, &prior) > 0);
    found.extend(back.map(|line| {
        good(
            line,
            RETRIEVAL,
            "the starter asks for what the lesson needs, and the answer is there to put it right at once",
        )
    }));
    let asked = page.of(Kind::Criteria).filter(|line| line.text.starts_with('-')).find(|line| {
        let wanted: Vec<String> = keys(&line.text).into_iter().filter(|key| !is_soft(key)).collect();
        page.of(Kind::Exit).any(|question| overlap(&question.text, &wanted) * 2 > wanted.len())
    });
    found.extend(asked.map(|line| good(line, DESIGN, "the same is practised and asked for at the end")));
    let served = profile.needs.iter().find_map(|need| {
        let wanted = keys(&need.support);
        page.of(Kind::Differentiation).find(|line| overlap(&line.text, &wanted) >= 4)
    });
    found.extend(served.map(|line| good(line, NEEDS, "the support of the class profile has a place in this lesson")));
    let taken = page.of(Kind::Differentiation).find(|line| says(&line.text, "taken away|without them|until"));
    found.extend(taken.map(|line| good(line, "Kalyuga et al. 2003", "help is lent and taken away again")));
    let choice = page.of(Kind::Exit).find(|line| line.text.contains(" B: ") && has_answer(line));
    found.extend(choice.map(|line| good(line, ASSESSMENT, "each wrong answer tells you something")));
    found
}
