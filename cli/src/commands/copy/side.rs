//! The source or the target of a copy: a table, and the client of its cluster.

use tallrow::{Client, DeliveryGuarantee, RawTable};

use crate::cluster::connection::{ConnectionArguments, setting};
use crate::failure::{Failure, Result};

/// The size of the largest cell that Bigtable accepts, in bytes.
pub(super) const BIGTABLE_MAX_CELL_BYTES: usize = 100 << 20;

/// The kind of store that a table is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    HBase,
    Bigtable,
}

/// The source or the target of a copy: a table, with its client and its address.
#[derive(Clone, Debug)]
pub(super) struct CopyEndpoint {
    pub(super) store: Store,
    pub(super) client: Client,
    pub(super) name: String,
    pub(super) table: RawTable,
    /// The address without its settings, except for a Bigtable endpoint.
    pub(super) place: String,
}

impl CopyEndpoint {
    pub(super) async fn connect(connection: &ConnectionArguments, name: &str) -> Result<Self> {
        let most = BIGTABLE_MAX_CELL_BYTES.to_string();
        // Bigtable may return cells that a family does not keep until they are garbage-collected.
        // The copy must not depend on when that happens.
        let settings = [("exclude_garbage", "true"), ("max_cell_bytes", &*most)];
        let connection = connection.with_bigtable_settings(&settings);
        let address = connection.cluster_settings()?.address();
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

    /// Returns the name of the table and its address as text.
    pub(super) fn display_name(&self) -> String {
        format!("{} on {}", self.name, self.place)
    }
}

/// Returns the part of an address that identifies the store: the address without its settings,
/// except for a Bigtable endpoint.
fn place(address: &str) -> String {
    let place = address.split('?').next().unwrap_or(address);
    match setting(address, "endpoint") {
        Some(endpoint) => format!("{place}?endpoint={endpoint}"),
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
