//! HBase's own encryption of messages with AES (`CryptoAES`). If
//! `hbase.rpc.crypto.encryption.aes.enabled` is set, it replaces the encryption of SASL on
//! connections with the protection `privacy`.
//!
//! The client names the cipher in the connection header. The server answers with the keys, the
//! only message after the header that SASL still protects.

use ::aes::Aes128;
use ctr::Ctr128BE;
use ctr::cipher::KeyIvInit;
use rc4::StreamCipher;

use super::gssapi::GssContext;
use super::numbered_context::{Direction, NumberedContext};

/// The name of the cipher: the only one that HBase has.
pub(crate) const CIPHER: &str = "AES/CTR/NoPadding";

/// The keys of one direction, as the server has sent them.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) initialization_vector: &'a [u8],
}

/// Returns the context that encrypts messages with `cipher` and these keys.
///
/// # Errors
/// The cipher is not [`CIPHER`], or a key is not 16 bytes long.
pub(crate) fn boxed_context(
    cipher: &str,
    sent: Keys<'_>,
    received: Keys<'_>,
) -> Result<Box<dyn GssContext>, String> {
    Ok(Box::new(context(cipher, sent, received)?))
}

pub(super) fn context(
    cipher: &str,
    sent: Keys<'_>,
    received: Keys<'_>,
) -> Result<NumberedContext, String> {
    if !cipher.eq_ignore_ascii_case(CIPHER) {
        return Err(format!("its cipher is {cipher:?}, and this client's is {CIPHER}"));
    }
    Ok(NumberedContext::new(direction(sent)?, direction(received)?, &[]))
}

fn direction(keys: Keys<'_>) -> Result<Direction, String> {
    let bytes = |name: &str, found: &[u8]| -> Result<[u8; 16], String> {
        found.try_into().map_err(|_| {
            format!(
                "the {name} for {CIPHER} has {} bytes, where 16 are supported (hbase.rpc.crypto.encryption.aes.cipher.keySizeBits)",
                found.len()
            )
        })
    };
    let key = bytes("key", keys.key)?;
    let start = bytes("initialization vector", keys.initialization_vector)?;
    let cipher: Box<dyn StreamCipher + Send> =
        Box::new(Ctr128BE::<Aes128>::new(&key.into(), &start.into()));
    Ok(Direction::new(&key, Some(cipher)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn keys<'a>(key: &'a [u8], initialization_vector: &'a [u8]) -> Keys<'a> {
        Keys { key, initialization_vector }
    }

    /// The contexts of the client and of the server.
    pub(in super::super) fn both() -> (NumberedContext, NumberedContext) {
        let (sent, received) = (keys(&[1; 16], &[2; 16]), keys(&[3; 16], &[4; 16]));
        let context = || context(CIPHER, sent, received).unwrap();
        (context(), context().turned())
    }

    #[test]
    fn keys_of_another_kind_are_an_error() {
        let good = keys(&[1; 16], &[2; 16]);
        let wrong = |cipher, sent| context(cipher, sent, good).err().unwrap();
        let why = wrong(CIPHER, Keys { initialization_vector: &[0; 15], ..good });
        assert!(
            why.contains("the initialization vector for AES/CTR/NoPadding has 15 bytes"),
            "{why}"
        );
        assert!(wrong(CIPHER, Keys { key: &[], ..good }).contains("has 0 bytes"));
        assert!(wrong("AES/GCM", good).contains("its cipher is \"AES/GCM\""));
    }
}
