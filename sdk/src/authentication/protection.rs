//! The protection of messages after both sides have proved their identities.

use std::fmt;

/// The protection of the messages between a client and a server: a value of `hbase.rpc.protection`.
///
/// ```
/// use tallrow::authentication::Protection;
///
/// assert_eq!("privacy".parse(), Ok(Protection::Privacy));
/// assert_eq!("auth-conf".parse(), Ok(Protection::Privacy));
/// assert_eq!(Protection::Integrity.to_string(), "integrity");
/// assert!("secret".parse::<Protection>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protection {
    /// Both sides prove their identities, but messages are neither signed nor encrypted (SASL's
    /// `auth`).
    Authentication,
    /// Messages are signed, so that a change on the way is noticed (SASL's `auth-int`).
    Integrity,
    /// Messages are signed and encrypted (SASL's `auth-conf`).
    Privacy,
}

impl Protection {
    /// All protections, the strongest one first.
    pub(super) const ALL: [Self; 3] = [Self::Privacy, Self::Integrity, Self::Authentication];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Authentication => "authentication",
            Self::Integrity => "integrity",
            Self::Privacy => "privacy",
        }
    }

    /// The name of this protection in SASL.
    pub(super) fn sasl_name(self) -> &'static str {
        match self {
            Self::Authentication => "auth",
            Self::Integrity => "auth-int",
            Self::Privacy => "auth-conf",
        }
    }

    /// The bit of this protection in the mask of security layers of SASL's GSSAPI (RFC 4752,
    /// section 3.3).
    pub(super) fn security_layer_bit(self) -> u8 {
        match self {
            Self::Authentication => 1,
            Self::Integrity => 2,
            Self::Privacy => 4,
        }
    }
}

/// Returns the first protection that the client accepts and `who` offers. `name` returns the name
/// that a protection has in the offer and in errors.
pub(super) fn choose_protection(
    who: &str,
    accepted: &[Protection],
    offered: &[&str],
    name: fn(Protection) -> &'static str,
) -> Result<Protection, String> {
    let is_offered = |one: &Protection| offered.contains(&name(*one));
    accepted.iter().copied().find(is_offered).ok_or_else(|| {
        let accepted: Vec<&str> = accepted.iter().copied().map(name).collect();
        let offered = if offered.is_empty() { "none that is known" } else { &offered.join(", ") };
        format!(
            "{who} protects messages by {offered} (hbase.rpc.protection), and this client accepts {}: Authentication::protection takes others",
            accepted.join(", ")
        )
    })
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the name in `hbase.rpc.protection`, in any case, or the name in SASL: `auth`, `auth-int`,
/// `auth-conf`.
impl std::str::FromStr for Protection {
    type Err = UnknownProtection;

    fn from_str(name: &str) -> Result<Self, UnknownProtection> {
        let name = name.trim();
        let is =
            |known: &&Self| known.name().eq_ignore_ascii_case(name) || known.sasl_name() == name;
        Self::ALL.iter().find(is).copied().ok_or(UnknownProtection(()))
    }
}

/// The error for a text that is not the name of a [`Protection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProtection(());

impl fmt::Display for UnknownProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is none of authentication, integrity and privacy")
    }
}

impl std::error::Error for UnknownProtection {}
