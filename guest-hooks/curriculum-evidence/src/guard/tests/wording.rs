//! What is said beside a code, right and wrong.

use super::workspace::{assert_clean, message, pointer, report};
use crate::guard::Class;

/// Puts a good pointer in the place of `{CODE}`, so that only the words beside it can be wrong.
fn with_pointers(text: &str) -> String {
    let mut output = text.to_owned();
    for code in [
        "TCH 2-13a",
        "TCH 2-14a",
        "TCH 3-13a",
        "TCH 3-13b",
        "TCH 3-14a",
        "TCH 3-14b",
        "TCH 3-15a",
        "MNU 3-07a",
        "MNU 3-10a",
        "MNU 3-22a",
        "LIT 3-26a",
        "LIT 3-29a",
        "ENG 3-31a",
        "TCH 4-14a",
    ] {
        output = output.replace(&format!("{{{code}}}"), &pointer(code));
    }
    output
}

fn classes(text: &str) -> Vec<Class> {
    report(&with_pointers(text)).findings.into_iter().map(|finding| finding.class).collect()
}

#[test]
fn a_real_code_with_another_outcomes_text_is_found() {
    let texts = [
        "- {TCH 3-14a}: explains how layers of hardware and software fit together",
        "- {TCH 3-14a} — explains how layers of hardware and software fit together",
        "- {TCH 3-14a} (layers of hardware and software)",
        "- **{TCH 3-14a}**: I can tell how hardware and software layers fit together.",
        "- Explains how the layers of hardware and software fit together ({TCH 3-14a})",
        "- Explains how the layers of hardware and software fit together. ({TCH 3-14a})",
        "- Explains how the layers of hardware and software fit together [{TCH 3-14a}]",
        "- Explains how the layers of hardware and software fit together – {TCH 3-14a}",
        "| {TCH 3-14a} | how hardware and software layers fit together | 10 min |",
        "| How hardware and software layers fit together | {TCH 3-14a} |",
        "{TCH 3-14a} asks pupils to explain how hardware and software fit together in layers.",
        "{TCH 3-14a} is about the layers of hardware and software.",
        "- {TCH 3-14b}: explains constructs that represent structured information in languages",
        "- {TCH 3-13a}: works with a model of information taken from a real system",
        "- {TCH 3-13b}: describes how basic information processes run and communicate",
        "- {TCH 3-15a}: reads and predicts code with variables, selection and iteration",
        "- {TCH 3-14a}: chooses tools to design, build and test a solution to a specification",
        "- {MNU 3-07a}: solves problems on time, speed and distance",
        "- {MNU 3-10a}: calculates with fractions, decimals and percentages",
        "- {MNU 3-22a}: finds percentages of a quantity and compares decimals with fractions",
        "- {LIT 3-29a}: writes a narrative with setting, character and plot",
        "- {ENG 3-31a}: argues an issue and persuades with supporting detail",
        "- {TCH 3-14a}: paints watercolour landscapes of the Highlands in the style of a chosen artist",
        "- {MNU 3-10a}: reads French menus aloud with good pronunciation and orders snacks politely",
        "- {TCH 3-14a}: layers of hardware and software; {TCH 3-14b}: models of memory and processor",
        "### {TCH 3-14a}\nExplains how layers of hardware and software fit together.",
        "- {TCH 3-13a}, {TCH 3-13b}: layers of hardware and software, from processor to operating system",
        "- {LIT 3-26a}: tells a story in a genre, with character, setting and plot",
        "1. {TCH 3-14b} = predicts code with selection, iteration and nested loops",
        "- {TCH 3-15a}: makes a solution to a challenge and evaluates it",
        "- {TCH 3-14a} (iteration): explains how layers of hardware and software fit together",
        "- {TCH 3-14a}: I can analyse the causes of the First World War",
        "- {TCH 3-14a}: calculates with fractions, decimals and percentages",
        "> {TCH 3-14b}: \"explains constructs that represent structured information\"",
    ];
    let missed: Vec<&str> = texts.into_iter().filter(|text| classes(text) != [Class::WrongText]).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn the_right_text_an_honest_paraphrase_and_plain_mentions_pass() {
    let texts = [
        "- {TCH 3-14a}: explains constructs that represent structured information in languages",
        "- {TCH 3-14a}: pupils read and predict code that uses variables and loops",
        "- {TCH 3-14a} — I can say what a loop does in a program",
        "- {TCH 3-14a} (loops and selection in Python)",
        "- {TCH 3-14a}: repetition in a text language",
        "- {TCH 3-14a}: iteration",
        "- {TCH 3-14a}: tracing nested loops and spotting off-by-one errors",
        "- {TCH 3-14b}: what processor, memory and operating system do for one another",
        "- {TCH 3-15a}: planning with pseudocode, then building and testing a small program",
        "- {MNU 3-07a}: works out 15% of a price in her head and compares offers",
        "- {MNU 3-10a}: average speed from a journey graph",
        "- {MNU 3-22a}: what are the chances? Risk and choice with dice",
        "- {LIT 3-26a}: combining two articles into one new text, with sources named",
        "- {LIT 3-29a}: a persuasive letter about phones in school",
        "- {ENG 3-31a}: a spooky story with a convincing setting",
        "Pupils work towards {TCH 3-14a} through paired programming.",
        "- {TCH 3-14a}: starter, then pairs at the whiteboards for ten minutes",
        "- {TCH 3-14a}: assessed by exit ticket and the observation sheet",
        "- {TCH 3-14a} — main outcome of this lesson",
        "- {TCH 3-14a}: 3B found this hard last week, so Amira and Callum start with the blue cards",
        "- {TCH 3-14a} (see also {TCH 3-14b} on hardware and software layers)",
        "- {TCH 3-14a}: builds on the process steps and outputs of {TCH 2-13a}",
        "- {TCH 3-14a} (10 minutes, Period 3)",
        "| {TCH 3-14a} | Starter | 10 min | mini whiteboards |",
        "| Outcome | {TCH 3-14a} |",
        "Exit ticket: predict the output of two loops ({TCH 3-14a}).",
        "Swap jotters and check each other's trace tables ({TCH 3-14a}).",
        "Hand out the printed snippets. {TCH 3-14a} comes back on Thursday.",
        "Curriculum: {TCH 3-14a}, {TCH 3-15a}",
        "- {TCH 3-14a}, {TCH 3-14b}: constructs of a language, and the hardware and software under it",
        "- {TCH 3-14a}: predict, run, investigate, modify",
        "- {TCH 3-14a}: Success looks like a working loop that prints the seven times table",
        "### {TCH 3-14a}\nThe class predicts what each program prints before running it.",
        "The misconception to fear in {TCH 3-14a} is the loop counter that is taken for a running total.",
        "- {TCH 3-13b}: a table of players and teams as a model of a league",
        "- {TCH 3-14a}: differentiated by length of code, with bronze, silver and gold versions on coloured paper",
        "- {TCH 3-14a}: constructs and data structures in a text-based language, such as lists",
        "| {TCH 3-14a} | explains constructs | painting posters of watercolour landscapes with ink and brushes |",
        "Pupils trace nested loops on paper and hunt for errors ({TCH 3-15a}).",
        "### {TCH 3-15a}\nPupils trace nested loops to find and correct errors in each other's designs.",
        "- {TCH 3-15a}: creating an app prototype that helps tourists around Oban",
        "- {TCH 3-15a}: an app that compares prices and shows percentages off",
        "- {LIT 3-26a}: I can bring together what two articles say about plastic",
        "- {TCH 3-13a}: how a sorting process runs, acted out with cards",
    ];
    let accused: Vec<&str> = texts.into_iter().filter(|text| !classes(text).is_empty()).collect();
    assert!(accused.is_empty(), "{accused:#?}");
}

#[test]
fn a_wrong_text_names_the_outcome_that_it_fits() {
    let told = message(&with_pointers("- {TCH 3-14a}: explains how layers of hardware and software fit together"));
    assert_eq!(
        told,
        "\"explains how layers of hardware and software fit together\" describes TCH 3-14b (curriculum/cfe-computing.md#L54-L58), \
         not TCH 3-14a. Correct the code or the description."
    );
    let told = message(&with_pointers(
        "- {MNU 3-10a}: reads French menus aloud with good pronunciation and orders snacks politely",
    ));
    assert!(told.contains("shares nothing with the entry of MNU 3-10a (curriculum/cfe-maths.md#L20-L24)"), "{told}");
}

#[test]
fn a_thin_entry_is_not_enough_to_call_a_paraphrase_wrong() {
    assert_clean(&with_pointers("- {LIT 3-29a}: letters about phones, buses and dinners"));
}
