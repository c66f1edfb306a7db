//! One call with its timers, and the tries it gets.

use std::sync::Arc;
use std::time::Duration;

use ta_core::model::{Deltas, ModelRequest};

use crate::failure::{Again, Failure, Kind};
use crate::transport::{Body, Carrier, Clock, Outgoing, within};
use crate::watch::Watched;
use crate::wire::{Decoder, Progress, Reply, Wire, refused};

/// Bytes of an error's body that are read.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// Timers and pauses.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Until there is a connection.
    pub connect: Duration,
    /// From the connection to the head of the answer.
    pub first_byte: Duration,
    /// How long an answer may make no progress. A keep-alive is none.
    pub stalled: Duration,
    /// How long an answer that is complete is waited with for what servers may send behind it: its tokens, and a word
    /// that nothing more comes. Some send neither, and leave the connection open.
    pub farewell: Duration,
    /// The pauses between tries; there is one try more than pauses.
    pub pauses: Vec<Duration>,
    /// The longest pause that a provider may ask for.
    pub retry_after_max: Duration,
    /// By what share a pause may be longer or shorter by chance, so that many clients do not come back at once.
    pub jitter: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(60),
            stalled: Duration::from_secs(60),
            farewell: Duration::from_secs(3),
            pauses: [1, 2, 4].map(Duration::from_secs).to_vec(),
            retry_after_max: Duration::from_secs(60),
            jitter: 0.25,
        }
    }
}

impl Timing {
    fn pause(&self, failed: usize, failure: &Failure) -> Option<Duration> {
        let pause = *self.pauses.get(failed)?;
        let chance = 1.0 + self.jitter * (fastrand::f64() * 2.0 - 1.0);
        let asked = failure.retry_after.unwrap_or_default().min(self.retry_after_max);
        Some(pause.mul_f64(chance.max(0.0)).max(asked))
    }
}

/// All that a call needs.
pub(crate) struct Call<'a> {
    pub(crate) carrier: &'a dyn Carrier,
    pub(crate) clock: &'a Arc<dyn Clock>,
    pub(crate) timing: &'a Timing,
    pub(crate) wire: Wire,
    /// Name of the provider, for messages.
    pub(crate) provider: &'a str,
}

/// A reply and the signatures of its calls.
type Signed = (Reply, Vec<(usize, String)>);

impl Call<'_> {
    /// Makes the call, again where that is worth it. What was shown of a failed try is declared void first.
    pub(crate) async fn make(
        &self,
        outgoing: &Outgoing,
        request: &ModelRequest,
        deltas: &dyn Deltas,
    ) -> Result<Signed, Failure> {
        let shown = Watched::new(deltas);
        let mut begun_again = false;
        let mut failed = 0;
        loop {
            let failure = match self.once(outgoing, request, &shown).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let again = match failure.again() {
                Again::Never => false,
                Again::AfterPause => true,
                Again::Once => !std::mem::replace(&mut begun_again, true),
            };
            let pause = if again { self.timing.pause(failed, &failure) } else { None };
            failed += 1;
            let Some(pause) = pause else { return Err(counted(failure, failed)) };
            let next = failed + 1;
            let tries = self.timing.pauses.len() + 1;
            let said = failure.message.trim_end_matches('.');
            deltas.notice(&format!("{said}; try {next} of {tries} in {:.1} s.", pause.as_secs_f64()));
            shown.begin_again();
            shown.lost();
            self.clock.sleep(pause).await;
        }
    }

    async fn once(&self, outgoing: &Outgoing, request: &ModelRequest, deltas: &dyn Deltas) -> Result<Signed, Failure> {
        let head = self.timing.connect + self.timing.first_byte;
        let late = || self.late(Kind::TimeoutFirstByte, "did not begin to answer", self.timing.first_byte);
        let mut incoming = within(self.clock, head, self.carrier.send(outgoing), late).await?;
        if !(200..300).contains(&incoming.status) {
            let body = self.refusal(incoming.body.as_mut()).await;
            return Err(refused(self.provider, incoming.status, &incoming.headers, &body));
        }
        deltas.begun();
        let mut decoder = Decoder::new(self.wire, request);
        // One timer for many pieces: to set it anew for each would cost more than to read the piece.
        let mut timer = self.clock.sleep(self.timing.stalled);
        let mut moved = self.clock.now();
        let mut complete = false;
        loop {
            let piece = tokio::select! {
                // The timer is asked first: a server that never stops sending keep-alives must not hold it off.
                biased;
                () = &mut timer => {
                    let quiet = self.clock.now().saturating_duration_since(moved);
                    let limit = if complete { self.timing.farewell } else { self.timing.stalled };
                    let left = limit.saturating_sub(quiet);
                    if !left.is_zero() {
                        timer = self.clock.sleep(left);
                        continue;
                    }
                    let kept = if decoder.partial() { "stopped in the middle of its answer" } else { "stopped answering" };
                    Err(self.late(Kind::TimeoutStalled, kept, self.timing.stalled).midway())
                }
                piece = incoming.body.next() => piece,
            };
            let piece = match piece {
                // An answer that is complete needs no proper good-bye.
                Err(_) if decoder.ended() => None,
                piece => piece?,
            };
            let Some(piece) = piece else { return decoder.finish_signed(deltas) };
            match decoder.push(&piece, deltas)? {
                Progress::Moved => {
                    moved = self.clock.now();
                    if decoder.ended() && !std::mem::replace(&mut complete, true) {
                        timer = self.clock.sleep(self.timing.farewell);
                    }
                }
                Progress::None => {}
                Progress::Over => {
                    incoming.body.leave();
                    return decoder.finish_signed(deltas);
                }
            }
        }
    }

    /// The body of a refusal, as far as it comes.
    async fn refusal(&self, body: &mut dyn Body) -> Vec<u8> {
        let mut read = Vec::new();
        let all = async {
            while let Some(piece) = body.next().await? {
                read.extend_from_slice(&piece);
                if read.len() > REFUSAL_BYTES_MAX {
                    break;
                }
            }
            Ok(())
        };
        let late = || self.late(Kind::TimeoutStalled, "stopped answering", self.timing.stalled);
        // The status says enough where the reason does not come.
        drop(within(self.clock, self.timing.stalled, all, late).await);
        read
    }

    fn late(&self, kind: Kind, what: &str, limit: Duration) -> Failure {
        let message = format!("{} {what} for {} seconds.", self.provider, limit.as_secs());
        Failure::new(kind, message)
    }
}

fn counted(mut failure: Failure, tries: usize) -> Failure {
    if tries > 1 {
        failure.message = format!("{} ({tries} tries)", failure.message.trim_end_matches('.'));
        failure.message.push('.');
    }
    failure
}
