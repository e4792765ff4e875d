//! Rows of the service as rows of this crate.

use super::micros::timestamp;
use crate::cell::{Cell, CellBuf, CellType};
use crate::wire::bigtable::{MergedCell, MergedRow, Row as RowMessage};
use crate::{Error, Result, Row};

/// Rows that are read together, in one block of memory.
#[derive(Default)]
pub(super) struct RowBlock {
    cells: CellBuf,
    /// How many cells each row has.
    counts: Vec<usize>,
}

impl RowBlock {
    /// How many bytes the rows have.
    pub(super) fn size(&self) -> usize {
        self.cells.size()
    }

    pub(super) fn rows(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Adds a row; its cells in the order of families, qualifiers and times, the newest first.
    pub(super) fn add(&mut self, mut row: MergedRow) -> Result<()> {
        let order = |a: &MergedCell, b: &MergedCell| {
            let names = a.family.cmp(&b.family).then_with(|| a.qualifier.cmp(&b.qualifier));
            names.then_with(|| b.timestamp_micros.cmp(&a.timestamp_micros))
        };
        if !row.cells.is_sorted_by(|a, b| order(a, b).is_le()) {
            row.cells.sort_by(order);
        }
        for cell in &row.cells {
            let at = (&*cell.family, &*cell.qualifier, cell.timestamp_micros);
            self.push(&row.key, at, &cell.value).map_err(|error| error.on_row(&row.key))?;
        }
        self.counts.push(row.cells.len());
        Ok(())
    }

    fn push(
        &mut self,
        row: &[u8],
        (family, qualifier, micros): (&str, &[u8], i64),
        value: &[u8],
    ) -> Result<()> {
        let time = timestamp(micros)?;
        let family = family.as_bytes();
        let pushed = self.cells.push(row, family, qualifier, Some(time), CellType::Put, value);
        pushed.map_err(Error::protocol)
    }

    /// The rows, each in parts of so many cells if there is a limit.
    pub(super) fn finish(self, part: Option<usize>) -> Vec<Row> {
        let mut cells = self.cells.cells();
        let mut rows = Vec::with_capacity(self.counts.len());
        for count in self.counts {
            let cells: Vec<Cell> = cells.by_ref().take(count).collect();
            match part {
                Some(part) if part < cells.len() => {
                    let last = cells.len().div_ceil(part.max(1)) - 1;
                    for (at, cells) in cells.chunks(part.max(1)).enumerate() {
                        let row = Row::new(cells.to_vec(), false);
                        rows.extend(row.map(|row| row.with_more(at < last)));
                    }
                }
                _ => rows.extend(Row::new(cells, false)),
            }
        }
        rows
    }
}

/// What a ReadModifyWriteRow answers.
pub(super) fn changed_row(row: Option<RowMessage>) -> Result<Option<Row>> {
    let Some(row) = row else { return Ok(None) };
    let mut cells = Vec::new();
    for family in row.families {
        let name: std::sync::Arc<str> = family.name.into();
        for column in family.columns {
            for cell in column.cells {
                cells.push(MergedCell {
                    family: name.clone(),
                    qualifier: column.qualifier.clone(),
                    timestamp_micros: cell.timestamp_micros,
                    value: cell.value,
                    labels: Vec::new(),
                });
            }
        }
    }
    let mut block = RowBlock::default();
    block.add(MergedRow { key: row.key, cells })?;
    Ok(block.finish(None).pop())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn a_time_that_is_no_millisecond_is_an_error_with_its_row() {
        let cell = |timestamp_micros| MergedCell {
            family: "d".into(),
            qualifier: Bytes::from("q"),
            timestamp_micros,
            value: Bytes::new(),
            labels: Vec::new(),
        };
        let mut block = RowBlock::default();
        block.add(MergedRow { key: Bytes::from("a"), cells: vec![cell(5_000)] }).unwrap();
        let odd = MergedRow { key: Bytes::from("b"), cells: vec![cell(5_000), cell(4_999)] };
        let error = block.add(odd).unwrap_err().to_string();
        assert!(error.starts_with("\"b\": the time of a cell is 4999 µs"), "{error}");
    }
}
