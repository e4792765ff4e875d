//! The content of HBase's znodes: a message, and what HBase puts before it.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::WireError;

/// The first byte of a znode that HBase has written.
const MAGIC: u8 = 0xFF;

/// Returns the content of a znode as HBase writes it: `0xFF`, an `int32` length, an id of that many
/// bytes, and `content`. The id is `writer`, the role and port of the server that wrote it, and 8
/// bytes of `salt`, by which a server recognizes what it has written itself.
///
/// ```
/// use tallrow_wire::zookeeper::{encode_znode, strip_znode_prefix};
///
/// let znode = encode_znode("master:16000", 7, b"PBUFmessage");
/// assert!(znode.starts_with(b"\xff\0\0\0\x14master:16000"));
/// assert_eq!(&strip_znode_prefix(znode).unwrap()[..], b"message");
/// ```
pub fn encode_znode(writer: &str, salt: u64, content: &[u8]) -> Bytes {
    let id_len = writer.len() + size_of::<u64>();
    let mut out = BytesMut::with_capacity(1 + size_of::<i32>() + id_len + content.len());
    out.put_u8(MAGIC);
    out.put_i32(id_len as i32);
    out.put_slice(writer.as_bytes());
    out.put_u64(salt);
    out.put_slice(content);
    out.freeze()
}

/// Removes the prefix that HBase puts before a message in a znode: `0xFF`, an `int32` length, an id
/// of that many bytes, and `PBUF`. Content without this prefix is returned as it is.
///
/// ```
/// use bytes::Bytes;
/// use tallrow_wire::zookeeper::strip_znode_prefix;
///
/// assert_eq!(
///     &strip_znode_prefix(Bytes::from_static(b"\xff\0\0\0\x02idPBUFmsg")).unwrap()[..],
///     b"msg"
/// );
/// assert!(strip_znode_prefix(Bytes::from_static(b"\xff\0\0\0\x09id")).is_err());
/// ```
///
/// # Errors
/// Content that ends within the prefix.
pub fn strip_znode_prefix(mut content: Bytes) -> Result<Bytes, WireError> {
    let found = content.clone();
    let cut = || {
        WireError::new(
            "znode",
            format!("expected an id and a message, found \"{}\"", found.escape_ascii()),
        )
    };
    if content.first() == Some(&MAGIC) {
        content.advance(1);
        let len =
            content.try_get_i32().ok().and_then(|n| usize::try_from(n).ok()).ok_or_else(cut)?;
        if len > content.len() {
            return Err(cut());
        }
        content.advance(len);
    }
    if content.starts_with(b"PBUF") {
        content.advance(4);
    }
    Ok(content)
}
