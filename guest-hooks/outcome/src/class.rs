//! What is known of the class: its subjects and its level, and the curriculum files that hold for it.

use ta_curriculum::file::CurriculumFile;
use ta_curriculum::front_matter::{field, list, profile_path};
use ta_curriculum::level::{Level, Levels};
use ta_guest::granted::{Files, Workspace};
use ta_topics::Source;

/// What a profile says; empty for a class without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) name: Option<String>,
    /// In small letters.
    pub(crate) subjects: Vec<String>,
    pub(crate) level: Option<Level>,
    framework: Option<String>,
}

impl Class {
    pub(crate) fn read<W: Workspace>(name: Option<&str>, files: &Files<'_, W>) -> Self {
        let profile = name.and_then(profile_path).and_then(|path| files.read(&path).ok());
        let text = profile.map(|read| read.text).unwrap_or_default();
        let level: Option<Levels> = field(&text, "level").and_then(|level| level.parse().ok());
        Self {
            name: name.map(str::to_owned),
            subjects: list(&text, "subjects").iter().map(|subject| subject.to_lowercase()).collect(),
            level: level.map(Levels::low),
            framework: field(&text, "framework").map(str::to_lowercase),
        }
    }

    /// The curriculum files of its subjects and its framework; of all where the profile names none.
    pub(crate) fn curriculum<W: Workspace>(&self, directory: &str, files: &Files<'_, W>) -> Vec<Source> {
        let read = |path: String| {
            let text = files.read(&path).ok()?.text;
            // Before the file is parsed: most are of other subjects.
            let subject = field(&text, "subject").unwrap_or_default().to_lowercase();
            let framework = field(&text, "framework").map(str::to_lowercase);
            let taken = self.subjects.is_empty() || self.subjects.contains(&subject);
            let holds = self.framework.is_none() || framework.is_none() || framework == self.framework;
            (taken && holds).then(|| Source { path, file: CurriculumFile::parse(&text) })
        };
        files.below(directory, ".md").into_iter().filter_map(read).collect()
    }
}
