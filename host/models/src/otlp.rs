//! A collector of OpenTelemetry: the one other server that is called. OTLP over HTTP, as Protobuf or in JSON.

use std::borrow::Cow;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message as _;
use serde_json::Value;

use crate::connection::local;
use crate::failure::{Failure, Kind};
use crate::key::Key;
use crate::transport::{Net, Outgoing, host};

/// Where spans go, below a collector's address.
const TRACES: &str = "/v1/traces";
/// A collector is near; one that does not answer in this time is not waited for.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Holds the headers that a collector asks for, as `name=value,name=value`, values in percent-encoding.
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// Holds the form that a collector wants: `http/protobuf`, which every one takes, or `http/json`.
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const JSON: &str = "http/json";
const PROTOBUF: &str = "http/protobuf";

/// A collector.
#[derive(Debug, Clone)]
pub struct Collector {
    url: String,
    /// All are taken for secret: most hold a key.
    headers: Vec<(String, Key)>,
    json: bool,
    net: Net,
}

impl Collector {
    /// The collector at an address, with or without the path of traces. No key of a provider is ever sent there, only
    /// the headers of `OTEL_EXPORTER_OTLP_HEADERS`.
    ///
    /// # Errors
    /// `model.base_url` for an address that is none, or that holds a name, a password or a query; `model.insecure_url`
    /// for headers that would leave this machine unprotected; `model.auth` for headers that are none; `model.client` for a protocol
    /// that is not spoken here.
    pub fn at(endpoint: &str) -> Result<Self, Failure> {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        Self::with(endpoint, &variable(HEADERS), &variable(PROTOCOL))
    }

    /// As [`Collector::at`], with headers and a protocol of one's own.
    ///
    /// # Errors
    /// As [`Collector::at`].
    pub fn with(endpoint: &str, headers: &str, protocol: &str) -> Result<Self, Failure> {
        let http = endpoint.starts_with("http://") || endpoint.starts_with("https://");
        if !http || endpoint.contains(['@', '?', '#']) {
            let message = "The collector's address is not of the form http://127.0.0.1:4318.";
            let hint = format!("Give it without a name, a password or a query; a key belongs into {HEADERS}.");
            return Err(Failure::new(Kind::BaseUrl, message).with_hint(hint));
        }
        let json = match protocol.trim() {
            "" | PROTOBUF => false,
            JSON => true,
            other => {
                let message = format!("{PROTOCOL} is `{}`, which is not spoken here.", other.escape_debug());
                return Err(Failure::new(Kind::Client, message).with_hint(format!("Set it to {PROTOBUF} or {JSON}.")));
            }
        };
        let base = endpoint.trim_end_matches('/');
        let url = if base.ends_with(TRACES) { base.to_owned() } else { format!("{base}{TRACES}") };
        let (headers, here) = (parse(headers)?, local(host(&url)));
        if !headers.is_empty() && !here && url.starts_with("http://") {
            let message = format!("The headers of {HEADERS} would go to {} unprotected.", host(&url));
            return Err(
                Failure::new(Kind::InsecureUrl, message).with_hint("Use https, or a collector on this machine.")
            );
        }
        let net = Net::new(TIMEOUT, here)?;
        Ok(Self { url, headers, json, net })
    }

    /// Its host, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        host(&self.url)
    }

    /// Sends one request of spans: OTLP in its JSON.
    ///
    /// # Errors
    /// Where it is no such request; where the collector cannot be reached in time or refuses it.
    pub async fn send(&self, spans: Value) -> Result<(), Failure> {
        let (url, path) = (self.url.clone(), TRACES.to_owned());
        let secrets = self.headers.iter().map(|(name, value)| (Cow::Owned(name.clone()), "", value.clone())).collect();
        let outgoing = Outgoing { url, path, headers: Vec::new(), secrets, body: None };
        let (content_type, bytes) = if self.json {
            ("application/json", spans.to_string().into_bytes())
        } else {
            let spans: ExportTraceServiceRequest = serde_json::from_value(spans)
                .map_err(|error| Failure::new(Kind::Client, format!("The spans are no request of OTLP: {error}.")))?;
            ("application/x-protobuf", spans.encode_to_vec())
        };
        let late = || Failure::new(Kind::TimeoutFirstByte, format!("{} did not answer in time.", self.host()));
        let incoming = tokio::time::timeout(TIMEOUT, self.net.post(&outgoing, content_type, bytes))
            .await
            .map_err(|_| late())??;
        if (200..300).contains(&incoming.status) {
            return Ok(());
        }
        Err(Failure::new(
            Kind::BadRequest,
            format!("{} refused the spans with status {}.", self.host(), incoming.status),
        ))
    }
}

/// The headers of the variable. Nothing of them is repeated where they are wrong.
fn parse(text: &str) -> Result<Vec<(String, Key)>, Failure> {
    let wrong = |place: usize| {
        let message = format!("Entry {} of {HEADERS} is no header.", place + 1);
        Failure::new(Kind::Auth, message).with_hint("Its form is name=value,name=value, values in percent-encoding.")
    };
    let entries = text.split(',').filter(|entry| !entry.trim().is_empty()).enumerate();
    let header = |(place, entry): (usize, &str)| {
        let (name, value) = entry.split_once('=').ok_or_else(|| wrong(place))?;
        let name = name.trim().to_ascii_lowercase();
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let value = decoded(value.trim()).as_deref().and_then(Key::of_header);
        match value {
            Some(value) if !name.is_empty() && name.bytes().all(token) => Ok((name, value)),
            _ => Err(wrong(place)),
        }
    };
    entries.map(header).collect()
}

/// A value without its percent-encoding.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.extend(hex::decode(code).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_the_standard_says_and_never_repeated() {
        let read = |text: &str| {
            let headers = parse(text).map_err(|failure| format!("{failure:?}"))?;
            Ok(headers.iter().map(|(name, value)| format!("{name}: {}", value.expose())).collect::<Vec<_>>())
        };
        assert_eq!(read(" , "), Ok(vec![]));
        let two = read("Authorization=Basic%20abc%3D%3D, x-team = a=b ,");
        assert_eq!(two, Ok(vec!["authorization: Basic abc==".to_owned(), "x-team: a=b".to_owned()]));
        for wrong in ["hush", "=hush", "a b=hush", "a=hush%2", "a=hush%zz", "a=hush%0a", "a=", "a=hush%ff"] {
            let said: Result<Vec<String>, String> = read(wrong);
            let said = said.unwrap_err();
            assert!(said.contains("Entry 1 of OTEL_EXPORTER_OTLP_HEADERS") && !said.contains("hush"), "{said}");
        }
    }

    #[test]
    fn headers_do_not_leave_the_machine_unprotected() {
        let kind = |endpoint: &str, headers: &str| Collector::with(endpoint, headers, "").err().map(|it| it.kind);
        assert_eq!(kind("http://collector.example.org", "a=b"), Some(Kind::InsecureUrl));
        assert_eq!(kind("http://collector.example.org", ""), None);
        assert_eq!(kind("https://collector.example.org", "a=b"), None);
        assert_eq!(kind("http://127.0.0.1:4318", "a=b"), None);
        let spoken = |protocol: &str| Collector::with("http://127.0.0.1:4318", "", protocol).is_ok();
        assert!(spoken("http/json") && spoken("http/protobuf") && !spoken("grpc"));
    }
}
