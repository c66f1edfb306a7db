//! Takes connections, within bounds, hands them to the routes, and closes them in good order.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use ta_runtime::stop::Stop;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::limits::{CONNECTIONS_MAX, HEAD_BYTES_MAX, HEADER_TIMEOUT, HEADERS_MAX, STALL_TIMEOUT};
use crate::stall::Impatient;

/// What somebody hears whose request never came whole.
const TIMED_OUT: &[u8] = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
/// How long that may take.
const SAID_TIMEOUT: Duration = Duration::from_millis(500);

/// The connections of a server.
pub(crate) struct Connections(Arc<Semaphore>);

impl Connections {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(CONNECTIONS_MAX)))
    }

    /// Takes connections until the process is asked to stop. Each goes on until `stopping` says that it should end with the
    /// answer that it is at.
    pub(crate) async fn accept(&self, listener: &TcpListener, router: &Router, stopping: &watch::Sender<bool>) {
        let mut stop = Stop::listen();
        let stop = stop.asked();
        tokio::pin!(stop);
        loop {
            let place = tokio::select! {
                place = Arc::clone(&self.0).acquire_owned() => place,
                () = &mut stop => return,
            };
            let Ok(place) = place else { return };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => return,
            };
            match accepted {
                Ok((stream, _)) => {
                    drop(tokio::spawn(connection(stream, router.clone(), place, stopping.subscribe())));
                }
                // Out of file handles, or the other end is gone again: the others must not starve for it.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Ready when every connection is closed.
    pub(crate) async fn all_closed(&self) {
        // Every connection gives its place back when it is closed.
        let _ = self.0.acquire_many(u32::try_from(CONNECTIONS_MAX).unwrap_or(u32::MAX)).await;
    }
}

async fn connection(
    stream: TcpStream,
    router: Router,
    place: OwnedSemaphorePermit,
    mut stopping: watch::Receiver<bool>,
) {
    // Without it a short answer would wait for more to send; it is no worse than slow where that is refused.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES_MAX);
    let service = TowerToHyperService::new(router);
    let mut serving = builder.serve_connection(TokioIo::new(Impatient::new(stream, STALL_TIMEOUT)), service);
    let ended = tokio::select! {
        ended = &mut serving => Err(ended),
        _ = stopping.wait_for(|stopping| *stopping) => Ok(()),
    };
    let ended = match ended {
        Err(ended) => ended,
        Ok(()) => {
            Pin::new(&mut serving).graceful_shutdown();
            (&mut serving).await
        }
    };
    if ended.is_err_and(|error| error.is_timeout()) {
        let mut stream = serving.into_parts().io.into_inner();
        // Whoever sent half a head may be gone: then nobody hears it.
        let _ = tokio::time::timeout(SAID_TIMEOUT, stream.write_all(TIMED_OUT)).await;
    }
    drop(place);
}
