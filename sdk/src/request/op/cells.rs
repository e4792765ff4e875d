//! The common content of puts, deletes, increments and appends: the cells of one change of a row,
//! and the settings with which it is sent.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::model::cell::{Cell, CellType, EncodedCells, validate_row};
use crate::model::columns::problem_of_family;
use crate::model::show;
use crate::request::call_options::CallOptions;
use crate::{DeliveryGuarantee, Timestamp};

/// The kind of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutationKind {
    Put,
    Delete,
    Increment,
    Append,
    AddToCells,
    MergeToCells,
}

impl MutationKind {
    /// The name of an operation with one mutation of this kind.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Delete => "delete",
            Self::Increment => "increment",
            Self::Append => "append",
            Self::AddToCells => "add to cells",
            Self::MergeToCells => "merge to cells",
        }
    }
}

/// The cells that a mutation of one row writes, and the settings with which it writes them.
#[derive(Clone, PartialEq)]
pub(crate) struct SingleMutation {
    pub(crate) row: Bytes,
    pub(crate) cells: EncodedCells,
    /// If the whole row is deleted: the timestamp up to which its cells are deleted.
    pub(crate) until: Option<Timestamp>,
    pub(crate) ttl: Option<Duration>,
    /// Whether at least one cell gets the server's time.
    pub(crate) server_time: bool,
    pub(crate) delivery: Option<DeliveryGuarantee>,
    /// Whether the mutation must not be applied twice, whatever its timestamps are.
    pub(crate) must_not_repeat: bool,
    pub(crate) options: Option<Arc<CallOptions>>,
    /// The first problem that was found; it is reported when the mutation is sent.
    pub(crate) problem: Option<String>,
}

impl SingleMutation {
    pub(crate) fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        let problem = validate_row(&row).err();
        Self {
            row,
            cells: EncodedCells::default(),
            until: None,
            ttl: None,
            server_time: false,
            delivery: None,
            must_not_repeat: false,
            options: None,
            problem,
        }
    }

    /// Returns the cells, or what is wrong with one of them.
    pub(crate) fn decode_cells(&self) -> Result<impl Iterator<Item = Cell> + use<>, String> {
        match &self.problem {
            Some(problem) => Err(problem.clone()),
            None => Ok(self.cells.cells()),
        }
    }

    pub(crate) fn push(
        &mut self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        timestamp: Option<Timestamp>,
        kind: CellType,
        value: &[u8],
    ) {
        self.server_time |= timestamp.is_none();
        let (family, qualifier) = (family.as_ref(), qualifier.as_ref());
        if let Some(problem) = problem_of_family(family) {
            self.problem.get_or_insert(problem);
        }
        let pushed = self.cells.push(&self.row, family, qualifier, timestamp, kind, value);
        if let Err(problem) = pushed {
            self.problem.get_or_insert(problem);
        }
    }

    /// Returns what is wrong with the cells, if anything.
    pub(crate) fn problem(&self, kind: MutationKind) -> Option<String> {
        let twice = || {
            match kind {
            MutationKind::Put => self.cells.duplicate_version().map(|(family, qualifier)| {
                let column = show::column(family, qualifier);
                format!(
                    "column {column} has two values of one time, of which one would be lost; write one of them"
                )
            }),
            MutationKind::Delete
            | MutationKind::Increment
            | MutationKind::Append
            | MutationKind::AddToCells
            | MutationKind::MergeToCells => None,
        }
        };
        // HBase counts in milliseconds, and treats a cell with a time to live of 0 ms as expired.
        let no_time = || {
            let gone = self.ttl.is_some_and(|ttl| ttl < Duration::from_millis(1));
            gone.then(|| {
                "a time to live of less than 1 ms, after which no cell could be read".into()
            })
        };
        self.problem.clone().or_else(no_time).or_else(twice)
    }

    /// Turns the cells into those that are sent. HBase keeps one cell of a column, so additions to
    /// the same counter become their sum, and bytes that are appended to the same cell are joined.
    /// Fails with what is wrong with the cells, if anything.
    pub(crate) fn combine_repeated(&mut self, kind: MutationKind) -> Result<(), String> {
        if let Some(problem) = self.problem(kind) {
            return Err(problem);
        }
        let adds = matches!(kind, MutationKind::Increment | MutationKind::Append);
        if !adds || self.cells.duplicate_version().is_none() {
            return Ok(());
        }
        let mut sum_indexes: HashMap<(Bytes, Bytes), usize> = HashMap::new();
        let mut sums: Vec<(Cell, Vec<u8>)> = Vec::new();
        for cell in self.cells.cells() {
            let column = (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()));
            let index = *sum_indexes.entry(column).or_insert(sums.len());
            match sums.get_mut(index) {
                None => {
                    let value = cell.value().to_vec();
                    sums.push((cell, value));
                }
                Some((_, sum)) if kind == MutationKind::Append => {
                    sum.extend_from_slice(cell.value());
                }
                Some((_, sum)) => *sum = wrapping_sum(sum, cell.value()),
            }
        }
        let mut combined = EncodedCells::default();
        for (cell, sum) in sums {
            let (family, qualifier) = (cell.family(), cell.qualifier());
            combined.push(&self.row, family, qualifier, None, CellType::Put, &sum)?;
        }
        self.cells = combined;
        Ok(())
    }

    /// Returns the size of the row key and the cells, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.row.len() + self.cells.size()
    }

    /// Returns whether the whole row is deleted, up to the time at which the server deletes it.
    pub(crate) fn deletes_row(&self, kind: MutationKind) -> bool {
        kind == MutationKind::Delete && self.cells.is_empty() && self.until.is_none()
    }
}

/// How many cells of a change its debug text shows.
const SHOWN: usize = 20;

/// The debug text of a change. It shows the cells as programs write them, not as bytes on the wire:
/// `Put("row1", d:name = "Ada")`.
pub(super) struct DebugMutation<'a>(pub(super) MutationKind, pub(super) &'a SingleMutation);

impl fmt::Debug for DebugMutation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(kind, cells) = self;
        let mut shown = f.debug_tuple(match kind {
            MutationKind::Put => "Put",
            MutationKind::Delete => "Delete",
            MutationKind::Increment => "Increment",
            MutationKind::Append => "Append",
            MutationKind::AddToCells => "AddToCells",
            MutationKind::MergeToCells => "MergeToCells",
        });
        shown.field(&format_args!("{}", show::row_key(&cells.row)));
        let all = cells.cells.cell_count();
        for cell in cells.cells.cells().take(SHOWN) {
            shown.field(&ShownCell(*kind, &cell));
        }
        if all > SHOWN {
            shown.field(&format_args!("{} cells more", all - SHOWN));
        }
        if let Some(until) = cells.until {
            shown.field(&format_args!("until {} ms", until.as_millis()));
        }
        if let Some(ttl) = cells.ttl {
            shown.field(&format_args!("ttl {ttl:?}"));
        }
        if let Some(delivery) = cells.delivery {
            shown.field(&delivery);
        }
        if let Some(options) = &cells.options {
            shown.field(options);
        }
        if let Some(problem) = &cells.problem {
            shown.field(&format_args!("invalid: {problem}"));
        }
        shown.finish()
    }
}

struct ShownCell<'a>(MutationKind, &'a Cell);

impl fmt::Debug for ShownCell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(kind, cell) = self;
        let column = show::column(cell.family(), cell.qualifier());
        let value = show::bytes(cell.value());
        match (kind, cell.kind(), <[u8; 8]>::try_from(cell.value())) {
            (MutationKind::Increment | MutationKind::AddToCells, _, Ok(by)) => {
                write!(f, "{column} += {}", i64::from_be_bytes(by))?;
            }
            (MutationKind::Increment | MutationKind::Append | MutationKind::AddToCells, ..) => {
                write!(f, "{column} += {value}")?
            }
            (MutationKind::MergeToCells, ..) => write!(f, "{column} merges {value}")?,
            (_, CellType::Put, _) => write!(f, "{column} = {value}")?,
            (_, CellType::Delete, _) => write!(f, "version of {column}")?,
            (_, CellType::DeleteColumn, _) => write!(f, "{column}")?,
            (_, CellType::DeleteFamily, _) => f.write_str(column.trim_end_matches(':'))?,
            (_, CellType::DeleteFamilyVersion, _) => {
                write!(f, "versions of {}", column.trim_end_matches(':'))?;
            }
        }
        match cell.given_timestamp() {
            None => Ok(()),
            Some(at) => {
                let until = matches!(cell.kind(), CellType::DeleteColumn | CellType::DeleteFamily);
                write!(f, " {} {} ms", if until { "until" } else { "at" }, at.as_millis())
            }
        }
    }
}

/// Returns the wrapping sum of two amounts, each a big-endian number of 8 bytes.
fn wrapping_sum(one: &[u8], other: &[u8]) -> Vec<u8> {
    let amount = |bytes: &[u8]| <[u8; 8]>::try_from(bytes).map(i64::from_be_bytes).unwrap_or(0);
    amount(one).wrapping_add(amount(other)).to_be_bytes().to_vec()
}
