//! The readers of bytes from outside, for tests and fuzz targets that change such bytes at random.
//! Not part of the public API. Each function returns whether the bytes were accepted.

#[cfg(feature = "kerberos")]
pub use crate::authentication::fuzz::{
    digest_challenge, frames_of, sasl_answers, token_file, wrapped_frames,
};
use crate::config::site::Site;

/// Reads the text of an `hbase-site.xml`, and replaces the variables in its values. A text that
/// includes files is not read.
pub fn hbase_site(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut site = Site::default();
    if text.contains("include") || site.read_text("hbase-site.xml", &text).is_err() {
        return false;
    }
    site.properties().all(|property| property.expanded.is_ok())
}

/// Reads a server's answer to the header of a connection whose messages are encrypted by AES.
#[cfg(feature = "kerberos")]
pub fn aes_keys(mut bytes: &[u8]) -> bool {
    let read = crate::backend::hbase::read_encryption_keys(&mut bytes);
    crate::authentication::fuzz::now_or_never(read).is_some_and(|keys| keys.is_ok())
}

/// Reads a Bigtable service's answer to a PrepareQuery, and the messages of a result. Each of them
/// begins with its length in two bytes.
#[cfg(feature = "bigtable")]
pub fn query_results(bytes: &[u8]) -> bool {
    match messages_in(bytes).split_first() {
        Some((prepared, results)) => {
            crate::backend::bigtable::decode_results(prepared.clone(), results)
        }
        None => false,
    }
}

/// Reads the messages of the stream of a partition of a Bigtable table's change stream, up to the
/// end of the stream. Each of them begins with its length in two bytes.
#[cfg(feature = "bigtable")]
pub fn change_stream(bytes: &[u8]) -> bool {
    crate::backend::bigtable::decode_changes(&messages_in(bytes))
}

/// Reads a saved position in a change stream, which is written as it was read.
#[cfg(feature = "bigtable")]
pub fn change_position(bytes: &[u8]) -> bool {
    let Ok(position) = crate::changes::ChangePosition::from_bytes(bytes) else { return false };
    let again = crate::changes::ChangePosition::from_bytes(&position.to_bytes());
    assert_eq!(again.ok(), Some(position));
    true
}

/// Divides bytes into messages, each of which begins with its length in two bytes.
#[cfg(feature = "bigtable")]
fn messages_in(mut bytes: &[u8]) -> Vec<bytes::Bytes> {
    let mut messages = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (message, rest) = rest.split_at(length);
        messages.push(bytes::Bytes::copy_from_slice(message));
        bytes = rest;
    }
    messages
}
