//! Delegation tokens, with which a program without tickets acts for a user who has tickets.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost::Message;

use super::credentials_file;
use crate::runtime::limited_read::read_file;
use crate::{Error, Result, Timestamp};

/// The kind that HBase's tokens have in a file with the tokens of several services.
const KIND: &str = "HBASE_AUTH_TOKEN";
/// The length of the longest file of tokens that is read. A token has some 200 bytes.
const MAX_BYTES: usize = 4 << 20;

/// A token of an HBase cluster: whoever has the token acts as its owner, for some days
/// (`hbase.auth.token.max.lifetime`, 7 days), without a Kerberos ticket.
///
/// A program with tickets gets a token with
/// [`HBaseAdmin::delegation_token`](crate::admin::HBaseAdmin::delegation_token), and gives it to
/// the programs that it starts, which log in with
/// [`Authentication::token`](super::Authentication::token). Hadoop's jobs find the token in a file
/// that `HADOOP_TOKEN_FILE_LOCATION` names. HBase neither renews nor cancels tokens: a token ends
/// at [`expires_at`](Self::expires_at).
///
/// ```
/// use tallrow::authentication::{Authentication, DelegationToken};
///
/// let token = DelegationToken::new(b"identifier", b"password", "cluster-id");
/// assert!(!format!("{token:?}").contains("password"));
/// let authentication = Authentication::token(token);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DelegationToken {
    identifier: Vec<u8>,
    password: Vec<u8>,
    service: String,
}

/// The fields of `TokenIdentifier` that this client reads. In a token, the length of this message
/// stands before it, in four bytes.
#[derive(Clone, PartialEq, prost::Message)]
struct Identifier {
    #[prost(bytes = "vec", required, tag = "2")]
    username: Vec<u8>,
    #[prost(int64, optional, tag = "5")]
    expiration_date: Option<i64>,
}

impl DelegationToken {
    /// Creates a token from the bytes that the cluster returned. `service` is the id of the
    /// cluster.
    ///
    /// See [`DelegationToken`] for an example.
    pub fn new(
        identifier: impl Into<Vec<u8>>,
        password: impl Into<Vec<u8>>,
        service: impl Into<String>,
    ) -> Self {
        Self { identifier: identifier.into(), password: password.into(), service: service.into() }
    }

    /// Reads HBase's tokens from a file of Hadoop's credentials, such as the file that
    /// `HADOOP_TOKEN_FILE_LOCATION` names. The file contains one token for each cluster that the
    /// job uses, and has Hadoop's own format or that of protobuf.
    ///
    /// ```
    /// use tallrow::authentication::DelegationToken;
    ///
    /// let error = DelegationToken::read_file("/nowhere/container_tokens").unwrap_err();
    /// assert!(error.to_string().contains("/nowhere/container_tokens"), "{error}");
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the file cannot be read, or has
    /// neither format.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Vec<Self>> {
        let path = path.as_ref();
        let wrong = |why: String| {
            Error::invalid(format!("{}: {why}", path.display()))
                .with_operation_if_unset("read delegation tokens")
        };
        let bytes = read_file(path, MAX_BYTES).map_err(|why| wrong(why.to_string()))?;
        let found = credentials_file::parse_tokens(&bytes).map_err(wrong)?;
        let of_hbase = found.into_iter().filter(|found| found.kind == KIND);
        Ok(of_hbase
            .map(|found| Self::new(found.identifier, found.password, found.service))
            .collect())
    }

    /// The identifier, from which servers know whose token this is.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").identifier(), b"i");
    /// ```
    pub fn identifier(&self) -> &[u8] {
        &self.identifier
    }

    /// The secret of the token.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").password(), b"p");
    /// ```
    pub fn password(&self) -> &[u8] {
        &self.password
    }

    /// The id of the cluster.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").service(), "c");
    /// ```
    pub fn service(&self) -> &str {
        &self.service
    }

    /// The user for whom a program with this token acts, if the identifier contains it.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").owner(), None);
    /// ```
    pub fn owner(&self) -> Option<String> {
        let says = self.says()?;
        Some(String::from_utf8_lossy(&says.username).into_owned())
    }

    /// The time at which the token ends, if the identifier contains it.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").expires_at(), None);
    /// ```
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.says()?
            .expiration_date
            .and_then(|at| u64::try_from(at).ok())
            .map(Timestamp::from_millis)
    }

    /// Decodes the identifier: a message after its length (`AuthenticationTokenIdentifier`).
    fn says(&self) -> Option<Identifier> {
        let (len, message) = self.identifier.split_first_chunk::<4>()?;
        let is_whole = message.len() == u32::from_be_bytes(*len) as usize;
        Identifier::decode(message).ok().filter(|_| is_whole)
    }

    /// Returns why a server cannot accept the token, or `None` if nothing is wrong with it.
    pub(super) fn problem(&self) -> Option<String> {
        // A server trusts the length in the identifier, and allocates that much memory.
        let Some(says) = self.says() else {
            return Some("its identifier is not that of a token of HBase".into());
        };
        let now = i64::try_from(Timestamp::now().as_millis()).ok()?;
        let ago = now.checked_sub(says.expiration_date?)?;
        (ago > 0).then(|| format!("it ended {} s ago; a new one must be got", ago / 1_000))
    }

    /// Returns the user name and the password for DIGEST-MD5.
    pub(super) fn digest_credentials(&self) -> (String, String) {
        (STANDARD.encode(&self.identifier), STANDARD.encode(&self.password))
    }
}

impl fmt::Display for DelegationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner() {
            Some(owner) => write!(f, "the token of {owner} for the cluster {}", self.service),
            None => write!(f, "the token for the cluster {}", self.service),
        }
    }
}

/// Writes the token without its password.
impl fmt::Debug for DelegationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DelegationToken({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an identifier as HBase encodes it, of a token that ends at `ends` (ms).
    fn identifier(ends: i64) -> Vec<u8> {
        let says = Identifier { username: b"ada@R".into(), expiration_date: Some(ends) };
        let message = says.encode_to_vec();
        [&(message.len() as u32).to_be_bytes()[..], &message].concat()
    }

    #[test]
    fn an_identifier_says_whose_token_it_is_and_until_when() {
        let ends = 9_000_000_000_000;
        let token = DelegationToken::new(identifier(ends), b"secret", "cluster");
        assert_eq!(token.owner().as_deref(), Some("ada@R"));
        assert_eq!(token.expires_at(), Some(Timestamp::from_millis(ends as u64)));
        assert_eq!(token.problem(), None);
        assert_eq!(
            format!("{token:?}"),
            "DelegationToken(the token of ada@R for the cluster cluster)"
        );
    }

    #[test]
    fn a_token_that_is_of_no_use_is_not_shown_to_servers() {
        let problem = |identifier: Vec<u8>| {
            DelegationToken::new(identifier, b"secret", "cluster").problem().unwrap()
        };
        assert!(problem(identifier(1)).starts_with("it ended "), "{}", problem(identifier(1)));
        let whole = identifier(9_000_000_000_000);
        for len in 0..whole.len() {
            assert!(problem(whole[..len].to_vec()).contains("is not that of a token"), "{len}");
        }
        assert!(problem([&whole[..], b"x"].concat()).contains("is not that of a token"));
    }
}
