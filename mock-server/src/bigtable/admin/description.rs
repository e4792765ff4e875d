//! A table, as the service describes it.

use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::bigtable::{
    ClusterState, ReplicationState, Status, Table, TimestampGranularity, View,
};
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{BytesBytesPair, TableSchema};

use super::family;
use crate::bigtable::open_table::no_table;
use crate::bigtable::status::{StatusCode, invalid};

/// The attribute of a table that cannot be deleted.
const PROTECTED: &[u8] = b"BIGTABLE_DELETION_PROTECTION";

/// The cluster of the instance.
const CLUSTER: &str = "mock-c1";

/// A table, as much of it as is wanted.
pub(super) fn described(name: String, schema: &TableSchema, view: View) -> Table {
    let has_schema = matches!(view, View::SchemaView | View::Full);
    let has_clusters = matches!(view, View::ReplicationView | View::EncryptionView | View::Full);
    let ready = ClusterState { replication_state: ReplicationState::Ready as i32 };
    let millis = TimestampGranularity::Millis as i32;
    Table {
        name,
        cluster_states: match has_clusters {
            true => BTreeMap::from([(CLUSTER.to_owned(), ready)]),
            false => BTreeMap::new(),
        },
        column_families: if has_schema { family::of_schema(schema) } else { BTreeMap::new() },
        granularity: if has_schema { millis } else { 0 },
        deletion_protection: has_schema && is_protected(schema),
    }
}

/// Whether a table cannot be deleted.
pub(super) fn is_protected(schema: &TableSchema) -> bool {
    schema.attributes.iter().any(|a| &a.first[..] == PROTECTED && &a.second[..] == b"true")
}

/// Whether a table can be deleted from now on.
pub(super) fn protect(schema: &mut TableSchema, protected: bool) {
    schema.attributes.retain(|a| &a.first[..] != PROTECTED);
    if protected {
        let (first, second) = (Bytes::from_static(PROTECTED), Bytes::from_static(b"true"));
        schema.attributes.push(BytesBytesPair { first, second });
    }
}

/// The status for the deletion of a table, or a part of it, that cannot be deleted.
pub(super) fn protected(table: &str) -> Status {
    StatusCode::FailedPrecondition.status(format!(
        "The table {table} has deletion_protection. Remove it before you delete the table or a column family"
    ))
}

/// The status for what a procedure rejected.
pub(super) fn rejection(table: &str, exception: &RemoteException) -> Status {
    match &*exception.class {
        exception::TABLE_EXISTS => {
            StatusCode::AlreadyExists.status(format!("Table already exists: {table}"))
        }
        exception::TABLE_NOT_FOUND => no_table(table),
        _ => invalid(&*exception.message),
    }
}
