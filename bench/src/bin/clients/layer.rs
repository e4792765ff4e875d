//! How a cluster that is secured by Kerberos protects its messages, and the settings by which
//! clients ask for it.

/// A protection of a cluster that `tests/servers/hbase/secured` has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The servers believe who the client says that it is.
    Plain,
    Authentication,
    Integrity,
    Privacy,
    /// Privacy by HBase's own AES.
    Aes,
}

/// Who the servers are, and who may do everything there.
const SERVERS: &str = "hbase/_HOST@TALLROW.TEST";
pub(crate) const USER: &str = "tester";

impl Layer {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "plain" => Self::Plain,
            "authentication" => Self::Authentication,
            "integrity" => Self::Integrity,
            "privacy" => Self::Privacy,
            "aes" => Self::Aes,
            _ => return None,
        })
    }

    /// Returns the properties of HBase's clients.
    pub(crate) fn properties(self) -> Vec<(&'static str, &'static str)> {
        let protection = match self {
            Self::Plain => return vec![("hbase.security.authentication", "simple")],
            Self::Authentication => "authentication",
            Self::Integrity => "integrity",
            Self::Privacy | Self::Aes => "privacy",
        };
        let aes = if self == Self::Aes { "true" } else { "false" };
        vec![
            ("hbase.security.authentication", "kerberos"),
            ("hbase.regionserver.kerberos.principal", SERVERS),
            ("hbase.master.kerberos.principal", SERVERS),
            ("hbase.rpc.protection", protection),
            ("hbase.rpc.crypto.encryption.aes.enabled", aes),
        ]
    }
}
