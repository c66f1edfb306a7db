//! What providers say when they refuse, as kinds of failure.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{items, string};
use crate::failure::{Failure, Kind, quoted};

/// What to do where a proxy wants to know who asks.
const PROXY_HINT: &str =
    "A proxy on the way wants a name and a password: put them into HTTPS_PROXY, or ask whoever runs the network.";
/// What to do where a page came back: a provider's own errors are no pages.
const PAGE_HINT: &str = "A page came back, not an error of the provider: a filter or proxy of the network may refuse the call. \
     Ask whoever runs it, or try another network.";

/// What of an error decides its kind.
#[derive(Debug, Default)]
struct Words {
    /// Type, code and status as far as there are any, in lower case.
    labels: String,
    message: String,
    /// How long to wait, where the body says so.
    retry_after: Option<Duration>,
    /// Google's name of the quota that is used up.
    daily: bool,
}

/// The failure that an answer with another status than 2xx tells of. `headers` have names in lower case.
#[must_use]
pub fn refused(provider: &str, status: u16, headers: &[(String, String)], body: &[u8]) -> Failure {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut words = read(&value);
    if words.message.is_empty() {
        // A page of a proxy is no explanation; plain text may be one.
        let text = String::from_utf8_lossy(body);
        words.message = if text.trim_start().starts_with(['<', '{', '[']) { String::new() } else { text.into_owned() };
    }
    let page = body.trim_ascii_start().starts_with(b"<");
    let header = |name: &str| headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str());
    let retry_after = header("retry-after-ms")
        .and_then(|it| wait(it.trim().parse::<f64>().ok()? / 1_000.0))
        .or_else(|| header("retry-after").and_then(pause))
        .or(words.retry_after);
    let said = quoted(&words.message);
    let said = if said.is_empty() { ".".to_owned() } else { format!(": {said}") };
    let mut failure = Failure::new(kind(Some(status), &words), format!("{provider} answered {status}{said}"));
    failure.retry_after = retry_after;
    match failure.kind {
        Kind::Client => failure.with_hint(PROXY_HINT),
        Kind::Auth | Kind::Forbidden | Kind::BadRequest if page => failure.with_hint(PAGE_HINT),
        _ => failure,
    }
}

/// The failure that an error inside an answer with status 200 tells of.
pub(super) fn announced(value: &Value) -> Failure {
    let words = read(value);
    let status = items_status(value);
    let said = quoted(&words.message);
    let said = if said.is_empty() { "no reason was given".to_owned() } else { said };
    let mut failure = Failure::new(kind(status, &words), format!("The provider gave up during its answer: {said}"));
    failure.retry_after = words.retry_after;
    failure
}

/// A numeric code in the body is a status.
fn items_status(value: &Value) -> Option<u16> {
    let code = value.get("error").unwrap_or(value).get("code")?.as_u64()?;
    u16::try_from(code).ok().filter(|code| (400..600).contains(code))
}

/// Reads every provider's form of an error: `{"error": {…}}`, `{"error": "…"}`, `{"code", "message"}`, or a list of one.
fn read(value: &Value) -> Words {
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
    if let Some(message) = error.as_str() {
        return Words { message: message.to_owned(), ..Words::default() };
    }
    let labels = ["type", "code", "status"].map(|field| string(error, field).to_lowercase()).join(" ");
    let details = items(error, "details");
    let retry_after =
        details.iter().find_map(|detail| wait(string(detail, "retryDelay").strip_suffix('s')?.parse().ok()?));
    let reasons = details.iter().map(|detail| string(detail, "reason").to_lowercase()).collect::<Vec<_>>().join(" ");
    let daily =
        details.iter().flat_map(|it| items(it, "violations")).any(|it| string(it, "quotaId").contains("PerDay"));
    Words { labels: format!("{labels} {reasons}"), message: string(error, "message").to_owned(), retry_after, daily }
}

/// Signs of money in an error's type, code or reason.
const SPEND_LABELS: [&str; 5] = ["billing", "payment", "insufficient_credits", "spend_limit", "spending_limit"];

/// Signs of a kind in labels and messages, looked for in this order, whatever the status is. Messages name fields of the
/// request, too: a word alone is no sign of money.
const SIGNS: [(Kind, &[&str]); 3] = [
    (
        Kind::Spend,
        &[
            "insufficient_quota",
            "credit balance",
            "insufficient credit",
            "insufficient balance",
            "insufficient fund",
            "usage limits",
            "spending limit",
            "spend limit",
            "plan and billing",
            "billing details",
            "billing hard limit",
            "enable billing",
            "billing to be enabled",
            "check your billing",
            "payment required",
            "payment method",
        ],
    ),
    (
        Kind::TooLong,
        &[
            "context_length_exceeded",
            "request_too_large",
            "prompt is too long",
            "maximum context length",
            "exceeds the maximum number of tokens",
            "context window",
        ],
    ),
    (Kind::Auth, &["api_key_invalid", "api key not valid", "invalid_api_key"]),
];

/// Labels that say a kind where the status does not, because it was 200.
const LABELS: [(Kind, &[&str]); 7] = [
    (Kind::Overloaded, &["overloaded", "unavailable"]),
    (Kind::RateLimited, &["rate_limit", "resource_exhausted", "too_many"]),
    (Kind::Auth, &["authentication", "unauthenticated"]),
    (Kind::Forbidden, &["permission"]),
    (Kind::NotFound, &["not_found"]),
    (Kind::Server, &["server_error", "api_error", "internal", "timeout"]),
    (Kind::BadRequest, &["invalid"]),
];

fn kind(status: Option<u16>, words: &Words) -> Kind {
    let message = words.message.to_lowercase();
    // Messages about a rate speak of billing too: where the label says that it is one, it is believed.
    let rate = ["resource_exhausted", "rate_limit"].iter().any(|label| words.labels.contains(label));
    if status.is_none_or(|status| status < 500) {
        for (kind, signs) in SIGNS {
            let labelled = kind == Kind::Spend && SPEND_LABELS.iter().any(|sign| words.labels.contains(sign));
            let found = labelled || signs.iter().any(|sign| words.labels.contains(sign) || message.contains(sign));
            if found && !(rate && kind == Kind::Spend) {
                return kind;
            }
        }
    }
    match status {
        Some(429) if words.daily => Kind::Spend,
        Some(429) => Kind::RateLimited,
        Some(401) => Kind::Auth,
        Some(402) => Kind::Spend,
        Some(403) => Kind::Forbidden,
        Some(404) => Kind::NotFound,
        Some(407) => Kind::Client,
        Some(413) => Kind::TooLong,
        Some(408 | 409 | 425) => Kind::Server,
        Some(503 | 529) => Kind::Overloaded,
        Some(300..400) => Kind::BaseUrl,
        Some(400..500) => Kind::BadRequest,
        Some(500..) => Kind::Server,
        _ => {
            let said = LABELS.iter().find(|(_, labels)| labels.iter().any(|label| words.labels.contains(label)));
            said.map_or(Kind::Server, |(kind, _)| *kind)
        }
    }
}

/// Seconds to wait. More than a duration holds is as long as there is; whoever waits has a limit.
fn wait(seconds: f64) -> Option<Duration> {
    (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Retry-After: seconds, or a date in one of the three forms that HTTP has had.
fn pause(value: &str) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return wait(seconds);
    }
    let older = |form: &str| {
        jiff::fmt::strtime::parse(form, value).ok()?.to_datetime().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()
    };
    let at = jiff::fmt::rfc2822::parse(value).ok();
    let at = at.or_else(|| older("%A, %d-%b-%y %H:%M:%S GMT")).or_else(|| older("%a %b %e %H:%M:%S %Y"))?;
    let at: SystemTime = at.timestamp().into();
    Some(at.duration_since(SystemTime::now()).unwrap_or_default())
}
