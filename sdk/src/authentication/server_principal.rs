//! The principals of servers.

use std::net::IpAddr;

/// The principal of servers, with or without `_HOST` in place of their host names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PrincipalPattern(String);

const HOST: &str = "_HOST";

/// The principals of the servers of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerPrincipals {
    pub(super) region_server: PrincipalPattern,
    /// The principal of the masters, if it differs from the principal of the region servers.
    pub(super) master: Option<PrincipalPattern>,
}

impl ServerPrincipals {
    /// Returns the principal of the master or the region server with this host name.
    pub(super) fn for_host(&self, host: &str, is_master: bool) -> Result<String, String> {
        self.master.as_ref().filter(|_| is_master).unwrap_or(&self.region_server).for_host(host)
    }
}

impl PrincipalPattern {
    pub(super) fn new(pattern: String) -> Self {
        Self(pattern)
    }

    /// Returns the principal of the server with this host name.
    pub(super) fn for_host(&self, host: &str) -> Result<String, String> {
        let Self(pattern) = self;
        let mut components = pattern.split('/');
        let (Some(service), Some(rest)) = (components.next(), components.next()) else {
            return Ok(pattern.clone());
        };
        let Some(realm) =
            rest.strip_prefix(HOST).filter(|rest| rest.is_empty() || rest.starts_with('@'))
        else {
            return Ok(pattern.clone());
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
        // The KDC knows a server by its name; an IP address in place of the name is a mistake in
        // the cluster's configuration, or in the address that the client was given.
        if host.parse::<IpAddr>().is_ok() {
            return Err(format!(
                "the principal of a server is {pattern}, and {host} is an address, not a name: call the server by its name (Config::host_override maps one to the other), or write the principal without _HOST"
            ));
        }
        Ok(format!("{service}/{}{realm}", host.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::PrincipalPattern;

    #[test]
    fn the_name_of_the_server_takes_the_place_of_host() {
        let of = |pattern: &str, host: &str| PrincipalPattern::new(pattern.into()).for_host(host);
        assert_eq!(of("hbase/_HOST@R", "Rs1.Example.ORG.").unwrap(), "hbase/rs1.example.org@R");
        assert_eq!(of("hbase/_HOST", "rs1").unwrap(), "hbase/rs1");
        assert_eq!(of("hbase/fixed@R", "rs1").unwrap(), "hbase/fixed@R");
        assert_eq!(of("hbase/_HOSTS@R", "rs1").unwrap(), "hbase/_HOSTS@R");
        assert_eq!(of("hbase", "rs1").unwrap(), "hbase");
        for address in ["10.0.0.1", "[::1]", "::1"] {
            let error = of("hbase/_HOST@R", address).unwrap_err();
            assert!(error.contains("is an address, not a name"), "{error}");
        }
    }
}
