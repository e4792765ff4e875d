//! How a client proves its identity to servers, and how the messages between them are protected: by
//! SASL, which secured HBase clusters require.
//!
//! A secured cluster has `hbase.security.authentication` set to `kerberos`. With the feature
//! `kerberos`, a login of the crate [`tallrow_kerberos`](https://docs.rs/tallrow-kerberos) is all
//! that is needed; with [`Authentication::gssapi`], a program can use the login of the system's own
//! library.
//!
//! # Invariants
//!
//! - No call is sent to a server that has not proved its identity: a server without Kerberos is
//!   refused, unless [`Authentication::allow_simple`] allows it. Tests:
//!   `sdk/src/authentication/tests.rs::a_server_without_authentication_is_refused`.

#[cfg(feature = "kerberos")]
pub(crate) mod aes;
#[cfg(feature = "kerberos")]
mod credentials_file;
#[cfg(feature = "kerberos")]
mod digest;
#[cfg(feature = "kerberos")]
pub(crate) mod fuzz;
mod gssapi;
#[cfg(feature = "kerberos")]
mod kerberos;
#[cfg(feature = "kerberos")]
mod numbered_context;
mod protection;
mod sasl;
mod server_principal;
#[cfg(test)]
mod tests;
#[cfg(feature = "kerberos")]
mod token;
mod wrapped_stream;

#[cfg(feature = "kerberos")]
use std::any::Any;
use std::sync::Arc;

pub use gssapi::{BoxError, GssContext, GssStep, Gssapi, Negotiation, StartFuture};
pub use protection::{Protection, UnknownProtection};
#[cfg(feature = "kerberos")]
pub use token::DelegationToken;

pub(crate) use sasl::{AuthenticationError, OpenedConnection, authenticate};
#[cfg(feature = "kerberos")]
pub(crate) use wrapped_stream::WrappedStream;

use server_principal::{PrincipalPattern, ServerPrincipals};

/// The way in which a client proves its identity to servers, for
/// [`Config::authentication`](crate::Config::authentication).
///
/// A program that reads HBase's own files ([`Config::hbase_site`](crate::Config::hbase_site)) does
/// not need to set the authentication if the files configure the login. The servers have a
/// principal such as `hbase/_HOST@EXAMPLE.ORG`, the value of
/// `hbase.regionserver.kerberos.principal`, where `_HOST` stands for the host name of the server,
/// in lower case.
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
#[derive(Clone, Debug)]
pub struct Authentication {
    mechanism: Mechanism,
    protection: Vec<Protection>,
    allows_simple: bool,
    encrypts_by_aes: bool,
}

/// The mechanism by which a client proves its identity.
#[derive(Clone, Debug)]
enum Mechanism {
    Gssapi {
        implementation: Arc<dyn Gssapi>,
        servers: ServerPrincipals,
    },
    #[cfg(feature = "kerberos")]
    Token(DelegationToken),
}

impl Authentication {
    /// Creates an authentication by a Kerberos login. `server` is the principal of the servers.
    ///
    /// See [`Authentication`] for an example.
    #[cfg(feature = "kerberos")]
    pub fn kerberos(login: tallrow_kerberos::Login, server: impl Into<String>) -> Self {
        Self::gssapi(login, server)
    }

    /// Creates an authentication by another implementation of the GSS-API with Kerberos, such as
    /// the library of the system. `server` is the principal of the servers.
    ///
    /// See [`Gssapi`] for an example.
    pub fn gssapi(mechanism: impl Gssapi, server: impl Into<String>) -> Self {
        Self::by(Mechanism::Gssapi {
            implementation: Arc::new(mechanism),
            servers: ServerPrincipals {
                region_server: PrincipalPattern::new(server.into()),
                master: None,
            },
        })
    }

    /// Creates an authentication by a token that a user with a ticket has obtained from the
    /// cluster; the client then acts as that user. The servers prove that they know the token, so
    /// no principal of the servers is needed.
    ///
    /// See [`DelegationToken`] for an example.
    #[cfg(feature = "kerberos")]
    pub fn token(token: DelegationToken) -> Self {
        Self::by(Mechanism::Token(token))
    }

    fn by(mechanism: Mechanism) -> Self {
        Self { mechanism, protection: Vec::new(), allows_simple: false, encrypts_by_aes: false }
    }

    /// Sets the principal of the masters, if it differs from the principal of the region servers
    /// (`hbase.master.kerberos.principal`). This setting has no effect with a token.
    ///
    /// See [`Gssapi`] for an example of this and the other functions.
    #[must_use]
    pub fn master_principal(mut self, server: impl Into<String>) -> Self {
        match &mut self.mechanism {
            Mechanism::Gssapi { servers, .. } => {
                servers.master = Some(PrincipalPattern::new(server.into()));
            }
            #[cfg(feature = "kerberos")]
            Mechanism::Token(_) => {}
        }
        self
    }

    /// Sets which protections of messages are accepted, the preferred one first
    /// (`hbase.rpc.protection`). By default, all are accepted, and the strongest one that the
    /// server offers is used.
    #[must_use]
    pub fn protection(self, accepted: impl IntoIterator<Item = Protection>) -> Self {
        Self { protection: accepted.into_iter().collect(), ..self }
    }

    /// Sets whether calls are also sent to a server that does not authenticate its clients
    /// (`hbase.ipc.client.fallback-to-simple-auth-allowed`). By default the client refuses such a
    /// server, because anybody could impersonate the server.
    #[must_use]
    pub fn allow_simple(self, allow: bool) -> Self {
        Self { allows_simple: allow, ..self }
    }

    /// Sets whether messages with the protection [`Privacy`](Protection::Privacy) are encrypted by
    /// HBase's own encryption with AES instead of SASL's
    /// (`hbase.rpc.crypto.encryption.aes.enabled`). The default is `false`. The servers must have
    /// the same setting: a server without it does not answer.
    ///
    /// ```
    /// use tallrow::authentication::{Authentication, Protection};
    /// use tallrow_kerberos::{Config, Login};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let login = Login::with_cache(Config::parse("")?, Some("/tmp/krb5cc_0".into()))?;
    /// let authentication = Authentication::kerberos(login, "hbase/_HOST@EXAMPLE.ORG")
    ///     .protection([Protection::Privacy])
    ///     .encrypt_by_aes(true);
    /// assert!(format!("{authentication:?}").contains("encrypts_by_aes: true"));
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "kerberos")]
    #[must_use]
    pub fn encrypt_by_aes(self, encrypt: bool) -> Self {
        Self { encrypts_by_aes: encrypt, ..self }
    }
}

impl Authentication {
    /// The login by Kerberos; `None` if the identity is proved by a token or by another
    /// implementation of the GSS-API.
    ///
    /// ```
    /// use tallrow::authentication::Authentication;
    /// use tallrow_kerberos::{Config, Login};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let login = Login::with_cache(Config::parse("")?, Some("/tmp/krb5cc_0".into()))?;
    /// let authentication = Authentication::kerberos(login, "hbase/_HOST@EXAMPLE.ORG");
    /// assert!(authentication.login().is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "kerberos")]
    pub fn login(&self) -> Option<&tallrow_kerberos::Login> {
        match &self.mechanism {
            Mechanism::Gssapi { implementation, .. } => {
                let implementation: &dyn Any = implementation.as_ref();
                implementation.downcast_ref()
            }
            Mechanism::Token(_) => None,
        }
    }

    /// Returns the principal that the server at this host must have. The server is a master if
    /// `is_master` is true, otherwise a region server. The result is `None` if the client has a
    /// token, because the servers then need no principal.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the principal contains `_HOST`
    /// and `host` is an IP address.
    ///
    #[cfg_attr(feature = "kerberos", doc = "```")]
    #[cfg_attr(not(feature = "kerberos"), doc = "```ignore")]
    /// use tallrow::authentication::Authentication;
    /// use tallrow_kerberos::{Config, Login};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let login = Login::with_cache(Config::parse("")?, Some("/tmp/krb5cc_0".into()))?;
    /// let authentication = Authentication::kerberos(login, "hbase/_HOST@EXAMPLE.ORG");
    /// let principal = authentication.server_principal("RS1.example.org", false)?;
    /// assert_eq!(principal.as_deref(), Some("hbase/rs1.example.org@EXAMPLE.ORG"));
    /// assert!(authentication.server_principal("10.0.0.1", false).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn server_principal(&self, host: &str, is_master: bool) -> crate::Result<Option<String>> {
        match &self.mechanism {
            Mechanism::Gssapi { servers, .. } => {
                servers.for_host(host, is_master).map(Some).map_err(crate::Error::invalid)
            }
            #[cfg(feature = "kerberos")]
            Mechanism::Token(_) => Ok(None),
        }
    }

    /// Whether masters have another principal than region servers.
    pub(crate) fn masters_differ(&self) -> bool {
        match &self.mechanism {
            Mechanism::Gssapi { servers, .. } => servers.master.is_some(),
            #[cfg(feature = "kerberos")]
            Mechanism::Token(_) => false,
        }
    }

    /// Whether the client proves its identity by a token.
    pub(crate) fn is_by_token(&self) -> bool {
        match self.mechanism {
            Mechanism::Gssapi { .. } => false,
            #[cfg(feature = "kerberos")]
            Mechanism::Token(_) => true,
        }
    }

    /// Whether messages with this protection are encrypted by AES.
    pub(crate) fn encrypts_by_aes(&self, protection: Protection) -> bool {
        self.encrypts_by_aes && protection == Protection::Privacy
    }

    /// The protections that are accepted, the preferred one first.
    fn accepted(&self) -> &[Protection] {
        match &self.protection[..] {
            [] => &Protection::ALL,
            accepted => accepted,
        }
    }
}

/// Two values are equal if they have the same login or token, and the same settings.
impl PartialEq for Authentication {
    fn eq(&self, other: &Self) -> bool {
        self.mechanism == other.mechanism
            && self.protection == other.protection
            && self.allows_simple == other.allows_simple
            && self.encrypts_by_aes == other.encrypts_by_aes
    }
}

impl PartialEq for Mechanism {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Gssapi { implementation, servers, .. },
                Self::Gssapi { implementation: theirs, servers: other, .. },
            ) => Arc::ptr_eq(implementation, theirs) && servers == other,
            #[cfg(feature = "kerberos")]
            (Self::Token(token), Self::Token(theirs)) => token == theirs,
            #[cfg(feature = "kerberos")]
            (Self::Gssapi { .. }, Self::Token(_)) | (Self::Token(_), Self::Gssapi { .. }) => false,
        }
    }
}
