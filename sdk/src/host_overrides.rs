//! Other addresses for the hosts that a cluster names.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

use crate::connector::{Connector, Stream, tcp};

/// What is dialed instead of `host` or `host:port`: `host` with the same port, or `host:port`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HostOverrides(BTreeMap<String, String>);

impl HostOverrides {
    pub(crate) fn add(&mut self, server: String, address: String) {
        self.0.insert(server.to_ascii_lowercase(), address);
    }

    /// What is wrong with the addresses that are dialed.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|(server, address)| {
            let (host, port) = split(address);
            let wrong = host.is_empty()
                || host.contains(|c: char| c.is_whitespace() || "/@;,=".contains(c))
                || port.is_some_and(|port| port.parse::<u16>().map_or(true, |port| port == 0));
            match wrong || server.is_empty() {
                true => Err(format!(
                    "{server}={address} is no override; write server=address, each a host or host:port, as in \
                     rs1.internal=127.0.0.1:16020"
                )),
                false => Ok(()),
            }
        })
    }

    /// What is dialed instead of a port of a host.
    fn of(&self, host: &str, port: u16) -> Option<(&str, u16)> {
        let host = host.to_ascii_lowercase();
        let address = self.0.get(&format!("{host}:{port}")).or_else(|| self.0.get(&host))?;
        let (host, other) = split(address);
        Some((host, other.and_then(|other| other.parse().ok()).unwrap_or(port)))
    }

    /// Connections as `connector` opens them, to other addresses.
    pub(crate) fn over(&self, connector: Connector) -> Connector {
        if self.0.is_empty() {
            return connector;
        }
        let overrides = Arc::new(self.clone());
        Connector::new(move |host, port| {
            let (overrides, connector) = (overrides.clone(), connector.clone());
            async move {
                let other = overrides.of(&host, port);
                let (to, at) = other.unwrap_or((&host, port));
                let opened: io::Result<Stream> = match connector.open(to, at) {
                    Some(connecting) => connecting.await,
                    None => tcp((to, at)).await.map(|stream| Box::new(stream) as Stream),
                };
                match (opened, other) {
                    (Err(e), Some((to, at))) => Err(io::Error::new(
                        e.kind(),
                        format!("{e}, at its host override {to}:{at}"),
                    )),
                    (opened, _) => opened,
                }
            }
        })
    }
}

/// A host without brackets, and a port.
fn split(address: &str) -> (&str, Option<&str>) {
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (address, None),
    };
    (host.trim_start_matches('[').trim_end_matches(']'), port)
}

impl FromStr for HostOverrides {
    type Err = String;

    /// As an address has them: `rs1=127.0.0.1:1,rs2=127.0.0.1:2`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut overrides = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (server, address) = part.split_once('=').unwrap_or((part, ""));
            overrides.add(server.trim().to_owned(), address.trim().to_owned());
        }
        overrides.check().map(|()| overrides)
    }
}

impl fmt::Display for HostOverrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<_> = self.0.iter().map(|(from, to)| format!("{from}={to}")).collect();
        f.write_str(&all.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_of_a_host_counts_before_the_host() {
        let overrides: HostOverrides =
            "rs1=127.0.0.1:1, rs1:7=10.0.0.1 ,RS2=localhost,::1=[::2]:9".parse().unwrap();
        assert_eq!(overrides.of("rs1", 5), Some(("127.0.0.1", 1)));
        assert_eq!(overrides.of("rs1", 7), Some(("10.0.0.1", 7)));
        assert_eq!(overrides.of("rs2", 7), Some(("localhost", 7)));
        assert_eq!(overrides.of("::1", 7), Some(("::2", 9)));
        assert_eq!(overrides.of("rs3", 7), None);
        assert_eq!(overrides.to_string().parse(), Ok(overrides));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in ["rs1", "rs1=", "=a:1", "rs1=a:x", "rs1=a:0", "rs1=a b", "rs1=http://a"] {
            let error = wrong.parse::<HostOverrides>().unwrap_err();
            assert!(error.contains("rs1.internal=127.0.0.1:16020"), "{error}");
        }
    }
}
