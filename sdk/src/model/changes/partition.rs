//! `ChangePartition`, a part of a table whose changes are one stream.

use std::fmt;

use bytes::Bytes;

use crate::model::show;

/// A part of a table whose changes are one stream: the rows from a key to before another.
///
/// The service divides and merges the partitions of a table, as it does with the table's parts.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangePartition {
    start: Bytes,
    end: Bytes,
}

impl ChangePartition {
    /// Returns `None` if the end is not after the start.
    pub(crate) fn new(start: Bytes, end: Bytes) -> Option<Self> {
        (end.is_empty() || start < end).then_some(Self { start, end })
    }

    /// The first row key of the partition; empty if it begins at the start of the table.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The row key after the last row of the partition; empty if it ends at the end of the table.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn end(&self) -> &[u8] {
        &self.end
    }

    pub(crate) fn keys(&self) -> (&Bytes, &Bytes) {
        (&self.start, &self.end)
    }

    /// The rows after the partition; `None` if there are none.
    pub(super) fn rest(&self) -> Option<Self> {
        (!self.end.is_empty()).then(|| Self { start: self.end.clone(), end: Bytes::new() })
    }

    /// Whether some row is in both partitions.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (self.end.is_empty() || other.start < self.end)
            && (other.end.is_empty() || self.start < other.end)
    }

    /// Whether all rows of the other partition are in this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.start <= other.start
            && (self.end.is_empty() || (!other.end.is_empty() && other.end <= self.end))
    }

    /// Returns the parts of this partition that are in none of `pieces`, which are sorted.
    pub(super) fn without(&self, pieces: &[&Self]) -> Vec<Self> {
        let mut gaps = Vec::new();
        let mut from = Some(self.start.clone());
        for piece in pieces {
            let Some(start) = &from else { break };
            if *start < piece.start {
                gaps.extend(Self::new(start.clone(), piece.start.clone()));
            }
            from = match piece.end.is_empty() {
                true => None,
                false => Some(piece.end.clone().max(start.clone())),
            };
        }
        if let Some(start) = from
            && (self.end.is_empty() || start < self.end)
        {
            gaps.extend(Self::new(start, self.end.clone()));
        }
        gaps
    }
}

impl fmt::Debug for ChangePartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", show::bytes(&self.start), show::bytes(&self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: &'static str, end: &'static str) -> ChangePartition {
        ChangePartition::new(start.into(), end.into()).unwrap()
    }

    #[test]
    fn partitions_are_compared_by_their_rows() {
        assert!(of("", "c").overlaps(&of("b", "")) && !of("", "c").overlaps(&of("c", "")));
        assert!(of("", "").covers(&of("b", "")) && of("a", "c").covers(&of("a", "c")));
        assert!(!of("a", "c").covers(&of("b", "")) && !of("a", "c").covers(&of("", "b")));
        assert_eq!(ChangePartition::new("b".into(), "b".into()), None);
        let (b, d) = (of("b", "c"), of("d", "e"));
        assert_eq!(of("a", "").without(&[&b, &d]), [of("a", "b"), of("c", "d"), of("e", "")]);
        assert_eq!(of("b", "e").without(&[&b, &d]), [of("c", "d")]);
        assert_eq!(of("b", "c").without(&[&b]), []);
        assert_eq!(of("b", "").without(&[&of("b", "")]), []);
    }
}
