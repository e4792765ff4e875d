use std::collections::BTreeMap;

use tallrow::key::show::shell;
use tallrow::{
    RowKey,
    key::{EncodeError, RowRange, RowRanges},
};

/// Rows of one design, each with a description, in the order of their bytes.
pub(crate) struct Rows(BTreeMap<Vec<u8>, String>);

impl Rows {
    pub(crate) fn of<K: RowKey>(
        title: &str,
        rows: impl IntoIterator<Item = (K, &'static str)>,
    ) -> Result<Self, EncodeError> {
        let rows = rows
            .into_iter()
            .map(|(key, words)| Ok((key.encode_key()?.as_ref().to_vec(), words.to_owned())));
        let rows = Self(rows.collect::<Result<_, EncodeError>>()?);
        println!("{title}");
        for (row, words) in &rows.0 {
            println!("  {}  {words}", shell(row));
        }
        Ok(rows)
    }

    /// Prints the results of a scan in order, and its number of row ranges.
    pub(crate) fn scan(
        &self,
        what: &str,
        ranges: impl RowRanges,
    ) -> Result<Vec<&str>, EncodeError> {
        let ranges: Vec<RowRange> = ranges.row_ranges()?.into_iter().collect();
        let found: Vec<&str> = self
            .0
            .iter()
            .filter(|(row, _)| ranges.iter().any(|range| range.contains(row)))
            .map(|(_, words)| words.as_str())
            .collect();
        let (n, s) = (ranges.len(), if ranges.len() == 1 { "" } else { "s" });
        println!("  {what}, {n} range{s}: {}", found.join("; "));
        Ok(found)
    }
}
