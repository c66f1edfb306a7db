//! Listens, hands connections to the routes, and stops in good order.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ta_runtime::{Host, RuntimeError, flows};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::connections::Connections;
use crate::limits::STOP_TIMEOUT;
use crate::live::wake;
use crate::research::Research;
use crate::routes;
use crate::sign_in::directory::Directory;
use crate::sign_in::link::Link;
use crate::sign_in::people::Role;
use crate::sign_in::throttle::Throttle;
use crate::sign_in::tokens::Tokens;
use crate::sign_in::{Mode, SignIn, watch_people};
use crate::state::{App, Place};

/// How to serve.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen.
    pub address: SocketAddr,
    /// Names under which the server is asked, apart from its address and the loopback names.
    pub host_names: Vec<String>,
    /// The file of people; with nobody in it one person signs in by a link.
    pub people: PathBuf,
    /// The name of the one person.
    pub teacher: String,
    /// Whether the one person may look at runs as a researcher too.
    pub researcher: bool,
    /// Whether cookies are for https alone: something in front of the server speaks it.
    pub https: bool,
    /// How long a run waits for an answer before it is parked.
    pub park_after: Duration,
}

/// What a server says once it listens, and each time the link was used.
pub type Tell = dyn Fn(&Listening) + Send + Sync;

/// Where the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listening {
    /// Where it listens.
    pub socket: SocketAddr,
    /// The address to open.
    pub address: String,
    /// The link that signs the one person in, once; none where people have passcodes.
    pub link: Option<String>,
    /// Whether this is the first that is said.
    pub first: bool,
}

/// Serves until it is asked to stop.
///
/// # Errors
/// `server.exposed` where others could reach it without a passcode; where it cannot listen; where the journal cannot be
/// opened.
pub async fn serve(host: Host, settings: Settings, tell: Box<Tell>) -> Result<(), RuntimeError> {
    let directory = Directory::open(settings.people.clone())?;
    let nobody = directory.people().is_empty();
    if nobody && !settings.address.ip().is_loopback() {
        let message = format!("{} can be reached by others, and there is no passcode", settings.address);
        let hint = "add people first: `teacher-assist people add NAME --role teacher`; or listen on 127.0.0.1";
        return Err(RuntimeError::usage("server.exposed", message, hint));
    }
    let store = host.store()?;
    host.workspace()?;
    let addresses = flows::addresses(host.config.plugins.as_deref())?;
    let listener = listen(settings.address).await?;
    let address = listener.local_addr().map_err(|error| cannot_listen(settings.address, &error))?;
    let mode = if nobody {
        let mut roles = vec![Role::Teacher];
        roles.extend(settings.researcher.then_some(Role::Researcher));
        Mode::Single { teacher: settings.teacher.clone(), roles, link: Link::new()? }
    } else {
        Mode::Passcode(directory)
    };
    let tokens = Tokens::open(host.config.data_dir.join("sign-ins.json"));
    let changed = watch::channel(0).0;
    let sign_in = SignIn { mode, tokens, throttle: Throttle::default(), guessed_codes: Throttle::default(), changed };
    let research = Research::open(&host.config.data_dir)?;
    let app = Arc::new(App::new(host, store, settings, (sign_in, addresses), research, Place { address, tell }));
    app.tell_link(true);
    tokio::spawn(routes::start::warm(Arc::clone(&app)));
    tokio::spawn(wake(Arc::clone(&app)));
    tokio::spawn(watch_people(Arc::clone(&app)));
    let router = routes::router(&app);
    let connections = Connections::new();
    connections.accept(&listener, &router, &app.stopping).await;
    drop(listener);
    app.live.close();
    app.stopping.send_replace(true);
    let stopped = tokio::time::timeout(STOP_TIMEOUT, async {
        app.live.all_over().await;
        connections.all_closed().await;
    });
    if stopped.await.is_err() {
        eprintln!("some connections were cut; what runs had come to is in the journal");
    }
    for problem in app.host.telemetry.flush().await {
        eprintln!("spans were not sent: {problem}");
    }
    Ok(())
}

pub(crate) async fn listen(address: SocketAddr) -> Result<TcpListener, RuntimeError> {
    TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))
}

pub(crate) fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> RuntimeError {
    let message = format!("cannot listen on {address}: {error}");
    RuntimeError::environment("server.address", message, "give another with --addr; port 0 takes a free one")
}
