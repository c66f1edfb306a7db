//! A collector of OpenTelemetry: the one other server that is called. OTLP over HTTP, in JSON.

use std::time::Duration;

use serde_json::Value;

use crate::failure::{Failure, Kind};
use crate::provider::local;
use crate::transport::{Carrier as _, Net, Outgoing, host};

/// Where spans go, below a collector's address.
const TRACES: &str = "/v1/traces";
/// A collector is near; one that does not answer in this time is not waited for.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A collector.
#[derive(Debug, Clone)]
pub struct Collector {
    url: String,
    net: Net,
}

impl Collector {
    /// The collector at an address, with or without the path of traces. No key is ever sent there.
    ///
    /// # Errors
    /// `model.base_url` for an address that is none, or that holds a name, a password or a query; `model.client`.
    pub fn at(endpoint: &str) -> Result<Self, Failure> {
        let http = endpoint.starts_with("http://") || endpoint.starts_with("https://");
        if !http || endpoint.contains(['@', '?', '#']) {
            let message = "The collector's address is not of the form http://127.0.0.1:4318.";
            let hint = "Give it without a name, a password or a query; a collector that wants a key is reached through one of your own.";
            return Err(Failure::new(Kind::BaseUrl, message).with_hint(hint));
        }
        let base = endpoint.trim_end_matches('/');
        let url = if base.ends_with(TRACES) { base.to_owned() } else { format!("{base}{TRACES}") };
        let net = Net::new(TIMEOUT, local(host(&url)))?;
        Ok(Self { url, net })
    }

    /// Its host, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        host(&self.url)
    }

    /// Sends one request of spans.
    ///
    /// # Errors
    /// Where the collector cannot be reached in time or refuses it.
    pub async fn send(&self, spans: Value) -> Result<(), Failure> {
        let path = TRACES.to_owned();
        let outgoing = Outgoing { url: self.url.clone(), path, headers: Vec::new(), secret: None, body: Some(spans) };
        let late = || Failure::new(Kind::TimeoutFirstByte, format!("{} did not answer in time.", self.host()));
        let incoming = tokio::time::timeout(TIMEOUT, self.net.send(&outgoing)).await.map_err(|_| late())??;
        if (200..300).contains(&incoming.status) {
            return Ok(());
        }
        Err(Failure::new(
            Kind::BadRequest,
            format!("{} refused the spans with status {}.", self.host(), incoming.status),
        ))
    }
}
