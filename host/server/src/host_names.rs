//! Which hosts this server answers as. A page elsewhere that makes its name point here (DNS rebinding) is none of them.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Uri, header};

/// The names under which this server is asked.
#[derive(Debug, Clone)]
pub(crate) struct HostNames(Vec<String>);

impl HostNames {
    /// The loopback names, the address that is listened on, and what the operator added.
    pub(crate) fn new(address: SocketAddr, more: &[String]) -> Self {
        let mut names: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(ToOwned::to_owned).to_vec();
        if !address.ip().is_unspecified() {
            names.push(if address.is_ipv6() { format!("[{}]", address.ip()) } else { address.ip().to_string() });
        }
        names.extend(more.iter().map(|name| name.to_ascii_lowercase()));
        Self(names)
    }

    /// The host that a request names, where it is one of ours.
    pub(crate) fn of<'a>(&self, headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
        let host = host.to_str().ok().filter(|host| self.is_ours(host))?;
        // A request may name the host in its target as well; then it must be the same.
        match uri.authority() {
            Some(authority) if !authority.as_str().eq_ignore_ascii_case(host) => None,
            _ => Some(host),
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(_) => host.split_inclusive(']').next().unwrap_or(host),
            None => host.split(':').next().unwrap_or(host),
        };
        let port = host.get(name.len()..).unwrap_or_default();
        let port_is_sound = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
        port_is_sound && self.0.iter().any(|ours| ours.eq_ignore_ascii_case(name))
    }
}

/// Whether a page of this very host sent the request: scheme aside, origin and host are the same.
pub(crate) fn same_origin(headers: &HeaderMap, host: &str) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let (Some(origin), None) = (origins.next(), origins.next()) else { return false };
    let origin = origin.to_str().unwrap_or_default();
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.is_some_and(|place| place.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(host: &str) -> bool {
        HostNames::new("127.0.0.1:7420".parse().unwrap(), &["plans.example".to_owned()]).is_ours(host)
    }

    #[test]
    fn only_our_names() {
        for host in ["localhost", "localhost:7420", "127.0.0.1:7420", "[::1]:7420", "[::1]", "Plans.Example:443"] {
            assert!(ours(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "localhost:port",
            "127.0.0.1.nip.io",
            "[::1",
            "[::1]x",
            "localhost@evil.example",
        ] {
            assert!(!ours(host), "{host}");
        }
    }
}
