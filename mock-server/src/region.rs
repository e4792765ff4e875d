//! A region: a range of a table's rows, open on one region server or closed.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{Get, RegionInfo};
use tallrow_wire::region;

use crate::cell::{RowOrder, StoredCell};
use crate::read::Read;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema::Schema;
use crate::store::Store;

/// One region.
#[derive(Debug)]
pub(crate) struct Region {
    /// Table, start and end key, id.
    pub(crate) info: RegionInfo,
    /// The full name.
    pub(crate) name: Bytes,
    /// The full name as error texts show it.
    pub(crate) shown: String,
    /// The encoded name.
    pub(crate) encoded: String,
    state: Mutex<RegionState>,
}

/// What changes about a region.
#[derive(Debug)]
pub(crate) struct RegionState {
    /// The region server that has it open.
    pub(crate) server: Option<usize>,
    /// The sequence id at its last opening.
    pub(crate) open_sequence: u64,
    /// What its table's schema says.
    pub(crate) schema: Arc<Schema>,
    /// Its cells.
    pub(crate) store: Store,
    /// How many reads and writes it served.
    pub(crate) requests: (u64, u64),
}

impl Region {
    /// A closed region without cells.
    pub(crate) fn new(info: RegionInfo, schema: Arc<Schema>) -> Self {
        Self::with_store(info, schema, None)
    }

    /// A closed region with the cells of another.
    pub(crate) fn with_store(info: RegionInfo, schema: Arc<Schema>, store: Option<Store>) -> Self {
        let name = region::name(&info);
        let order = match name == region::META_REGION {
            true => RowOrder::Meta,
            false => RowOrder::Bytes,
        };
        Self {
            shown: show(&name),
            encoded: region::encoded_name_of(&info),
            name: name.into(),
            info,
            state: Mutex::new(RegionState {
                server: None,
                open_sequence: 1,
                schema,
                store: store.unwrap_or_else(|| Store::new(order, 1)),
                requests: (0, 0),
            }),
        }
    }

    /// The first row key.
    pub(crate) fn start_key(&self) -> &[u8] {
        self.info.start_key.as_deref().unwrap_or_default()
    }

    /// The row key after the last; empty means no end.
    pub(crate) fn end_key(&self) -> &[u8] {
        self.info.end_key.as_deref().unwrap_or_default()
    }

    /// Whether the row lies in this region.
    pub(crate) fn contains(&self, row: &[u8]) -> bool {
        row >= self.start_key() && (self.end_key().is_empty() || row < self.end_key())
    }

    /// What changes about it, for as long as the guard lives.
    pub(crate) fn lock(&self) -> MutexGuard<'_, RegionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text for a row that lies elsewhere.
    pub(crate) fn out_of_range(&self, what: &str, row: &[u8]) -> String {
        format!(
            "Requested row out of range for {what} on HRegion {}, startKey='{}', getEndKey()='{}', row='{}'",
            self.shown,
            show(self.start_key()),
            show(self.end_key()),
            show(row)
        )
    }
}

impl RegionState {
    /// The cells that answer a Get, as of `point` (now, when none).
    pub(crate) fn get(
        &self,
        region: &Region,
        get: &Get,
        point: Option<u64>,
        now: u64,
    ) -> RemoteResult<Vec<Cow<'_, StoredCell>>> {
        check_row(&get.row)?;
        let mut read = Read::of_get(get, &self.schema, &region.shown)?;
        if !region.contains(&get.row) {
            let text = region.out_of_range("Get", &get.row);
            return Err(remote_exception(exception::WRONG_REGION, text));
        }
        let point = point.unwrap_or_else(|| self.store.sequence_id());
        Ok(read.row(self.store.cells(), &get.row, point, now))
    }
}

/// Refuses a row key that is empty or too long.
pub(crate) fn check_row(row: &[u8]) -> RemoteResult<()> {
    match row.len() {
        0 => Err(remote_exception(exception::IO, "Row length is 0")),
        n if n > tallrow_wire::cell::MAX_ROW_LEN => {
            Err(remote_exception(exception::IO, format!("Row length {n} is > 32767")))
        }
        _ => Ok(()),
    }
}

/// Bytes as `Bytes.toStringBinary` shows them.
pub(crate) fn show(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\x5C"),
            b' '..=b'~' => out.push(char::from(*byte)),
            other => out.push_str(&format!("\\x{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_as_the_server_shows_them() {
        assert_eq!(show(b"a,\x00\xffz"), "a,\\x00\\xFFz");
    }

    #[test]
    fn row_keys_have_a_length() {
        assert_eq!(check_row(b"").unwrap_err().message, "Row length is 0");
        assert_eq!(check_row(&[0; 32_768]).unwrap_err().message, "Row length 32768 is > 32767");
        assert!(check_row(&[0; 32_767]).is_ok());
    }
}
