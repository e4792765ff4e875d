//! The cache of a lookup: ids by name and names by id, each limited to a number of bytes.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache as Bounded;

/// About how many bytes an entry takes in addition to its name.
const ENTRY_BYTES: usize = 96;

/// Mappings that were read or written, in both directions; each direction may take half of the
/// bytes.
#[derive(Debug)]
pub(super) struct Cache {
    ids: Bounded<Bytes, u64, NameBytes>,
    names: Bounded<u64, Bytes, NameBytes>,
}

impl Cache {
    pub(super) fn new(bytes: usize) -> Self {
        let half = bytes / 2;
        let entries = half / (2 * ENTRY_BYTES);
        let half = half as u64;
        Self {
            ids: Bounded::with_weighter(entries, half, NameBytes),
            names: Bounded::with_weighter(entries, half, NameBytes),
        }
    }

    pub(super) fn id(&self, name: &[u8]) -> Option<u64> {
        self.ids.get(name)
    }

    pub(super) fn name(&self, id: u64) -> Option<Bytes> {
        self.names.get(&id)
    }

    pub(super) fn insert_id(&self, name: &Bytes, id: u64) {
        self.ids.insert(name.clone(), id);
    }

    pub(super) fn insert_name(&self, id: u64, name: &Bytes) {
        self.names.insert(id, name.clone());
    }

    pub(super) fn remove_name(&self, id: u64) {
        self.names.remove(&id);
    }
}

#[derive(Clone, Debug)]
struct NameBytes;

impl Weighter<Bytes, u64> for NameBytes {
    fn weight(&self, name: &Bytes, _: &u64) -> u64 {
        (ENTRY_BYTES + name.len()) as u64
    }
}

impl Weighter<u64, Bytes> for NameBytes {
    fn weight(&self, _: &u64, name: &Bytes) -> u64 {
        (ENTRY_BYTES + name.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_holds_no_more_than_its_bytes() {
        let cache = Cache::new(200_000);
        for id in 0..100_000 {
            let name = Bytes::from(format!("name{id}"));
            cache.insert_id(&name, id);
            cache.insert_name(id, &name);
        }
        let held = (0..100_000).filter(|id| cache.name(*id).is_some()).count();
        assert!((100..=100_000 / ENTRY_BYTES).contains(&held), "{held}");
        let held = (0..100_000).filter(|id| cache.id(format!("name{id}").as_bytes()) == Some(*id));
        assert!((100..=100_000 / ENTRY_BYTES).contains(&held.count()));
    }

    #[test]
    fn a_cache_of_no_bytes_holds_nothing() {
        let cache = Cache::new(0);
        cache.insert_name(1, &Bytes::from_static(b"a"));
        cache.insert_id(&Bytes::from_static(b"a"), 1);
        assert_eq!((cache.name(1), cache.id(b"a")), (None, None));
    }
}
