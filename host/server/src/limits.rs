//! What bounds the server. Each limit says its unit and its reason.

use std::time::Duration;

/// How long the head of a request may take: a browser sends it at once.
pub(crate) const HEADER_TIMEOUT: Duration = Duration::from_secs(8);
/// How long the body of a request may take.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(8);
/// How long an answer may take. Starting a run compiles its components the first time.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a connection may take no byte of what it is sent before it is closed.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a server that stops waits for runs to be parked and answers to be sent.
pub(crate) const STOP_TIMEOUT: Duration = Duration::from_secs(4);

/// Header lines of a request; a browser sends about fifteen.
pub(crate) const HEADERS_MAX: usize = 64;
/// Bytes of a request's head.
pub(crate) const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Bytes of a path with its query.
pub(crate) const URI_BYTES_MAX: usize = 8 * 1024;
/// Parameters in a query.
pub(crate) const PARAMETERS_MAX: usize = 32;
/// Bytes of a body: a file of the workspace, escaped as JSON.
pub(crate) const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How deep JSON in a body may be nested.
pub(crate) const JSON_DEPTH_MAX: usize = 32;
/// Characters of an idempotency key.
pub(crate) const KEY_CHARS_MAX: usize = 64;
/// Answers that are kept for a repeated request.
pub(crate) const REPEATS_MAX: usize = 10_000;
/// Bytes of an answer that is kept for a repeated request.
pub(crate) const REPEAT_BYTES_MAX: usize = 256 * 1024;
/// For how long.
pub(crate) const REPEAT_MS: u64 = 24 * 60 * 60 * 1_000;

/// Connections at once, streams included.
pub(crate) const CONNECTIONS_MAX: usize = 2_048;
/// Event streams of one sign-in.
pub(crate) const STREAMS_OF_ONE_MAX: usize = 64;
/// Event streams of all.
pub(crate) const STREAMS_MAX: usize = 1_024;
/// Frames that a stream may be behind what is being said; what is in the journal is read there instead.
pub(crate) const FRAMES_MAX: usize = 256;
/// Bytes of what is sent at once.
pub(crate) const PIECE_BYTES_MAX: usize = 64 * 1024;
/// Pieces that are made at once.
pub(crate) const PIECES_MAX: usize = 8;
/// With this many streams, and each time as many more, a piece waits a millisecond longer for what comes after it.
pub(crate) const STREAMS_UNPACED: usize = 8;
/// Records read from the journal at a time.
pub(crate) const RECORDS_PAGE: usize = 64;
/// How often a stream that has nothing to say says so.
pub(crate) const BEAT: Duration = Duration::from_secs(15);

/// Runs at work at once: each holds a model call or a component.
pub(crate) const LIVE_MAX: usize = 32;
/// Runs of one teacher at work at once.
pub(crate) const LIVE_OF_ONE_MAX: usize = 6;
/// Exchanges of flows at work at once, beside the runs.
pub(crate) const EXCHANGES_MAX: usize = 32;
/// How long an exchange waits for one of these places before it is refused.
pub(crate) const EXCHANGE_QUEUE: Duration = Duration::from_secs(20);
/// How often it is looked which flows are to be woken.
pub(crate) const WAKE_EVERY: Duration = Duration::from_secs(1);
/// Sessions that are due and read at a time.
pub(crate) const WAKE_PAGE: usize = 64;
/// Flows woken at once: the other places of exchanges are for people.
pub(crate) const WAKES_MAX: usize = 4;
/// After how long a session that could not be woken is tried again; each time it is twice as long.
pub(crate) const WAKE_RETRY_MS: u64 = 60_000;
/// The longest of these.
pub(crate) const WAKE_RETRY_MAX_MS: u64 = 60 * 60 * 1_000;
/// Sessions of which it is known that they could not be woken.
pub(crate) const WAKES_HELD_MAX: usize = 10_000;
/// Replays at once.
pub(crate) const REPLAYS_MAX: usize = 2;
/// How long a posted answer may take to be in the journal.
pub(crate) const ANSWERED_TIMEOUT: Duration = Duration::from_secs(60);
/// Characters of a request to a run.
pub(crate) const INPUT_CHARS_MAX: usize = 20_000;
/// Characters of what a person writes with a decision or an answer.
pub(crate) const TEXT_CHARS_MAX: usize = 20_000;
/// Decisions in one request.
pub(crate) const DECISIONS_MAX: usize = 500;
/// Characters of a session's title.
pub(crate) const TITLE_CHARS_MAX: usize = 120;
/// Rows of a list.
pub(crate) const ROWS_MAX: usize = 200;

/// For how long it is not looked again whether providers have keys.
pub(crate) const PROVIDERS_KEPT: Duration = Duration::from_secs(60);
/// How long a sign-in lasts without being used.
pub(crate) const IDLE_MS: u64 = 12 * 60 * 60 * 1_000;
/// How long a sign-in lasts.
pub(crate) const SIGN_IN_MS: u64 = 7 * 24 * 60 * 60 * 1_000;
/// Sign-ins at once; the one unused for longest goes first.
pub(crate) const SIGN_INS_MAX: usize = 2_000;
/// Access codes given in one request: a year group.
pub(crate) const CODES_AT_ONCE_MAX: usize = 200;
/// For how many days an access code is good where nothing is said.
pub(crate) const CODE_DAYS: u64 = 30;
/// For how many days it may be good: a school year.
pub(crate) const CODE_DAYS_MAX: u64 = 366;
/// Characters of what a code is for.
pub(crate) const CODE_SUBJECT_CHARS_MAX: usize = 80;
/// Wrong passcodes for one name before there is a delay.
pub(crate) const GUESSES_FREE: u32 = 5;
/// Wrong passcodes in all before there is a delay.
pub(crate) const GUESSES_FREE_ALL: u32 = 30;
/// The longest delay for one name.
pub(crate) const DELAY_MAX_MS: u64 = 15 * 60 * 1_000;
/// The longest delay for all: whoever guesses must not keep everybody out.
pub(crate) const DELAY_MAX_ALL_MS: u64 = 30_000;
/// Names whose guesses are counted.
pub(crate) const NAMES_MAX: usize = 10_000;
/// Characters of a passcode at the least.
pub(crate) const PASSCODE_CHARS_MIN: usize = 8;
/// Bytes of a passcode at the most.
pub(crate) const PASSCODE_BYTES_MAX: usize = 256;
