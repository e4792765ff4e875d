//! Kerberos 5 for clients, in Rust, without a library in C: tickets from a KDC by a keytab, a
//! password or a ticket cache, `krb5.conf`, and the tokens by which a client and a service prove
//! themselves to each other and seal what they send.
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
//! - [`Login`]: first tickets by [keytab](Login::with_keytab), [password](Login::with_password) or
//!   [ticket cache](Login::with_cache), tickets for services, across realms too; kept, asked for
//!   again before they end, one request for all who wait.
//! - [`Enctype`]: AES with SHA-1 (RFC 3962) and SHA-2 (RFC 8009). RC4, 3DES and Camellia are not
//!   there.
//! - [`Config`]: `krb5.conf` as MIT Kerberos reads it. KDCs are those that it names: they are not
//!   looked up in DNS.
//! - [`gss`]: the side of the client, with mutual proof; wrapped messages, signed or sealed.
//! - Not there: the side of the service, delegation, FAST, certificates (PKINIT), one-time
//!   passwords, and caches of other types than `FILE`.
//!
//! Messages are those of RFC 4120; files are as MIT Kerberos documents them.

mod bytes;
mod cache;
mod config;
mod crypto;
mod error;
mod exchange;
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
