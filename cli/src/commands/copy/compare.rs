//! Compares two tables cell by cell.

use std::cmp::Ordering;
use std::vec;

use tallrow::Scan;
use tallrow::cell::Cell;
use tallrow::scan::RowStream;

use super::fit::cell_label;
use super::run::all_cells;
use super::side::CopyEndpoint;
use crate::failure::Result;

/// The maximum number of differences that are kept.
pub(super) const MAX_DIFFERENCES: usize = 20;

/// A row that is not the same in both tables.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) row: Vec<u8>,
    /// The first difference in the row.
    pub(super) what: String,
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The number of rows that are in at least one of the tables.
    pub(super) rows: u64,
    /// The number of these rows that differ.
    pub(super) different: u64,
    /// The first differences, at most `SHOWN` of them.
    pub(super) differences: Vec<Difference>,
}

/// A row that is being compared.
#[derive(Debug)]
struct Current {
    row: Vec<u8>,
    /// Whether cells of the row were found in the source, and whether in the target.
    has: (bool, bool),
    what: Option<String>,
}

impl Comparison {
    /// Compares all cells of two tables, and calls `seen` with the number of rows compared so far.
    pub(super) async fn of(
        (from, to): (&CopyEndpoint, &CopyEndpoint),
        concurrency: usize,
        seen: &mut impl FnMut(u64),
    ) -> Result<Self> {
        let scan = || all_cells(Scan::all()).parallel(concurrency);
        let (mut source, mut target) =
            (CellStream::of(from.table.scan(scan())?), CellStream::of(to.table.scan(scan())?));
        let mut found = Self::default();
        let mut current = None;
        let (mut a, mut b) = tokio::try_join!(source.next(), target.next())?;
        loop {
            let ordering = match (&a, &b) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => order(a, b),
            };
            let (in_source, in_target) = match ordering {
                Ordering::Less => (a.take(), None),
                Ordering::Greater => (None, b.take()),
                Ordering::Equal => (a.take(), b.take()),
            };
            found.see(&mut current, (in_source.as_ref(), in_target.as_ref()));
            if in_source.is_some() {
                a = source.next().await?;
            }
            if in_target.is_some() {
                b = target.next().await?;
            }
            seen(found.rows);
        }
        found.finish(current.take());
        Ok(found)
    }

    /// Compares the next cell, which was found in the source (`a`), in the target (`b`) or in both.
    fn see(&mut self, current: &mut Option<Current>, (a, b): (Option<&Cell>, Option<&Cell>)) {
        let Some(cell) = a.or(b) else { return };
        if current.as_ref().is_none_or(|current| current.row != cell.row()) {
            let next = Current { row: cell.row().to_vec(), has: (false, false), what: None };
            self.finish(current.replace(next));
        }
        let Some(current) = current else { return };
        let what = match (a, b) {
            (Some(a), Some(b)) if a.value() == b.value() => None,
            (Some(a), Some(b)) => {
                let bytes = (a.value().len(), b.value().len());
                Some(match bytes.0 == bytes.1 {
                    true => "other bytes in the target".to_owned(),
                    false => format!("{} bytes, and {} in the target", bytes.0, bytes.1),
                })
            }
            (Some(_), None) => Some("not in the target".to_owned()),
            _ => Some("only in the target".to_owned()),
        };
        current.has.0 |= a.is_some();
        current.has.1 |= b.is_some();
        if let (Some(what), None) = (what, &current.what) {
            current.what = Some(format!("{}: {what}", cell_label(cell)));
        }
    }

    fn finish(&mut self, current: Option<Current>) {
        let Some(Current { row, has, what }) = current else { return };
        self.rows += 1;
        let what = match has {
            (true, false) => Some("not in the target".to_owned()),
            (false, true) => Some("only in the target".to_owned()),
            _ => what,
        };
        if let Some(what) = what {
            self.different += 1;
            if self.differences.len() < MAX_DIFFERENCES {
                self.differences.push(Difference { row, what });
            }
        }
    }
}

/// A stream of the cells of all rows, ordered by row, family, qualifier and timestamp, latest
/// first.
pub(super) struct CellStream {
    rows: RowStream,
    part: vec::IntoIter<Cell>,
}

impl CellStream {
    pub(super) fn of(rows: RowStream) -> Self {
        Self { rows, part: Vec::new().into_iter() }
    }

    pub(super) async fn next(&mut self) -> Result<Option<Cell>> {
        loop {
            if let Some(cell) = self.part.next() {
                return Ok(Some(cell));
            }
            match self.rows.next_row().await? {
                Some(part) => self.part = part.cells().to_vec().into_iter(),
                None => return Ok(None),
            }
        }
    }
}

/// Compares two cells by their order in a table: by row, family, qualifier and timestamp, latest
/// first.
pub(super) fn order(a: &Cell, b: &Cell) -> Ordering {
    let rows = a.row().cmp(b.row());
    rows.then_with(|| a.family().cmp(b.family()))
        .then_with(|| a.qualifier().cmp(b.qualifier()))
        .then_with(|| b.timestamp().cmp(&a.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallrow::Timestamp;
    use tallrow::cell::CellType;

    /// Cells, each as `(row, qualifier, time, value)`.
    type Table = [(&'static str, &'static str, u64, &'static str)];

    fn differences(a: &Table, b: &Table) -> Vec<(String, String)> {
        let cells = |table: &Table| -> Vec<Cell> {
            let cell = |(row, qualifier, time, value): &(&str, &str, u64, &str)| {
                let time = Timestamp::from_millis(*time);
                Cell::new(row, "d", qualifier, time, CellType::Put, value).unwrap()
            };
            table.iter().map(cell).collect()
        };
        let (a, b) = (cells(a), cells(b));
        let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
        let (mut found, mut current) = (Comparison::default(), None);
        loop {
            let pair = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if order(x, y).is_eq() => (a.next(), b.next()),
                (Some(x), Some(y)) if order(x, y).is_gt() => (None, b.next()),
                (None, Some(_)) => (None, b.next()),
                _ => (a.next(), None),
            };
            found.see(&mut current, pair);
        }
        found.finish(current);
        assert_eq!(found.different, found.differences.len() as u64);
        let text = |d: Difference| (String::from_utf8(d.row).unwrap(), d.what);
        found.differences.into_iter().map(text).collect()
    }

    fn one(row: &str, what: &str) -> Vec<(String, String)> {
        vec![(row.to_owned(), what.to_owned())]
    }

    #[test]
    fn each_kind_of_difference_is_named_once_for_a_row() {
        let table = [("a", "q", 2, "x"), ("a", "q", 1, "y"), ("b", "q", 1, "z")];
        assert_eq!(differences(&table, &table), []);
        assert_eq!(differences(&table, &table[..2]), one("b", "not in the target"));
        assert_eq!(differences(&table[..2], &table), one("b", "only in the target"));
        assert_eq!(differences(&[], &table[..2]), one("a", "only in the target"));
        let missing = differences(&table, &[table[0], table[2]]);
        assert_eq!(missing, one("a", "d:q at 1 ms: not in the target"));
        let more = differences(&table[1..], &table);
        assert_eq!(more, one("a", "d:q at 2 ms: only in the target"));
        let other = [("a", "q", 2, "!"), ("a", "q", 1, "yy"), ("b", "q", 1, "z")];
        assert_eq!(differences(&table, &other), one("a", "d:q at 2 ms: other bytes in the target"));
        let longer = [table[0], ("a", "q", 1, "yy"), table[2]];
        let found = differences(&table, &longer);
        assert_eq!(found, one("a", "d:q at 1 ms: 1 bytes, and 2 in the target"));
    }
}
