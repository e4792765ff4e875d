//! Rows of `hbase:meta`: the regions of each table and the servers that host them.

use bytes::Bytes;
use prost::Message;

use crate::WireError;
use crate::cell::Cell;
use crate::proto::{RegionInfo, ServerName};

/// The family of the rows of regions.
pub const FAMILY: &[u8] = b"info";

/// The family of the rows of tables. Its only column is [`TABLE_STATE_QUALIFIER`].
pub const TABLE_FAMILY: &[u8] = b"table";

/// The qualifier of the cell with a table's state. The value is an encoded `TableState`.
pub const TABLE_STATE_QUALIFIER: &[u8] = b"state";

/// The bytes before a message in a cell of `hbase:meta`.
const MAGIC: &[u8] = b"PBUF";

/// The row of a region in `hbase:meta`.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRow {
    /// The full name of the region, which is the row key.
    pub name: Bytes,
    /// The region's table, start key, end key and id, and whether it was split.
    pub info: RegionInfo,
    /// The server that hosts the region; none while the region is being assigned.
    pub server: Option<ServerName>,
    /// The sequence number of the region when it was last opened. A row with a higher number is
    /// newer.
    pub sequence: u64,
    /// The servers of the region's secondary replicas, with their replica ids. Replicas without a
    /// server are left out.
    pub replicas: Vec<(u16, ServerName)>,
}

impl RegionRow {
    /// Decodes the cells of one row; `None` for a row without `info:regioninfo`, such as the row of
    /// a table's state.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    /// use tallrow_wire::meta::{self, RegionRow};
    /// use tallrow_wire::{proto::RegionInfo, region};
    ///
    /// let info = RegionInfo {
    ///     region_id: 1,
    ///     table_name: region::parse_table_name(b"t"),
    ///     ..Default::default()
    /// };
    /// let row = region::name(&info);
    /// let cell =
    ///     |q: &[u8], v: &[u8]| Cell::new(&row, meta::FAMILY, q, 1, CellType::Put, v).unwrap();
    /// let cells = [
    ///     cell(b"regioninfo", &meta::encode_region_info(&info)),
    ///     cell(b"server", b"127.0.0.1:16020"),
    ///     cell(b"serverstartcode", &7u64.to_be_bytes()),
    /// ];
    /// let region = RegionRow::from_cells(&cells).unwrap().unwrap();
    /// assert_eq!((&region.name[..], &region.info), (&row[..], &info));
    /// assert_eq!(region.server.unwrap().port, Some(16020));
    /// assert!(region.replicas.is_empty());
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
        let number = |qualifier: &[u8]| match column(qualifier) {
            Some(value) => long(value),
            None => Ok(0),
        };
        let server_at = |address: Option<&[u8]>, start_code: &[u8]| match address {
            None | Some(b"") => Ok(None),
            Some(address) => {
                let (host_name, port) = address_of(address)?;
                let (port, start_code) = (Some(u32::from(port)), Some(number(start_code)?));
                Ok(Some(ServerName { host_name, port, start_code }))
            }
        };
        let server = server_at(column(b"server"), b"serverstartcode")?;
        let mut replicas = Vec::new();
        for cell in cells.iter().filter(|cell| cell.family() == FAMILY) {
            let Some(replica) = replica_of(cell.qualifier()) else { continue };
            let start_code = format!("serverstartcode_{replica:04X}");
            let server = server_at(Some(cell.value()), start_code.as_bytes())?;
            replicas.extend(server.map(|server| (replica, server)));
        }
        // This is a copy: a slice of the cell would keep the whole response in memory as long as
        // the row.
        let name = Bytes::copy_from_slice(cells.first().map(Cell::row).unwrap_or_default());
        Ok(Some(Self { name, info, server, sequence: number(b"seqnumDuringOpen")?, replicas }))
    }
}

/// Returns the id of the replica whose server is in the column: `server_0001` has the server of the
/// first secondary replica.
fn replica_of(qualifier: &[u8]) -> Option<u16> {
    let id = std::str::from_utf8(qualifier.strip_prefix(b"server_")?).ok()?;
    u16::from_str_radix(id, 16).ok().filter(|id| *id > 0)
}

/// Encodes a value of `info:regioninfo`.
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
/// Bytes other than `PBUF` and an encoded `RegionInfo`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::CellType;
    use crate::region;

    #[test]
    fn the_servers_of_replicas_are_in_the_row_of_the_primary() {
        let info = RegionInfo {
            region_id: 1,
            table_name: region::parse_table_name(b"t"),
            ..Default::default()
        };
        let row = region::name(&info);
        let cell =
            |q: &str, v: &[u8]| Cell::new(&row, FAMILY, q.as_bytes(), 1, CellType::Put, v).unwrap();
        let cells = [
            cell("regioninfo", &encode_region_info(&info)),
            cell("server", b"a:1"),
            cell("server_0001", b"b:2"),
            cell("server_0002", b""),
            cell("server_000A", b"c:3"),
            cell("server_zzzz", b"d:4"),
            cell("serverstartcode", &7u64.to_be_bytes()),
            cell("serverstartcode_0001", &8u64.to_be_bytes()),
            cell("serverstartcode_000A", &9u64.to_be_bytes()),
        ];
        let server = |host: &str, port, code| ServerName {
            host_name: host.into(),
            port: Some(port),
            start_code: Some(code),
        };
        let found = RegionRow::from_cells(&cells).unwrap().unwrap();
        assert_eq!(found.server, Some(server("a", 1, 7)));
        assert_eq!(found.replicas, [(1, server("b", 2, 8)), (10, server("c", 3, 9))]);
    }
}
