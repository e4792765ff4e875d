use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::cell::{Cell, CellBuf, CellType, validate_row};
use crate::{DeliveryGuarantee, Timestamp};

use crate::call_options::CallOptions;

/// What a mutation does, apart from its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutationKind {
    Put,
    Delete,
    Increment,
    Append,
}

impl MutationKind {
    /// What an operation with one mutation of this kind is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Delete => "delete",
            Self::Increment => "increment",
            Self::Append => "append",
        }
    }
}

/// The cells that a mutation of one row writes, and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    pub(crate) row: Bytes,
    pub(crate) cells: CellBuf,
    /// If the whole row is deleted: up to which time.
    pub(crate) until: Option<Timestamp>,
    pub(crate) ttl: Option<Duration>,
    /// Whether a cell gets the server's time.
    pub(crate) server_time: bool,
    pub(crate) delivery: Option<DeliveryGuarantee>,
    /// Whether it must not be applied twice, whatever time it has.
    pub(crate) once: bool,
    pub(crate) options: Option<Arc<CallOptions>>,
    /// The first thing that was wrong; reported when the mutation is sent.
    pub(crate) problem: Option<String>,
}

impl Cells {
    pub(crate) fn new(row: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        let problem = validate_row(&row).err();
        Self {
            row,
            cells: CellBuf::default(),
            until: None,
            ttl: None,
            server_time: false,
            delivery: None,
            once: false,
            options: None,
            problem,
        }
    }

    /// The cells, or what is wrong with one.
    pub(crate) fn read(&self) -> Result<impl Iterator<Item = Cell> + use<>, String> {
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
        let pushed = self.cells.push(&self.row, family, qualifier, timestamp, kind, value);
        if let Err(problem) = pushed {
            self.problem.get_or_insert(problem);
        }
    }

    /// The bytes of the row key and the cells.
    pub(crate) fn size(&self) -> usize {
        self.row.len() + self.cells.size()
    }

    /// Whether all of the row is deleted, up to the time at which the server does it.
    pub(crate) fn deletes_row(&self, kind: MutationKind) -> bool {
        kind == MutationKind::Delete && self.cells.is_empty() && self.until.is_none()
    }
}
