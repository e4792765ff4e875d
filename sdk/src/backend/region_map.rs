//! The format of a file of exported regions. The documentation of the public module `regions`
//! describes this format.

use bytes::Bytes;
use md5::{Digest, Md5};
use prost::Message;

const MAGIC: &[u8] = b"tallrow regions ";
const VERSION: &[u8] = b"1\n";
const MD5_LEN: usize = 16;

/// The regions that a client knows, grouped by table.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegionMap {
    #[prost(string, tag = "1")]
    pub(crate) cluster_id: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) servers: Vec<MappedServer>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) tables: Vec<MappedTable>,
}

#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub(crate) struct MappedServer {
    #[prost(string, tag = "1")]
    pub(crate) address: String,
    #[prost(uint64, tag = "2")]
    pub(crate) start_code: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct MappedTable {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) regions: Vec<MappedRegion>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct MappedRegion {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub(crate) start: Option<Bytes>,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) end: Bytes,
    #[prost(uint64, tag = "3")]
    pub(crate) id: u64,
    #[prost(uint32, tag = "4")]
    pub(crate) server: u32,
    #[prost(uint64, tag = "5")]
    pub(crate) sequence: u64,
}

/// The reason why bytes are not a region map, or not a region map that this client can read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RegionMapError {
    /// The bytes are not a region map; contains the first of these bytes.
    BadMagic(String),
    /// The map has a version that this client cannot read; contains that version.
    UnsupportedVersion(String),
    /// The part after the first line is damaged; contains a description of the damage.
    Corrupt(String),
}

impl RegionMap {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let message = self.encode_to_vec();
        [MAGIC, VERSION, &Md5::digest(&message), &message].concat()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, RegionMapError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            let head = bytes.get(..MAGIC.len()).unwrap_or(bytes);
            return Err(RegionMapError::BadMagic(head.escape_ascii().to_string()));
        };
        let Some(rest) = rest.strip_prefix(VERSION) else {
            let version = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let version = version.get(..8).unwrap_or(version);
            return Err(RegionMapError::UnsupportedVersion(version.escape_ascii().to_string()));
        };
        let Some((md5, message)) = rest.split_at_checked(MD5_LEN) else {
            return Err(RegionMapError::Corrupt("they end after the first line".into()));
        };
        if *md5 != *Md5::digest(message) {
            let text = format!("the MD5 of their {} bytes is not the one they have", message.len());
            return Err(RegionMapError::Corrupt(text));
        }
        Self::decode(message).map_err(|e| RegionMapError::Corrupt(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> RegionMap {
        let region = |start: Option<&str>, end: &'static str, id| MappedRegion {
            start: start.map(|start| Bytes::copy_from_slice(start.as_bytes())),
            end: end.into(),
            id,
            server: 0,
            sequence: 7,
        };
        RegionMap {
            cluster_id: "id".into(),
            servers: vec![MappedServer { address: "a:1".into(), start_code: 5 }],
            tables: vec![MappedTable {
                name: "t".into(),
                regions: vec![region(None, "m", 1), region(Some("p"), "", 2)],
            }],
        }
    }

    #[test]
    fn a_map_is_read_as_it_was_written() {
        assert_eq!(RegionMap::from_bytes(&map().to_bytes()), Ok(map()));
        assert_eq!(
            RegionMap::from_bytes(&RegionMap::default().to_bytes()),
            Ok(RegionMap::default())
        );
    }

    #[test]
    fn any_missing_or_changed_byte_is_found() {
        let whole = map().to_bytes();
        for len in 0..whole.len() {
            assert!(RegionMap::from_bytes(&whole[..len]).is_err(), "{len} bytes");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x20;
            assert!(RegionMap::from_bytes(&changed).is_err(), "byte {at}");
        }
        let longer = [&whole[..], b"\n"].concat();
        assert!(matches!(RegionMap::from_bytes(&longer), Err(RegionMapError::Corrupt(_))));
    }

    #[test]
    fn another_file_and_another_version_are_told_as_such() {
        let error = |bytes: &[u8]| RegionMap::from_bytes(bytes).unwrap_err();
        assert_eq!(error(b""), RegionMapError::BadMagic(String::new()));
        assert_eq!(
            error(b"PK\x03\x04 not a map of regions"),
            RegionMapError::BadMagic(r"PK\x03\x04 not a map o".into())
        );
        assert_eq!(
            error(b"tallrow regions 2\nwhatever"),
            RegionMapError::UnsupportedVersion("2".into())
        );
        assert!(matches!(error(b"tallrow regions 1\n"), RegionMapError::Corrupt(_)));
    }
}
