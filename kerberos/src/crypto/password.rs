//! Derivation of keys from passwords.

use pbkdf2::pbkdf2_hmac;
use sha1::Sha1;
use sha2::{Sha256, Sha384};
use zeroize::Zeroizing;

use super::{Enctype, derive};
use crate::{Error, Result};

/// The maximum number of rounds, which takes a few tenths of a second. There is a maximum because
/// the reply that names the number of rounds is not authenticated. KDCs ask for 4,096 or 32,768.
const MAX_ROUNDS: u32 = 1 << 20;

/// Derives the bytes of the key of a password (RFC 3962, section 4; RFC 8009, section 4).
/// `parameters` are the number of rounds that a KDC asks for, as four bytes; `None` means the
/// default number.
pub(super) fn derive_key(
    enctype: Enctype,
    password: &[u8],
    salt: &[u8],
    parameters: Option<&[u8]>,
) -> Result<Zeroizing<Vec<u8>>> {
    let default = match enctype {
        Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => 4_096,
        Enctype::Aes128Sha2 | Enctype::Aes256Sha2 => 32_768,
    };
    let rounds = match parameters {
        None => default,
        Some(bytes) => bytes.try_into().map(u32::from_be_bytes).map_err(|_| {
            Error::malformed(format!(
                "the parameters of the key of a password have {} bytes, where {enctype} has 4",
                bytes.len()
            ))
        })?,
    };
    // 0 means 2^32.
    if rounds == 0 || rounds > MAX_ROUNDS {
        return Err(Error::malformed(format!(
            "the KDC asks for {rounds} rounds for the key of a password; at most {MAX_ROUNDS} are made"
        )));
    }
    let mut base = Zeroizing::new(vec![0; enctype.key_len()]);
    match enctype {
        Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => {
            pbkdf2_hmac::<Sha1>(password, salt, rounds, &mut base);
        }
        Enctype::Aes128Sha2 => {
            pbkdf2_hmac::<Sha256>(password, &named(enctype, salt), rounds, &mut base);
        }
        Enctype::Aes256Sha2 => {
            pbkdf2_hmac::<Sha384>(password, &named(enctype, salt), rounds, &mut base);
        }
    }
    derive::derive(enctype, &base, b"kerberos", enctype.key_len())
        .ok_or_else(|| Error::malformed(format!("the key of a password has no form for {enctype}")))
}

/// Returns the name of the enctype, a zero byte and the salt.
fn named(enctype: Enctype, salt: &[u8]) -> Vec<u8> {
    [enctype.to_string().as_bytes(), &[0], salt].concat()
}
