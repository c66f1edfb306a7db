use super::*;

fn named(text: &str) -> Vec<String> {
    find_levels(text).iter().map(|mention| mention.levels.to_string()).collect()
}

#[test]
fn reads_the_ways_teachers_write_a_level() {
    for (text, expected) in [
        ("at third level", "third"),
        ("CfE Third Level", "third"),
        ("Level 3", "third"),
        ("level three", "third"),
        ("3rd level", "third"),
        ("third-level outcome", "third"),
        ("**Level:** third", "third"),
        ("Level: 2", "second"),
        ("early level", "early"),
        ("third/fourth level", "third/fourth"),
        ("Third & Fourth Level", "third/fourth"),
        ("second to fourth levels", "second/fourth"),
        ("levels 3 and 4", "third/fourth"),
        ("Level 3/4", "third/fourth"),
        ("the third level of Curriculum for Excellence", "third"),
        ("the second level of the curriculum", "second"),
    ] {
        assert_eq!(named(text), [expected], "{text}");
    }
}

#[test]
fn leaves_levels_of_other_things_alone() {
    for text in [
        "SCQF level 4",
        "National 5 at SCQF Level 5",
        "challenge level 2",
        "the first level of the game",
        "a second-level heading",
        "keep the noise level 1 during the task",
        "two levels of scaffolding",
        "level 7",
        "on the level",
        "third-level domain",
    ] {
        assert!(named(text).is_empty(), "{text}: {:?}", named(text));
    }
}

#[test]
fn finds_several_levels_with_their_places() {
    let text = "from second level (P7) to third level";
    let found = find_levels(text);
    assert_eq!(found.len(), 2);
    assert_eq!(&text[found[0].start..found[0].end], "second level");
    assert_eq!(&text[found[1].start..found[1].end], "third level");
}

#[test]
fn reads_the_value_of_a_field() {
    for (text, expected) in [
        ("third", "third"),
        ("3", "third"),
        ("Third Level (S1 to S3)", "third"),
        ("third/fourth", "third/fourth"),
        ("Third and Fourth", "third/fourth"),
        ("0", "early"),
    ] {
        assert_eq!(text.parse::<Levels>().map(|levels| levels.to_string()).as_deref(), Ok(expected), "{text}");
    }
    for text in ["", "National 5", "Higher", "S3", "7"] {
        assert_eq!(text.parse::<Levels>(), Err(NoLevel), "{text}");
    }
}

#[test]
fn a_pair_holds_both_its_levels() {
    let pair = Levels::between(Level::Fourth, Level::Third);
    assert!(pair.contains(Level::Third) && pair.contains(Level::Fourth) && !pair.contains(Level::Second));
    assert_eq!(Level::ALL.map(Level::number), [0, 1, 2, 3, 4]);
    assert_eq!(Level::from_number(5), None);
}
