//! What the checker makes of answers as people type them, one way after the other.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "these are tests: a surprise is to end them"
)]

use ta_maths::expr::Angle;
use ta_maths::form::Form;
use ta_maths::judge::{Options, Verdict, judge};
use ta_maths::same::Place;

fn all(options: &Options, cases: &[(&str, &str, Verdict)]) {
    for (expected, given, verdict) in cases {
        let found = judge("", expected, given, options);
        assert_eq!(found.verdict, *verdict, "{given} for {expected}: {}", found.why);
    }
}

use Verdict::{Right, Undecided, Wrong};

#[test]
fn numbers_as_people_type_them() {
    all(
        &Options::default(),
        &[
            ("1/2", "½", Right),
            ("0.5", "0,5", Right),
            ("0.5", ".5", Right),
            ("1234", "1,234", Right),
            ("1234567", "1 234 567", Right),
            ("3/2", "1 1/2", Right),
            ("3/2", "1\\frac{1}{2}", Right),
            ("-5/2", "-2 1/2", Right),
            ("5/2", "2 and 1/2", Right),
            ("1200", "1.2×10^3", Right),
            ("1200", "1.2E3", Right),
            ("0.75", "75%", Right),
            ("5*sqrt(3)", "5*sqrt(3)", Right),
            ("5*sqrt(3)", "$5\\sqrt{3}$", Right),
            ("5*sqrt(3)", "√75", Right),
            ("5*sqrt(3)", "15/√3", Right),
            ("4", "the answer is 4.", Right),
            ("4", "3 x 4 = 12 = 4", Undecided),
            ("12", "3 x 4 = 12", Right),
            ("4", "4 4", Undecided),
            ("4", "idk", Undecided),
            ("4", "x", Undecided),
            ("4", "2(x", Undecided),
            ("4", "5", Wrong),
            ("1/3", "0.33", Wrong),
            ("pi", "22/7", Wrong),
        ],
    );
}

#[test]
fn several_answers_named_ones_and_points() {
    all(
        &Options::default(),
        &[
            ("5", "x=5 or 5=x", Right),
            ("5", "5 = x", Right),
            ("AB = 7", "7 cm", Right),
            ("AB = 7", "BA = 7", Right),
            ("AB = 7", "BC = 7", Wrong),
            ("x = 4 or x = -4", "±4", Right),
            ("x = 4 or x = -4", "x = +-4", Right),
            ("x = 4 or x = -4", "4", Wrong),
            ("-3, 2", "2; -3", Right),
            ("-3, 2", "2 and 3", Wrong),
            ("0.5, 1.5", "0,5; 1,5", Right),
            ("x = 2, y = 3", "y=3, x=2", Right),
            ("x = 2, y = 3", "(2, 3)", Right),
            ("x = 2, y = 3", "x=3, y=2", Wrong),
            ("(2, -3)", "2, -3", Right),
            ("(2, -3)", "A(2,-3)", Right),
            ("(2, -3)", "(-3, 2)", Wrong),
            ("2:3", "4:6", Right),
            ("2:3", "2 to 3", Right),
            ("2:3", "3:2", Wrong),
            ("QR", "RQ", Right),
            ("QR", "side QR", Right),
            ("QR", "PQ", Wrong),
            ("QR", "no idea mate", Undecided),
        ],
    );
    let when = |given| judge("When does it end?", "15:45", given, &Options::default()).verdict;
    assert_eq!([when("3:45 pm"), when("15.45"), when("5:15"), when("late")], [Right, Right, Wrong, Undecided]);
}

#[test]
fn expressions_equations_and_inequalities() {
    all(
        &Options::default(),
        &[
            ("2*x + 6", "2(x+3)", Right),
            ("2*x + 6", "6+2X", Right),
            ("x^2 - 1", "(x-1)(x+1)", Right),
            ("x/2", "½x", Right),
            ("6*a*b", "6ba", Right),
            ("3*n + 2", "Tn = 3n+2", Right),
            ("3*n + 2", "3n - 2", Wrong),
            ("sin(x)", "cos(90° - x)", Right),
            ("y = 2*x + 1", "2x - y + 1 = 0", Right),
            ("y = 2*x + 1", "2x + 1", Undecided),
            ("y = 2*x + 1", "y = 2x - 1", Wrong),
            ("c^2 = a^2 + b^2", "c = √(a²+b²)", Right),
            ("x > 3", "3 < x", Right),
            ("x > 3", "x is greater than 3", Right),
            ("x > 3", "x ≥ 3", Wrong),
            ("x > 3", "x < 3", Wrong),
            ("-2 < x <= 5", "x > -2", Wrong),
        ],
    );
    let solve = |given| judge("Solve 3x + 1 > 10.", "x > 3", given, &Options::default()).verdict;
    assert_eq!([solve("3x + 1 > 10"), solve("3x > 9"), solve("x>3")], [Undecided, Undecided, Right]);
    let subject =
        |given| judge("Make x the subject of y = 2x + 1.", "x = (y - 1)/2", given, &Options::default()).verdict;
    assert_eq!([subject("y = 2x + 1"), subject("x = y/2 - 1/2")], [Wrong, Right]);
}

#[test]
fn units_rounding_and_angles() {
    let units = |units: &str| Options { units: Some(units.into()), ..Options::default() };
    all(
        &units("cm"),
        &[
            ("150", "1.5 m", Right),
            ("150", "1 m 50 cm", Right),
            ("150", "150", Wrong),
            ("150", "150 cm²", Wrong),
            ("150", "150 m", Wrong),
        ],
    );
    all(&units("min"), &[("90", "1 h 30 min", Right), ("90", "1½ hours", Right)]);
    all(&units("m/s"), &[("5", "5 ms^-1", Right), ("5", "18 km/h", Right), ("5", "5 metres per second", Right)]);
    all(
        &units("£"),
        &[("2.5", "2 pounds 50", Right), ("2.5", "£2.50", Right), ("2.5", "250p", Right), ("2.5", "£2.05", Wrong)],
    );
    all(&units("pupils"), &[("12", "12 pupils", Right), ("12", "12", Wrong)]);
    all(&units("%"), &[("50", "50%", Right), ("50", "50", Wrong)]);
    let round = |place| Options { angle: Some(Angle::Degrees), round: Some(place), ..Options::default() };
    all(
        &round(Place::Decimals(1)),
        &[
            ("12*tan(35)", "8.4", Right),
            ("12*tan(35)", "8.40", Right),
            ("12*tan(35)", "8.4 (1 dp)", Right),
            ("12*tan(35)", "8.4 to 1 decimal place", Right),
            ("12*tan(35)", "x ≈ 8.4", Right),
            ("12*tan(35)", "8.402", Wrong),
            ("12*tan(35)", "5.7", Wrong),
        ],
    );
    all(&round(Place::Figures(2)), &[("36482", "36000", Right), ("0.0385", "0.039", Right), ("36482", "36", Wrong)]);
    let radians = Options { angle: Some(Angle::Radians), ..Options::default() };
    all(&radians, &[("1/2", "sin(π/6)", Right), ("1/2", "sin 30°", Right), ("1/2", "sin 30", Wrong)]);
}

#[test]
fn forms() {
    let form = |form| Options { form: Some(form), ..Options::default() };
    all(
        &form(Form::Simplified),
        &[
            ("6*sqrt(2)", "3√8", Wrong),
            ("6*sqrt(2)", "√72", Wrong),
            ("6*sqrt(2)", "6√2", Right),
            ("2/3", "10/15", Wrong),
            ("2/3", "2/3", Right),
            ("sqrt(2)/2", "1/√2", Wrong),
            ("5*x + 1", "2x+3x+1", Wrong),
            ("6*x", "2*3*x", Wrong),
            ("x^2", "x*x", Wrong),
            ("2:3", "10:15", Wrong),
        ],
    );
    all(&form(Form::Mixed), &[("7/2", "3 1/2", Right), ("7/2", "2 3/2", Wrong), ("7/2", "7/2", Wrong)]);
    all(&form(Form::Scientific), &[("4200", "4.2×10³", Right), ("4200", "42×10²", Wrong), ("4200", "4200", Wrong)]);
    all(&form(Form::Exact), &[("sqrt(2)", "√2", Right), ("sqrt(2)", "1.41", Wrong), ("1/2", "0.5", Right)]);
    all(&form(Form::Percent), &[("0.3", "30%", Right), ("0.3", "0.3", Wrong)]);
    all(&form(Form::Ordered), &[("1, 2, 3", "1,2,3", Right), ("1, 2, 3", "3,2,1", Wrong)]);
}

#[test]
fn no_sentence_says_the_expected_answer() {
    let options = Options { round: Some(Place::Decimals(2)), units: Some("m".into()), ..Options::default() };
    for given in ["7919", "-7919 m", "7919.1 m", "7919 kg", "7918", "", "x", "7919 m, 3 m"] {
        let found = judge("", "7919", given, &options);
        assert!(!found.why.contains("7919"), "{given}: {}", found.why);
    }
}
