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
    let read = crate::backend::hbase::read_keys(&mut bytes);
    crate::authentication::fuzz::ready(read).is_some_and(|keys| keys.is_ok())
}

/// Reads a Bigtable service's answer to a PrepareQuery, and the messages of a result. Each of them
/// begins with its length in two bytes.
#[cfg(feature = "bigtable")]
pub fn query_results(mut bytes: &[u8]) -> bool {
    let mut messages = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (message, rest) = rest.split_at(length);
        messages.push(bytes::Bytes::copy_from_slice(message));
        bytes = rest;
    }
    match messages.split_first() {
        Some((prepared, results)) => {
            crate::backend::bigtable::decode_results(prepared.clone(), results)
        }
        None => false,
    }
}
