//! What leaks and what does not, kind by kind.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "these are tests: a surprise is to end them"
)]

use answer_leak::facts::Facts;
use answer_leak::leak::leak;

fn leaks(problem: &str, answers: &[&str], steps: &[&str], hint: &str) -> bool {
    let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let facts = Facts { problem: problem.to_owned(), answers: list(answers), steps: list(steps) };
    leak(&facts, &[hint.to_owned()]).is_some()
}

fn all(problem: &str, answers: &[&str], steps: &[&str], leaking: &[&str], clean: &[&str]) {
    for hint in leaking {
        assert!(leaks(problem, answers, steps, hint), "not found: {hint}");
    }
    for hint in clean {
        assert!(!leaks(problem, answers, steps, hint), "false alarm: {hint}");
    }
}

#[test]
fn a_number_in_any_form() {
    all(
        "A shop has 84 apples in boxes of 12. How many boxes are there?",
        &["7"],
        &[],
        &[
            "It is 7.",
            "Seven boxes.",
            "$7$",
            "Would 7 boxes be enough?",
            "Try 14 / 2",
            "x = 7",
            "$\\frac{84}{12} = 7$",
            "7,0",
        ],
        &[
            "Divide 84 by 12.",
            "How many twelves are in 84?",
            "Step 7: check.",
            "Look at the 7 sides of the picture.",
            "$84 \\div 12$",
        ],
    );
    all(
        "What is 10 − 14?",
        &["-4"],
        &[],
        &["minus four", "You land on −4.", "Four below zero.", "-8 / 2"],
        &["Go 14 to the left from 10.", "Is it above or below zero?"],
    );
    all(
        "A tank holds 3 m. What is that in cm?",
        &["300"],
        &[],
        &["three hundred", "300 cm", "3 x 100 is 300"],
        &["How many centimetres are in a metre?"],
    );
}

#[test]
fn surds_fractions_and_letters() {
    all(
        "Simplify √50.",
        &["5*sqrt(2)"],
        &["25"],
        &["five root two", "$5\\sqrt2$", "7.07", "The square is 25.", "25 times 2"],
        &["Which square number divides 50?", "Like √12 = 2√3."],
    );
    all(
        "Expand 3(x + 5).",
        &["3*x + 15"],
        &["15"],
        &["three x plus fifteen", "$15 + 3x$", "3 times 5 is 15"],
        &["Multiply the 3 by each term of x + 5.", "Draw two arrows from the 3."],
    );
    all(
        "Two dice are thrown. What is the probability of a double?",
        &["1/6"],
        &["6/36"],
        &["one in six", "a sixth", "six out of 36 is 6/36", "$\\frac16$"],
        &["How many outcomes are there in all?"],
    );
    all("Solve x + 3 < 11.", &["x < 8"], &[], &["x < 8", "anything below eight"], &["Take 3 from both sides."]);
}

#[test]
fn several_numbers_times_and_names() {
    all(
        "Reflect the point (2, 6) in the x-axis.",
        &["(2, -6)"],
        &[],
        &["(2, −6)", "two, minus six", "The second number becomes minus six."],
        &["Which of the 2 and the 6 changes?", "Fold along the axis."],
    );
    all(
        "A bus leaves at 13:20 and takes 55 minutes. When does it arrive?",
        &["14:15"],
        &[],
        &["14:15", "quarter past two", "2.15 in the afternoon", "2:15 pm"],
        &["Count on to the next hour first.", "Start at 13:20 and jump."],
    );
    all(
        "In triangle ABC the right angle is at B. Which side is the hypotenuse?",
        &["AC"],
        &[],
        &["Look at AC.", "It is CA."],
        &["Which side does not touch the right angle at B?"],
    );
    all(
        "List the factors of 10.",
        &["1, 2, 5, 10"],
        &[],
        &["2 and 5 are two of them", "2 × 5"],
        &["They come in pairs."],
    );
}
