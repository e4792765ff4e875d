//! Filters: what a read lets through, judged cell by cell and row by row as HBase's filter classes do.

mod decode;
mod list;

use std::borrow::Cow;
use std::collections::BTreeSet;

use bytes::Bytes;

use crate::cells::StoredCell;
use crate::comparator::Comparison;
use crate::random::Random;
use list::{All, Any};

/// What a filter says about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// It is let through.
    Include,
    /// It is let through; the rest of its column is not looked at.
    IncludeNextColumn,
    /// It is let through; the rest of its family in this row is not looked at.
    IncludeNextRow,
    /// It is not let through.
    Skip,
    /// Nor is the rest of its column.
    NextColumn,
    /// Nor is the rest of its family in this row.
    NextRow,
}

impl Code {
    /// Whether the cell is let through.
    pub(crate) fn includes(self) -> bool {
        matches!(self, Code::Include | Code::IncludeNextColumn | Code::IncludeNextRow)
    }

    /// How far it leaps: 0 to the next cell, 1 to the next column, 2 to the next row.
    pub(crate) fn leap(self) -> u8 {
        match self {
            Code::Include | Code::Skip => 0,
            Code::IncludeNextColumn | Code::NextColumn => 1,
            Code::IncludeNextRow | Code::NextRow => 2,
        }
    }

    fn of(includes: bool, leap: u8) -> Self {
        match (includes, leap) {
            (true, 0) => Code::Include,
            (true, 1) => Code::IncludeNextColumn,
            (true, _) => Code::IncludeNextRow,
            (false, 0) => Code::Skip,
            (false, 1) => Code::NextColumn,
            (false, _) => Code::NextRow,
        }
    }
}

/// One filter with its state.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    All(All),
    Any(Any),
    Prefix { prefix: Bytes, reversed: bool, out: bool, passed: bool },
    InclusiveStop { stop: Bytes, reversed: bool, done: bool },
    Page { size: i64, seen: i64 },
    RandomRow { chance: f32, random: Random, out: bool },
    Row { comparison: Comparison, out: bool },
    Family(Comparison),
    Qualifier(Comparison),
    Value(Comparison),
    FirstKeyOnly { found: bool },
    FirstKeyMatching { qualifiers: BTreeSet<Bytes>, found: bool },
    KeyOnly { length: bool },
    ColumnPrefix(Bytes),
    ColumnPrefixes(Vec<Bytes>),
    ColumnRange { min: Option<(Bytes, bool)>, max: Option<(Bytes, bool)> },
    ColumnPage { limit: i32, offset: i32, from: Option<Bytes>, count: i32 },
    ColumnCount { limit: i32, count: i32 },
    Timestamps(BTreeSet<u64>),
    Column(ColumnTest),
    ColumnValue { family: Bytes, qualifier: Bytes, comparison: Comparison, found: bool },
    Dependent(Dependent),
    Skip { inner: Box<Filter>, out: bool },
    WhileMatch { inner: Box<Filter>, done: bool },
    Fuzzy(Vec<(Bytes, Vec<bool>)>),
    Ranges(Vec<Range>),
}

/// `SingleColumnValueFilter` and its excluding sister.
#[derive(Clone, Debug)]
pub(crate) struct ColumnTest {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    if_missing: bool,
    latest_only: bool,
    exclude: bool,
    found: bool,
    matched: bool,
}

/// `DependentColumnFilter`.
#[derive(Clone, Debug)]
pub(crate) struct Dependent {
    family: Bytes,
    qualifier: Bytes,
    comparison: Option<Comparison>,
    drop: bool,
    timestamps: BTreeSet<u64>,
}

/// One range of `MultiRowRangeFilter`.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    start: Bytes,
    start_inclusive: bool,
    stop: Bytes,
    stop_inclusive: bool,
}

impl Range {
    fn contains(&self, row: &[u8]) -> bool {
        let after_start = row > &self.start[..] || (self.start_inclusive && row == self.start);
        let before_stop = self.stop.is_empty()
            || row < &self.stop[..]
            || (self.stop_inclusive && row == self.stop);
        after_start && before_stop
    }
}

impl Filter {
    /// A new row starts.
    pub(crate) fn reset(&mut self) {
        match self {
            Self::All(list) => list.reset(),
            Self::Any(list) => list.reset(),
            Self::Row { out, .. } | Self::Prefix { out, .. } => *out = false,
            Self::FirstKeyOnly { found }
            | Self::FirstKeyMatching { found, .. }
            | Self::ColumnValue { found, .. } => *found = false,
            Self::ColumnPage { count, .. } | Self::ColumnCount { count, .. } => *count = 0,
            Self::Column(test) => (test.found, test.matched) = (false, false),
            Self::Dependent(dependent) => dependent.timestamps.clear(),
            Self::Skip { inner, out } => {
                *out = false;
                inner.reset();
            }
            Self::WhileMatch { inner, .. } => inner.reset(),
            _ => {}
        }
    }

    /// Whether nothing more is let through (`filterAllRemaining`).
    pub(crate) fn done(&self) -> bool {
        match self {
            Self::All(list) => list.done(),
            Self::Any(list) => list.done(),
            Self::Prefix { passed, .. } => *passed,
            Self::InclusiveStop { done, .. } => *done,
            Self::Page { size, seen } => seen >= size,
            Self::ColumnCount { limit, count } => count > limit,
            Self::WhileMatch { inner, done } => *done || inner.done(),
            _ => false,
        }
    }

    /// Whether the row is out before its cells are looked at (`filterRowKey`).
    pub(crate) fn row_is_out(&mut self, row: &[u8]) -> bool {
        match self {
            Self::All(list) => list.row_is_out(row),
            Self::Any(list) => list.row_is_out(row),
            Self::Prefix { prefix, reversed, out, passed } => {
                let head = row.get(..prefix.len()).unwrap_or(row);
                let order = head.cmp(&prefix[..]);
                *passed |= if *reversed { order.is_lt() } else { order.is_gt() };
                *out = order.is_ne();
                *out
            }
            Self::InclusiveStop { stop, reversed, done } => {
                let order = row.cmp(&stop[..]);
                *done = if *reversed { order.is_lt() } else { order.is_gt() };
                *done
            }
            Self::RandomRow { chance, random, out } => {
                *out = random.next_f64() >= f64::from(*chance);
                *out
            }
            Self::Row { comparison, out } => {
                *out = !comparison.holds(row);
                *out
            }
            Self::Page { .. } => false,
            Self::WhileMatch { inner, done } => {
                let out = inner.row_is_out(row);
                *done |= out;
                out
            }
            _ => self.done(),
        }
    }

    /// What becomes of a cell (`filterCell`).
    pub(crate) fn cell(&mut self, cell: &StoredCell) -> Code {
        let include = |yes: bool, no: Code| if yes { Code::Include } else { no };
        match self {
            Self::All(list) => list.cell(cell),
            Self::Any(list) => list.cell(cell),
            Self::Prefix { out, .. } | Self::RandomRow { out, .. } | Self::Row { out, .. } => {
                include(!*out, Code::NextRow)
            }
            Self::InclusiveStop { done, .. } => include(!*done, Code::NextRow),
            Self::Page { .. } | Self::KeyOnly { .. } => Code::Include,
            Self::Family(comparison) => include(comparison.holds(cell.family()), Code::NextRow),
            Self::Qualifier(comparison) => include(comparison.holds(cell.qualifier()), Code::Skip),
            Self::Value(comparison) => include(comparison.holds(cell.value()), Code::Skip),
            Self::FirstKeyOnly { found } => include(!std::mem::replace(found, true), Code::NextRow),
            Self::FirstKeyMatching { qualifiers, found } => {
                let before = *found;
                *found |= qualifiers.contains(cell.qualifier());
                include(!before, Code::NextRow)
            }
            Self::ColumnPrefix(prefix) => {
                let head = cell.qualifier().get(..prefix.len()).unwrap_or(cell.qualifier());
                match head.cmp(&prefix[..]) {
                    std::cmp::Ordering::Less => Code::Skip,
                    std::cmp::Ordering::Equal => Code::Include,
                    std::cmp::Ordering::Greater => Code::NextRow,
                }
            }
            Self::ColumnPrefixes(prefixes) => {
                include(prefixes.iter().any(|p| cell.qualifier().starts_with(p)), Code::Skip)
            }
            Self::ColumnRange { min, max } => {
                let qualifier = cell.qualifier();
                let low = min.as_ref().is_some_and(|(min, inclusive)| {
                    qualifier < &min[..] || (!inclusive && qualifier == min)
                });
                let high = max.as_ref().is_some_and(|(max, inclusive)| {
                    qualifier > &max[..] || (!inclusive && qualifier == max)
                });
                match (low, high) {
                    (true, _) => Code::NextColumn,
                    (_, true) => Code::NextRow,
                    _ => Code::Include,
                }
            }
            Self::ColumnPage { limit, offset, from, count } => {
                if let Some(from) = from {
                    if *count >= *limit {
                        return Code::NextRow;
                    }
                    if *count == 0 && cell.qualifier() < &from[..] {
                        return Code::Skip;
                    }
                    *count += 1;
                    return Code::IncludeNextColumn;
                }
                if *count >= offset.saturating_add(*limit) {
                    return Code::NextRow;
                }
                *count += 1;
                if *count <= *offset { Code::NextColumn } else { Code::IncludeNextColumn }
            }
            Self::ColumnCount { limit, count } => {
                *count = count.saturating_add(1);
                if count > limit { Code::NextColumn } else { Code::IncludeNextColumn }
            }
            Self::Timestamps(timestamps) => {
                let at = cell.timestamp();
                let older = timestamps.first().is_none_or(|oldest| at < *oldest);
                match timestamps.contains(&at) {
                    true => Code::Include,
                    false if older => Code::NextColumn,
                    false => Code::Skip,
                }
            }
            Self::Column(test) => test.cell(cell),
            Self::ColumnValue { family, qualifier, comparison, found } => {
                if !is_column(cell, family, qualifier) {
                    return if *found { Code::NextRow } else { Code::NextColumn };
                }
                *found = true;
                include(comparison.holds(cell.value()), Code::Skip)
            }
            Self::Dependent(dependent) => dependent.cell(cell),
            Self::Skip { inner, out } => {
                let code = inner.cell(cell);
                *out |= code != Code::Include;
                code
            }
            Self::WhileMatch { inner, done } => {
                let code = inner.cell(cell);
                *done |= code != Code::Include;
                code
            }
            Self::Fuzzy(keys) => {
                let fits = |(key, fixed): &(Bytes, Vec<bool>)| {
                    cell.row().len() >= key.len()
                        && (key.iter().zip(fixed).zip(cell.row())).all(|((k, f), r)| !f || k == r)
                };
                include(keys.iter().any(fits), Code::NextRow)
            }
            Self::Ranges(ranges) => {
                include(ranges.iter().any(|r| r.contains(cell.row())), Code::NextRow)
            }
        }
    }

    /// The cell as it is shown (`transformCell`).
    pub(crate) fn shown<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        match self {
            Self::All(list) => list.shown(cell),
            Self::Any(list) => list.shown(cell),
            Self::Skip { inner, .. } | Self::WhileMatch { inner, .. } => inner.shown(cell),
            Self::KeyOnly { length } => {
                let len = (cell.value().len() as u32).to_be_bytes();
                Cow::Owned(cell.with_value(if *length { &len } else { b"" }))
            }
            _ => cell,
        }
    }

    /// Whether the row can only be judged as a whole (`hasFilterRow`).
    pub(crate) fn judges_rows(&self) -> bool {
        match self {
            Self::All(list) => list.judges_rows(),
            Self::Any(list) => list.judges_rows(),
            Self::Page { .. }
            | Self::RandomRow { .. }
            | Self::Column(_)
            | Self::Dependent(_)
            | Self::Skip { .. }
            | Self::WhileMatch { .. } => true,
            _ => false,
        }
    }

    /// Whether it cannot judge a row without this family (`isFamilyEssential`).
    pub(crate) fn needs(&self, name: &[u8]) -> bool {
        match self {
            Self::All(list) => list.needs(name),
            Self::Any(list) => list.needs(name),
            Self::Column(test) => !test.if_missing || test.family == name,
            Self::ColumnValue { family, .. } => family == name,
            Self::Skip { inner, .. } | Self::WhileMatch { inner, .. } => inner.needs(name),
            _ => true,
        }
    }

    /// Takes cells out of a row that was read (`filterRowCells`).
    pub(crate) fn row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        match self {
            Self::All(list) => list.row_cells(cells),
            Self::Any(list) => list.row_cells(cells),
            Self::Column(test) if test.exclude => {
                cells.retain(|c| !is_column(c, &test.family, &test.qualifier));
            }
            Self::Dependent(dependent) => {
                cells.retain(|c| dependent.timestamps.contains(&c.timestamp()));
            }
            _ => {}
        }
    }

    /// Whether a row that was read is out (`filterRow`).
    pub(crate) fn row_was_out(&mut self) -> bool {
        match self {
            Self::All(list) => list.row_was_out(),
            Self::Any(list) => list.row_was_out(),
            Self::Prefix { out, .. } | Self::RandomRow { out, .. } | Self::Row { out, .. } => *out,
            Self::Page { size, seen } => {
                *seen += 1;
                seen > size
            }
            Self::Column(test) => match test.found {
                true => !test.matched,
                false => test.if_missing,
            },
            Self::Skip { out, .. } => *out,
            Self::WhileMatch { inner, done } => {
                let out = inner.row_was_out();
                *done |= out;
                out
            }
            _ => false,
        }
    }
}

impl ColumnTest {
    fn cell(&mut self, cell: &StoredCell) -> Code {
        if self.matched {
            return Code::Include;
        }
        if self.latest_only && self.found {
            return Code::NextRow;
        }
        if !is_column(cell, &self.family, &self.qualifier) {
            return Code::Include;
        }
        self.found = true;
        self.matched = self.comparison.holds(cell.value());
        if !self.matched && self.latest_only { Code::NextRow } else { Code::Include }
    }
}

impl Dependent {
    fn cell(&mut self, cell: &StoredCell) -> Code {
        if !is_column(cell, &self.family, &self.qualifier) {
            return Code::Include;
        }
        if self.comparison.as_ref().is_some_and(|c| !c.holds(cell.value())) {
            return Code::Skip;
        }
        self.timestamps.insert(cell.timestamp());
        if self.drop { Code::Skip } else { Code::Include }
    }
}

fn is_column(cell: &StoredCell, family: &[u8], qualifier: &[u8]) -> bool {
    cell.family() == family && cell.qualifier() == qualifier
}
