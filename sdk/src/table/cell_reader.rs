//! Reads the fields of a row type from the cells of a row, for the code that the derives generate.
//!
//! # Invariants
//!
//! - An absent cell and an invalid one are never confused, and both errors name the column. Tests:
//!   `tests/suites/client/cells.rs::an_invalid_cell_is_reported_with_its_column`,
//!   `tests/suites/client/cells.rs::a_default_replaces_only_an_absent_cell`.

use super::names::ColumnName;
use crate::model::cell::Cell;
use crate::model::show;
use crate::model::value::{
    CellField, DecodeCell, NativeCodec, Qualifier, ValueError, ValueOrOption, Versions,
    VersionsField,
};
use crate::table::column::CellMap;
use crate::{Error, ErrorKind, Result, Row, Timestamp};

/// The cells of a row, as the code of the derives reads them.
///
/// Cells arrive sorted by family and qualifier. Columns requested in that order are found in one
/// pass.
#[derive(Debug)]
pub struct CellReader<'r> {
    pub(super) row: &'r Row,
    /// The columns of the group that is read.
    pub(super) columns: &'static [ColumnName],
    pub(super) ranges: &'static [ColumnName],
    /// The columns of the whole type, which are not dynamic cells.
    pub(super) all: &'static [ColumnName],
    /// Cells before this index sort before the last column that was looked for.
    pub(super) at: usize,
}

impl<'r> CellReader<'r> {
    /// Creates a reader of the cells of a row, for a type with these columns and ranges.
    pub fn new(
        row: &'r Row,
        columns: &'static [ColumnName],
        ranges: &'static [ColumnName],
        all: &'static [ColumnName],
    ) -> Self {
        Self { row, columns, ranges, all, at: 0 }
    }

    /// Reads a field without a codec.
    #[inline]
    pub fn field<F: CellField>(&mut self, column: usize) -> Result<F>
    where
        NativeCodec: DecodeCell<F::Value>,
    {
        self.field_with_codec::<F, F::Value, NativeCodec>(column)
    }

    /// Reads a field with a codec.
    #[inline]
    pub fn field_with_codec<F: ValueOrOption<V>, V, C: DecodeCell<V>>(
        &mut self,
        column: usize,
    ) -> Result<F> {
        let name = self.name(column);
        match self.find(name) {
            Some(cell) => C::decode(cell.value())
                .and_then(|v| F::from_option(Some(v)))
                .map_err(|e| bad(cell, e)),
            None => F::from_option(C::absent()).map_err(|e| self.absent(name, e)),
        }
    }

    /// Reads a field with a codec and a default.
    #[inline]
    pub fn field_with_default<F: ValueOrOption<V>, V, C: DecodeCell<V>>(
        &mut self,
        column: usize,
        default: impl FnOnce() -> F,
    ) -> Result<F> {
        match self.find(self.name(column)) {
            Some(cell) => C::decode(cell.value())
                .and_then(|v| F::from_option(Some(v)))
                .map_err(|e| bad(cell, e)),
            None => Ok(default()),
        }
    }

    /// Reads all versions of a cell that the row has.
    pub fn versions<F: VersionsField, C: DecodeCell<F::Value>>(
        &mut self,
        column: usize,
    ) -> Result<F> {
        let name = self.name(column);
        let first = self.find(name);
        let cells = self.row.cells().get(self.at..).unwrap_or_default();
        let cells = cells.iter().take_while(|c| first.is_some() && is(c, name));
        let versions = cells.map(|cell| {
            let value = C::decode(cell.value()).map_err(|e| bad(cell, e))?;
            Ok((cell.timestamp(), value))
        });
        versions.collect::<Result<Versions<_>>>().map(F::from_versions)
    }

    /// Reads the timestamp of the newest version of a cell.
    pub fn timestamp<F: ValueOrOption<Timestamp>>(&mut self, column: usize) -> Result<F> {
        let name = self.name(column);
        let at = self.find(name).map(|cell| cell.timestamp());
        F::from_option(at).map_err(|e| self.absent(name, e))
    }

    /// Reads the dynamic cells of a range: the cells of its family whose qualifiers have its
    /// prefix.
    pub fn dynamic<M: CellMap, C: DecodeCell<M::Value>>(&mut self, range: usize) -> Result<M> {
        let (family, prefix) = self.ranges.get(range).copied().unwrap_or(("", b""));
        let cells = self.row.cells();
        let start = cells.partition_point(|c| before(c, (family, prefix)));
        let cells = cells.get(start..).unwrap_or_default().iter();
        let mut last: &[u8] = &[];
        let mut map = M::default();
        let mut first = true;
        for cell in cells.take_while(|c| c.family() == family.as_bytes()) {
            if !cell.qualifier().starts_with(prefix) {
                break;
            }
            let older = !first && last == cell.qualifier();
            (last, first) = (cell.qualifier(), false);
            if older || self.all.iter().any(|name| is(cell, *name)) {
                continue;
            }
            let (qualifier, value) = decode_dynamic_cell::<_, _, C>(cell, prefix)?;
            map.put(qualifier, value);
        }
        Ok(map)
    }

    /// Whether the row has any cell of this group.
    pub(super) fn has_any(&self) -> bool {
        let of_range = |cell: &Cell| {
            self.ranges.iter().any(|(family, prefix)| {
                cell.family() == family.as_bytes()
                    && cell.qualifier().starts_with(prefix)
                    && !self.all.iter().any(|name| is(cell, *name))
            })
        };
        let of_group = |cell: &Cell| self.columns.iter().any(|name| is(cell, *name));
        self.row.cells().iter().any(|cell| of_group(cell) || of_range(cell))
    }

    fn name(&self, column: usize) -> ColumnName {
        self.columns.get(column).copied().unwrap_or(("", b""))
    }

    /// Finds the newest version of a column.
    #[inline]
    fn find(&mut self, name: ColumnName) -> Option<&'r Cell> {
        let cells = self.row.cells();
        if self.at > 0 && cells.get(self.at - 1).is_some_and(|c| !before(c, name)) {
            self.at = 0;
        }
        while let Some(cell) = cells.get(self.at) {
            if !before(cell, name) {
                return is(cell, name).then_some(cell);
            }
            self.at += 1;
        }
        None
    }

    #[cold]
    fn absent(&self, (family, qualifier): ColumnName, error: ValueError) -> Error {
        let column = show::column(family.as_bytes(), qualifier);
        Error::new(ErrorKind::Decode, format!("column {column}: {error}"))
            .with_operation_if_unset("decode row")
            .on_row(&self.row.copy_key())
    }
}

/// Decodes the qualifier of a dynamic cell, without the prefix, and its value.
pub(super) fn decode_dynamic_cell<Q: Qualifier, V, C: DecodeCell<V>>(
    cell: &Cell,
    prefix: &[u8],
) -> Result<(Q, V)> {
    let qualifier = cell.qualifier().strip_prefix(prefix).unwrap_or_default();
    let key = Q::from_qualifier(qualifier)
        .map_err(|e| bad_part(cell, &format!("qualifier {e}; it is {}", show::bytes(qualifier))))?;
    let value = C::decode(cell.value()).map_err(|e| bad(cell, e))?;
    Ok((key, value))
}

#[inline]
fn before(cell: &Cell, (family, qualifier): ColumnName) -> bool {
    (cell.family(), cell.qualifier()) < (family.as_bytes(), qualifier)
}

#[inline]
fn is(cell: &Cell, (family, qualifier): ColumnName) -> bool {
    cell.family() == family.as_bytes() && cell.qualifier() == qualifier
}

#[cold]
fn bad(cell: &Cell, error: ValueError) -> Error {
    bad_part(cell, &format!("{error}; the cell holds {}", show::bytes(cell.value())))
}

#[cold]
fn bad_part(cell: &Cell, error: &str) -> Error {
    let column = show::column(cell.family(), cell.qualifier());
    let text = format!("column {column}: {error}");
    let row = bytes::Bytes::copy_from_slice(cell.row());
    Error::new(ErrorKind::Decode, text).with_operation_if_unset("decode row").on_row(&row)
}
