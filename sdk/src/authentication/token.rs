//! Delegation tokens, by which a program without tickets acts for somebody who has some.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost::Message;

use super::credentials_file;
use crate::{Error, Result, Timestamp};

/// The kind of HBase's tokens, among those of other services in a file.
const KIND: &str = "HBASE_AUTH_TOKEN";

/// A token of an HBase cluster: whoever has it acts as its owner, for some days
/// (`hbase.auth.token.max.lifetime`, 7 days), without a Kerberos ticket.
///
/// A program with tickets gets one,
/// [`HBaseAdmin::delegation_token`](crate::admin::HBaseAdmin::delegation_token), and gives it to
/// those that it starts, which log in by [`Authentication::token`](super::Authentication::token).
/// Hadoop's jobs find it in a file that `HADOOP_TOKEN_FILE_LOCATION` names. HBase neither renews
/// nor cancels tokens: they end at [`expires`](Self::expires).
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

/// What is read of `TokenIdentifier`, which a token has behind its length, four bytes.
#[derive(Clone, PartialEq, prost::Message)]
struct Identifier {
    #[prost(bytes = "vec", required, tag = "2")]
    username: Vec<u8>,
    #[prost(int64, optional, tag = "5")]
    expiration_date: Option<i64>,
}

impl DelegationToken {
    /// A token of these bytes, as the cluster gave them. `service` is the id of the cluster.
    ///
    /// See [`DelegationToken`] for an example.
    pub fn new(
        identifier: impl Into<Vec<u8>>,
        password: impl Into<Vec<u8>>,
        service: impl Into<String>,
    ) -> Self {
        Self { identifier: identifier.into(), password: password.into(), service: service.into() }
    }

    /// HBase's tokens in a file of Hadoop's credentials, such as `HADOOP_TOKEN_FILE_LOCATION`
    /// names: one for each cluster that the job uses. Both formats are read, Hadoop's own and
    /// protobuf.
    ///
    /// ```
    /// use tallrow::authentication::DelegationToken;
    ///
    /// let error = DelegationToken::read_file("/nowhere/container_tokens").unwrap_err();
    /// assert!(error.to_string().contains("/nowhere/container_tokens"), "{error}");
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the file cannot be read, or is
    /// none of them.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Vec<Self>> {
        let path = path.as_ref();
        let wrong = |why: String| {
            Error::invalid(format!("{}: {why}", path.display())).during("read delegation tokens")
        };
        let bytes = std::fs::read(path).map_err(|why| wrong(why.to_string()))?;
        let found = credentials_file::tokens(&bytes).map_err(wrong)?;
        let of_hbase = found.into_iter().filter(|found| found.kind == KIND);
        Ok(of_hbase
            .map(|found| Self::new(found.identifier, found.password, found.service))
            .collect())
    }

    /// What is told to servers of whose token it is.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").identifier(), b"i");
    /// ```
    pub fn identifier(&self) -> &[u8] {
        &self.identifier
    }

    /// The secret.
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

    /// Who acts by it, if its identifier says so.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").owner(), None);
    /// ```
    pub fn owner(&self) -> Option<String> {
        let says = self.says()?;
        Some(String::from_utf8_lossy(&says.username).into_owned())
    }

    /// When it ends, if its identifier says so.
    ///
    /// ```
    /// # use tallrow::authentication::DelegationToken;
    /// assert_eq!(DelegationToken::new(b"i", b"p", "c").expires(), None);
    /// ```
    pub fn expires(&self) -> Option<Timestamp> {
        self.says()?
            .expiration_date
            .and_then(|at| u64::try_from(at).ok())
            .map(Timestamp::from_millis)
    }

    /// What its identifier says: a message behind its length (`AuthenticationTokenIdentifier`).
    fn says(&self) -> Option<Identifier> {
        let (len, message) = self.identifier.split_first_chunk::<4>()?;
        let is_whole = message.len() == u32::from_be_bytes(*len) as usize;
        Identifier::decode(message).ok().filter(|_| is_whole)
    }

    /// Why it is of no use to a server.
    pub(super) fn problem(&self) -> Option<String> {
        // A server believes the length in it, and takes that much memory.
        let Some(says) = self.says() else {
            return Some("its identifier is not that of a token of HBase".into());
        };
        let now = i64::try_from(Timestamp::now().as_millis()).ok()?;
        let ago = now.checked_sub(says.expiration_date?)?;
        (ago > 0).then(|| format!("it ended {} s ago; a new one must be got", ago / 1_000))
    }

    /// The name and the password of DIGEST-MD5.
    pub(super) fn for_digest(&self) -> (String, String) {
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

/// Without the password.
impl fmt::Debug for DelegationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DelegationToken({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An identifier as HBase has it, whose token ends then (ms).
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
        assert_eq!(token.expires(), Some(Timestamp::from_millis(ends as u64)));
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
