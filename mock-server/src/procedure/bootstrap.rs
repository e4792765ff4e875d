//! The tables and namespaces of a new cluster.

use super::namespaces::write_namespace_row;
use super::opening::open_region;
use super::tables::create_table;
use crate::remote_exception::RemoteResult;
use crate::schema;
use crate::state::{Cluster, namespace};

/// Creates the tables and namespaces that every cluster has. There must be a region server.
pub(crate) fn make_system_tables(cluster: &Cluster) -> RemoteResult<()> {
    let first = cluster.live_servers().first().cloned();
    open_region(cluster, &cluster.meta, first.as_deref());
    for name in ["default", "hbase"] {
        cluster.catalog_mut().namespaces.insert(name.to_owned(), namespace(name));
    }
    create_table(cluster, schema::namespace_schema(), &[])?;
    write_namespace_row(cluster, &namespace("default"), false);
    write_namespace_row(cluster, &namespace("hbase"), false);
    Ok(())
}
