use super::*;

const COMPUTING: &str = "---\nsubject: computing\ntitle: Computing science\n---\n\n## TCH 3-14a: reads constructs of code\n- **Level:** third\n- **Outcome:** Pupils explain loops and lists.\n- **Topics:** iteration, loops, conditional loop, Python, reading code\n- **Keywords:** running total: a sum that grows\n\n\
    ## TCH 3-14b: explains layers of hardware\n- **Level:** third\n- **Outcome:** Pupils say what storage does.\n- **Topics:** memory, storage, internet, fetch-execute cycle, testing\n\n\
    ## TCH 4-13a: compares decisions\n- **Level:** fourth\n- **Outcome:** Pupils compare human and automatic decisions.\n- **Topics:** human decision making\n";
const FRENCH: &str = "---\nsubject: french\ntitle: French\n---\n\n## MLAN 3-01a: understands talk\n- **Level:** third\n- **Topics:** food, French songs, time planning\n";

fn found(phrase: &str, subjects: &[&str]) -> Option<(String, String, u32)> {
    let sources = [Source::read("curriculum/c.md", COMPUTING), Source::read("curriculum/f.md", FRENCH)];
    let subjects: Vec<String> = subjects.iter().map(|subject| (*subject).to_owned()).collect();
    let found = find(&sources, &[phrase.to_owned()], Some(Level::Third), &subjects)?;
    let best = found.matches.first()?;
    Some((best.place.code()?.to_string(), found.topic.clone(), best.weight))
}

fn code(phrase: &str) -> Option<String> {
    found(phrase, &[]).map(|(code, _, _)| code)
}

#[test]
fn a_topic_named_in_full_beats_everything() {
    assert_eq!(found("Iteration", &[]), Some(("TCH 3-14a".into(), "iteration".into(), EXACT + 1)));
    assert_eq!(found("python loops", &[]).unwrap().1, "Python loops");
    assert_eq!(code("running total").as_deref(), Some("TCH 3-14a"));
    assert_eq!(code("the story of the internet").as_deref(), Some("TCH 3-14b"));
    assert_eq!(code("time planning").as_deref(), Some("MLAN 3-01a"));
}

#[test]
fn one_common_word_is_no_match() {
    for phrase in [
        "water cycle",
        "storage of grain",
        "human memory",
        "animal testing",
        "the French Revolution",
        "lunch",
        "reading",
        "binary stars",
        "photosynthesis with loops",
    ] {
        assert_eq!(code(phrase), None, "{phrase}");
    }
}

#[test]
fn a_modifier_nobody_knows_is_fine_in_the_classs_own_subject() {
    assert_eq!(code("Minecraft loops"), None);
    let (code, topic, _) = found("Minecraft loops", &["computing"]).unwrap();
    assert_eq!((code.as_str(), topic.as_str()), ("TCH 3-14a", "Minecraft loops"));
}

#[test]
fn what_follows_the_topic_is_its_context() {
    let sources = [Source::read("curriculum/c.md", COMPUTING)];
    let found = find(&sources, &["loops with football scores".to_owned()], None, &[]).unwrap();
    assert_eq!((found.topic.as_str(), found.tail.as_str()), ("loops", "with football scores"));
}

#[test]
fn levels_beside_the_classs_own_are_second_choice() {
    let sources = [Source::read("curriculum/c.md", COMPUTING)];
    let level =
        |level| find(&sources, &["human decision making".to_owned()], Some(level), &[]).map(|found| found.level);
    assert_eq!(level(Level::Third), Some(Level::Fourth));
    assert_eq!(level(Level::Second), None);
}

#[test]
fn near_topics_are_offered_for_slips_and_others_by_turns() {
    let sources = [Source::read("curriculum/c.md", COMPUTING), Source::read("curriculum/f.md", FRENCH)];
    let offered = nearest(&sources, &["iterration".to_owned()], Some(Level::Third), &[]);
    assert_eq!((offered.topics[0].as_str(), offered.are_near), ("iteration (Computing science)", true));
    let offered = nearest(&sources, &["lunch".to_owned()], Some(Level::Third), &[]);
    assert_eq!((offered.topics[1].as_str(), offered.are_near), ("food (French)", false));
}
