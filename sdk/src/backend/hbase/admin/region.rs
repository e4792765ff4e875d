//! A region as administration returns it, and the names of regions and servers in requests to
//! HBase.

use std::fmt;

use crate::backend::hbase::location::address;
use crate::backend::hbase::table_name::from_message;
use crate::wire::meta::RegionRow;
use crate::wire::proto::{RegionInfo, RegionSpecifier, RegionSpecifierType, ServerName};
use crate::wire::region;
use crate::{Result, TableName};

/// A region of a table: a range of its rows, and the server that holds them.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"]);
/// client.admin().create_table(&books).await?;
///
/// let regions = client.admin().hbase()?.regions("books").await?;
/// let bounds: Vec<_> = regions.iter().map(|region| (region.start_key(), region.end_key())).collect();
/// assert_eq!(bounds, [(&b""[..], &b"h"[..]), (b"h", b"p"), (b"p", b"")]);
/// assert_eq!(regions[0].encoded_name().len(), 32);
/// assert!(regions.iter().all(|region| region.server().is_some()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Region {
    row: RegionRow,
    server: Option<String>,
}

impl Region {
    pub(super) fn new(row: RegionRow) -> Self {
        let server = row.server.as_ref().map(server_name);
        Self { row, server }
    }

    pub(super) fn row(&self) -> &RegionRow {
        &self.row
    }

    pub(super) fn info(&self) -> &RegionInfo {
        &self.row.info
    }

    pub(super) fn encoded_specifier(&self) -> RegionSpecifier {
        RegionSpecifier {
            r#type: RegionSpecifierType::EncodedRegionName as i32,
            value: self.encoded_name().into(),
        }
    }

    pub(super) fn specifier(&self) -> RegionSpecifier {
        RegionSpecifier {
            r#type: RegionSpecifierType::RegionName as i32,
            value: region::name(&self.row.info).into(),
        }
    }

    pub(super) fn table(&self) -> Result<TableName> {
        from_message(&self.row.info.table_name)
    }

    /// The hash at the end of the region's name, as web pages, logs and the shell show it.
    pub fn encoded_name(&self) -> String {
        region::encoded_name_of(&self.row.info)
    }

    /// Its first row key; empty for the first region.
    pub fn start_key(&self) -> &[u8] {
        self.row.info.start_key.as_deref().unwrap_or_default()
    }

    /// The row key after its last; empty for the last region.
    pub fn end_key(&self) -> &[u8] {
        self.row.info.end_key.as_deref().unwrap_or_default()
    }

    /// The server that holds it, as `host,port,start code`; `None` while it moves.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "[{}, {}) {} on {}",
            crate::model::show::row_key(self.start_key()),
            crate::model::show::row_key(self.end_key()),
            self.encoded_name(),
            self.row.server.as_ref().map_or_else(|| "no server".into(), address)
        )
    }
}

pub(super) fn server_name(server: &ServerName) -> String {
    let (port, start_code) = (server.port.unwrap_or(0), server.start_code.unwrap_or(0));
    format!("{},{port},{start_code}", server.host_name)
}

pub(in crate::backend::hbase) fn parse_server_name(text: &str) -> Option<ServerName> {
    let mut parts = text.rsplitn(3, ',');
    let start_code = parts.next()?.parse().ok()?;
    let port: u16 = parts.next()?.parse().ok()?;
    let host_name = parts.next().filter(|h| !h.is_empty())?.to_owned();
    Some(ServerName { host_name, port: Some(u32::from(port)), start_code: Some(start_code) })
}
