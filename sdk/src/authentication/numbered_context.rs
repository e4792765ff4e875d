//! Messages that are signed with HMAC-MD5 and numbered, and encrypted by a stream cipher: those of
//! DIGEST-MD5 (RFC 2831, section 2.3) and of HBase's own encryption with AES.

use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use rc4::StreamCipher;

use super::gssapi::{BoxError, GssContext};
use crate::key::show::hex;

/// How many bytes of a signature are sent: only the first ones are.
const SIGNATURE: usize = 10;

/// The context of a client and a server, which protects the messages that they send.
///
/// A message starts with the text and the signature, both encrypted. The type, which may be empty,
/// and the number of the message, which has four bytes, follow in clear. Each direction has its own
/// keys and counts its messages from 0.
pub(super) struct NumberedContext {
    sent: Direction,
    received: Direction,
    message_type: &'static [u8],
}

/// The state of the messages that are sent in one direction.
pub(super) struct Direction {
    mac: Hmac<Md5>,
    /// The cipher, whose key stream continues from message to message.
    cipher: Option<Box<dyn StreamCipher + Send>>,
    number: u32,
}

impl Direction {
    /// Creates the state before the first message. `signing_key` is the key of the signatures.
    pub(super) fn new(
        signing_key: &[u8; 16],
        cipher: Option<Box<dyn StreamCipher + Send>>,
    ) -> Self {
        // HMAC fills a key up to a block of its hash with zeros.
        let mut block = [0; 64];
        block.iter_mut().zip(signing_key).for_each(|(to, byte)| *to = *byte);
        Self { mac: <Hmac<Md5> as KeyInit>::new(&block.into()), cipher, number: 0 }
    }

    /// Computes the signature of the next message.
    fn signature(&self, text: &[u8]) -> Hmac<Md5> {
        let mut mac = self.mac.clone();
        mac.update(&self.number.to_be_bytes());
        mac.update(text);
        mac
    }
}

impl NumberedContext {
    /// Creates a context; `message_type` is the type of all its messages.
    pub(super) fn new(sent: Direction, received: Direction, message_type: &'static [u8]) -> Self {
        Self { sent, received, message_type }
    }

    /// Returns the context of the other side.
    pub(super) fn turned(self) -> Self {
        Self { sent: self.received, received: self.sent, ..self }
    }
}

impl GssContext for NumberedContext {
    fn wrap(&mut self, text: &[u8], _: bool) -> Result<Vec<u8>, BoxError> {
        let sent = &mut self.sent;
        let signature = sent.signature(text).finalize().into_bytes();
        let mut message = Vec::with_capacity(text.len() + SIGNATURE + self.message_type.len() + 4);
        message.extend_from_slice(text);
        message.extend(signature.into_iter().take(SIGNATURE));
        if let Some(cipher) = &mut sent.cipher {
            cipher.try_apply_keystream(&mut message)?;
        }
        message.extend_from_slice(self.message_type);
        message.extend_from_slice(&sent.number.to_be_bytes());
        sent.number = sent.number.wrapping_add(1);
        Ok(message)
    }

    fn unwrap(&mut self, mut message: Vec<u8>) -> Result<(Vec<u8>, bool), BoxError> {
        let received = &mut self.received;
        let expected = [self.message_type, &received.number.to_be_bytes()].concat();
        let Some(len) = message.len().checked_sub(SIGNATURE + expected.len()) else {
            return Err(format!("a message of {} bytes has no signature", message.len()).into());
        };
        let trailer = message.split_off(len + SIGNATURE);
        if trailer != expected {
            return Err(format!(
                "a message that ends in {}, where {} was to come: it was changed, or is not the next one",
                hex(&trailer),
                hex(&expected)
            )
            .into());
        }
        if let Some(cipher) = &mut received.cipher {
            cipher.try_apply_keystream(&mut message)?;
        }
        let signature = message.split_off(len);
        let expected = received.signature(&message);
        expected.verify_truncated_left(&signature).map_err(|_| "a message was changed")?;
        received.number = received.number.wrapping_add(1);
        Ok((message, received.cipher.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authentication::Protection::{Integrity, Privacy};
    use crate::authentication::{aes, digest};

    type Contexts = fn() -> (NumberedContext, NumberedContext);

    /// The contexts of both sides, whether they encrypt, and the bytes of a type.
    const ALL: [(Contexts, bool, usize); 3] = [
        (|| digest::tests::both(Integrity), false, 2),
        (|| digest::tests::both(Privacy), true, 2),
        (aes::tests::both, true, 0),
    ];

    #[test]
    fn what_one_side_wraps_the_other_reads() {
        for (both, encrypts, kind) in ALL {
            let (mut client, mut server) = both();
            for text in [&b""[..], b"one", &[7; 100_000]] {
                let wrapped = client.wrap(text, encrypts).unwrap();
                assert_eq!(wrapped.len(), text.len() + SIGNATURE + kind + 4);
                assert_eq!(wrapped.starts_with(text), !encrypts || text.is_empty());
                assert_eq!(server.unwrap(wrapped).unwrap(), (text.to_vec(), encrypts));
                let back = server.wrap(text, encrypts).unwrap();
                assert_eq!(client.unwrap(back).unwrap(), (text.to_vec(), encrypts));
            }
        }
    }

    #[test]
    fn what_was_changed_is_an_error() {
        for (both, ..) in ALL {
            let wrapped = both().0.wrap(b"text", true).unwrap();
            for at in 0..wrapped.len() {
                let mut changed = wrapped.clone();
                changed[at] ^= 1;
                both().1.unwrap(changed).unwrap_err();
                both().1.unwrap(wrapped[..at].to_vec()).unwrap_err();
            }
            let (_, mut server) = both();
            server.unwrap(wrapped.clone()).unwrap();
            server.unwrap(wrapped).unwrap_err();
        }
    }
}
