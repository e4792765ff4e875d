//! Creating, modifying and deleting namespaces.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::meta;
use tallrow_wire::proto::NamespaceDescriptor;

use crate::base::{RemoteResult, remote_exception};
use crate::cells::NewCell;
use crate::regions::CellWrite;
use crate::schema;
use crate::state::{AdminGuard, Cluster, Table};

/// Creates a namespace.
pub(crate) fn create_namespace(
    cluster: &AdminGuard<'_>,
    descriptor: &NamespaceDescriptor,
) -> RemoteResult<()> {
    let name = name_of(descriptor);
    schema::check_namespace(name.as_bytes())?;
    {
        let mut catalog = cluster.catalog_mut();
        if catalog.namespaces.contains_key(&name) {
            let text = format!("Namespace {name} already exists");
            return Err(remote_exception(exception::NAMESPACE_EXIST, text));
        }
        catalog.set_namespace(name, descriptor.clone());
    }
    write_namespace_row(cluster, descriptor, false);
    Ok(())
}

/// Replaces the descriptor of a namespace.
pub(crate) fn modify_namespace(
    cluster: &AdminGuard<'_>,
    descriptor: &NamespaceDescriptor,
) -> RemoteResult<()> {
    let name = name_of(descriptor);
    {
        let mut catalog = cluster.catalog_mut();
        if !catalog.namespaces.contains_key(&name) {
            return Err(namespace_not_found(&name));
        }
        catalog.set_namespace(name, descriptor.clone());
    }
    write_namespace_row(cluster, descriptor, false);
    Ok(())
}

/// Deletes an empty namespace.
pub(crate) fn delete_namespace(cluster: &AdminGuard<'_>, name: &str) -> RemoteResult<()> {
    let descriptor = {
        let mut catalog = cluster.catalog_mut();
        if !catalog.namespaces.contains_key(name) {
            return Err(namespace_not_found(name));
        }
        if matches!(name, "default" | "hbase") {
            let text = format!("Reserved namespace {name} cannot be removed.");
            return Err(remote_exception(exception::CONSTRAINT, text));
        }
        let of_namespace = |t: &&Table| t.name.namespace == name.as_bytes();
        let tables = catalog.tables.values().filter(of_namespace).count();
        if tables > 0 {
            let text = format!(
                "Only empty namespaces can be removed. Namespace {name} has {tables} tables"
            );
            return Err(remote_exception(exception::CONSTRAINT, text));
        }
        catalog.remove_namespace(name)
    };
    if let Some(descriptor) = descriptor {
        write_namespace_row(cluster, &descriptor, true);
    }
    Ok(())
}

/// The exception for a namespace that does not exist.
pub(crate) fn namespace_not_found(name: &str) -> RemoteException {
    remote_exception(exception::NAMESPACE_NOT_FOUND, name)
}

fn name_of(descriptor: &NamespaceDescriptor) -> String {
    String::from_utf8_lossy(&descriptor.name).into_owned()
}

/// Writes or deletes the row of a namespace in `hbase:namespace`.
pub(super) fn write_namespace_row(
    cluster: &Cluster,
    descriptor: &NamespaceDescriptor,
    deleted: bool,
) {
    let regions = cluster.regions_of(&schema::namespace_table_name());
    let Some(region) = regions.first() else { return };
    let (qualifier, kind, value) = match deleted {
        true => ("", CellType::DeleteFamily, Bytes::new()),
        false => ("d", CellType::Put, descriptor.encode_to_vec().into()),
    };
    let cell = NewCell {
        family: Bytes::from_static(meta::FAMILY),
        qualifier: qualifier.into(),
        timestamp: cluster.unique_now(),
        kind,
        value,
    };
    let write =
        CellWrite { row: descriptor.name.clone(), cell, ttl: None, keep_older_versions: None };
    // The cell is made here and is small, so no limit can be exceeded.
    let _ = region.lock().store.write(&[write]);
}
