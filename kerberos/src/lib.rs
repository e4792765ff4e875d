//! Kerberos 5 for clients in Rust, without a C library: tickets from a KDC with a keytab, a
//! password or a ticket cache; `krb5.conf`; and the tokens with which a client and a service
//! authenticate each other and encrypt their messages.
//!
//! ```no_run
//! use tallrow_kerberos::{Config, Login, gss::Initiator};
//!
//! # async fn run(mut send: impl FnMut(Vec<u8>), mut receive: impl FnMut() -> Vec<u8>) -> tallrow_kerberos::Result<()> {
//! let login = Login::with_cache(Config::load()?, None)?;
//! let ticket = login.ticket(&"host/server.example.org@EXAMPLE.ORG".parse()?).await?;
//! let (initiator, token) = Initiator::start(&ticket)?;
//! send(token);
//! let mut context = initiator.finish(&receive())?;
//! send(context.wrap(b"for your eyes only", true)?);
//! # Ok(())
//! # }
//! ```
//!
//! # What it does, and what not
//!
//! - [`Login`]: first tickets (ticket-granting tickets) with a [keytab](Login::with_keytab), a
//!   [password](Login::with_password) or a [ticket cache](Login::with_cache), and tickets for
//!   services, also in other realms. Tickets are kept, and requested again before they expire; all
//!   callers that wait for a ticket share one request.
//! - [`Enctype`]: AES with SHA-1 (RFC 3962) and SHA-2 (RFC 8009). RC4, 3DES and Camellia are not
//!   supported.
//! - [`Config`]: `krb5.conf` as MIT Kerberos reads it. Only the KDCs in `krb5.conf` are used; KDCs
//!   are not looked up in DNS.
//! - [`gss`]: the client side, with mutual authentication; wrapped messages, signed or sealed
//!   (encrypted).
//! - Not supported: the service side, delegation, FAST, certificates (PKINIT), one-time passwords,
//!   and caches of types other than `FILE`.
//!
//! Messages follow RFC 4120; files follow the documentation of MIT Kerberos.

mod bytes;
mod cache;
mod config;
mod crypto;
mod error;
mod exchange;
#[doc(hidden)]
pub mod fuzz;
pub mod gss;
mod kdc;
mod keytab;
mod login;
mod message;
mod principal;
#[cfg(test)]
mod tests;
mod ticket;

pub use cache::TicketCache;
pub use config::Config;
pub use crypto::{Enctype, Key, UnknownEnctype, UsageKey};
pub use error::{Error, ErrorKind, Result};
pub use keytab::Keytab;
pub use login::Login;
pub use principal::Principal;
pub use ticket::Ticket;
