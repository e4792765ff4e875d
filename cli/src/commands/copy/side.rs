//! A table on one side of a copy.

use tallrow::{Client, DeliveryGuarantee, RawTable};

use crate::cluster::connection::Connection;
use crate::failure::{Failure, Result};

/// Bigtable's largest cell.
pub(super) const BIGTABLE_CELL: usize = 100 << 20;

/// The kind of store that a table is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    HBase,
    Bigtable,
}

/// A table, with its client and its place.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) store: Store,
    pub(super) client: Client,
    pub(super) name: String,
    pub(super) table: RawTable,
    /// The address, without settings that may differ between clients.
    pub(super) place: String,
}

impl Side {
    pub(super) async fn connect(connection: &Connection, name: &str) -> Result<Self> {
        let most = BIGTABLE_CELL.to_string();
        // Cells that a family does not keep may be read until they are collected; the other side
        // must not depend on when that happens.
        let settings = [("exclude_garbage", "true"), ("max_cell_bytes", &*most)];
        let connection = connection.with_bigtable_settings(&settings);
        let address = connection.target()?.address();
        let store = match address.starts_with("bigtable://") {
            true => Store::Bigtable,
            false => Store::HBase,
        };
        if store == Store::Bigtable && name.contains(':') {
            let text = format!("Bigtable has no namespaces, and {name} is in one");
            return Err(Failure::usage(text).advise("--to-table NAME names the copy"));
        }
        let client = connection.connect().await?;
        // All cells are written with their timestamps, so writing a cell again changes nothing.
        let table = client.raw_table(name)?.with_delivery(DeliveryGuarantee::AtLeastOnce);
        Ok(Self { store, client, name: name.to_owned(), table, place: place(&address) })
    }

    /// Returns the table and its place as text.
    pub(super) fn shown(&self) -> String {
        format!("{} on {}", self.name, self.place)
    }
}

/// Returns the part of an address that identifies the store: without settings, except for the
/// endpoint of an instance of Bigtable.
fn place(address: &str) -> String {
    let (place, settings) = address.split_once('?').unwrap_or((address, ""));
    match settings.split('&').find(|setting| setting.starts_with("endpoint=")) {
        Some(endpoint) => format!("{place}?{endpoint}"),
        None => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_no_settings() {
        assert_eq!(place("hbase+zk://a,b/hbase?password=x&namespace=y"), "hbase+zk://a,b/hbase");
        let address = "bigtable://p/i?app_profile=a&endpoint=h:1&exclude_garbage=true";
        assert_eq!(place(address), "bigtable://p/i?endpoint=h:1");
    }
}
