//! The encoding of the fields of packets: numbers are big-endian, and strings, buffers and lists
//! are preceded by their length. No record says its own length.

use bytes::{Buf, BufMut, Bytes, BytesMut};

/// The longest packet: 1 MiB less a byte, the default of `jute.maxbuffer`.
pub const MAX_PACKET: usize = (1 << 20) - 1;

/// Returns a packet with its length prefix, whose content `fill` appends.
pub(super) fn packet(fill: impl FnOnce(&mut BytesMut)) -> Bytes {
    let mut out = BytesMut::with_capacity(64);
    put_packet(&mut out, fill);
    out.freeze()
}

/// Appends a packet with its length prefix, whose content `fill` appends.
pub(super) fn put_packet(out: &mut BytesMut, fill: impl FnOnce(&mut BytesMut)) {
    let start = out.len();
    out.put_u32(0);
    fill(out);
    let len = (out.len() - start - 4) as u32;
    if let Some(head) = out.get_mut(start..).and_then(|packet| packet.first_chunk_mut::<4>()) {
        *head = len.to_be_bytes();
    }
}

/// Appends a buffer, or the text of a string.
pub(super) fn put_buffer(out: &mut BytesMut, bytes: &[u8]) {
    out.put_i32(bytes.len() as i32);
    out.put_slice(bytes);
}

/// Appends a list of strings.
pub(super) fn put_strings(out: &mut BytesMut, strings: &[String]) {
    out.put_i32(strings.len() as i32);
    strings.iter().for_each(|string| put_buffer(out, string.as_bytes()));
}

/// Reads a buffer; none if it exceeds the packet. A length of -1 stands for no buffer, which is
/// read as an empty one.
pub(super) fn get_buffer(bytes: &mut Bytes) -> Option<Bytes> {
    match usize::try_from(bytes.try_get_i32().ok()?) {
        Ok(len) if len <= bytes.len() => Some(bytes.split_to(len)),
        Ok(_) => None,
        Err(_) => Some(Bytes::new()),
    }
}

/// Reads a string; none if it exceeds the packet, or if there is none. What is not UTF-8 is
/// replaced, as Java does.
pub(super) fn get_string(bytes: &mut Bytes) -> Option<String> {
    let len = usize::try_from(bytes.try_get_i32().ok()?).ok()?;
    if len > bytes.len() {
        return None;
    }
    Some(String::from_utf8_lossy(&bytes.split_to(len)).into_owned())
}

/// Reads a list of strings; none if it exceeds the packet.
pub(super) fn get_strings(bytes: &mut Bytes) -> Option<Vec<String>> {
    let len = bytes.try_get_i32().ok()?;
    // Each string has at least its length, so that the packet bounds what is allocated.
    (0..len).map(|_| get_string(bytes)).collect()
}

/// Reads a boolean.
pub(super) fn get_bool(bytes: &mut Bytes) -> Option<bool> {
    Some(bytes.try_get_u8().ok()? != 0)
}
