//! What remains to be read of a change stream: the partitions that are read, each from a position,
//! and the positions that wait until other partitions come to the same place.
//!
//! # Invariants
//!
//! - The changes of a row are returned in their order also if its partition is divided or merged:
//!   a partition that was merged from several is read when the last of them is closed. Tests:
//!   `a_merged_partition_waits_for_all_that_it_was_merged_from`.
//! - No rows are forgotten, whatever the service says about partitions. Tests:
//!   `every_row_is_in_the_frontier_whatever_closes`,
//!   `positions_that_would_wait_for_ever_are_read_on`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::ChangePartition;

/// Where a stream begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StreamStart {
    /// With the changes that are made after the stream has been opened.
    Now,
    /// At a time, in microseconds since 1970.
    Time(i64),
}

/// Where the reading of a partition begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartitionStart {
    /// With the changes that are made after the partition was opened; later attempts begin at this
    /// time, in microseconds since 1970.
    Now(i64),
    /// At a time, in microseconds since 1970.
    Time(i64),
    /// At the positions of tokens, whose partitions cover the partition.
    Tokens(Vec<PartitionToken>),
}

/// A position in the stream of a partition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartitionToken {
    pub(crate) partition: ChangePartition,
    pub(crate) token: String,
}

/// A position that waits until a partition, of which it covers a part, can be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaitingToken {
    pub(super) token: PartitionToken,
    pub(super) of: ChangePartition,
}

/// What remains to be read of a change stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frontier {
    /// Where the stream begins, as long as its partitions are not known.
    pub(super) start: Option<StreamStart>,
    /// The partitions that are read. No row is in two of them.
    pub(super) open: BTreeMap<ChangePartition, PartitionStart>,
    /// The positions that wait, by the partitions of their tokens. No row is in two of these
    /// partitions, or in one of them and in a partition that is read.
    pub(super) waiting: BTreeMap<ChangePartition, WaitingToken>,
}

/// A partition that is to be read now.
#[derive(Debug, PartialEq)]
pub(crate) struct Opened {
    pub(crate) partition: ChangePartition,
    /// Whether the service has said that the partition is closed. It is asked again what follows.
    pub(crate) is_again: bool,
}

impl Frontier {
    pub(crate) fn new(start: StreamStart) -> Self {
        Self { start: Some(start), open: BTreeMap::new(), waiting: BTreeMap::new() }
    }

    /// Where the stream begins, if its partitions are not known yet.
    pub(crate) fn start(&self) -> Option<&StreamStart> {
        self.start.as_ref()
    }

    /// Begins with these partitions; `now` is the time in microseconds since 1970.
    pub(crate) fn begin(&mut self, partitions: Vec<ChangePartition>, now: i64) {
        let start = match self.start.take() {
            Some(StreamStart::Time(at)) => PartitionStart::Time(at),
            Some(StreamStart::Now) | None => PartitionStart::Now(now),
        };
        self.open.extend(partitions.into_iter().map(|partition| (partition, start.clone())));
    }

    /// Returns what is wrong with a frontier that was read from bytes.
    pub(super) fn problem(&self) -> Option<String> {
        let mut rows: Vec<_> = self.open.keys().chain(self.waiting.keys()).collect();
        rows.sort();
        if self.start.is_some() && !rows.is_empty() {
            return Some("it has partitions of a stream that has not begun".to_owned());
        }
        if let Some([a, b]) = overlap(&rows) {
            return Some(format!("it has two places for rows of {a:?} and {b:?}"));
        }
        for (partition, start) in &self.open {
            if let PartitionStart::Tokens(tokens) = start
                && !is_covered(partition, tokens)
            {
                let of = tokens.iter().map(|token| &token.partition).collect::<Vec<_>>();
                return Some(format!(
                    "the partition {partition:?} has tokens of {of:?}, which are not its parts in \
                     their order"
                ));
            }
        }
        let strange = self.waiting.iter().find(|(piece, one)| !one.of.covers(piece));
        if let Some((piece, one)) = strange {
            return Some(format!("{piece:?} waits for {:?}, of which it is no part", one.of));
        }
        let of = self.stuck().pop_first()?;
        Some(format!("nothing that is read comes to the rest of {of:?}"))
    }

    /// The partitions that are read, and where they begin.
    pub(crate) fn open(&self) -> impl Iterator<Item = (&ChangePartition, &PartitionStart)> {
        self.open.iter()
    }

    /// How many partitions are read.
    pub(crate) fn open_count(&self) -> usize {
        self.open.len()
    }

    /// Whether positions wait until other partitions come to the same place.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Where the reading of an open partition begins.
    pub(crate) fn start_of(&self, partition: &ChangePartition) -> Option<&PartitionStart> {
        self.open.get(partition)
    }

    /// Notes that a partition was read up to this position.
    pub(crate) fn advance(&mut self, partition: &ChangePartition, token: String) {
        if let Some(start) = self.open.get_mut(partition) {
            let token = PartitionToken { partition: partition.clone(), token };
            *start = PartitionStart::Tokens(vec![token]);
        }
    }

    /// Notes that a partition is closed, and that its rest is read from these positions, each as
    /// a part of a partition. Returns the partitions that can be read now.
    ///
    /// # Errors
    /// Positions that do not cover the partition, that are not in their partitions, or whose rows
    /// are read from another position already.
    pub(crate) fn close(
        &mut self,
        closed: &ChangePartition,
        positions: Vec<(PartitionToken, ChangePartition)>,
    ) -> Result<Vec<Opened>, String> {
        self.check(closed, &positions)?;
        self.open.remove(closed);
        let mut awaited: Vec<_> = positions.iter().map(|(_, of)| of.clone()).collect();
        awaited.sort();
        awaited.dedup();
        for (token, of) in positions {
            self.waiting.insert(token.partition.clone(), WaitingToken { token, of });
        }
        let mut opened = Vec::new();
        for of in &awaited {
            let pieces = self.pieces(of);
            if of.without(&pieces).is_empty() {
                let pieces: Vec<_> = pieces.into_iter().cloned().collect();
                let tokens = pieces.iter().filter_map(|piece| self.waiting.remove(piece));
                let tokens = tokens.map(|one| one.token).collect();
                self.open.insert(of.clone(), PartitionStart::Tokens(tokens));
                opened.push(Opened { partition: of.clone(), is_again: false });
            }
        }
        opened.extend(self.read_on(closed, &awaited));
        Ok(opened)
    }

    fn check(
        &self,
        closed: &ChangePartition,
        positions: &[(PartitionToken, ChangePartition)],
    ) -> Result<(), String> {
        let mut pieces: Vec<_> = positions.iter().map(|(token, _)| &token.partition).collect();
        pieces.sort();
        if !positions.is_empty() && !closed.without(&pieces).is_empty() {
            return Err(format!("the partition {closed:?} is closed, and only {pieces:?} follow"));
        }
        let twice = |a: &ChangePartition, b: &ChangePartition| {
            Err(format!("{closed:?} is followed by two positions of rows of {a:?} and {b:?}"))
        };
        if let Some([a, b]) = overlap(&pieces) {
            return twice(a, b);
        }
        for (token, of) in positions {
            let piece = &token.partition;
            if let Some((waiting, _)) = overlapping(&self.waiting, piece).next() {
                return twice(waiting, piece);
            }
            if !of.covers(piece) {
                return Err(format!("a position of {piece:?}, which is no part of {of:?}"));
            }
            let other = overlapping(&self.open, piece).find(|(open, _)| *open != closed);
            if let Some((other, _)) = other {
                return Err(format!("{closed:?} is followed by rows of {other:?}, which is open"));
            }
        }
        Ok(())
    }

    /// The parts of a partition whose positions wait for it, in their order.
    fn pieces(&self, of: &ChangePartition) -> Vec<&ChangePartition> {
        let waiting = overlapping(&self.waiting, of).filter(|(_, one)| one.of == *of);
        let mut pieces: Vec<_> = waiting.map(|(piece, _)| piece).collect();
        pieces.reverse();
        pieces
    }

    /// The parts of a partition that positions wait for.
    fn gaps(&self, of: &ChangePartition) -> Vec<ChangePartition> {
        of.without(&self.pieces(of))
    }

    /// Opens the partitions of positions that would wait for ever after a partition was closed and
    /// positions have begun to wait for the partitions `awaited`. The service says what follows
    /// now.
    fn read_on(&mut self, closed: &ChangePartition, awaited: &[ChangePartition]) -> Vec<Opened> {
        // Each chain of positions that wait ends at rows that are read. Only the chains that ended
        // at the closed rows, or are new, may now end nowhere.
        let ends = |of: &&ChangePartition| of.overlaps(closed) || awaited.binary_search(of).is_ok();
        let ends: BTreeSet<_> = self.waiting.values().map(|one| &one.of).filter(ends).collect();
        if ends.into_iter().all(|of| self.is_read(&self.gaps(of))) {
            return Vec::new();
        }
        let stuck = self.stuck();
        let pieces: Vec<_> = stuck.iter().flat_map(|of| self.pieces(of)).cloned().collect();
        let mut opened = Vec::new();
        for partition in pieces {
            if let Some(WaitingToken { token, .. }) = self.waiting.remove(&partition) {
                self.open.insert(partition.clone(), PartitionStart::Tokens(vec![token]));
                opened.push(Opened { partition, is_again: true });
            }
        }
        opened
    }

    /// Whether some of these rows are read.
    fn is_read(&self, rows: &[ChangePartition]) -> bool {
        rows.iter().any(|rows| overlapping(&self.open, rows).next().is_some())
    }

    /// The partitions whose positions would wait for ever, because nothing that is read comes to
    /// the rows that they wait for: the partitions were changed again meanwhile.
    fn stuck(&self) -> BTreeSet<ChangePartition> {
        let mut stuck: BTreeSet<_> = self.waiting.values().map(|one| one.of.clone()).collect();
        loop {
            // What waits for rows that are read, or for those of positions that are not stuck, is
            // not stuck.
            let is_stuck = |of: &&ChangePartition| {
                let gaps = self.gaps(of);
                let moves =
                    |gap| overlapping(&self.waiting, gap).any(|(_, one)| !stuck.contains(&one.of));
                !self.is_read(&gaps) && !gaps.iter().any(moves)
            };
            let rest: BTreeSet<_> = stuck.iter().filter(is_stuck).cloned().collect();
            if rest.len() == stuck.len() {
                return stuck;
            }
            stuck = rest;
        }
    }
}

/// The partitions in `map`, of which no two have the same rows, that have some of these rows. The
/// last comes first.
fn overlapping<'m, V>(
    map: &'m BTreeMap<ChangePartition, V>,
    rows: &ChangePartition,
) -> impl Iterator<Item = (&'m ChangePartition, &'m V)> {
    let end = rows.rest().map_or(Bound::Unbounded, Bound::Excluded);
    let before_end = map.range((Bound::Unbounded, end)).rev();
    before_end.take_while(move |(partition, _)| partition.overlaps(rows))
}

/// Two of these sorted partitions that have rows in common.
fn overlap<'p>(sorted: &[&'p ChangePartition]) -> Option<[&'p ChangePartition; 2]> {
    let both = |pair: &[&'p ChangePartition]| match pair {
        [a, b] if a.overlaps(b) => Some([*a, *b]),
        _ => None,
    };
    sorted.windows(2).find_map(both)
}

/// Whether the partitions of the tokens are the whole partition, in their order.
fn is_covered(partition: &ChangePartition, tokens: &[PartitionToken]) -> bool {
    let of: Vec<_> = tokens.iter().map(|token| &token.partition).collect();
    of.is_sorted()
        && overlap(&of).is_none()
        && of.iter().all(|piece| partition.covers(piece))
        && partition.without(&of).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: &str, end: &str) -> ChangePartition {
        let key = |key: &str| bytes::Bytes::copy_from_slice(key.as_bytes());
        ChangePartition::new(key(start), key(end)).unwrap()
    }

    fn token(start: &str, end: &str, text: &str) -> PartitionToken {
        PartitionToken { partition: of(start, end), token: text.into() }
    }

    fn begun(partitions: Vec<ChangePartition>) -> Frontier {
        let mut frontier = Frontier::new(StreamStart::Time(5));
        frontier.begin(partitions, 7);
        frontier
    }

    fn opened(partition: ChangePartition) -> Opened {
        Opened { partition, is_again: false }
    }

    #[test]
    fn a_partition_is_divided() {
        let mut frontier = begun(vec![of("", "m"), of("m", "")]);
        assert_eq!(frontier.start_of(&of("m", "")), Some(&PartitionStart::Time(5)));
        let low = (token("", "c", "1"), of("", "c"));
        let high = (token("c", "m", "2"), of("c", "m"));
        let now = frontier.close(&of("", "m"), vec![low.clone(), high]).unwrap();
        assert_eq!(now, [opened(of("", "c")), opened(of("c", "m"))]);
        let start = frontier.start_of(&of("", "c"));
        assert_eq!(start, Some(&PartitionStart::Tokens(vec![low.0])));
        frontier.advance(&of("", "c"), "3".into());
        let start = frontier.start_of(&of("", "c"));
        assert_eq!(start, Some(&PartitionStart::Tokens(vec![token("", "c", "3")])));
        // The end of the stream.
        assert_eq!(frontier.close(&of("", "c"), Vec::new()), Ok(Vec::new()));
        assert_eq!(frontier.open().count(), 2);
    }

    #[test]
    fn a_merged_partition_waits_for_all_that_it_was_merged_from() {
        let mut frontier = begun(vec![of("", "c"), of("c", "m"), of("m", "")]);
        let whole = of("", "m");
        let high = (token("c", "m", "h"), whole.clone());
        assert_eq!(frontier.close(&of("c", "m"), vec![high.clone()]), Ok(Vec::new()));
        assert_eq!(frontier.open().count(), 2);
        let low = (token("", "c", "l"), whole.clone());
        let now = frontier.close(&of("", "c"), vec![low.clone()]).unwrap();
        assert_eq!(now, [opened(whole.clone())]);
        let start = frontier.start_of(&whole);
        assert_eq!(start, Some(&PartitionStart::Tokens(vec![low.0, high.0])));
        // A partition that is divided and merged with its neighbours at once.
        let mut frontier = begun(vec![of("a", "b"), of("b", "d"), of("d", "e")]);
        let halves =
            vec![(token("b", "c", "1"), of("a", "c")), (token("c", "d", "2"), of("c", "e"))];
        assert_eq!(frontier.close(&of("b", "d"), halves), Ok(Vec::new()));
        let now = frontier.close(&of("a", "b"), vec![(token("a", "b", "3"), of("a", "c"))]);
        assert_eq!(now.unwrap(), [opened(of("a", "c"))]);
        let now = frontier.close(&of("d", "e"), vec![(token("d", "e", "4"), of("c", "e"))]);
        assert_eq!(now.unwrap(), [opened(of("c", "e"))]);
        assert!(frontier.waiting.is_empty());
    }

    #[test]
    fn positions_that_would_wait_for_ever_are_read_on() {
        let mut frontier = begun(vec![of("", "c"), of("c", "")]);
        let all = of("", "");
        assert_eq!(
            frontier.close(&of("c", ""), vec![(token("c", "", "1"), all.clone())]),
            Ok(Vec::new())
        );
        // The other partition stays, so that nothing comes to the merged one.
        let now = frontier.close(&of("", "c"), Vec::new()).unwrap();
        assert_eq!(now, [Opened { partition: of("c", ""), is_again: true }]);
        // Two that wait for each other.
        let mut frontier = begun(vec![of("a", "b"), of("b", "c")]);
        assert_eq!(
            frontier.close(&of("a", "b"), vec![(token("a", "b", "1"), of("a", "c"))]),
            Ok(Vec::new())
        );
        let now = frontier.close(&of("b", "c"), vec![(token("b", "c", "2"), of("a", "d"))]);
        let again = |partition| Opened { partition, is_again: true };
        assert_eq!(now.unwrap(), [again(of("a", "b")), again(of("b", "c"))]);
    }

    #[test]
    fn what_the_service_never_says_is_an_error() {
        let mut frontier = begun(vec![of("", "c"), of("c", "")]);
        let before = frontier.clone();
        let cases = [
            (vec![(token("", "b", "1"), of("", "b"))], "only"),
            (vec![(token("", "c", "1"), of("", "b"))], "no part of"),
            (
                vec![(token("", "c", "1"), of("", "c")), (token("b", "c", "2"), of("b", "c"))],
                "two positions",
            ),
            (
                vec![(token("", "c", "1"), of("", "c")), (token("c", "", "1"), of("c", ""))],
                "which is open",
            ),
        ];
        for (positions, expected) in cases {
            let error = frontier.close(&of("", "c"), positions).unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert_eq!(frontier, before);
        }
    }

    #[test]
    fn rows_that_are_read_already_are_found_wherever_they_are() {
        let mut frontier = begun(vec![of("a", "b"), of("b", "c"), of("d", "e")]);
        let before = frontier.clone();
        // A part of the new partition is open, and so is a part of the position.
        let position = (token("b", "e", "1"), of("a", "e"));
        let error = frontier.close(&of("d", "e"), vec![position]).unwrap_err();
        assert!(error.contains("followed by rows of [\"b\", \"c\"), which is open"), "{error}");
        assert_eq!(frontier, before);
    }

    /// Pairs of thousands of partitions are merged, and the first of all pairs close first, so that
    /// thousands of positions wait. Then all are divided again. If a close looked at all pairs of
    /// what waits, this would take minutes.
    #[test]
    fn thousands_of_partitions_are_merged_and_divided_soon() {
        const PAIRS: usize = 4_000;
        let key = |at: usize| match at {
            0 => String::new(),
            at if at == 2 * PAIRS => String::new(),
            at => format!("{at:05}"),
        };
        let part = |at: usize| of(&key(at), &key(at + 1));
        let pair = |at: usize| of(&key(at), &key(at + 2));
        let position = |part: &ChangePartition, whole| {
            (PartitionToken { partition: part.clone(), token: "t".into() }, whole)
        };
        let mut frontier = begun((0..2 * PAIRS).map(part).collect());
        for at in (0..2 * PAIRS).step_by(2) {
            let closed = part(at);
            assert_eq!(frontier.close(&closed, vec![position(&closed, pair(at))]), Ok(Vec::new()));
        }
        assert_eq!((frontier.waiting.len(), frontier.open_count()), (PAIRS, PAIRS));
        assert_eq!(frontier.problem(), None);
        for at in (0..2 * PAIRS).step_by(2) {
            let closed = part(at + 1);
            let opens = frontier.close(&closed, vec![position(&closed, pair(at))]);
            assert_eq!(opens, Ok(vec![opened(pair(at))]));
        }
        assert_eq!((frontier.waiting.len(), frontier.open_count()), (0, PAIRS));
        for at in (0..2 * PAIRS).step_by(2) {
            let halves = [part(at), part(at + 1)].map(|half| position(&half, half.clone()));
            assert_eq!(frontier.close(&pair(at), halves.into()).unwrap().len(), 2);
        }
        assert_eq!((frontier.waiting.len(), frontier.open_count()), (0, 2 * PAIRS));
    }

    /// Closes random partitions, of which each becomes random parts of random partitions.
    #[test]
    fn every_row_is_in_the_frontier_whatever_closes() {
        let keys = ["", "b", "c", "d", "e", "f", "g", "h"];
        let mut random = fastrand::Rng::with_seed(7);
        let mut merged = 0;
        for _ in 0..300 {
            let mut frontier = begun(vec![of("", "")]);
            let mut table = vec![0, keys.len()];
            for _ in 0..40 {
                // The service changes its partitions.
                let at = random.usize(1..keys.len());
                match table.iter().position(|cut| *cut == at) {
                    Some(cut) => drop(table.remove(cut)),
                    None => table.push(at),
                }
                table.sort_unstable();
                let key = |at: usize| keys.get(at).copied().unwrap_or("");
                let now: Vec<_> =
                    table.windows(2).map(|pair| of(key(pair[0]), key(pair[1]))).collect();
                let open: Vec<_> =
                    frontier.open().map(|(partition, _)| partition.clone()).collect();
                let Some(closed) = random.choice(&open) else { panic!("nothing is read") };
                let common = |new: &ChangePartition| {
                    let start = new.keys().0.max(closed.keys().0).clone();
                    let end = match (new.end(), closed.end()) {
                        (b"", end) | (end, b"") => end,
                        (a, b) => a.min(b),
                    };
                    let piece = ChangePartition::new(start, bytes::Bytes::copy_from_slice(end));
                    let piece = piece.filter(|_| new.overlaps(closed))?;
                    Some((PartitionToken { partition: piece, token: "t".into() }, new.clone()))
                };
                let positions: Vec<_> = now.iter().filter_map(common).collect();
                frontier.close(closed, positions).unwrap();
                merged += usize::from(frontier.waiting.is_empty());
                let mut rows: Vec<_> = frontier.open.keys().collect();
                rows.extend(frontier.waiting.keys());
                rows.sort();
                assert!(of("", "").without(&rows).is_empty(), "{frontier:?}");
                assert!(rows.windows(2).all(|pair| !pair[0].overlaps(pair[1])), "{frontier:?}");
                assert!(!frontier.open.is_empty(), "{frontier:?}");
            }
        }
        assert!(merged > 100, "{merged}");
    }
}
