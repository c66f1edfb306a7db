//! A connection that is closed when its other end takes nothing for too long: what waits to be written is memory.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes may not be stuck for longer than a time.
pub(crate) struct Impatient {
    inner: TcpStream,
    patience: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    pub(crate) const fn new(inner: TcpStream, patience: Duration) -> Self {
        Self { inner, patience, stuck: None }
    }

    fn watch<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let until = Instant::now() + self.patience;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(until.saturating_duration_since(Instant::now()))));
        ready!(stuck.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other end takes nothing")))
    }
}

impl AsyncRead for Impatient {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, buf);
        self.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, bufs);
        self.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.watch(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::Impatient;

    const PATIENCE: Duration = Duration::from_millis(300);

    async fn pair() -> (Impatient, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (near, far) = tokio::join!(listener.accept(), TcpStream::connect(listener.local_addr().unwrap()));
        (Impatient::new(near.unwrap().0, PATIENCE), far.unwrap())
    }

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let (mut near, far) = pair().await;
        let piece = vec![0; 64 * 1024];
        let error = loop {
            match near.write_all(&piece).await {
                Ok(()) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        drop(far);
    }

    #[tokio::test]
    async fn who_is_slow_is_waited_for() {
        let (mut near, mut far) = pair().await;
        let reading = tokio::spawn(async move {
            let (mut read, mut piece) = (0, vec![0; 1024 * 1024]);
            loop {
                tokio::time::sleep(PATIENCE / 6).await;
                match far.read(&mut piece).await.unwrap() {
                    0 => return read,
                    some => read += some,
                }
            }
        });
        let piece = vec![0; 1024 * 1024];
        for _ in 0..24 {
            near.write_all(&piece).await.unwrap();
        }
        drop(near);
        assert_eq!(reading.await.unwrap(), 24 * piece.len());
    }
}
