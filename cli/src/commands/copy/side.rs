//! A table on one side of a copy.

use tallrow::{Client, DeliveryGuarantee, RawTable};

use crate::cluster::connection::Connection;
use crate::failure::{Failure, Result};

/// Bigtable's largest cell.
pub(super) const BIGTABLE_CELL: usize = 100 << 20;

/// Which kind of store a table is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    HBase,
    Bigtable,
}

/// A table, and where it is.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) store: Store,
    pub(super) client: Client,
    pub(super) name: String,
    pub(super) table: RawTable,
    /// The address, without settings that clients may have differently.
    pub(super) place: String,
}

impl Side {
    pub(super) async fn connect(connection: &Connection, name: &str) -> Result<Self> {
        let most = BIGTABLE_CELL.to_string();
        // What a family does not keep may be read until it is collected; the other side must not
        // depend on when that is.
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
        // All cells are written with their times, so writing one again changes nothing.
        let table = client.raw_table(name)?.with_delivery(DeliveryGuarantee::AtLeastOnce);
        Ok(Self { store, client, name: name.to_owned(), table, place: place(&address) })
    }

    /// The table and its place, for people.
    pub(super) fn shown(&self) -> String {
        format!("{} on {}", self.name, self.place)
    }
}

/// What says which store it is: no settings but the endpoint of an instance of Bigtable.
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
