//! Contact data by their form: telephone numbers, mail addresses, names on other services, addresses of houses.

/// Words that stand behind the number of a house.
const STREETS: &[&str] = &[
    "street", "st", "road", "rd", "avenue", "ave", "lane", "crescent", "cres", "drive", "place", "court", "row",
    "terrace", "gardens", "grove", "close", "way", "wynd", "brae", "square", "view", "park", "loan", "gate", "vennel",
    "quay", "hill",
];

/// Whether a message holds contact data.
#[must_use]
pub fn holds_contact(text: &str) -> bool {
    phone(text) || mail(text) || handle(text) || house(text) || postcode(text)
}

/// Ten to thirteen digits that begin as telephone numbers here do, with blanks, hyphens or brackets between them.
fn phone(text: &str) -> bool {
    let mut digits = String::new();
    let mut gaps = 0;
    for sign in text.chars().chain(['\n']) {
        match sign {
            '0'..='9' => {
                digits.push(sign);
                gaps = 0;
            }
            '+' if digits.is_empty() => digits.push('+'),
            ' ' | '-' | '(' | ')' | '.' if !digits.is_empty() && gaps < 2 => gaps += 1,
            _ => {
                if is_phone(&digits) {
                    return true;
                }
                digits.clear();
                gaps = 0;
            }
        }
    }
    false
}

fn is_phone(digits: &str) -> bool {
    let national = match digits
        .strip_prefix("+44")
        .or_else(|| digits.strip_prefix("0044"))
        .or_else(|| digits.strip_prefix("44"))
    {
        Some(rest) => rest.strip_prefix('0').unwrap_or(rest),
        None => digits.strip_prefix('0').unwrap_or_default(),
    };
    (9..=10).contains(&national.len()) && national.starts_with(['1', '2', '3', '7', '8'])
}

fn mail(text: &str) -> bool {
    let lower = text.to_lowercase();
    let spelled = [" (at) ", "(at)", "[at]", " at "].iter().fold(lower.clone(), |text, at| text.replace(at, "@"));
    let spelled = spelled.replace(" dot ", ".").replace("(dot)", ".");
    let domain = |text: &str, marked: bool| {
        text.match_indices('@').any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default().trim_end();
            let after = text.get(at + 1..).unwrap_or_default().trim_start();
            let host: String =
                after.chars().take_while(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-')).collect();
            let host = host.trim_end_matches('.');
            let ends = host.rsplit_once('.').is_some_and(|(name, end)| {
                let known = ["com", "org", "net", "uk", "scot", "edu", "eu", "io", "me", "gov", "co"].contains(&end);
                !name.is_empty()
                    && end.bytes().all(|byte| byte.is_ascii_alphabetic())
                    && (known || marked && end.len() >= 2)
            });
            ends && before.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '_')
        })
    };
    domain(&lower, true) || domain(&spelled, false)
}

/// `@name`, where it is no mail address.
fn handle(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let free = text.get(..at).is_some_and(|before| !before.ends_with(|last: char| last.is_alphanumeric()));
        let name = text.get(at + 1..).unwrap_or_default();
        let length = name.chars().take_while(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.')).count();
        free && length >= 3 && name.starts_with(|first: char| first.is_ascii_alphabetic())
    })
}

/// A number, one to three words and a word for a street.
fn house(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let digits = word.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
        let number = (1..=4).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && word.len() <= digits.len() + 1;
        let name = words.get(at + 1).is_some_and(|name| name.len() > 2 && name.chars().all(char::is_alphabetic));
        number
            && name
            && !names_mathematics(&words)
            && (2..=4).any(|behind| words.get(at + behind).is_some_and(|word| STREETS.contains(word)))
    })
}

/// Words of problems about streets; such a message speaks of the problem.
fn names_mathematics(words: &[&str]) -> bool {
    let known = ["question", "problem", "metres", "miles", "km", "area", "angle", "graph", "map", "scale"];
    words.iter().any(|word| known.contains(word))
}

/// A postcode of the United Kingdom: one or two letters, a digit, a digit or letter or none, a digit, two letters.
fn postcode(text: &str) -> bool {
    let upper = text.to_uppercase();
    let words: Vec<&str> =
        upper.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let outward = |word: &str| {
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let rest = word.get(letters..).unwrap_or_default();
        (1..=2).contains(&letters)
            && (1..=2).contains(&rest.len())
            && rest.starts_with(|first: char| first.is_ascii_digit())
    };
    let inward = |word: &str| {
        word.len() == 3
            && word.starts_with(|first: char| first.is_ascii_digit())
            && word.bytes().skip(1).all(|byte| byte.is_ascii_alphabetic())
    };
    let apart = words.windows(2).any(|pair| matches!(pair, [one, two] if outward(one) && inward(two)));
    let together = words.iter().any(|word| {
        (5..=7).contains(&word.len())
            && word.split_at_checked(word.len() - 3).is_some_and(|(one, two)| outward(one) && inward(two))
    });
    // `x2 3cm` has the form of one; those letters do not end a postcode.
    let unit = words
        .iter()
        .any(|word| inward(word) && ["CM", "MM", "KM", "ML", "KG", "CL"].iter().any(|unit| word.ends_with(unit)));
    (apart || together) && !unit
}

#[cfg(test)]
mod tests {
    use super::holds_contact;

    #[test]
    fn contact_data_are_known_by_their_form() {
        for text in [
            "07700 900456",
            "+44 7700 900871 text me",
            "0131 496 0188",
            "rowan.k@example.com",
            "iona_b (at) example.com",
            "im @finlay.example on there",
            "I live at 22 Heatherbell Lane",
            "number 7 Lapwing Crescent",
            "zz99 3cz is my postcode",
            "a at example dot com",
        ] {
            assert!(holds_contact(text), "{text}");
        }
        for text in [
            "x = 5√3",
            "300000000",
            "0.0770090045",
            "3 x 4 = 12",
            "14 000 + 1 250",
            "x2 3cm",
            "1250 1300 1450 1600",
            "look at 3.5",
            "the answer is 07",
            "12:45",
            "7/12 + 3/12 = 10/12",
            "the car park is 20 metres down the street",
        ] {
            assert!(!holds_contact(text), "{text}");
        }
    }
}
