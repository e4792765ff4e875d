//! The `Debug` text of filters: HBase's class names with their arguments.

use std::fmt;
use std::ops::Bound;

use bytes::Bytes;

use super::FuzzyRow;
use super::kind::{Filter, Kind};
use crate::model::show;

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &Bytes| format!("\"{}\"", bytes.escape_ascii());
        match &self.0 {
            Kind::Row(op, to) => write!(f, "RowFilter({} {to:?})", op.sign()),
            Kind::Family(op, to) => write!(f, "FamilyFilter({} {to:?})", op.sign()),
            Kind::Qualifier(op, to) => write!(f, "QualifierFilter({} {to:?})", op.sign()),
            Kind::Value(op, to) => write!(f, "ValueFilter({} {to:?})", op.sign()),
            Kind::SingleColumnValue(test) => write!(f, "{}({test:?})", test.class()),
            Kind::ColumnValue { family, qualifier, compare, comparator } => {
                let column = show::column(family, qualifier);
                write!(f, "ColumnValueFilter({column} {} {comparator:?})", compare.sign())
            }
            Kind::Dependent(test) => write!(f, "DependentColumnFilter({test:?})"),
            Kind::Prefix(prefix) => write!(f, "PrefixFilter({})", text(prefix)),
            Kind::ColumnPrefixes(prefixes) => match &prefixes[..] {
                [prefix] => write!(f, "ColumnPrefixFilter({})", text(prefix)),
                _ => {
                    f.write_str("MultipleColumnPrefixFilter(")?;
                    joined(f, prefixes.iter().map(text), ", ")
                }
            },
            Kind::ColumnRange(from, to) => {
                f.write_str("ColumnRangeFilter(")?;
                match from {
                    Bound::Included(q) => write!(f, "{} ", text(q))?,
                    Bound::Excluded(q) => write!(f, "after {} ", text(q))?,
                    Bound::Unbounded => {}
                }
                match to {
                    Bound::Included(q) => write!(f, "..= {})", text(q)),
                    Bound::Excluded(q) => write!(f, ".. {})", text(q)),
                    Bound::Unbounded => f.write_str("..)"),
                }
            }
            Kind::ColumnPagination { limit, offset } => {
                write!(f, "ColumnPaginationFilter(limit: {limit}, offset: {offset})")
            }
            Kind::ColumnPaginationFrom { limit, qualifier } => {
                write!(f, "ColumnPaginationFilter(limit: {limit}, from: {})", text(qualifier))
            }
            Kind::ColumnCount(limit) => write!(f, "ColumnCountGetFilter({limit})"),
            Kind::FirstKeyOnly => f.write_str("FirstKeyOnlyFilter"),
            Kind::FirstKeyMatching(qualifiers) => {
                f.write_str("FirstKeyValueMatchingQualifiersFilter(")?;
                joined(f, qualifiers.iter().map(text), ", ")
            }
            Kind::Custom(class, bytes) => write!(f, "{class}({})", text(bytes)),
            Kind::KeyOnly { len_as_val: false } => f.write_str("KeyOnlyFilter"),
            Kind::KeyOnly { len_as_val: true } => f.write_str("KeyOnlyFilter(len_as_val)"),
            Kind::Page(rows) => write!(f, "PageFilter({rows})"),
            Kind::FuzzyRows(rows) => {
                f.write_str("FuzzyRowFilter(")?;
                joined(f, rows.iter().map(fuzzy_row), ", ")
            }
            Kind::RowRanges(ranges) => {
                f.write_str("MultiRowRangeFilter(")?;
                joined(f, ranges.iter().map(|range| format!("{range:?}")), ", ")
            }
            Kind::InclusiveStop(row) => write!(f, "InclusiveStopFilter({})", text(row)),
            Kind::RandomRow(chance) => write!(f, "RandomRowFilter({chance})"),
            Kind::Timestamps(timestamps) => {
                f.write_str("TimestampsFilter(")?;
                joined(f, timestamps.iter().map(|t| t.as_millis().to_string()), ", ")
            }
            Kind::All(filters) => {
                f.write_str("(")?;
                joined(f, filters.iter().map(|filter| format!("{filter:?}")), " AND ")
            }
            Kind::Any(filters) => {
                f.write_str("(")?;
                joined(f, filters.iter().map(|filter| format!("{filter:?}")), " OR ")
            }
            Kind::Skip(filter) => write!(f, "SKIP {filter:?}"),
            Kind::WhileMatch(filter) => write!(f, "WHILE {filter:?}"),
        }
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    mut parts: impl Iterator<Item = String>,
    between: &str,
) -> fmt::Result {
    if let Some(first) = parts.next() {
        f.write_str(&first)?;
    }
    for part in parts {
        write!(f, "{between}{part}")?;
    }
    f.write_str(")")
}

fn fuzzy_row(row: &FuzzyRow) -> String {
    let mask: String = row.mask.iter().map(u8::to_string).collect();
    format!("\"{}\" mask {mask}", row.row.escape_ascii())
}
