//! The server, and who may sign in to it.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use ta_runtime::surface::OWNER_DEFAULT;
use ta_runtime::{Host, RuntimeError};
use ta_server::{Listening, People, Settings};

use crate::args::{Args, Output, PeopleSub, ServeArgs};
use crate::commands::{owner, print_json};
use crate::exit::{self, Code};
use crate::init;
use crate::out::outln;

type Result<T> = std::result::Result<T, RuntimeError>;

/// Serves until asked to stop.
pub(crate) async fn serve(mut host: Host, args: &Args, serve: &ServeArgs) -> Result<Code> {
    if args.places.workspace.is_none() && !host.config.workspace.exists() {
        // Whoever begins with nothing begins with the sample, beside the journal and not wherever they happen to be.
        let sample = host.config.data_dir.join("workspace");
        if !sample.exists() {
            let written = init::init(&sample)?;
            eprintln!("wrote the sample workspace, {written} files, to {}", sample.display());
        }
        host.config.workspace = sample;
    }
    let settings = Settings {
        address: serve.addr,
        host_names: serve.host_name.clone(),
        people: people_file(&host, serve.people.clone()),
        teacher: owner(args).unwrap_or(OWNER_DEFAULT).to_owned(),
        researcher: serve.researcher,
        https: serve.https,
        park_after: Duration::from_secs(serve.park_after),
    };
    let (output, open) = (args.places.output, !serve.no_open);
    ta_server::serve(host, settings, Box::new(move |listening| say(listening, output, open))).await?;
    Ok(exit::SUCCESS)
}

fn say(listening: &Listening, output: Output, open: bool) {
    if output != Output::Text {
        print_json(&json!({ "listening": listening.socket, "address": listening.address, "link": listening.link }));
    } else {
        match (&listening.link, listening.first) {
            (Some(link), true) => outln!("open {link}\nThe link works once. Ctrl-C stops; runs are parked."),
            (Some(link), false) => outln!("signed in; for another browser: {link}"),
            (None, _) => outln!("open {}\nCtrl-C stops; runs are parked.", listening.address),
        }
    }
    if open && listening.first {
        browse(listening.link.as_deref().unwrap_or(&listening.address));
    }
}

/// Opens the browser, where there is one: the address is printed anyway.
fn browse(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        std::thread::spawn(move || child.wait());
    }
}

fn people_file(host: &Host, given: Option<PathBuf>) -> PathBuf {
    given.unwrap_or_else(|| People::file(&host.config.data_dir))
}

/// Lists people, and says who may sign in.
pub(crate) fn people(host: &Host, action: &PeopleSub, output: Output) -> Result<Code> {
    let file = people_file(host, None);
    match action {
        PeopleSub::List => list(&People::open(&file)?, output),
        PeopleSub::Add { name, role } => {
            let (roles, passcode) = (role.iter().map(|role| role.role()).collect(), passcode()?);
            let id = People::change(&file, |people| people.add(name, roles, &passcode))?;
            outln!("{name} may sign in; their sessions and memory are those of `{id}`");
        }
        PeopleSub::Rename { name, other } => {
            People::change(&file, |people| people.rename(name, other))?;
            outln!("{name} is called {other} now");
        }
        PeopleSub::SignOut { name } => {
            People::change(&file, |people| people.sign_out(name))?;
            outln!("{name} is signed out everywhere");
        }
        PeopleSub::Remove { name } => {
            People::change(&file, |people| people.remove(name))?;
            outln!("{name} may not sign in any more");
        }
    }
    Ok(exit::SUCCESS)
}

fn list(people: &People, output: Output) {
    if output == Output::Text {
        for person in people.iter() {
            let roles: Vec<&str> = person.roles.iter().map(|role| role.name()).collect();
            let of = if person.id == person.name { String::new() } else { format!("  (owner {})", person.id) };
            outln!("{}  {}{of}", person.name, roles.join(", "));
        }
        return;
    }
    let all = people.iter().map(|it| json!({ "id": it.id, "name": it.name, "roles": it.roles }));
    print_json(&all.collect::<Vec<_>>());
}

/// Typed twice without being shown, or one line of standard input.
fn passcode() -> Result<String> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the passcode cannot be read: {error}");
        RuntimeError::environment("people.passcode", message, "type it at a terminal, or give it on standard input")
    };
    if std::io::stdin().is_terminal() {
        let passcode = rpassword::prompt_password("Passcode: ").map_err(unreadable)?;
        if rpassword::prompt_password("Once more: ").map_err(unreadable)? != passcode {
            return Err(RuntimeError::usage("people.passcode", "the two are not the same", "type it again"));
        }
        return Ok(passcode);
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(unreadable)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
