//! Keys: where they come from, and that they go nowhere but into the header of a request.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::failure::{Failure, Kind};
use crate::provider::{Provider, Providers};
use crate::scrub;

/// Characters of a key that is worth hiding. Gateways without keys of their own take any word: `none`, `key`, `1`.
pub(crate) const SECRET_CHARS_MIN: usize = 8;

/// A key. It has no `Display`, its `Debug` says nothing, and it is not serialisable.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A key, without the space around it that copying brings along. `None` where nothing is left, or where it could
    /// not stand in a header.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fit = !text.is_empty() && text.chars().all(|char| char.is_ascii_graphic());
        fit.then(|| Self(text.to_owned()))
    }

    /// What a whole header holds, which may have space between its words. `None` where it could not stand there.
    pub(crate) fn of_header(text: &str) -> Option<Self> {
        let fit = !text.trim().is_empty() && text.chars().all(|char| char.is_ascii_graphic() || char == ' ');
        fit.then(|| Self(text.to_owned()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The key's bytes, where it is worth hiding.
    fn secret(&self) -> Option<&[u8]> {
        (self.0.len() >= SECRET_CHARS_MIN).then_some(self.0.as_bytes())
    }

    /// A text without the key, as it is or with JSON's escapes: providers repeat what they were sent. A key shorter than
    /// eight characters is left where it stands: it is a dummy such as gateways take, no secret, and to replace it would
    /// damage ordinary words.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        self.secret().map_or_else(|| text.to_owned(), |key| scrub::text(&[key], text))
    }
}

/// What the environment and a key file say of providers: keys, and where they are.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    by_provider: BTreeMap<String, Key>,
    /// Variables that are set to what cannot be a key, by provider.
    unfit: BTreeMap<String, &'static str>,
    /// Addresses, by the variable that holds them.
    addresses: BTreeMap<&'static str, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    keys: BTreeMap<String, String>,
}

/// A variable beside that of the table of providers; of two for the same, the first that is set counts.
const ALSO: [(&str, &str); 1] = [("GOOGLE_API_KEY", "google")];

/// Says where a local Ollama is: a host and a port, which need not be a URL.
const OLLAMA_HOST: &str = "OLLAMA_HOST";

/// What [`OLLAMA_HOST`] says, as a base URL.
fn ollama_url(host: &str) -> Option<String> {
    let host = host.trim().trim_end_matches('/');
    if host.is_empty() {
        return None;
    }
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    // The address that a server listens on is not one that can be called.
    let rest = rest.strip_prefix("0.0.0.0").map_or_else(|| rest.to_owned(), |port| format!("127.0.0.1{port}"));
    let after_host = rest.rsplit_once(']').map_or(rest.as_str(), |(_, after)| after);
    let port = if after_host.contains(':') || scheme == "https" { "" } else { ":11434" };
    Some(format!("{scheme}://{rest}{port}"))
}

impl Keys {
    /// The keys of the environment, and of a key file for providers that the environment has none for.
    ///
    /// The file is TOML, `[keys]` with a line for each provider, such as `anthropic = "…"`. On Unix it has to be
    /// readable by its owner alone.
    ///
    /// # Errors
    /// `model.key_file` where the file cannot be read, is no such file, or can be read by others.
    pub fn load(providers: &Providers, file: Option<&Path>) -> Result<Self, Failure> {
        Self::gather(providers, |name| std::env::var(name).ok(), file)
    }

    /// As [`Keys::load`], with an environment of one's own.
    ///
    /// # Errors
    /// As [`Keys::load`].
    pub fn gather(
        providers: &Providers,
        variable: impl Fn(&str) -> Option<String>,
        file: Option<&Path>,
    ) -> Result<Self, Failure> {
        // A variable that is empty is as good as none.
        let set = |name: &str| variable(name).filter(|text| !name.is_empty() && !text.trim().is_empty());
        let mut keys = Self::default();
        for name in providers.all().map(|it| it.address_variable) {
            keys.addresses.extend(set(name).map(|text| (name, text)));
        }
        let variables = providers.all().map(|it| (it.key_variable, it.account));
        for (name, provider) in variables.chain(ALSO) {
            let Some(text) = set(name) else { continue };
            match Key::new(&text) {
                Some(key) => {
                    keys.by_provider.entry(provider.to_owned()).or_insert(key);
                }
                None => {
                    keys.unfit.entry(provider.to_owned()).or_insert(name);
                }
            }
        }
        if let Some(file) = file {
            for (provider, key) in read(file)? {
                keys.by_provider.entry(provider).or_insert(key);
            }
        }
        Ok(keys)
    }

    /// The same with a key for a provider.
    #[must_use]
    pub fn with(mut self, provider: &str, key: Key) -> Self {
        self.by_provider.insert(provider.to_owned(), key);
        self
    }

    /// The key for a provider.
    #[must_use]
    pub fn of(&self, provider: &str) -> Option<&Key> {
        self.by_provider.get(provider)
    }

    /// The variable that holds something for a provider that cannot be a key, where there is no other key for it.
    #[must_use]
    pub fn unfit(&self, provider: &str) -> Option<&'static str> {
        self.unfit.get(provider).filter(|_| self.of(provider).is_none()).copied()
    }

    /// Where the environment says that a provider is, as a base URL.
    #[must_use]
    pub fn address(&self, provider: &Provider) -> Option<String> {
        let text = self.addresses.get(provider.address_variable)?;
        if provider.address_variable == OLLAMA_HOST { ollama_url(text) } else { Some(text.trim().to_owned()) }
    }

    /// A text without any of the keys. See [`Key::scrub`].
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        scrub::text(&self.secrets(), text)
    }

    /// The same for bytes, whether they are text or not.
    pub(crate) fn scrub_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        scrub::without(&self.secrets(), bytes, false).0
    }

    /// The keys that are worth hiding.
    pub(crate) fn secrets(&self) -> Vec<&[u8]> {
        self.by_provider.values().filter_map(Key::secret).collect()
    }
}

fn read(file: &Path) -> Result<Vec<(String, Key)>, Failure> {
    let shown = file.display();
    let broken = |why: String| Failure::new(Kind::KeyFile, format!("The key file {shown} cannot be used: {why}."));
    // Opened once, so that what is checked is what is read.
    let mut opened = std::fs::File::open(file).map_err(|error| broken(error.to_string()))?;
    private(&opened).map_err(|why| broken(why).with_hint(format!("Run: chmod 600 {shown}")))?;
    let mut text = String::new();
    std::io::Read::read_to_string(&mut opened, &mut text).map_err(|error| broken(error.to_string()))?;
    // The parser's own words quote the line, and the line holds a key.
    let parsed: KeyFile = toml::from_str(&text).map_err(|error| {
        let line =
            error.span().map_or(1, |span| text.get(..span.start).map_or(1, |before| before.lines().count().max(1)));
        broken(format!("line {line} is not of the form `[keys]`, then `provider = \"key\"`"))
    })?;
    let keys = parsed.keys.into_iter().map(|(provider, text)| match Key::new(&text) {
        Some(key) => Ok((provider, key)),
        None => Err(broken(format!("the key for `{}` is empty or holds spaces", provider.escape_debug()))),
    });
    keys.collect()
}

#[cfg(unix)]
fn private(file: &std::fs::File) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata().map_err(|error| error.to_string())?.permissions().mode();
    if mode & 0o077 == 0 { Ok(()) } else { Err(format!("others can read it (mode {:03o})", mode & 0o777)) }
}

#[cfg(not(unix))]
fn private(_: &std::fs::File) -> Result<(), String> {
    Ok(())
}
