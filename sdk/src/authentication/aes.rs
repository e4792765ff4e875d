//! HBase's own encryption of messages with AES (`CryptoAES`), which replaces SASL's on connections
//! with the protection `privacy` if `hbase.rpc.crypto.encryption.aes.enabled` is set.
//!
//! The client names the cipher in the connection header. The server answers with the keys, the
//! only message after the header that SASL still protects.

use std::io;

use ::aes::Aes128;
use ctr::Ctr128BE;
use ctr::cipher::KeyIvInit;
use prost::Message;
use rc4::StreamCipher;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::Failed;
use super::numbered::{Direction, NumberedContext};
use super::wrapped::Wrapped;
use crate::wire::preamble;
use crate::wire::proto::{ConnectionHeader, ConnectionHeaderResponse, CryptoCipherMeta};

/// The name of the cipher: the only one that HBase has.
const CIPHER: &str = "AES/CTR/NoPadding";
/// The longest answer to the header that is read.
const MAX_ANSWER: u32 = 1 << 16;

/// Sends the connection header, and encrypts all further messages with the keys of the server's
/// answer.
pub(crate) async fn agree<S>(
    stream: &mut Wrapped<S>,
    mut header: ConnectionHeader,
) -> Result<(), Failed>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    header.rpc_crypto_aes_cipher_transformation = Some(CIPHER.into());
    stream.write_all(&preamble::encode_header(&header)).await?;
    stream.flush().await?;
    let len = stream.read_u32().await?;
    if len > MAX_ANSWER {
        let text = format!("an answer of {len} bytes to the header of a connection");
        return Err(Failed::Broken(io::Error::new(io::ErrorKind::InvalidData, text)));
    }
    let mut answer = vec![0; len as usize];
    stream.read_exact(&mut answer).await?;
    let refused = |why: String| Failed::Refused(format!("the server's keys for AES: {why}"));
    let answer = ConnectionHeaderResponse::decode(&answer[..]);
    let answer = answer.map_err(|why| refused(why.to_string()))?;
    let meta = answer.crypto_cipher_meta.ok_or_else(|| refused("it sent none".into()))?;
    stream.protect_with(Box::new(context(&meta).map_err(refused)?));
    Ok(())
}

/// Creates the context of a client from the keys that the server has sent.
fn context(meta: &CryptoCipherMeta) -> Result<NumberedContext, String> {
    if !meta.transformation.eq_ignore_ascii_case(CIPHER) {
        return Err(format!("its cipher is {:?}, and this client's is {CIPHER}", meta.transformation));
    }
    let bytes = |name: &str, field: &Option<bytes::Bytes>| -> Result<[u8; 16], String> {
        let found = field.as_deref().unwrap_or_default();
        found.try_into().map_err(|_| {
            format!(
                "the {name} for {CIPHER} has {} bytes, where 16 are supported (hbase.rpc.crypto.encryption.aes.cipher.keySizeBits)",
                found.len()
            )
        })
    };
    let direction = |key: &Option<bytes::Bytes>, start: &Option<bytes::Bytes>| {
        let (key, start) = (bytes("key", key)?, bytes("initialization vector", start)?);
        let cipher = Ctr128BE::<Aes128>::new(&key.into(), &start.into());
        let cipher: Box<dyn StreamCipher + Send> = Box::new(cipher);
        Ok::<_, String>(Direction::new(&key, Some(cipher)))
    };
    let sent = direction(&meta.out_key, &meta.out_iv)?;
    let received = direction(&meta.in_key, &meta.in_iv)?;
    Ok(NumberedContext::new(sent, received, &[]))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn meta() -> CryptoCipherMeta {
        let bytes = |byte| Some(bytes::Bytes::copy_from_slice(&[byte; 16]));
        CryptoCipherMeta {
            transformation: CIPHER.into(),
            in_key: bytes(1),
            in_iv: bytes(2),
            out_key: bytes(3),
            out_iv: bytes(4),
        }
    }

    /// The contexts of the client and of the server.
    pub(in super::super) fn both() -> (NumberedContext, NumberedContext) {
        (context(&meta()).unwrap(), context(&meta()).unwrap().turned())
    }

    #[test]
    fn keys_of_another_kind_are_an_error() {
        let short = CryptoCipherMeta { in_iv: Some(vec![0; 15].into()), ..meta() };
        let why = context(&short).err().unwrap();
        assert!(why.contains("the initialization vector for AES/CTR/NoPadding has 15 bytes"), "{why}");
        let none = CryptoCipherMeta { out_key: None, ..meta() };
        assert!(context(&none).err().unwrap().contains("has 0 bytes"));
        let other = CryptoCipherMeta { transformation: "AES/GCM".into(), ..meta() };
        assert!(context(&other).err().unwrap().contains("its cipher is \"AES/GCM\""));
    }
}
