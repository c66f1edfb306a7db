//! What the classifier sees of a message: its words, pairs of words, and pieces of words, so that a misspelt word is still near.

use ta_linear::Hash;

/// Most words that are looked at; a longer message is read in windows.
pub const WORDS_MAX: usize = 40;

/// Words of such a window: a sentence.
pub const WINDOW_WORDS: usize = 6;

/// The words of a message as the classifier reads them: lower case, no apostrophes, digits as one sign, no letter three times.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    for sign in text.chars().chain([' ']) {
        match sign {
            '\'' | '’' | '‘' | '`' => {}
            _ if sign.is_alphabetic() => {
                let lower = sign.to_lowercase().next().unwrap_or(sign);
                if !open.ends_with(&format!("{lower}{lower}")) {
                    open.push(lower);
                }
            }
            _ if sign.is_ascii_digit() => {
                if !open.ends_with('#') {
                    open.push('#');
                }
            }
            _ => {
                if !open.is_empty() {
                    found.push(std::mem::take(&mut open));
                }
                if matches!(sign, '@' | '?') {
                    found.push(sign.to_string());
                }
            }
        }
    }
    found
}

/// The features of a list of words.
#[must_use]
pub fn features(words: &[String]) -> Vec<u32> {
    let mut found = vec![Hash::of(b'b').end()];
    for word in words {
        found.push(Hash::of(b'w').text(word).end());
        let padded: Vec<char> = format!("<{word}>").chars().collect();
        for length in 3..=5 {
            for piece in padded.windows(length) {
                found.push(Hash::of(b'c').text(&piece.iter().collect::<String>()).end());
            }
        }
    }
    for pair in words.windows(2) {
        if let [one, two] = pair {
            found.push(Hash::of(b'p').text(one).text(two).end());
        }
    }
    for three in words.windows(3) {
        if let [one, two, three] = three {
            found.push(Hash::of(b't').text(one).text(two).text(three).end());
            // A word between two others may be any.
            found.push(Hash::of(b's').text(one).text(three).end());
        }
    }
    found
}
