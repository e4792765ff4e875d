//! What is needed of an implementation of the GSS-API.

use std::error::Error;
use std::fmt;

use futures_util::future::BoxFuture;

/// An error of an implementation.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// An implementation of the GSS-API with Kerberos: it proves to servers who the client is.
///
/// With the feature `kerberos`, `tallrow_kerberos::Login` is one. Another may call the library of
/// the system:
///
/// ```
/// use tallrow::authentication::{Authentication, Gssapi, Protection, Started};
/// use tallrow::Config;
///
/// #[derive(Debug)]
/// struct OfSystem;
///
/// impl Gssapi for OfSystem {
///     fn start(&self, service: String) -> Started<'_> {
///         // gss_init_sec_context(.., GSS_C_MUTUAL_FLAG | GSS_C_INTEG_FLAG | GSS_C_CONF_FLAG, ..)
///         Box::pin(async move { Err(format!("no ticket for {service}").into()) })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let authentication = Authentication::gssapi(OfSystem, "hbase/_HOST@EXAMPLE.ORG")
///     .master_principal("master/_HOST@EXAMPLE.ORG")
///     .protection([Protection::Privacy, Protection::Integrity])
///     .allow_simple(false);
/// let config = Config::new().authentication(authentication);
/// assert!(format!("{config:?}").contains("OfSystem"));
/// # }
/// ```
pub trait Gssapi: fmt::Debug + Send + Sync {
    /// Starts to prove the client to a service, such as `hbase/host@REALM`, and asks for its proof
    /// in return: the first token, and what takes the service's answer.
    ///
    /// An error ends the operation that needs the connection: it is not tried again.
    fn start(&self, service: String) -> Started<'_>;

    /// The service has refused the proof. Whoever keeps tickets gets a new one for it next time:
    /// the service may have another key now.
    fn refused(&self, service: &str) {
        let _ = service;
    }
}

/// What [`Gssapi::start`] returns: a future, for a trait that can be an object.
pub type Started<'a> = BoxFuture<'a, Result<(Box<dyn Negotiation>, Vec<u8>), BoxError>>;

/// A client that waits for the service's answer.
pub trait Negotiation: Send {
    /// Takes a token of the service.
    ///
    /// # Errors
    /// If the service has not proved itself.
    fn step(self: Box<Self>, token: &[u8]) -> Result<GssStep, BoxError>;
}

/// What comes after a token of the service.
pub enum GssStep {
    /// A further token is sent, and another answer awaited.
    Continue(Box<dyn Negotiation>, Vec<u8>),
    /// Both have proved themselves.
    Done(Box<dyn GssContext>),
}

impl fmt::Debug for GssStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue(..) => "Continue",
            Self::Done(_) => "Done",
        })
    }
}

/// A client and a service that have proved themselves to each other, and protect what they send.
pub trait GssContext: Send {
    /// Signs a text, and encrypts it if `seal`.
    ///
    /// # Errors
    /// If the implementation cannot.
    fn wrap(&mut self, text: &[u8], seal: bool) -> Result<Vec<u8>, BoxError>;

    /// Reads what the service has wrapped, and whether it was encrypted.
    ///
    /// # Errors
    /// If it was changed, or is not the next one.
    fn unwrap(&mut self, token: Vec<u8>) -> Result<(Vec<u8>, bool), BoxError>;
}
