//! Which table a request is about, for faults.

use bytes::Bytes;
use prost::Message;

/// The first fields of most requests: the name of a table, or of the instance of a table with this id.
#[derive(Clone, PartialEq, prost::Message)]
struct Start {
    #[prost(bytes = "bytes", tag = "1")]
    name: Bytes,
}

/// The id of the table of a CreateTable.
#[derive(Clone, PartialEq, prost::Message)]
struct Id {
    #[prost(bytes = "bytes", tag = "2")]
    table_id: Bytes,
}

/// The ids of the tables that a request is about.
pub(crate) fn tables_of(path: &str, request: &Bytes) -> Vec<Vec<u8>> {
    if path.ends_with("/CreateTable") {
        return Id::decode(request.clone()).map(|id| id.table_id.to_vec()).into_iter().collect();
    }
    let name = Start::decode(request.clone()).unwrap_or_default().name;
    let name = String::from_utf8_lossy(&name);
    name.split_once("/tables/").map(|(_, id)| id.as_bytes().to_vec()).into_iter().collect()
}
