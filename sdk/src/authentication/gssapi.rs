//! The traits of an implementation of the GSS-API, by which a client can prove its identity.

use std::any::Any;
use std::error::Error;
use std::fmt;

use futures_util::future::BoxFuture;

/// An error of an implementation of the GSS-API.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// An implementation of the GSS-API with Kerberos, which proves the client's identity to servers.
///
/// With the feature `kerberos`, `tallrow_kerberos::Login` implements this trait. Another
/// implementation may call the library of the system:
///
/// ```
/// use tallrow::authentication::{Authentication, Gssapi, Protection, StartFuture};
/// use tallrow::Config;
///
/// #[derive(Debug)]
/// struct OfSystem;
///
/// impl Gssapi for OfSystem {
///     fn start(&self, service: String) -> StartFuture<'_> {
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
pub trait Gssapi: Any + fmt::Debug + Send + Sync {
    /// Starts to prove the client's identity to a service, such as `hbase/host@REALM`, and asks the
    /// service to prove its identity too. Returns the negotiation, which processes the service's
    /// answer, and the first token to send.
    ///
    /// An error ends the operation that needs the connection; the operation is not retried.
    fn start(&self, service: String) -> StartFuture<'_>;

    /// Called when the service has refused the proof of identity, or when its answer to the proof
    /// was refused by [`Negotiation::step`]. An implementation that keeps tickets should get a new
    /// ticket for this service the next time, because the service may have another key now.
    fn on_refused(&self, service: &str) {
        let _ = service;
    }
}

/// The future that [`Gssapi::start`] returns, boxed so that the trait can be used as an object.
pub type StartFuture<'a> = BoxFuture<'a, Result<(Box<dyn Negotiation>, Vec<u8>), BoxError>>;

/// The state of a client that waits for the service's answer.
pub trait Negotiation: Send {
    /// Processes a token of the service.
    ///
    /// # Errors
    /// The service has not proved its identity.
    fn step(self: Box<Self>, token: &[u8]) -> Result<GssStep, BoxError>;
}

/// The next step after a token of the service.
pub enum GssStep {
    /// The client has to send this token, and to wait for another answer.
    Continue(Box<dyn Negotiation>, Vec<u8>),
    /// Client and service have proved their identities.
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

/// The context after a client and a service have proved their identities to each other; it protects
/// the messages that they send.
pub trait GssContext: Send {
    /// Signs a text, and also encrypts it if `seal` is true.
    ///
    /// # Errors
    /// The implementation cannot sign or encrypt the text.
    fn wrap(&mut self, text: &[u8], seal: bool) -> Result<Vec<u8>, BoxError>;

    /// Returns the text of a message that the service has wrapped, and whether it was encrypted.
    ///
    /// # Errors
    /// The message was changed, or is not the next message of the service.
    fn unwrap(&mut self, token: Vec<u8>) -> Result<(Vec<u8>, bool), BoxError>;
}
