//! How a client proves to servers who it is, and how what they say to each other is protected:
//! SASL, as secured HBase clusters ask for it.
//!
//! A secured cluster has `hbase.security.authentication` set to `kerberos`. With the feature
//! `kerberos`, a login of the crate [`tallrow_kerberos`](https://docs.rs/tallrow-kerberos) is all
//! that is needed; with [`Authentication::gssapi`] it may be the system's own library.
//!
//! # Invariants
//!
//! - A server that was not proved to be the one that was asked for gets no call: unless
//!   [`Authentication::allow_simple`] says so, a server without Kerberos is refused. Tests:
//!   `sdk/src/authentication/tests.rs::a_server_without_authentication_is_refused`.

mod gssapi;
#[cfg(feature = "kerberos")]
mod kerberos;
mod protection;
mod sasl;
mod server_principal;
#[cfg(test)]
mod tests;
mod wrapped;

use std::fmt;
use std::sync::Arc;

pub use gssapi::{BoxError, GssContext, GssStep, Gssapi, Negotiation, Started};
pub use protection::{Protection, UnknownProtection};

pub(crate) use sasl::{Authenticated, Failed, authenticate};

use server_principal::ServerPrincipal;

/// How a client proves who it is: for [`Config::authentication`](crate::Config::authentication).
///
/// Servers are called by a principal such as `hbase/_HOST@EXAMPLE.ORG`, the value of
/// `hbase.regionserver.kerberos.principal`: `_HOST` stands for the name of the server, in lower
/// case.
///
#[cfg_attr(feature = "kerberos", doc = "```no_run")]
#[cfg_attr(not(feature = "kerberos"), doc = "```ignore")]
/// use tallrow::authentication::{Authentication, Protection};
/// use tallrow::{Client, Config};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// // krb5.conf, and the tickets that `kinit` has got.
/// let krb5 = tallrow_kerberos::Config::load()?;
/// let login = tallrow_kerberos::Login::with_cache(krb5, None)?;
/// let authentication = Authentication::kerberos(login, "hbase/_HOST@EXAMPLE.ORG")
///     .protection([Protection::Privacy]);
/// let config = Config::new().authentication(authentication);
/// let client = Client::connect_with("hbase+zk://zk1,zk2,zk3", config).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Authentication {
    mechanism: Arc<dyn Gssapi>,
    region_server: ServerPrincipal,
    master: Option<ServerPrincipal>,
    protection: Vec<Protection>,
    allows_simple: bool,
}

impl Authentication {
    /// By a Kerberos login. `server` is the principal of the servers.
    ///
    /// See [`Authentication`] for an example.
    #[cfg(feature = "kerberos")]
    pub fn kerberos(login: tallrow_kerberos::Login, server: impl Into<String>) -> Self {
        Self::gssapi(login, server)
    }

    /// By another implementation of the GSS-API with Kerberos, such as the library of the system.
    ///
    /// See [`Gssapi`] for an example.
    pub fn gssapi(mechanism: impl Gssapi + 'static, server: impl Into<String>) -> Self {
        Self {
            mechanism: Arc::new(mechanism),
            region_server: ServerPrincipal::new(server.into()),
            master: None,
            protection: Vec::new(),
            allows_simple: false,
        }
    }

    /// The principal of the masters, if it is another (`hbase.master.kerberos.principal`).
    ///
    /// See [`Gssapi`] for an example of this and the other functions.
    #[must_use]
    pub fn master_principal(self, server: impl Into<String>) -> Self {
        Self { master: Some(ServerPrincipal::new(server.into())), ..self }
    }

    /// Which protections are accepted, the preferred one first (`hbase.rpc.protection`). Without
    /// them, the strongest one is taken that the server has.
    #[must_use]
    pub fn protection(self, accepted: impl IntoIterator<Item = Protection>) -> Self {
        Self { protection: accepted.into_iter().collect(), ..self }
    }

    /// Whether a server is called too that asks for no proof
    /// (`hbase.ipc.client.fallback-to-simple-auth-allowed`): anybody could stand in for such a
    /// server. It is refused otherwise.
    #[must_use]
    pub fn allow_simple(self, allow: bool) -> Self {
        Self { allows_simple: allow, ..self }
    }
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authentication")
            .field("mechanism", &self.mechanism)
            .field("region_server", &self.region_server)
            .field("master", &self.master)
            .field("protection", &self.protection)
            .field("allows_simple", &self.allows_simple)
            .finish()
    }
}

/// The same if they have the same login, and else the same settings.
impl PartialEq for Authentication {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.mechanism, &other.mechanism)
            && self.region_server == other.region_server
            && self.master == other.master
            && self.protection == other.protection
            && self.allows_simple == other.allows_simple
    }
}
