//! The filter that keeps the rows in which given fields of the key have given values.

use super::Compare;
use super::kind::Filter;
use crate::key::RowRange;
use crate::key::schema;

impl From<schema::RowSelection> for Filter {
    /// The filter that keeps the rows in which some fields of the key have given values, in a scan of the whole table.
    /// A scan of the ranges needs the mask alone.
    ///
    /// ```
    /// use tallrow::Filter;
    /// use tallrow::key::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Log\nhost: u16\nevent: u16\nat: u64\n")?;
    /// let event_7 = Filter::from(schema.select_rows(&[("event", Value::from(7))])?);
    /// assert_eq!(format!("{event_7:?}"), r#"FuzzyRowFilter("\x00\x00\x00\x07" mask 1100)"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from(matching: schema::RowSelection) -> Self {
        let whole = matching.ranges.contains(&RowRange::all());
        let ranges = (!whole).then(|| Self::row_ranges(matching.ranges));
        match (ranges, matching.fuzzy) {
            (Some(ranges), Some(fuzzy)) => ranges.and(Self::fuzzy_rows([fuzzy])),
            (Some(ranges), None) => ranges,
            (None, Some(fuzzy)) => Self::fuzzy_rows([fuzzy]),
            // Every row key is the empty one or greater.
            (None, None) => Self::row(Compare::GreaterOrEqual, ""),
        }
    }
}
