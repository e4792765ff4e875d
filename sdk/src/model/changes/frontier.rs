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

use std::collections::BTreeMap;

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
    /// The partitions that are read.
    pub(super) open: BTreeMap<ChangePartition, PartitionStart>,
    pub(super) waiting: Vec<WaitingToken>,
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
        Self { start: Some(start), open: BTreeMap::new(), waiting: Vec::new() }
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

    /// Whether no row is in two partitions, and each position is a part of the partition that it
    /// waits for.
    pub(super) fn is_sound(&self) -> bool {
        let mut rows: Vec<_> = self.open.keys().collect();
        rows.extend(self.waiting.iter().map(|one| &one.token.partition));
        rows.sort();
        rows.windows(2).all(|pair| matches!(pair, [a, b] if !a.overlaps(b)))
            && self.waiting.iter().all(|one| one.of.covers(&one.token.partition))
            && (self.start.is_none() || rows.is_empty())
    }

    /// The partitions that are read, and where they begin.
    pub(crate) fn open(&self) -> impl Iterator<Item = (&ChangePartition, &PartitionStart)> {
        self.open.iter()
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
        let waiting = positions.into_iter().map(|(token, of)| WaitingToken { token, of });
        self.waiting.extend(waiting);
        let mut opened = Vec::new();
        for of in self.awaited() {
            if self.pieces(&of).is_some_and(|pieces| of.without(&pieces).is_empty()) {
                let (pieces, rest) =
                    std::mem::take(&mut self.waiting).into_iter().partition(|one| one.of == of);
                self.waiting = rest;
                let pieces: Vec<WaitingToken> = pieces;
                let mut tokens: Vec<_> = pieces.into_iter().map(|one| one.token).collect();
                tokens.sort_by(|a, b| a.partition.cmp(&b.partition));
                self.open.insert(of.clone(), PartitionStart::Tokens(tokens));
                opened.push(Opened { partition: of, is_again: false });
            }
        }
        opened.extend(self.read_on());
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
        let waiting = self.waiting.iter().map(|one| &one.token.partition);
        let mut rows: Vec<_> = pieces.into_iter().chain(waiting).collect();
        rows.sort();
        if let Some([a, b]) = rows.windows(2).find(|pair| matches!(pair, [a, b] if a.overlaps(b))) {
            return Err(format!(
                "{closed:?} is followed by two positions of rows of {a:?} and {b:?}"
            ));
        }
        for (token, of) in positions {
            if !of.covers(&token.partition) {
                let piece = &token.partition;
                return Err(format!("a position of {piece:?}, which is no part of {of:?}"));
            }
            let other = self.open.keys().find(|open| *open != closed && open.overlaps(of));
            let other = other.filter(|open| open.overlaps(&token.partition));
            if let Some(other) = other {
                return Err(format!("{closed:?} is followed by rows of {other:?}, which is open"));
            }
        }
        Ok(())
    }

    /// The partitions for which positions wait.
    fn awaited(&self) -> Vec<ChangePartition> {
        let mut awaited: Vec<_> = self.waiting.iter().map(|one| one.of.clone()).collect();
        awaited.sort();
        awaited.dedup();
        awaited
    }

    /// The parts of a partition whose positions wait for it, if they do not overlap.
    fn pieces(&self, of: &ChangePartition) -> Option<Vec<&ChangePartition>> {
        let waiting = self.waiting.iter().filter(|one| one.of == *of);
        let mut pieces: Vec<_> = waiting.map(|one| &one.token.partition).collect();
        pieces.sort();
        let apart = pieces.windows(2).all(|pair| matches!(pair, [a, b] if !a.overlaps(b)));
        apart.then_some(pieces)
    }

    /// Opens the partitions of positions that would wait for ever, because nothing that is read
    /// comes to the rows that they wait for: the partitions were changed again meanwhile. The
    /// service says what follows now.
    fn read_on(&mut self) -> Vec<Opened> {
        let mut stuck = self.awaited();
        loop {
            // What waits for rows that are read, or for those of positions that are not stuck, is
            // not stuck.
            let before = stuck.len();
            let is_stuck = |of: &ChangePartition, stuck: &[ChangePartition]| {
                let gaps = of.without(&self.pieces(of).unwrap_or_default());
                let comes = |rows: &ChangePartition| gaps.iter().any(|gap| gap.overlaps(rows));
                let moves = self.waiting.iter().filter(|one| !stuck.contains(&one.of));
                !self.open.keys().any(comes) && !moves.map(|one| &one.token.partition).any(comes)
            };
            let rest: Vec<_> =
                stuck.iter().filter(|of| is_stuck(of, &stuck[..])).cloned().collect();
            stuck = rest;
            if stuck.len() == before {
                break;
            }
        }
        let (again, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|one| stuck.contains(&one.of));
        self.waiting = waiting;
        let mut opened = Vec::new();
        for WaitingToken { token, .. } in again {
            let partition = token.partition.clone();
            self.open.insert(partition.clone(), PartitionStart::Tokens(vec![token]));
            opened.push(Opened { partition, is_again: true });
        }
        opened
    }
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
                rows.extend(frontier.waiting.iter().map(|one| &one.token.partition));
                rows.sort();
                assert!(of("", "").without(&rows).is_empty(), "{frontier:?}");
                assert!(rows.windows(2).all(|pair| !pair[0].overlaps(pair[1])), "{frontier:?}");
                assert!(!frontier.open.is_empty(), "{frontier:?}");
            }
        }
        assert!(merged > 100, "{merged}");
    }
}
