//! Whether a line bears on a request: whether they share a telling word.

/// Shortest word that tells anything.
const WORD_CHARS_MIN: usize = 4;

/// Words of a request that are read.
const WORDS_MAX: usize = 200;

/// Words that every request has, whatever it is about.
const PASSED_OVER: &str = "about activity after before class create does draft each every from have into lesson lessons like \
    make minutes need period please plan pupils some teach teacher that their them then they this topic unit want what when \
    where which will with without work would year your";

/// The telling words of a request.
pub(crate) struct Request(Vec<String>);

impl Request {
    pub(crate) fn read(input: &str) -> Self {
        Self(words(input).take(WORDS_MAX).collect())
    }

    /// How many of the request's words the text has, in any of their forms.
    pub(crate) fn shared(&self, text: &str) -> u32 {
        let text: Vec<String> = words(text).collect();
        let has = |word: &&String| text.iter().any(|other| same(word, other));
        u32::try_from(self.0.iter().filter(has).count()).unwrap_or(u32::MAX)
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD_CHARS_MIN);
    words.map(str::to_lowercase).filter(|word| !PASSED_OVER.split_whitespace().any(|other| other == word))
}

/// `loop` and `loops`, `program` and `programming`: one is the beginning of the other.
fn same(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn a_line_bears_on_a_request_by_its_words() {
        let request = Request::read("3B iteration, no laptops, make a worksheet for the lesson");
        assert_eq!(request.shared("Laptops in a trolley, one for each pupil"), 1);
        assert_eq!(request.shared("Three different worksheets without a laptop"), 2);
        assert_eq!(request.shared("I like lessons that begin with remembering"), 0);
    }
}
