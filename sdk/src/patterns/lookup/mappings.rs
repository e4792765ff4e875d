//! The rows of a lookup table: how they are read and written.
//!
//! # Invariants
//!
//! - A name has one id, and an id has one name. Tests:
//!   `tests/suites/faults/lookup.rs::what_a_stopped_writer_left_is_repaired`,
//!   `tests/suites/faults/lookup.rs::callers_of_one_name_create_it_once`, `tests/suites/lookup`.

use bytes::Bytes;
use tokio::time::Instant;

use crate::model::show;
use crate::raw_table::conditional_write::ConditionalOutcome;
use crate::request::op::Check;
use crate::runtime::lost_replies::LostReplies;
use crate::{Delete, Error, ErrorKind, Get, Put, RawTable, Result, Row};

pub(super) const COUNTER_ROW: &[u8] = &[0];
pub(super) const ID_FAMILY: &str = "id";
pub(super) const NAME_FAMILY: &str = "name";

/// The mappings of one kind of names.
#[derive(Clone, Debug)]
pub(super) struct Mappings {
    pub(super) table: RawTable,
    pub(super) kind: Bytes,
    pub(super) width: usize,
}

impl Mappings {
    /// Returns a copy of the name, or an error if the name cannot have an id.
    pub(super) fn check_name(&self, name: &[u8]) -> Result<Bytes> {
        let problem = match name {
            [] => "an empty name cannot be a row",
            COUNTER_ROW => "the name \"\\x00\" is the row of the counters",
            _ => return Ok(Bytes::copy_from_slice(name)),
        };
        Err(Error::invalid(problem).on_table(self.table.name()))
    }

    /// Returns the row key of an id; `None` if the id is too large for the width.
    pub(super) fn id_row(&self, id: u64) -> Option<Bytes> {
        id_bytes(id, self.width)
    }

    /// Returns the id in these bytes, if they have the width of ids.
    pub(super) fn decode_id(&self, bytes: &[u8]) -> Option<u64> {
        (bytes.len() == self.width).then(|| id_from_bytes(bytes))
    }

    pub(super) fn get_id_of_name(&self, name: &[u8]) -> Get {
        Get::new(name).column(ID_FAMILY, &self.kind)
    }

    pub(super) fn get_name_of_id(&self, id_row: &[u8]) -> Get {
        Get::new(id_row).column(NAME_FAMILY, &self.kind)
    }

    /// Returns the id in a row that was read; `None` if there is no row.
    pub(super) fn id_in_row(&self, row: Option<&Row>) -> Result<Option<u64>> {
        let Some((row, id)) = row.and_then(|row| Some((row, row.value(ID_FAMILY, &self.kind)?)))
        else {
            return Ok(None);
        };
        let decoded = self.decode_id(id);
        decoded.map(Some).ok_or_else(|| self.of_other_width(row.key(), id))
    }

    /// Returns the name in a row that was read; `None` if there is no row.
    pub(super) fn name_in_row(&self, row: Option<&Row>) -> Option<Bytes> {
        Some(Bytes::copy_from_slice(row?.value(NAME_FAMILY, &self.kind)?))
    }

    /// Writes the mapping of an id to a name, unless the id already has a name. Returns the name
    /// that the id then has.
    pub(super) async fn add_name_of_id(
        &self,
        id: u64,
        name: &Bytes,
        deadline: Instant,
    ) -> Result<Bytes> {
        self.add(&self.row_of(id)?, NAME_FAMILY, name, deadline).await
    }

    /// Maps an id to `name` if it is mapped to `before`. Returns the name that the id then has, or
    /// empty bytes if it has none. The cell is replaced and not deleted first, because a delete
    /// marker could hide what is written after it.
    pub(super) async fn replace_name_of_id(
        &self,
        id: u64,
        before: &Bytes,
        name: &Bytes,
        deadline: Instant,
    ) -> Result<Bytes> {
        let row = self.row_of(id)?;
        let put = || Put::new(&row).cell(NAME_FAMILY, &self.kind, name);
        let check = || Check::new(&row, NAME_FAMILY, &self.kind).if_equals(before).then(put());
        let mut lost = LostReplies::default();
        loop {
            let sent =
                ConditionalOutcome::send(&self.table.with_deadline(deadline), check()).await?;
            let found = self.table.with_deadline(deadline).get(self.get_name_of_id(&row)).await?;
            let found = self.name_in_row(found.as_ref()).unwrap_or_default();
            match sent {
                ConditionalOutcome::Unknown(error) if found == *before => {
                    self.may_repeat(&row, &mut lost, error, deadline)?;
                }
                // If the clock of a Bigtable server is behind, this may still be the name `before`.
                _ => return Ok(found),
            }
        }
    }

    fn row_of(&self, id: u64) -> Result<Bytes> {
        self.id_row(id).ok_or_else(|| {
            let text = format!("the id {id} is not {} bytes wide", self.width);
            Error::new(ErrorKind::IdsExhausted, text).on_table(self.table.name())
        })
    }

    /// Writes the mapping of a name to an id, unless the name already has an id. Returns the id
    /// that the name then has.
    pub(super) async fn add_id_of_name(
        &self,
        name: &[u8],
        id: u64,
        deadline: Instant,
    ) -> Result<u64> {
        let value = self.id_row(id).unwrap_or_default();
        let value = self.add(name, ID_FAMILY, &value, deadline).await?;
        self.decode_id(&value).ok_or_else(|| self.of_other_width(name, &value))
    }

    /// Writes a cell unless it already exists, and returns the value that the cell then has. The
    /// write may be sent again after a lost reply, because an earlier attempt that is applied in
    /// the meantime writes the same value.
    async fn add(
        &self,
        row: &[u8],
        family: &str,
        value: &Bytes,
        deadline: Instant,
    ) -> Result<Bytes> {
        let put = || Put::new(row).cell(family, &self.kind, value);
        let check = || Check::new(row, family, &self.kind).if_not_exists().then(put());
        let mut lost = LostReplies::default();
        loop {
            match ConditionalOutcome::send(&self.table.with_deadline(deadline), check()).await? {
                ConditionalOutcome::Applied => return Ok(value.clone()),
                ConditionalOutcome::NotApplied => {}
                ConditionalOutcome::Unknown(error) => {
                    self.may_repeat(row, &mut lost, error, deadline)?
                }
            }
            let get = Get::new(row).column(family, &self.kind);
            let found = self.table.with_deadline(deadline).get(get).await?;
            let found = found.as_ref().and_then(|row| row.value(family, &self.kind));
            if let Some(found) = found.filter(|found| !found.is_empty()) {
                return Ok(Bytes::copy_from_slice(found));
            }
        }
    }

    /// Deletes the mapping of an id to a name if the id has this name. The mapping of the name to
    /// the id stays.
    pub(super) async fn delete_name_of_id(
        &self,
        id: u64,
        name: &[u8],
        deadline: Instant,
    ) -> Result<()> {
        let Some(row) = self.id_row(id) else { return Ok(()) };
        let mut lost = LostReplies::default();
        loop {
            let delete = Delete::new(&row).column(NAME_FAMILY, &self.kind);
            let check = Check::new(&row, NAME_FAMILY, &self.kind).if_equals(name).then(delete);
            match ConditionalOutcome::send(&self.table.with_deadline(deadline), check).await? {
                ConditionalOutcome::Applied | ConditionalOutcome::NotApplied => return Ok(()),
                ConditionalOutcome::Unknown(error) => {
                    self.may_repeat(&row, &mut lost, error, deadline)?
                }
            }
        }
    }

    /// Counts a lost reply; returns an error if the deadline has passed, or too many replies were
    /// lost.
    fn may_repeat(
        &self,
        row: &[u8],
        lost: &mut LostReplies,
        error: Error,
        deadline: Instant,
    ) -> Result<()> {
        lost.count_before_repeat(error, deadline)
            .map_err(|error| error.on_table(self.table.name()).on_row(&Bytes::copy_from_slice(row)))
    }

    fn of_other_width(&self, name: &[u8], id: &[u8]) -> Error {
        let column = show::column(ID_FAMILY.as_bytes(), &self.kind);
        let text = format!(
            "the id in {column} has {} bytes instead of {}: {}",
            id.len(),
            self.width,
            show::bytes(id)
        );
        Error::new(ErrorKind::Decode, text)
            .on_table(self.table.name())
            .on_row(&Bytes::copy_from_slice(name))
    }
}

/// Returns an id as `width` big-endian bytes, at most 8; `None` if it does not fit.
pub(crate) fn id_bytes(id: u64, width: usize) -> Option<Bytes> {
    let bytes = id.to_be_bytes();
    let (zeros, id) = bytes.split_at_checked(bytes.len().checked_sub(width)?)?;
    zeros.iter().all(|byte| *byte == 0).then(|| Bytes::copy_from_slice(id))
}

/// Returns the id in these big-endian bytes, however many there are.
pub(crate) fn id_from_bytes(id: &[u8]) -> u64 {
    id.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
