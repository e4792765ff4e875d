//! The addresses to which the client connects instead of the hosts that a cluster names.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

use super::connector::{BoxedConnection, Connector, connect_tcp_host};
use crate::model::hosts::{join, parse_host, split};

/// A map from a server to the address that is dialed instead. Both have the form `host` or
/// `host:port`; an address without a port is dialed at the server's port.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HostOverrides(BTreeMap<String, String>);

impl HostOverrides {
    pub(crate) fn add(&mut self, server: String, address: String) {
        // `of` looks servers up in this form: in lower case, and with brackets only if there is a
        // port.
        let server = server.to_ascii_lowercase();
        let server = match parse_host(&server) {
            Ok((host, None)) => host.to_owned(),
            _ => server,
        };
        self.0.insert(server, address);
    }

    /// Checks the servers and addresses, and returns what is wrong with the first one that is not
    /// valid.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|(server, address)| {
            let wrong = |why: String| {
                format!(
                    "{server}={address} is no override: {why}; write server=address, as in \
                     rs1.internal=127.0.0.1:16020"
                )
            };
            parse_host(server).map_err(wrong)?;
            parse_host(address).map_err(wrong).map(drop)
        })
    }

    /// Returns the host and port that are dialed instead of this host and port, if there is an
    /// override.
    pub(crate) fn address_for(&self, host: &str, port: u16) -> Option<(&str, u16)> {
        let host = host.to_ascii_lowercase();
        let address = self.0.get(&join(&host, port)).or_else(|| self.0.get(&host))?;
        let (host, other) = split(address);
        Some((host, other.unwrap_or(port)))
    }

    /// Returns a connector that opens connections as `connector` does, but uses the overrides.
    pub(crate) fn wrap(&self, connector: Connector) -> Connector {
        if self.0.is_empty() {
            return connector;
        }
        let overrides = Arc::new(self.clone());
        Connector::new(move |host, port| {
            let (overrides, connector) = (overrides.clone(), connector.clone());
            async move {
                let other = overrides.address_for(&host, port);
                let (to, at) = other.unwrap_or((&host, port));
                let opened: io::Result<BoxedConnection> = match connector.connect_host(to, at) {
                    Some(connecting) => connecting.await,
                    None => connect_tcp_host(to, at)
                        .await
                        .map(|stream| Box::new(stream) as BoxedConnection),
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

impl FromStr for HostOverrides {
    type Err = String;

    /// Parses overrides in the form that an address contains: `rs1=127.0.0.1:1,rs2=127.0.0.1:2`.
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
        assert_eq!(overrides.address_for("rs1", 5), Some(("127.0.0.1", 1)));
        assert_eq!(overrides.address_for("rs1", 7), Some(("10.0.0.1", 7)));
        assert_eq!(overrides.address_for("rs2", 7), Some(("localhost", 7)));
        assert_eq!(overrides.address_for("::1", 7), Some(("::2", 9)));
        assert_eq!(overrides.address_for("rs3", 7), None);
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
