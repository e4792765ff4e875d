//! The names of tables in HBase's messages, and which tables are HBase's own.

use crate::wire::{proto, region};
use crate::{Result, TableName};

const SYSTEM: &str = "hbase";
const META: &str = "meta";

/// The name of `hbase:meta`, which lists the regions of all other tables.
pub(crate) fn meta_table() -> TableName {
    TableName::from_parts(SYSTEM, META)
}

/// The name of `hbase:labels`, where `VisibilityController` keeps its labels.
pub(crate) fn labels_table() -> TableName {
    TableName::from_parts(SYSTEM, "labels")
}

pub(crate) fn is_meta(table: &TableName) -> bool {
    table.namespace() == SYSTEM && table.qualifier() == META
}

/// Whether this is one of HBase's own tables; calls on these tables have a high priority.
pub(crate) fn is_system(table: &TableName) -> bool {
    table.namespace() == SYSTEM
}

pub(crate) fn to_message(table: &TableName) -> proto::TableName {
    region::parse_table_name(table.as_str().as_bytes())
}

pub(crate) fn from_message(name: &proto::TableName) -> Result<TableName> {
    String::from_utf8_lossy(&region::format_table_name(name)).parse()
}
