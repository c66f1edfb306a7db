//! `--interactive`: from request to request at the terminal. Questions are asked inline; lines that begin with `/` look
//! around, go back and go on.

mod complete;

use std::path::PathBuf;

use anstyle::Style;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use ta_runtime::surface::{SessionFilter, line, visible};
use ta_runtime::{ForkRequest, Host, RunEnd, RuntimeError, history, plugin, run, subject, undo};

use crate::args::{Args, Output};
use crate::commands::{as_they_are, owner, run_request};
use crate::earlier::{self, Wanted};
use crate::exit::{self, Code};
use crate::out::outln;
use crate::people::Room;
use crate::{failure, memory, render, report};
use complete::Words;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const HISTORY_FILE: &str = "history.txt";
const HISTORY_LINES_MAX: usize = 1_000;
const SESSIONS_SHOWN: usize = 10;
const TITLE_CHARS_MAX: usize = 60;

const HELP: &str = "\
  iteration for 3B              the next request, of this session where there is one
  lesson-planning:create-lesson iteration for 3B
                                a request with its command
  /new                          leaves this session: the next request begins another
  /resume [SESSION]             goes on with what waits, here or there
  /undo                         takes back the last answer and asks again
  /sessions                     the newest sessions
  /search WORDS                 sessions in which the words occur
  /memory [FILE]                what is remembered
  /trace [RUN]                  what happened, step by step
  /help, /quit";

type Result<T> = std::result::Result<T, RuntimeError>;

/// Where the conversation is.
struct Talk<'a> {
    host: &'a Host,
    args: &'a Args,
    owner: &'a str,
    /// The session that the next line belongs to.
    session: Option<String>,
    /// The command of a request that names none: `plugin:command`.
    command: Option<String>,
}

pub(crate) async fn run(host: &Host, args: &Args) -> Result<Code> {
    if args.places.output != Output::Text {
        let hint = "leave --output out, or give one request at a time";
        return Err(RuntimeError::usage("usage.interactive", "--interactive prints text for people", hint));
    }
    let mut talk = Talk { host, args, owner: owner(args)?, session: None, command: None };
    let mut problems = Vec::new();
    let plugins = plugin::all(host.config.plugins.as_deref(), &mut problems)?;
    let commands: Vec<String> = plugins
        .iter()
        .flat_map(|it| it.commands.keys().map(move |name| format!("{}:{name}", it.manifest.name)))
        .collect();
    talk.command = commands.iter().find(|name| name.ends_with(":create-lesson")).or_else(|| commands.first()).cloned();
    if let Some(id) = &args.resume {
        talk.session = Some(run::own_session(host, id, talk.owner).await?.id);
    }
    let subjects = subject::all(&*host.workspace()?, &subject::of_all(&plugins))?;
    let subjects = subjects.into_iter().map(|subject| subject.id).collect();
    let kept = host.config.data_dir.join(HISTORY_FILE);
    let mut editor = editor(Words { commands, subjects }, &kept)?;
    let about = talk.command.clone().unwrap_or_default();
    outln!("{DIM}a request without a command is for {about}; /help shows what else there is{DIM:#}");
    loop {
        let prompt = talk.prompt();
        let read = tokio::task::spawn_blocking(move || {
            let read = editor.readline(&prompt);
            (editor, read)
        });
        let Ok((back, read)) = read.await else { break };
        editor = back;
        let text = match read {
            Ok(text) => text.trim().to_owned(),
            // Ctrl-C gives up the line, Ctrl-D the conversation.
            Err(ReadlineError::Interrupted) => continue,
            Err(_) => break,
        };
        if text.is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(&text);
        let _ = editor.save_history(&kept);
        match talk.take(&text).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => drop(failure::print(&error, Output::Text)),
        }
    }
    Ok(exit::SUCCESS)
}

fn editor(words: Words, kept: &PathBuf) -> Result<Editor<Words, FileHistory>> {
    let broken = |error: ReadlineError| {
        let message = format!("this terminal cannot be used: {error}");
        RuntimeError::environment("terminal.unusable", message, "give one request at a time instead")
    };
    let config = Config::builder().max_history_size(HISTORY_LINES_MAX).map_err(broken)?.auto_add_history(false).build();
    let mut editor = Editor::with_config(config).map_err(broken)?;
    editor.set_helper(Some(words));
    // None yet, the first time.
    let _ = editor.load_history(kept);
    Ok(editor)
}

impl Talk<'_> {
    fn prompt(&self) -> String {
        self.session.as_deref().map_or_else(|| "teacher-assist> ".to_owned(), |id| format!("{}> ", report::short(id)))
    }

    /// One line; false where it was the last.
    async fn take(&mut self, text: &str) -> Result<bool> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "/quit" | "/exit" | "/q" => return Ok(false),
            "/help" | "/?" => outln!("{HELP}"),
            "/new" => self.session = None,
            "/sessions" => self.sessions().await?,
            "/search" => self.search(rest).await?,
            "/memory" => self.memory(rest).await?,
            "/trace" => self.trace(rest).await?,
            "/resume" => self.resume(rest).await?,
            "/undo" => self.undo().await?,
            _ if word.starts_with('/') => {
                let message = format!("there is no `{word}`");
                return Err(RuntimeError::usage("interactive.unknown", message, "/help shows what there is"));
            }
            _ => self.request(text).await?,
        }
        Ok(true)
    }

    async fn request(&mut self, text: &str) -> Result<()> {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let named = first.split_once(':').filter(|(plugin, command)| !plugin.is_empty() && !command.is_empty());
        let (name, input) = match (named, &self.command) {
            (Some(_), _) => (first.to_owned(), rest.trim().trim_matches('"').to_owned()),
            (None, Some(command)) => (command.clone(), text.trim_matches('"').to_owned()),
            (None, None) => {
                let message = "there is no command that this could be for";
                return Err(RuntimeError::usage("command.form", message, "write plugin:command first"));
            }
        };
        let Some((plugin, command)) = name.split_once(':') else { return Ok(()) };
        let request = run_request(self.args, plugin, command, input, self.session.clone())?;
        let room = Room::of(self.args)?;
        let end = run::start(self.host, &request, &*room.person, &*room.progress).await?;
        self.command = Some(name);
        self.ended(&room, &end);
        Ok(())
    }

    fn ended(&mut self, room: &Room, end: &RunEnd) {
        room.progress.quiet();
        report::end(end, Output::Text, &self.host.config.workspace);
        self.session = Some(end.session.clone());
    }

    fn here(&self, id: &str) -> Result<String> {
        match (id, &self.session) {
            ("", Some(session)) => Ok(session.clone()),
            ("", None) => {
                let message = "there is no session here yet";
                Err(RuntimeError::usage("interactive.session", message, "/sessions lists them; name one"))
            }
            (id, _) => Ok(id.to_owned()),
        }
    }

    async fn resume(&mut self, id: &str) -> Result<()> {
        let id = self.here(id)?;
        let session = run::own_session(self.host, &id, self.owner).await?;
        self.command = Some(format!("{}:{}", session.plugin, session.command));
        self.session = Some(session.id.clone());
        if session.state == ta_runtime::surface::State::Finished {
            outln!("{DIM}\"{}\" is over; your next line goes on with it{DIM:#}", line(&session.title, TITLE_CHARS_MAX));
            return Ok(());
        }
        let room = Room::of(self.args)?;
        let end = run::resume(self.host, &session.id, self.owner, &*room.person, &*room.progress).await?;
        self.ended(&room, &end);
        Ok(())
    }

    async fn undo(&mut self) -> Result<()> {
        let session = self.here("")?;
        let undone = undo::undo(self.host, &session, self.owner).await?;
        outln!("{BOLD}taken back{BOLD:#}: your answer to \"{}\"", visible(&undone.question));
        for note in &undone.forgotten {
            outln!("  no longer remembered: {}", visible(note));
        }
        if let Some(saved) = &undone.saved {
            outln!("  {DIM}{} stays; what comes now is saved beside it{DIM:#}", visible(saved));
        }
        for file in &undone.changed {
            outln!("  {}", visible(&file.told()));
        }
        let room = Room::of(self.args)?;
        let request = ForkRequest { run: undone.run, at: undone.at, ..ForkRequest::default() };
        let end = run::fork(self.host, &request, &*room.person, &*room.progress).await?;
        self.ended(&room, &end);
        Ok(())
    }

    async fn sessions(&self) -> Result<()> {
        let owner = Some(self.owner.to_owned());
        let filter = SessionFilter { owner, ..SessionFilter::newest(SESSIONS_SHOWN) };
        render::sessions(&as_they_are(self.host, self.host.store()?.sessions(filter).await?));
        Ok(())
    }

    async fn search(&self, words: &str) -> Result<()> {
        let words: Vec<String> = words.split_whitespace().map(ToOwned::to_owned).collect();
        let limit = SESSIONS_SHOWN;
        let wanted = Wanted { words: &words, subject: None, since: None, until: None, plugin: None, limit };
        earlier::print_hits(&earlier::search(self.host, self.owner, &wanted).await?, Output::Text);
        Ok(())
    }

    async fn memory(&self, path: &str) -> Result<()> {
        if path.is_empty() {
            memory::list(&self.host.store()?.memory(self.owner).await?, Output::Text);
        } else {
            let path = ta_runtime::memory::path(path)?;
            memory::show(&ta_runtime::memory::file(self.host, self.owner, &path).await?, Output::Text);
        }
        Ok(())
    }

    async fn trace(&self, id: &str) -> Result<()> {
        let id = self.here(id)?;
        let session = run::own_session(self.host, &id, self.owner).await?;
        let id = if id == session.id { session.last_run } else { id };
        render::trace(&history::trace_of(&*self.host.store()?, &id).await?);
        Ok(())
    }
}
