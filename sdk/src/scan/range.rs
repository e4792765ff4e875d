use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

/// A range of row keys: from `start` (inclusive) to `stop` (exclusive; none for the end of the table).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: Bytes,
    pub(crate) stop: Option<Bytes>,
}

impl Range {
    pub(crate) fn new(start: &[u8], stop: Option<&[u8]>) -> Self {
        Self { start: Bytes::copy_from_slice(start), stop: stop.map(Bytes::copy_from_slice) }
    }

    pub(crate) fn from_bounds<K: AsRef<[u8]>>(range: &impl RangeBounds<K>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(key) => Bytes::copy_from_slice(key.as_ref()),
            Bound::Excluded(key) => next_key(key.as_ref()),
            Bound::Unbounded => Bytes::new(),
        };
        let stop = match range.end_bound() {
            Bound::Included(key) => Some(next_key(key.as_ref())),
            Bound::Excluded(key) => Some(Bytes::copy_from_slice(key.as_ref())),
            Bound::Unbounded => None,
        };
        Self { start, stop }
    }

    /// Every key that starts with `prefix`.
    pub(crate) fn prefix(prefix: &[u8]) -> Self {
        // The next prefix: the last byte that is not 0xFF one higher, and nothing after it.
        let keep = prefix.iter().rposition(|b| *b != 0xFF).map_or(0, |at| at + 1);
        let mut next = prefix.get(..keep).unwrap_or_default().to_vec();
        let stop = next.last_mut().map(|last| *last += 1).map(|()| next.into());
        Self { start: Bytes::copy_from_slice(prefix), stop }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| *stop <= self.start)
    }
}

/// The key right after this one.
pub(crate) fn next_key(key: &[u8]) -> Bytes {
    [key, b"\0"].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_that_ends_in_ff_has_the_right_end() {
        let stop = |prefix: &[u8]| Range::prefix(prefix).stop;
        assert_eq!(stop(b"a\x01").as_deref(), Some(&b"a\x02"[..]));
        assert_eq!(stop(b"a\xff\xff").as_deref(), Some(&b"b"[..]));
        assert_eq!(stop(b"\xff\xff"), None);
        assert_eq!(stop(b""), None);
    }

    #[test]
    fn bounds_of_every_kind_become_start_and_stop() {
        let bounds = Range::from_bounds::<&str>(&(Bound::Excluded("a"), Bound::Included("b")));
        assert_eq!(bounds, Range::new(b"a\0", Some(b"b\0")));
        assert_eq!(Range::from_bounds(&("a".."b")), Range::new(b"a", Some(b"b")));
        assert_eq!(Range::from_bounds::<&str>(&(..)), Range::default());
        assert!(Range::from_bounds(&("b".."a")).is_empty());
    }
}
