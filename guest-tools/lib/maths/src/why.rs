//! Sentences that a learner reads. None of them says the expected answer.

use crate::form::Form;
use crate::judge::{Options, Verdict};
use crate::same::Place;
use crate::token::Unreadable;

/// Why an answer is not right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Another value.
    Different,
    /// The opposite value.
    Sign,
    /// The right number without the unit.
    UnitMissing,
    /// A unit that measures something else.
    UnitKind,
    /// Rounded to another place, or cut off.
    Rounding,
    /// A rounded value, where none was asked for.
    Approximate,
    /// Degrees for radians, or the other way round.
    Angle,
    /// The right value in another form.
    Form(Form),
    /// Right values, and more to be found.
    Missing,
    /// A value too many.
    Extra,
    /// Some right, some not.
    Partly,
    /// Right values in another order.
    Order,
    /// The value of something else.
    Name,
    /// The inequality points the other way.
    Direction,
    /// The inequality's end is in, or out, wrongly.
    Boundary,
    /// An equation or an inequality is not solved yet.
    NotSolved,
    /// A number or an expression is needed.
    NeedsValue,
    /// An equation or an inequality is needed.
    NeedsEquation,
    /// A ratio is needed.
    NeedsRatio,
    /// Coordinates are needed.
    NeedsPoint,
    /// Something that has no value, such as a division by nought, or one too large to work out.
    Undefined,
    /// The expected answer itself cannot be worked out well enough.
    Unsure,
    /// The answer is not readable.
    Unreadable(Unreadable),
}

impl Reason {
    /// What it comes to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Different
            | Self::Sign
            | Self::UnitMissing
            | Self::UnitKind
            | Self::Rounding
            | Self::Approximate
            | Self::Angle
            | Self::Form(_)
            | Self::Missing
            | Self::Extra
            | Self::Partly
            | Self::Order
            | Self::Name
            | Self::Direction
            | Self::Boundary => Verdict::Wrong,
            Self::NotSolved
            | Self::NeedsValue
            | Self::NeedsEquation
            | Self::NeedsRatio
            | Self::NeedsPoint
            | Self::Undefined
            | Self::Unsure
            | Self::Unreadable(_) => Verdict::Undecided,
        }
    }

    /// Whether it makes an answer wrong.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.verdict() == Verdict::Wrong
    }
}

/// The sentence for an outcome.
#[must_use]
pub fn sentence(outcome: &Result<(), Reason>, options: &Options) -> String {
    let reason = match outcome {
        Ok(()) => return "Yes, that is right.".into(),
        Err(reason) => reason,
    };
    match reason {
        Reason::Different => "That is not it yet. Go through your steps once more.".into(),
        Reason::Sign => "The size is right. Look at the sign again.".into(),
        Reason::UnitMissing => "The number is right. Now write the unit with it.".into(),
        Reason::UnitKind => "The number is right, but think again about what the unit measures.".into(),
        Reason::Rounding => match options.round {
            Some(place) => format!("You are very close. Check how to round to {}.", place_words(place)),
            None => "You are very close. Check how you rounded.".into(),
        },
        Reason::Approximate => "You are very close, but that value is rounded, and here it should not be.".into(),
        Reason::Angle => {
            "Your method looks right. Check whether your calculator works in degrees or in radians.".into()
        }
        Reason::Form(form) => form_words(*form).into(),
        Reason::Missing => "What you have is right, and there is more to find.".into(),
        Reason::Extra => "You have all that is needed, and something that does not belong. Check each one.".into(),
        Reason::Partly => "Some of that is right. Check each one.".into(),
        Reason::Order => "You have the right ones. Look at their order again.".into(),
        Reason::Name => "Look again at what the question asks for: that is the name of something else.".into(),
        Reason::Direction => "The number is right. Look again at which way the sign points.".into(),
        Reason::Boundary => "Nearly. Think about whether the number at the end belongs to it.".into(),
        Reason::NotSolved => "That is a good start. Now go on until the letter stands alone on one side.".into(),
        Reason::NeedsValue => "I cannot judge that yet. Can you write your answer as a value?".into(),
        Reason::NeedsEquation => "I cannot judge that yet. Can you write the whole equation or inequality?".into(),
        Reason::NeedsRatio => "I cannot judge that yet. Can you write it as a ratio, with a colon?".into(),
        Reason::NeedsPoint => "I cannot judge that yet. Can you write it as coordinates, in brackets?".into(),
        Reason::Undefined => "I cannot work out a value for that. Can you check how it is written?".into(),
        Reason::Unsure => "I cannot judge this one for certain. Please show it to your teacher.".into(),
        Reason::Unreadable(problem) => unreadable_words(problem),
    }
}

fn place_words(place: Place) -> String {
    match place {
        Place::Decimals(0) => "the nearest whole number".into(),
        Place::Decimals(1) => "1 decimal place".into(),
        Place::Decimals(places) => format!("{places} decimal places"),
        Place::Figures(1) => "1 significant figure".into(),
        Place::Figures(figures) => format!("{figures} significant figures"),
    }
}

fn form_words(form: Form) -> &'static str {
    match form {
        Form::Exact => "You are very close, but a rounded decimal is not exact. Keep the root or the fraction.",
        Form::Simplified => "The value is right. It can be made simpler.",
        Form::Mixed => "The value is right. Now write it as a whole number and a fraction.",
        Form::Decimal => "The value is right. Now write it as a decimal.",
        Form::Percent => "The value is right. Now write it with a per cent sign.",
        Form::Scientific => "The value is right. Now write it as a number from 1 to below 10, times a power of ten.",
        Form::Ordered => "You have the right ones. Look at their order again.",
    }
}

fn unreadable_words(problem: &Unreadable) -> String {
    match problem {
        Unreadable::Empty => "There is no answer to look at yet. Write what you have, even if you are not sure.".into(),
        Unreadable::Word(_) => "I cannot read that as an answer. Can you write it with numbers and signs?".into(),
        Unreadable::Sign(sign) => format!("I do not know the sign `{sign}`. Can you write your answer another way?"),
        Unreadable::Form => "I cannot quite read that. Is something missing? Please write it once more.".into(),
        Unreadable::Large => "That is too long for me to read. Can you write a shorter answer?".into(),
    }
}
