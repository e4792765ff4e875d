//! Rows of `hbase:meta`: the regions of each table and the servers that host them.

use prost::Message;

use crate::WireError;
use crate::cell::Cell;
use crate::proto::{RegionInfo, ServerName};

/// The family of region rows.
pub const FAMILY: &[u8] = b"info";

/// The family of table rows, whose only column is [`TABLE_STATE`].
pub const TABLE_FAMILY: &[u8] = b"table";

/// The qualifier of a table's state, whose value is an encoded `TableState`.
pub const TABLE_STATE: &[u8] = b"state";

/// What precedes a message in a cell of `hbase:meta`.
const MAGIC: &[u8] = b"PBUF";

/// The row of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRow {
    /// Its table, start key, end key and id, and whether it was split.
    pub info: RegionInfo,
    /// The server that hosts it; none while it is being assigned.
    pub server: Option<ServerName>,
    /// The sequence number when it was last opened; a row with a higher one is newer.
    pub sequence: u64,
}

impl RegionRow {
    /// Decodes the cells of one row; `None` for a row without `info:regioninfo`, such as a table's state.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    /// use tallrow_wire::meta::{self, RegionRow};
    /// use tallrow_wire::{proto::RegionInfo, region};
    ///
    /// let info = RegionInfo { region_id: 1, table_name: region::parse_table_name(b"t"), ..Default::default() };
    /// let row = region::name(&info);
    /// let cell = |q: &[u8], v: &[u8]| Cell::new(&row, meta::FAMILY, q, 1, CellType::Put, v).unwrap();
    /// let cells = [
    ///     cell(b"regioninfo", &meta::encode_region_info(&info)),
    ///     cell(b"server", b"127.0.0.1:16020"),
    ///     cell(b"serverstartcode", &7u64.to_be_bytes()),
    /// ];
    /// let region = RegionRow::from_cells(&cells).unwrap().unwrap();
    /// assert_eq!(region.info, info);
    /// assert_eq!(region.server.unwrap().port, Some(16020));
    /// ```
    ///
    /// # Errors
    /// A value that is not valid for its column.
    pub fn from_cells(cells: &[Cell]) -> Result<Option<Self>, WireError> {
        let column = |qualifier: &[u8]| {
            cells
                .iter()
                .find(|c| c.family() == FAMILY && c.qualifier() == qualifier)
                .map(Cell::value)
        };
        let Some(info) = column(b"regioninfo") else { return Ok(None) };
        let info = decode_region_info(info)?;
        let number = |qualifier| match column(qualifier) {
            Some(value) => long(value),
            None => Ok(0),
        };
        let server = match column(b"server") {
            None | Some(b"") => None,
            Some(address) => {
                let (host_name, port) = address_of(address)?;
                Some(ServerName {
                    host_name,
                    port: Some(u32::from(port)),
                    start_code: Some(number(b"serverstartcode")?),
                })
            }
        };
        Ok(Some(Self { info, server, sequence: number(b"seqnumDuringOpen")? }))
    }
}

/// The value of `info:regioninfo`.
///
/// See [`RegionRow::from_cells`] for an example.
pub fn encode_region_info(info: &RegionInfo) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    info.encode_raw(&mut out);
    out
}

/// Decodes a value of `info:regioninfo`, `info:splitA` or `info:splitB`.
///
/// ```
/// assert!(tallrow_wire::meta::decode_region_info(b"text").is_err());
/// ```
///
/// # Errors
/// Bytes that are not `PBUF` and a `RegionInfo`.
pub fn decode_region_info(value: &[u8]) -> Result<RegionInfo, WireError> {
    const WHAT: &str = "info:regioninfo";
    let message = value.strip_prefix(MAGIC).ok_or_else(|| {
        WireError::new(
            WHAT,
            format!("expected \"PBUF\" and a message, found \"{}\"", value.escape_ascii()),
        )
    })?;
    RegionInfo::decode(message).map_err(|e| WireError::new(WHAT, e.to_string()))
}

fn long(value: &[u8]) -> Result<u64, WireError> {
    value.try_into().map(u64::from_be_bytes).map_err(|_| {
        WireError::new("number in hbase:meta", format!("expected 8 bytes, found {}", value.len()))
    })
}

fn address_of(value: &[u8]) -> Result<(String, u16), WireError> {
    let text = std::str::from_utf8(value).ok();
    let parts = text
        .and_then(|t| t.rsplit_once(':'))
        .and_then(|(h, p)| Some((h.to_owned(), p.parse().ok()?)));
    parts.ok_or_else(|| {
        WireError::new(
            "info:server",
            format!("expected \"host:port\", found \"{}\"", value.escape_ascii()),
        )
    })
}
