//! Where plugins come from: the binary itself, or a directory on disk, which wins over one of the same name inside.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rust_embed::RustEmbed;
use ta_sandbox::ComponentBytes;

use crate::error::RuntimeError;
use crate::packed;

/// All but the components, which are packed.
#[derive(RustEmbed)]
#[folder = "../../plugins"]
#[exclude = "*.wasm"]
struct Shipped;

/// The largest file of a plugin that is read: a component that carries a language runtime.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Files whose text a run keeps.
const TEXTS: [&str; 4] = [".toml", ".md", ".json", ".yaml"];
/// How deep a plugin's directories go.
const DEPTH_MAX: usize = 6;

/// The files of one plugin.
#[derive(Debug, Clone)]
pub struct PluginFiles {
    /// The plugin's directory name.
    pub name: String,
    /// Where it is on disk; none for one inside the binary.
    pub directory: Option<PathBuf>,
    paths: Vec<String>,
    /// The texts as a run began with them; none where the files are read where they lie.
    kept: Option<Arc<BTreeMap<String, String>>>,
    /// Texts that take the place of files or stand beside them, by path.
    over: Arc<BTreeMap<String, Laid>>,
}

/// A text laid over a plugin's files.
#[derive(Debug, Clone)]
pub struct Laid {
    /// The text.
    pub text: String,
    /// The file that it comes from, as a person would name it.
    pub shown: String,
}

impl PluginFiles {
    /// The plugins that there are: those below `directory`, and those inside the binary.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub fn all(directory: Option<&Path>) -> Result<Vec<Self>, RuntimeError> {
        let mut plugins = BTreeMap::new();
        let texts = Shipped::iter();
        for path in texts.chain(packed::paths().map(Cow::Borrowed)) {
            let Some((name, rest)) = path.split_once('/') else { continue };
            let plugin = plugins.entry(name.to_owned());
            let plugin = plugin.or_insert_with(|| Self {
                name: name.to_owned(),
                directory: None,
                paths: Vec::new(),
                kept: None,
                over: Arc::default(),
            });
            plugin.paths.push(rest.to_owned());
        }
        for plugin in directory.map(on_disk).transpose()?.unwrap_or_default() {
            plugins.insert(plugin.name.clone(), plugin);
        }
        Ok(plugins.into_values().collect())
    }

    /// Every text of the plugin, as one JSON object by path: what a run rests on besides its components.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn to_keep(&self) -> Result<Vec<u8>, RuntimeError> {
        let mut texts = BTreeMap::new();
        for path in self.paths.iter().filter(|path| TEXTS.iter().any(|suffix| path.ends_with(suffix))) {
            texts.insert(path.as_str(), self.text(path)?);
        }
        Ok(serde_json::to_vec(&texts).unwrap_or_default())
    }

    /// The files of a plugin as a run began with them.
    ///
    /// # Errors
    /// Where the bytes are not what [`PluginFiles::to_keep`] made.
    pub fn kept(name: &str, bytes: &[u8]) -> Result<Self, RuntimeError> {
        let texts: BTreeMap<String, String> = serde_json::from_slice(bytes).map_err(|error| {
            let message = format!("the journal holds the plugin `{name}` as something that is no plugin: {error}");
            let hint = "put a backup in its place with `teacher-assist restore FILE`";
            RuntimeError::environment("store.corrupt", message, hint)
        })?;
        let paths = texts.keys().cloned().collect();
        Ok(Self { name: name.to_owned(), directory: None, paths, kept: Some(Arc::new(texts)), over: Arc::default() })
    }

    /// The same files with these texts over them. A skill's directory is replaced whole.
    #[must_use]
    pub fn under(mut self, over: BTreeMap<String, Laid>) -> Self {
        let skill =
            |path: &str| path.strip_prefix("skills/").and_then(|rest| rest.split('/').next()).map(str::to_owned);
        let replaced: Vec<String> = over.keys().filter_map(|path| skill(path)).collect();
        self.paths.retain(|path| !over.contains_key(path) && skill(path).is_none_or(|name| !replaced.contains(&name)));
        self.paths.extend(over.keys().cloned());
        self.paths.sort();
        self.over = Arc::new(over);
        self
    }

    /// The same plugin with these texts in the place of its files'.
    ///
    /// # Errors
    /// `plugin.file_missing` for a text whose file it does not have.
    pub fn with_texts(mut self, texts: &BTreeMap<String, String>) -> Result<Self, RuntimeError> {
        if let Some(path) = texts.keys().find(|path| !self.paths.contains(path)) {
            let message = format!("the plugin `{}` has no file `{path}`, which was to be replaced", self.name);
            let hint = "name a file that it has, such as `agents/NAME.md`";
            return Err(RuntimeError::configuration("plugin.file_missing", message, hint));
        }
        let laid =
            |(path, text): (&String, &String)| (path.clone(), Laid { text: text.clone(), shown: self.shown(path) });
        let texts: BTreeMap<String, Laid> = texts.iter().map(laid).collect();
        let over = self.over.iter().map(|(path, laid)| (path.clone(), laid.clone())).chain(texts).collect();
        self.over = Arc::new(over);
        Ok(self)
    }

    /// Paths below the plugin that lie in a directory and end in a suffix, sorted.
    pub fn paths<'a>(&'a self, directory: &'a str, suffix: &'a str) -> impl Iterator<Item = &'a str> {
        let within = move |path: &&String| path.starts_with(directory) && path.ends_with(suffix);
        self.paths.iter().filter(within).map(String::as_str)
    }

    /// How a person would name a file of the plugin.
    #[must_use]
    pub fn shown(&self, path: &str) -> String {
        if let Some(laid) = self.over.get(path) {
            return laid.shown.clone();
        }
        match &self.directory {
            Some(directory) => directory.join(path).display().to_string(),
            None => format!("(built in) {}/{path}", self.name),
        }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Where there is none, it is too large, or it lies outside the plugin.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, RuntimeError> {
        let missing = |why: String| {
            let hint = "look at the path in plugin.toml; `cargo xtask guests` rebuilds the shipped components";
            RuntimeError::configuration("plugin.file_missing", format!("{}: {why}", self.shown(path)), hint)
        };
        let outside = path.starts_with('/') || path.split('/').any(|name| name == "..");
        if outside {
            return Err(missing("the path leads outside the plugin".to_owned()));
        }
        if let Some(laid) = self.over.get(path) {
            return Ok(laid.text.clone().into_bytes());
        }
        if let Some(kept) = &self.kept {
            let text = kept.get(path).map(|text| text.clone().into_bytes());
            return text.ok_or_else(|| missing("the run began without such a file".to_owned()));
        }
        match &self.directory {
            None => {
                let path = format!("{}/{path}", self.name);
                if let Some(bytes) = packed::bytes(&path) {
                    return bytes.map_err(missing);
                }
                let file = Shipped::get(&path);
                file.map(|file| file.data.into_owned()).ok_or_else(|| missing("there is no such file".to_owned()))
            }
            Some(directory) => read_bounded(&directory.join(path)).map_err(missing),
        }
    }

    /// The bytes of a component; those of one inside the binary are unpacked where somebody needs them.
    ///
    /// # Errors
    /// As for bytes.
    pub fn component(&self, path: &str) -> Result<ComponentBytes, RuntimeError> {
        let shipped = self.kept.is_none() && self.directory.is_none();
        match shipped.then(|| packed::component(&format!("{}/{path}", self.name))).flatten() {
            Some(bytes) => Ok(bytes),
            None => self.bytes(path).map(Into::into),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// As for bytes, and where it is not UTF-8.
    pub fn text(&self, path: &str) -> Result<String, RuntimeError> {
        String::from_utf8(self.bytes(path)?).map_err(|_| {
            RuntimeError::configuration(
                "plugin.not_text",
                format!("{} is not UTF-8 text", self.shown(path)),
                "save it as UTF-8",
            )
        })
    }
}

/// Reads a file that is not larger than a component may be.
///
/// # Errors
/// A sentence that says why not.
pub fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    })?;
    if !metadata.is_file() {
        return Err("this is no regular file".to_owned());
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(format!("the file has {} bytes; at most {FILE_BYTES_MAX} are read", metadata.len()));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

fn on_disk(directory: &Path) -> Result<Vec<PluginFiles>, RuntimeError> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the plugin directory {} cannot be read: {error}", directory.display());
        RuntimeError::configuration("plugin.directory", message, "give a directory that holds plugins with --plugins")
    };
    let mut plugins = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let named = path.file_name().and_then(|name| name.to_str()).map(ToOwned::to_owned);
        let Some(name) = named.filter(|name| !name.starts_with('.') && is_plugin(&path, name)) else { continue };
        let mut paths = Vec::new();
        walk(&path, "", 0, &mut paths);
        paths.sort();
        plugins.push(PluginFiles { name, directory: Some(path), paths, kept: None, over: Arc::default() });
    }
    Ok(plugins)
}

/// A plugin, also one whose manifest has gone missing: it must not give way in silence to one of its name in the binary.
fn is_plugin(path: &Path, name: &str) -> bool {
    let shipped = Shipped::iter().any(|file| file.split_once('/').is_some_and(|(plugin, _)| plugin == name));
    path.is_dir() && (shipped || path.join("plugin.toml").exists() || path.join(".claude-plugin").exists())
}

fn walk(directory: &Path, prefix: &str, depth: usize, paths: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEPTH_MAX => walk(&entry.path(), &path, depth + 1, paths),
            Ok(kind) if kind.is_file() => paths.push(path),
            _ => {}
        }
    }
}
