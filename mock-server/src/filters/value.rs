//! Filters that select cells and rows by the values of cells.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bytes::Bytes;
use tallrow_wire::proto::{
    self, ColumnValueFilter, DependentColumnFilter, SingleColumnValueExcludeFilter,
    SingleColumnValueFilter,
};

use super::comparator::Comparison;
use super::message::{decode_comparison, decode_comparison_filter, decode_message};
use super::{Filter, ReturnCode};
use crate::base::RemoteResult;
use crate::cells::StoredCell;

/// Decodes a filter of values; `None` for any other class.
pub(super) fn decode(
    class: &str,
    sent: &proto::Filter,
    _reversed: bool,
) -> RemoteResult<Option<Box<dyn Filter>>> {
    let filter: Box<dyn Filter> = match class {
        "ValueFilter" => Box::new(Value(decode_comparison_filter(sent)?)),
        "SingleColumnValueFilter" => single_column_value(decode_message(sent)?, false)?,
        "SingleColumnValueExcludeFilter" => {
            let excluding: SingleColumnValueExcludeFilter = decode_message(sent)?;
            single_column_value(excluding.single_column_value_filter, true)?
        }
        "ColumnValueFilter" => {
            let f: ColumnValueFilter = decode_message(sent)?;
            let comparison = Comparison::decode(f.compare_op, &f.comparator)?;
            let (family, qualifier) = (f.family, f.qualifier);
            Box::new(ColumnValue { family, qualifier, comparison, found: false })
        }
        "DependentColumnFilter" => {
            let f: DependentColumnFilter = decode_message(sent)?;
            let comparator = f.compare_filter.comparator.as_ref();
            Box::new(DependentColumn {
                comparison: comparator.map(|_| decode_comparison(&f.compare_filter)).transpose()?,
                family: f.column_family.unwrap_or_default(),
                qualifier: f.column_qualifier.unwrap_or_default(),
                drop_dependent_column: f.drop_dependent_column.unwrap_or(false),
                timestamps: Default::default(),
            })
        }
        _ => return Ok(None),
    };
    Ok(Some(filter))
}

fn single_column_value(
    filter: SingleColumnValueFilter,
    exclude: bool,
) -> RemoteResult<Box<dyn Filter>> {
    Ok(Box::new(SingleColumnValue {
        comparison: Comparison::decode(filter.compare_op, &filter.comparator)?,
        family: filter.column_family.unwrap_or_default(),
        qualifier: filter.column_qualifier.unwrap_or_default(),
        filter_if_missing: filter.filter_if_missing.unwrap_or(false),
        latest_version_only: filter.latest_version_only.unwrap_or(false),
        exclude,
        found: false,
        matched: false,
    }))
}

/// `ValueFilter`
#[derive(Debug)]
struct Value(Comparison);

impl Filter for Value {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.value()), ReturnCode::SKIP)
    }
}

/// `SingleColumnValueFilter` and, with `exclude`, `SingleColumnValueExcludeFilter`.
#[derive(Debug)]
struct SingleColumnValue {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    filter_if_missing: bool,
    latest_version_only: bool,
    exclude: bool,
    found: bool,
    matched: bool,
}

impl Filter for SingleColumnValue {
    fn reset(&mut self) {
        (self.found, self.matched) = (false, false);
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.matched {
            return ReturnCode::INCLUDE;
        }
        if self.latest_version_only && self.found {
            return ReturnCode::NEXT_ROW;
        }
        if !is_column(cell, &self.family, &self.qualifier) {
            return ReturnCode::INCLUDE;
        }
        self.found = true;
        self.matched = self.comparison.holds(cell.value());
        ReturnCode::include_if(self.matched || !self.latest_version_only, ReturnCode::NEXT_ROW)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        !self.filter_if_missing || self.family == family
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        if self.exclude {
            cells.retain(|c| !is_column(c, &self.family, &self.qualifier));
        }
    }

    fn filter_row(&mut self) -> bool {
        if self.found { !self.matched } else { self.filter_if_missing }
    }
}

/// `ColumnValueFilter`
#[derive(Debug)]
struct ColumnValue {
    family: Bytes,
    qualifier: Bytes,
    comparison: Comparison,
    found: bool,
}

impl Filter for ColumnValue {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if !is_column(cell, &self.family, &self.qualifier) {
            return if self.found { ReturnCode::NEXT_ROW } else { ReturnCode::NEXT_COL };
        }
        self.found = true;
        ReturnCode::include_if(self.comparison.holds(cell.value()), ReturnCode::SKIP)
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.family == family
    }
}

/// `DependentColumnFilter`
#[derive(Debug)]
struct DependentColumn {
    family: Bytes,
    qualifier: Bytes,
    comparison: Option<Comparison>,
    drop_dependent_column: bool,
    timestamps: BTreeSet<u64>,
}

impl Filter for DependentColumn {
    fn reset(&mut self) {
        self.timestamps.clear();
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if !is_column(cell, &self.family, &self.qualifier) {
            return ReturnCode::INCLUDE;
        }
        if self.comparison.as_ref().is_some_and(|c| !c.holds(cell.value())) {
            return ReturnCode::SKIP;
        }
        self.timestamps.insert(cell.timestamp());
        ReturnCode::include_if(!self.drop_dependent_column, ReturnCode::SKIP)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        cells.retain(|c| self.timestamps.contains(&c.timestamp()));
    }
}

fn is_column(cell: &StoredCell, family: &[u8], qualifier: &[u8]) -> bool {
    cell.family() == family && cell.qualifier() == qualifier
}
