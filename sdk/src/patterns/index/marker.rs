//! The marker of a row: a cell that lists the entries of the row, and by which concurrent writers
//! of the row notice each other.

use bytes::Bytes;

use super::change_id::ChangeId;

const LIVE: u8 = 1;
const DELETED: u8 = 2;

/// The contents of the marker of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexMarker {
    /// False for a row that does not exist, such as a row that was deleted a short while ago.
    pub(super) live: bool,
    /// The last change of the row. A condition that the marker still contains this change holds
    /// only if nobody has changed the row since.
    pub(super) change: ChangeId,
    pub(super) entries: Vec<IndexEntryRef>,
}

/// An entry of the row in an index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexEntryRef {
    /// The name of the index.
    pub(super) index: Bytes,
    /// The change that wrote the entry.
    pub(super) id: ChangeId,
    /// The row key in the index's table.
    pub(super) key: Bytes,
}

impl IndexMarker {
    /// The bytes with which the marker of a deleted row begins.
    pub(super) const DELETED_PREFIX: [u8; 1] = [DELETED];

    pub(super) fn encode(&self) -> Bytes {
        let mut bytes = vec![if self.live { LIVE } else { DELETED }];
        bytes.extend(self.change.bytes());
        for entry in &self.entries {
            // Both lengths fit: the length of the name was checked when the table was built, and a
            // key is at most 32,767 bytes.
            bytes.push(u8::try_from(entry.index.len()).unwrap_or(u8::MAX));
            bytes.extend(&entry.index);
            bytes.extend(entry.id.bytes());
            bytes.extend(u16::try_from(entry.key.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend(&entry.key);
        }
        bytes.into()
    }

    /// Decodes a marker; `None` if the bytes are not a marker.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let live = match *kind {
            LIVE => true,
            DELETED => false,
            _ => return None,
        };
        let (change, mut rest) = ChangeId::split(rest)?;
        let mut entries = Vec::new();
        while let Some((len, after)) = rest.split_first() {
            let (index, after) = after.split_at_checked(usize::from(*len))?;
            let (id, after) = ChangeId::split(after)?;
            let (len, after) = after.split_first_chunk()?;
            let (key, after) = after.split_at_checked(usize::from(u16::from_be_bytes(*len)))?;
            let (index, key) = (Bytes::copy_from_slice(index), Bytes::copy_from_slice(key));
            entries.push(IndexEntryRef { index, id, key });
            rest = after;
        }
        Some(Self { live, change, entries })
    }

    /// Returns the entry that the row has at this key of the index with this name.
    pub(super) fn entry(&self, index: &str, key: &[u8]) -> Option<&IndexEntryRef> {
        self.entries.iter().find(|entry| entry.index == index.as_bytes() && entry.key == key)
    }

    /// Returns whether the row has the entry that the change `id` wrote at this key of the index.
    pub(super) fn has_entry(&self, index: &str, id: ChangeId, key: &[u8]) -> bool {
        self.entry(index, key).is_some_and(|entry| entry.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_decoded_from_its_bytes_alone() {
        let entry = |index: &'static str, key: &'static [u8]| IndexEntryRef {
            index: index.into(),
            id: ChangeId::new(),
            key: Bytes::from_static(key),
        };
        let entries = vec![entry("author", b"Ada\0\x07"), entry("isbn", b"")];
        for marker in [
            IndexMarker { live: true, change: ChangeId::new(), entries },
            IndexMarker { live: false, change: ChangeId::new(), entries: vec![] },
        ] {
            let bytes = marker.encode();
            assert_eq!(IndexMarker::decode(&bytes), Some(marker.clone()));
            for len in (0..bytes.len()).filter(|len| *len != 17) {
                assert_ne!(
                    IndexMarker::decode(&bytes[..len]).as_ref(),
                    Some(&marker),
                    "{len} bytes"
                );
            }
        }
        assert_eq!(IndexMarker::decode(&[3; 17]), None);
    }
}
