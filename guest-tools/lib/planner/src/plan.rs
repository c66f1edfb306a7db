//! The order of work for a new lesson: look around, read the class, read the curriculum, choose outcomes, read skills,
//! write. Each step finds what was asked before in the conversation and asks for what is missing.

use ta_curriculum::code::Code;

use super::advice::{SkillText, advice, check_line, checks, references, starter_questions_max};
use super::answers::{self, Search};
use super::codes;
use super::compose::{Plan, compose};
use super::gather::gather;
use super::look::{self, Curriculum};
use super::matching::{Found, find, find_whole, names_no_topic, nearest, subjects_named, subjects_read};
use super::means::Preference;
use super::occasion::Occasion;
use super::phrase::{listed, number_word};
use super::product::{self, Product, Resource};
use super::profile::{Profile, starter_remembered};
use super::prompt::{Addition, Prompt, additions, first_code};
use super::remarks;
use super::request::Ask;
use super::resource;
use super::revise;
use super::sections::{Lesson, named_in};
use super::talk::{Desk, Reply};
use super::team;
use super::timing::{PERIOD_MINUTES, PERIOD_MINUTES_DEFAULT};
use super::unit;
use super::versions;
use super::wish::Wish;
use super::words::says;

/// What is said in the end; none while tools have to be asked first.
pub(crate) type Said = Option<String>;

const SKILLS: [&str; 3] = ["backward-design", "differentiation", "retrieval-practice"];

/// Plans a lesson.
pub(crate) fn create(desk: &mut Desk<'_>, prompt: &Prompt, request: &str) -> Said {
    let classes = look::list(desk, "classes");
    let curriculum_names = look::list(desk, "curriculum");
    look::tasks(desk, 0);
    if desk.waits() {
        return None;
    }
    let known: Vec<String> = stems(classes.clone().here().unwrap_or_default());
    let ask = asked(desk, request, &known);
    let listed_classes = matches!(classes, Reply::Here(_));
    if let (Some(class), true) = (&ask.unknown_class, listed_classes) {
        return desk.decline(answers::unknown_class(class, &known));
    }
    let class = ask.class.clone().or_else(|| ask.unknown_class.clone());
    let profile = class.as_deref().map(|class| look::profile(desk, prompt, class));
    if desk.waits() {
        return None;
    }
    let (profile, profile_fault) = match profile {
        Some(Reply::Here(profile)) => (profile, None),
        Some(Reply::Failed(why)) => (Profile { class, ..Profile::default() }, Some(why)),
        Some(_) => (Profile { class, ..Profile::default() }, Some("no tool to read files is offered".to_owned())),
        None => (Profile::default(), None),
    };
    let listing_fault = match &curriculum_names {
        Reply::Failed(why) => Some(why.clone()),
        Reply::NotOffered | Reply::Asked => Some("no tool to list directories is offered".to_owned()),
        Reply::Here(_) => None,
    };
    let names = curriculum_names.here().unwrap_or_else(|| prompt.curriculum_paths.clone());
    // What the class is taught first; the other files only where nothing there fits, since reading is paid for.
    let (own_subjects, others) = look::by_subject(&names, &profile.subjects);
    if !own_subjects.is_empty() {
        let curriculum = look::curriculum(desk, own_subjects.clone());
        if desk.waits() {
            return None;
        }
        if fits(desk, prompt, request, &known, &ask, &profile, &curriculum) {
            return chosen(desk, prompt, request, &known, ask, (profile, profile_fault), &curriculum);
        }
    }
    let curriculum = look::curriculum(desk, own_subjects.into_iter().chain(others).collect());
    if desk.waits() {
        return None;
    }
    if curriculum.sources.is_empty() {
        return desk.decline(answers::no_curriculum(&curriculum.unread, listing_fault.as_deref()));
    }
    chosen(desk, prompt, request, &known, ask, (profile, profile_fault), &curriculum)
}

/// Whether an outcome in these files fits what is asked for.
fn fits(
    desk: &Desk<'_>,
    prompt: &Prompt,
    request: &str,
    known: &[String],
    ask: &Ask,
    profile: &Profile,
    curriculum: &Curriculum,
) -> bool {
    let level = profile.level.or(ask.level);
    let (codes, own) = asked_by_code(desk, request, known);
    let sources = &curriculum.sources;
    let sure = || made_sure(desk, prompt).into_iter().collect();
    let codes: Vec<Code> = if codes.is_empty() { sure() } else { codes };
    if !codes.is_empty() {
        return codes::found(sources, &codes, &own, level, &profile.subjects).is_some();
    }
    let whole = ask.merged.as_ref().and_then(|phrase| find_whole(sources, phrase, level, &profile.subjects));
    whole.or_else(|| find(sources, &ask.phrases, level, &profile.subjects)).is_some()
}

/// Chooses the outcomes and writes the lesson, or says why there is none.
fn chosen(
    desk: &mut Desk<'_>,
    prompt: &Prompt,
    request: &str,
    known: &[String],
    mut ask: Ask,
    (profile, profile_fault): (Profile, Option<String>),
    curriculum: &Curriculum,
) -> Said {
    let level = profile.level.or(ask.level);
    let whole =
        ask.merged.as_ref().and_then(|phrase| find_whole(&curriculum.sources, phrase, level, &profile.subjects));
    if whole.is_some() {
        ask.notes.retain(|note| !ask.phrases.contains(note));
    }
    let (codes, own) = asked_by_code(desk, request, known);
    let by_code = codes::found(&curriculum.sources, &codes, &own, level, &profile.subjects);
    if by_code.is_none() && !codes.is_empty() {
        return desk.decline(answers::no_such_code(class_of(&profile), &paths(curriculum), &curriculum.unread));
    }
    let by_topic = || whole.or_else(|| find(&curriculum.sources, &ask.phrases, level, &profile.subjects));
    let found = by_code.or_else(|| sure(desk, prompt, &ask, curriculum, &profile, by_topic()));
    let Some(found) = found else {
        return desk.decline(refusal(&ask, &profile, curriculum));
    };
    let work = Work { ask: &ask, profile, profile_fault, curriculum, found };
    write(desk, prompt, work)
}

/// What was found by the words of the topic, where the outcome that was made sure of comes first in it; else that outcome.
fn sure<'a>(
    desk: &Desk<'_>,
    prompt: &Prompt,
    ask: &Ask,
    curriculum: &'a Curriculum,
    profile: &Profile,
    by_topic: Option<Found<'a>>,
) -> Option<Found<'a>> {
    let Some(code) = made_sure(desk, prompt) else { return by_topic };
    let only = codes::found(&curriculum.sources, &[code], ask, profile.level.or(ask.level), &profile.subjects);
    let first = |found: &Found<'a>| found.matches.first().map(|one| one.place.entry);
    match (by_topic, only) {
        (Some(found), Some(only)) if first(&found) == first(&only) => Some(found),
        (found, only) => only.or(found),
    }
}

/// The outcome that was made sure of for this request; where it names no topic of its own, the first of the lesson before.
/// A wish for another lesson, said at one that is there, was made sure of by nobody.
fn made_sure(desk: &Desk<'_>, prompt: &Prompt) -> Option<Code> {
    if desk.talk.is_rework() {
        return None;
    }
    let names_topic = Ask::read(&desk.talk.request(), &[]).has_topic();
    let of_earlier = || desk.talk.earlier_lesson().filter(|_| !names_topic).and_then(first_code);
    prompt.outcome.or_else(of_earlier)
}

fn class_of(profile: &Profile) -> Option<&str> {
    profile.class.as_deref()
}

fn paths(curriculum: &Curriculum) -> Vec<String> {
    curriculum.sources.iter().map(|source| source.path.clone()).collect()
}

/// The codes that are asked for, with what stands beside them: in this request, or in the one that it takes its topic from.
fn asked_by_code(desk: &Desk<'_>, request: &str, classes: &[String]) -> (Vec<Code>, Ask) {
    let requests = std::iter::once(request.to_owned()).chain(desk.talk.earlier_requests());
    for request in requests {
        let (codes, rest) = codes::named(&request);
        let ask = Ask::read(&rest, classes);
        if !codes.is_empty() || ask.has_topic() {
            return (codes, ask);
        }
    }
    (Vec::new(), Ask::default())
}

/// What the planner has in hand when it knows the outcomes.
pub(crate) struct Work<'a> {
    pub(crate) ask: &'a Ask,
    pub(crate) profile: Profile,
    pub(crate) profile_fault: Option<String>,
    pub(crate) curriculum: &'a Curriculum,
    pub(crate) found: Found<'a>,
}

/// The request, with what an earlier one in this session said where this one is silent.
fn asked(desk: &Desk<'_>, text: &str, classes: &[String]) -> Ask {
    const FOLLOW_UPS: &str = "now|same|again|also|next|and|this|that|it";
    let (codes, text) = codes::named(text);
    let text = text.as_str();
    let mut ask = Ask::read(text, classes);
    let follows = super::words::says(text, FOLLOW_UPS);
    if (ask.has_topic() || !codes.is_empty()) && !follows {
        return ask;
    }
    let earlier: Vec<Ask> =
        desk.talk.earlier_requests().map(|text| Ask::read(&codes::named(&text).1, classes)).collect();
    if !ask.has_topic() {
        let topic_of_lesson = desk.talk.earlier_lesson().map(|text| Lesson::read(text).title().to_owned());
        let with_topic = earlier
            .iter()
            .find(|one| one.has_topic() && one.lesson.is_none() && named_in(&one.phrases.join(" ")).is_empty());
        ask.phrases =
            with_topic.map(|one| one.phrases.clone()).or(topic_of_lesson.map(|title| vec![title])).unwrap_or_default();
    }
    if ask.class.is_none() && ask.unknown_class.is_none() {
        ask.class = earlier.iter().find_map(|one| one.class.clone());
    }
    ask
}

fn refusal(ask: &Ask, profile: &Profile, curriculum: &Curriculum) -> String {
    let sources = &curriculum.sources;
    let level = profile.level.or(ask.level);
    let class = profile.class.as_deref();
    if !ask.has_topic() || names_no_topic(sources, &ask.phrases) {
        let named = subjects_named(sources, &ask.phrases);
        let subjects = if named.is_empty() { &profile.subjects } else { &named };
        return answers::no_topic(class, &nearest(sources, &[], level, subjects).topics);
    }
    let near = nearest(sources, &ask.phrases, level, &profile.subjects);
    answers::no_outcome(&Search {
        topic: ask.phrases.first().map_or("", String::as_str),
        class,
        files: paths(curriculum),
        subjects: subjects_read(sources),
        unread: curriculum.unread.clone(),
        offered: near,
    })
}

/// Reads the skills and writes the lesson.
fn write(desk: &mut Desk<'_>, prompt: &Prompt, mut work: Work<'_>) -> Said {
    let wanted = SKILLS
        .into_iter()
        .filter(|name| prompt.offers_skill(name) && (*name != "differentiation" || !work.profile.needs.is_empty()));
    let mut skills: Vec<SkillText<'_>> = Vec::new();
    let mut skill_fault = None;
    for name in wanted {
        match look::skill(desk, name) {
            Reply::Here(text) => skills.push(SkillText { name: name.to_owned(), text }),
            Reply::Failed(why) => skill_fault = Some(why),
            Reply::NotOffered => skill_fault = Some("no tool to read skills is offered".to_owned()),
            Reply::Asked => {}
        }
    }
    look::tasks(desk, 1);
    if desk.waits() {
        return None;
    }
    let differentiation = skills.iter().find(|skill| skill.name == "differentiation").map(|skill| skill.text);
    for name in differentiation.map(|text| references(text, "differentiation", &work.profile.needs)).unwrap_or_default()
    {
        if let Reply::Here(text) = look::skill(desk, &name) {
            skills.push(SkillText { name, text });
        }
    }
    if desk.waits() {
        return None;
    }
    // The lesson is ready to be written: all steps are done once it stands.
    look::tasks(desk, 3);
    if desk.waits() {
        return None;
    }
    for need in &mut work.profile.needs {
        need.advice.extend(advice(&skills, need));
    }
    let additions: Vec<Addition> =
        prompt.additions.iter().cloned().chain(desk.talk.asked().flat_map(additions)).collect();
    let plan = planned(prompt, &work, &skills, skill_fault.as_deref(), &additions);
    let request = desk.talk.request();
    match Product::of(prompt) {
        Product::Unit => Some(unit::compose(&plan, product::lessons(&request))),
        Product::Resource => Some(resource::compose(&plan, Resource::of(&request))),
        Product::Versions => Some(versions::compose(&plan)),
        Product::Lesson | Product::Review | Product::Change => {
            if team::hands_over(desk, &request, &plan) {
                return None;
            }
            team::reviewed(desk, with_wishes_for_parts(compose(&plan), &plan, &work), &plan)
        }
    }
}

fn planned(
    prompt: &Prompt,
    work: &Work<'_>,
    skills: &[SkillText<'_>],
    skill_fault: Option<&str>,
    additions: &[Addition],
) -> Plan {
    let (ask, profile, found) = (work.ask, &work.profile, &work.found);
    let mut difficulties = ask.difficulties.clone();
    difficulties.extend(additions.iter().flat_map(|addition| Ask::read(&addition.text, &[]).difficulties));
    let mut gathered = gather(found, &work.curriculum.sources, profile, &difficulties);
    let retrieval = skills.iter().find(|skill| skill.name == "retrieval-practice");
    let questions_max = retrieval.and_then(|skill| starter_questions_max(skill.text));
    let questions_max = starter_questions(profile).unwrap_or(questions_max.unwrap_or(usize::MAX).max(3));
    gathered.material.past.truncate(questions_max);

    let notes = ask.notes.iter().map(String::as_str).chain([found.tail.as_str()]);
    let notes = notes.filter(|note| named_in(note).is_empty());
    let (others, general): (Vec<&str>, Vec<&str>) = notes.partition(|note| other_topic(note, work).is_some());
    let mut wish = lesson_wide(Wish::read(&general.join("; ")));
    wish.notes.retain(|note| !Occasion::of(note).cover);
    let said = [ask.phrases.join("; "), ask.notes.join("; "), found.tail.clone()].join("; ");
    let occasion = Occasion::of(&said);
    let (minutes, minutes_remark) = length(ask, profile);
    let mut remarks = remarks::remarks(work, skill_fault, &difficulties);
    remarks.extend(minutes_remark);
    remarks.extend(
        others.into_iter().filter_map(|note| other_topic(note, work)).map(|topic| {
            format!("You also named “{topic}”: this lesson leaves it out, since it is a topic of its own")
        }),
    );
    remarks.extend(occasion.remarks());
    remarks.extend(wish.notes.iter().map(|note| format!("Teacher's note to work in: {note}")));
    if !additions.is_empty() {
        let titles: Vec<String> = additions.iter().map(|addition| format!("“{}”", addition.title)).collect();
        remarks.push(format!("Taken into account for the choice of activities: {}", listed(&titles)));
    }
    let level = found.asked.or(Some(found.level));
    let starter = prompt.memories.iter().rev().find_map(|text| starter_remembered(text));
    let checks_of_skill: Vec<String> = skills
        .iter()
        .filter(|skill| skill.name == "backward-design")
        .flat_map(|skill| checks(skill.text))
        .map(|check| check_line(&check))
        .collect();
    Plan {
        class: profile.class.clone(),
        year: profile.year.clone(),
        level,
        minutes,
        // What was learned with the class lately comes before what the profile says.
        starter_minutes_max: starter.or(profile.starter_minutes_max),
        preference: preference(prompt, profile, additions, &wish),
        outcome_remark: remarks::outcome_remark(work),
        files: remarks::files(work, skills),
        checks: remarks::checks(work, &gathered, &checks_of_skill),
        gathered,
        occasion,
        wish,
        remarks,
    }
}

/// "Three questions on the board": how many questions the starters of this class have, where its profile says so.
fn starter_questions(profile: &Profile) -> Option<usize> {
    let opening = profile.works.iter().find(|line| says(line, "opening|starter") && says(line, "questions"))?;
    let words: Vec<&str> = opening.split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("question"))?;
    let number = at.checked_sub(1).and_then(|before| words.get(before)).and_then(|word| number_word(word))?;
    usize::try_from(number).ok().filter(|number| (2..=7).contains(number))
}

/// The second of two topics, where a part of the request is one: what follows "and" after the topic and is no wish, or a
/// phrase beside it that fits an outcome by itself.
fn other_topic(note: &str, work: &Work<'_>) -> Option<String> {
    let joined = ["and ", "or ", "& ", "+ ", "plus "].iter().find_map(|lead| note.strip_prefix(lead));
    let topic = joined.unwrap_or(note).trim();
    let wish = Wish::read(topic);
    let is_wish = Wish { notes: Vec::new(), ..wish } != Wish::default();
    let subjects = &work.profile.subjects;
    let fits =
        |topic: &str| find(&work.curriculum.sources, &[topic.to_owned()], Some(work.found.level), subjects).is_some();
    let is_other = if joined.is_some() { !is_wish } else { !is_wish && fits(topic) };
    (is_other && !topic.is_empty()).then(|| topic.to_owned())
}

/// Length belongs to the lesson as a whole and was settled already; the rest of a wish holds for every part.
fn lesson_wide(wish: Wish) -> Wish {
    Wish { minutes: None, length: None, pick: None, remove_item: None, ..wish }
}

/// The length in minutes, and what has to be said about it.
fn length(ask: &Ask, profile: &Profile) -> (u32, Option<String>) {
    let (least, most) = (*PERIOD_MINUTES.start(), *PERIOD_MINUTES.end());
    let usual = profile.period_minutes;
    let wanted = ask.minutes.or_else(|| ask.double_period.then(|| usual.unwrap_or(PERIOD_MINUTES_DEFAULT) * 2));
    let minutes = wanted.or(usual).unwrap_or(PERIOD_MINUTES_DEFAULT);
    let planned = minutes.clamp(least, most);
    let class = profile.class.as_deref().unwrap_or("the class");
    let remark = match (wanted, usual) {
        _ if planned != minutes => Some(format!(
            "The lesson is planned for {planned} minutes instead of {minutes}: this planner divides periods of {least} to {most} minutes"
        )),
        (Some(_), Some(usual)) if usual != planned => {
            Some(format!("The length is {planned} minutes as you asked; the profile of {class} says {usual}"))
        }
        (None, None) if profile.class.is_some() => {
            Some(format!("The profile of {class} does not say how long a period is; {planned} minutes are assumed"))
        }
        _ => None,
    };
    (planned, remark)
}

/// What the teacher likes: the request over what was confirmed, over the class, over what is remembered, over the
/// teacher's profile.
fn preference(prompt: &Prompt, profile: &Profile, additions: &[Addition], wish: &Wish) -> Preference {
    /// Longer items say more than which way of working is meant.
    const AVOIDED_WORDS_MAX: usize = 5;
    let of_profile = |profile: &Profile| {
        let mut all = Preference::default();
        profile.works.iter().for_each(|item| all.add(Preference::of(item)));
        let short = |item: &&String| item.split_whitespace().count() <= AVOIDED_WORDS_MAX;
        let mut avoided = Preference::default();
        profile.works_not.iter().filter(short).for_each(|item| avoided.add(Preference::of(item).turned_round()));
        avoided.over(&all)
    };
    let teacher = prompt.file("teacher.md").map(|text| of_profile(&Profile::read(text))).unwrap_or_default();
    let mut memory = Preference::default();
    prompt.memories.iter().for_each(|text| memory.add(Preference::of_prose(text)));
    let mut confirmed = Preference::default();
    additions.iter().for_each(|addition| confirmed.add(Preference::of_prose(&addition.text)));
    wish.preference.clone().over(&confirmed.over(&of_profile(profile).over(&memory.over(&teacher))))
}

/// "… with a five-minute starter": wishes for one part are worked in as a revision of the draft.
fn with_wishes_for_parts(text: String, plan: &Plan, work: &Work<'_>) -> String {
    let mut lesson = Lesson::read(&text);
    let wishes = work.ask.notes.iter().chain([&work.found.tail]).filter(|note| !named_in(note).is_empty());
    let changes: Vec<(usize, revise::Change)> = wishes
        .filter_map(|note| {
            let kind = named_in(note).into_iter().next()?;
            Some((lesson.of_kind(kind)?, revise::Change::Revise(note.clone())))
        })
        .collect();
    if changes.is_empty() {
        return text;
    }
    revise::apply(&mut lesson, &changes, &[], &plan.gathered.material);
    lesson.write()
}

fn stems(names: Vec<String>) -> Vec<String> {
    names.into_iter().map(|name| name.strip_suffix(".md").map_or(name.clone(), str::to_owned)).collect()
}
