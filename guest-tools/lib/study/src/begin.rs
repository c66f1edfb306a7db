//! What a session begins with: words at a terminal, or the JSON that a program sends.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Characters of a topic, and of other texts.
const TOPIC_CHARS_MAX: usize = 120;
const TEXT_CHARS_MAX: usize = 40;
/// Interests at the most.
const INTERESTS_MAX: usize = 10;
/// Minutes of a session, and how many it has where nobody said.
const MINUTES_MAX: u32 = 240;
const MINUTES: u32 = 20;

/// Levels of Curriculum for Excellence.
pub const LEVELS: [&str; 6] = ["early", "first", "second", "third", "fourth", "senior"];

/// School years of other countries, from the first after kindergarten, which is 0, by the level of those of that age.
const GRADES: [&str; 13] = [
    "early", "early", "first", "first", "second", "second", "second", "third", "third", "fourth", "senior", "senior",
    "senior",
];

/// What a session is about and for whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// The topic.
    pub topic: String,
    /// The part of it that is meant.
    #[serde(default)]
    pub subtopic: String,
    /// The school year, where one was given.
    #[serde(default)]
    pub grade: Option<u32>,
    /// The level, one of [`LEVELS`]; empty where nobody said.
    #[serde(default)]
    pub level: String,
    /// What the learner is interested in.
    #[serde(default)]
    pub interests: Vec<String>,
    /// How they say that they learn.
    #[serde(default)]
    pub learning_style: String,
    /// Minutes that there are.
    #[serde(default)]
    pub minutes: u32,
}

/// Why nothing begins: a word, and a sentence.
pub type Wrong = (&'static str, String);

impl Begin {
    /// Reads what somebody begins with: `Comparing fractions --level second`, or the documented JSON.
    ///
    /// # Errors
    /// `session.field` where a field is none of those that there are, or too long; `profile.contact` for contact data.
    pub fn read(text: &str) -> Result<Self, Wrong> {
        match serde_json::from_str::<Json>(text) {
            Ok(Json::Object(fields)) => Self::of_json(&Json::Object(fields)),
            _ => Self::of_words(text),
        }
    }

    fn of_words(text: &str) -> Result<Self, Wrong> {
        let mut begin = Self { minutes: MINUTES, ..Self::default() };
        let mut topic: Vec<&str> = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "--level" => words.next().unwrap_or_default().clone_into(&mut begin.level),
                "--minutes" => begin.minutes = words.next().and_then(|it| it.parse().ok()).unwrap_or_default(),
                _ => topic.push(word),
            }
        }
        begin.topic = topic.join(" ");
        begin.checked()
    }

    fn of_json(sent: &Json) -> Result<Self, Wrong> {
        let known = ["topic", "subtopic", "grade", "level", "student_profile", "session_context", "text"];
        let profile = sent.get("student_profile").cloned().unwrap_or_default();
        let context = sent.get("session_context").cloned().unwrap_or_default();
        only(sent, &known, "")?;
        only(&profile, &["interests", "learning_style", "grade"], "student_profile.")?;
        only(&context, &["estimated_duration_minutes"], "session_context.")?;
        let topic = if sent.get("topic").is_some() { "topic" } else { "text" };
        let grade = number(sent, "grade")?.or(number(&profile, "grade")?);
        let interests = match profile.get("interests") {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Array(all)) => all.iter().map(|it| plain(it, "interests")).collect::<Result<_, _>>()?,
            Some(_) => return Err(field("`student_profile.interests` is a list of words")),
        };
        Self {
            topic: text(sent, topic)?,
            subtopic: text(sent, "subtopic")?,
            grade,
            level: text(sent, "level")?,
            interests,
            learning_style: text(&profile, "learning_style")?,
            minutes: number(&context, "estimated_duration_minutes")?.unwrap_or(MINUTES),
        }
        .checked()
    }

    fn checked(mut self) -> Result<Self, Wrong> {
        self.level = self.level.trim().to_lowercase();
        if self.level.is_empty()
            && let Some(grade) = self.grade
        {
            let level = usize::try_from(grade).ok().and_then(|grade| GRADES.get(grade));
            let level = level.ok_or_else(|| field(&format!("`grade` is 0 to {}", GRADES.len() - 1)))?;
            (*level).clone_into(&mut self.level);
        }
        if !self.level.is_empty() && !LEVELS.contains(&self.level.as_str()) {
            return Err(field(&format!("a level is one of {}", LEVELS.join(", "))));
        }
        if self.minutes == 0 || self.minutes > MINUTES_MAX {
            return Err(field(&format!("minutes are 1 to {MINUTES_MAX}")));
        }
        let long = |text: &str, most| text.chars().count() > most;
        if long(&self.topic, TOPIC_CHARS_MAX) || long(&self.subtopic, TOPIC_CHARS_MAX) {
            return Err(field(&format!("a topic has at most {TOPIC_CHARS_MAX} characters")));
        }
        let own = || self.interests.iter().chain([&self.learning_style]);
        if self.interests.len() > INTERESTS_MAX || own().any(|text| long(text, TEXT_CHARS_MAX)) {
            return Err(field(&format!(
                "a profile has at most {INTERESTS_MAX} interests of {TEXT_CHARS_MAX} characters"
            )));
        }
        if own().any(|text| contact(text)) {
            let message = "a profile holds no addresses, numbers or names on other services: leave them out";
            return Err(("profile.contact", message.to_owned()));
        }
        Ok(self)
    }

    /// The profile as agents are told it.
    #[must_use]
    pub fn profile(&self) -> Json {
        json!({ "interests": self.interests, "learning_style": self.learning_style, "grade": self.grade })
    }

    /// The topic as agents are told it.
    #[must_use]
    pub fn topic_info(&self) -> Json {
        json!({ "topic": self.topic, "subtopic": self.subtopic, "grade": self.grade, "level": self.level })
    }
}

fn field(message: &str) -> Wrong {
    ("session.field", message.to_owned())
}

fn only(of: &Json, known: &[&str], within: &str) -> Result<(), Wrong> {
    match of {
        Json::Null => Ok(()),
        Json::Object(fields) => match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(field(&format!("there is no field `{within}{name}`; there are: {}", known.join(", ")))),
            None => Ok(()),
        },
        _ => Err(field(&format!("`{}` is an object", within.trim_end_matches('.')))),
    }
}

fn plain(value: &Json, name: &str) -> Result<String, Wrong> {
    value.as_str().map(|it| it.trim().to_owned()).ok_or_else(|| field(&format!("`{name}` is text")))
}

fn text(of: &Json, name: &str) -> Result<String, Wrong> {
    match of.get(name) {
        None | Some(Json::Null) => Ok(String::new()),
        Some(value) => plain(value, name),
    }
}

fn number(of: &Json, name: &str) -> Result<Option<u32>, Wrong> {
    match of.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => value
            .as_u64()
            .and_then(|it| u32::try_from(it).ok())
            .map(Some)
            .ok_or_else(|| field(&format!("`{name}` is a whole number"))),
    }
}

/// Whether a text holds what somebody could be reached by: an address, a number, a name on another service.
fn contact(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let lower = text.to_lowercase();
    digits >= 6 || text.contains('@') || lower.contains("http") || lower.contains("www.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_json_say_the_same() {
        let words = Begin::read("Comparing fractions --level second").unwrap();
        let sent = Begin::read(r#"{"topic":"Comparing fractions","grade":4}"#).unwrap();
        assert_eq!((words.topic.as_str(), words.level.as_str(), words.minutes), ("Comparing fractions", "second", 20));
        assert_eq!((sent.topic, sent.level), (words.topic, words.level));
    }

    #[test]
    fn the_documented_request_is_read() {
        let sent = r#"{"topic":"Fractions","subtopic":"Comparing Fractions","grade":4,"student_profile":{"interests":
            ["dinosaurs","video games"],"learning_style":"visual","grade":4},"session_context":{"estimated_duration_minutes":25}}"#;
        let begin = Begin::read(sent).unwrap();
        assert_eq!((begin.interests.len(), begin.minutes, begin.grade), (2, 25, Some(4)));
        assert_eq!(begin.topic_info()["subtopic"], "Comparing Fractions");
        assert_eq!(begin.profile()["learning_style"], "visual");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let code = |text: &str| Begin::read(text).unwrap_err().0;
        for sent in [
            r#"{"topic":1}"#,
            r#"{"topic":"x","name":"Ann"}"#,
            r#"{"topic":"x","grade":40}"#,
            r#"{"topic":"x","grade":-1}"#,
            r#"{"topic":"x","level":"tenth"}"#,
            r#"{"topic":"x","student_profile":[]}"#,
            r#"{"topic":"x","student_profile":{"surname":"x"}}"#,
            r#"{"topic":"x","session_context":{"estimated_duration_minutes":0}}"#,
            "x --level tenth",
            "x --minutes soon",
        ] {
            assert_eq!(code(sent), "session.field", "{sent}");
        }
        let interests = |of: &str| format!(r#"{{"topic":"x","student_profile":{{"interests":{of}}}}}"#);
        for own in [r#"["ann@example.org"]"#, r#"["07700 900456"]"#, r#"["find me at www.x.y"]"#] {
            assert_eq!(code(&interests(own)), "profile.contact", "{own}");
        }
        let many = format!("[{}]", ["\"a\""; 11].join(","));
        assert_eq!(code(&interests(&many)), "session.field");
        assert_eq!(code(&interests(&format!("[\"{}\"]", "a".repeat(41)))), "session.field");
    }
}
