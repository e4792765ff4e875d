//! Namespaces.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use super::procedure;
use crate::call::Call;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema;

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn not_found(name: &str) -> RemoteException {
    remote_exception(exception::NAMESPACE_NOT_FOUND, name)
}

pub(crate) fn create(
    call: &Call<'_>,
    r: CreateNamespaceRequest,
) -> RemoteResult<CreateNamespaceResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        let name = text(&r.namespace_descriptor.name);
        schema::check_namespace(name.as_bytes())?;
        {
            let mut catalog = call.cluster.catalog_mut();
            if catalog.namespaces.contains_key(&name) {
                let text = format!("Namespace {name} already exists");
                return Err(remote_exception(exception::NAMESPACE_EXIST, text));
            }
            catalog.namespaces.insert(name, r.namespace_descriptor.clone());
        }
        call.cluster.write_namespace_row(&r.namespace_descriptor, false);
        Ok(())
    })?;
    Ok(CreateNamespaceResponse { proc_id })
}

pub(crate) fn modify(
    call: &Call<'_>,
    r: ModifyNamespaceRequest,
) -> RemoteResult<ModifyNamespaceResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        let name = text(&r.namespace_descriptor.name);
        {
            let mut catalog = call.cluster.catalog_mut();
            let Some(old) = catalog.namespaces.get_mut(&name) else { return Err(not_found(&name)) };
            *old = r.namespace_descriptor.clone();
        }
        call.cluster.write_namespace_row(&r.namespace_descriptor, false);
        Ok(())
    })?;
    Ok(ModifyNamespaceResponse { proc_id })
}

pub(crate) fn delete(
    call: &Call<'_>,
    r: DeleteNamespaceRequest,
) -> RemoteResult<DeleteNamespaceResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        let name = &r.namespace_name;
        let descriptor = {
            let mut catalog = call.cluster.catalog_mut();
            if !catalog.namespaces.contains_key(name) {
                return Err(not_found(name));
            }
            if matches!(name.as_str(), "default" | "hbase") {
                let text = format!("Reserved namespace {name} cannot be removed.");
                return Err(remote_exception(exception::CONSTRAINT, text));
            }
            let of_namespace = |t: &&crate::catalog::Table| t.name.namespace == name.as_bytes();
            let tables = catalog.tables.values().filter(of_namespace).count();
            if tables > 0 {
                let text = format!(
                    "Only empty namespaces can be removed. Namespace {name} has {tables} tables"
                );
                return Err(remote_exception(exception::CONSTRAINT, text));
            }
            catalog.namespaces.remove(name)
        };
        if let Some(descriptor) = descriptor {
            call.cluster.write_namespace_row(&descriptor, true);
        }
        Ok(())
    })?;
    Ok(DeleteNamespaceResponse { proc_id })
}

pub(crate) fn descriptor(
    call: &Call<'_>,
    r: GetNamespaceDescriptorRequest,
) -> RemoteResult<GetNamespaceDescriptorResponse> {
    let catalog = call.cluster.catalog();
    let found = catalog.namespaces.get(&r.namespace_name).cloned();
    let namespace_descriptor = found.ok_or_else(|| not_found(&r.namespace_name))?;
    Ok(GetNamespaceDescriptorResponse { namespace_descriptor })
}

pub(crate) fn names(
    call: &Call<'_>,
    _: ListNamespacesRequest,
) -> RemoteResult<ListNamespacesResponse> {
    let namespace_name = call.cluster.catalog().namespaces.keys().cloned().collect();
    Ok(ListNamespacesResponse { namespace_name })
}

pub(crate) fn descriptors(
    call: &Call<'_>,
    _: ListNamespaceDescriptorsRequest,
) -> RemoteResult<ListNamespaceDescriptorsResponse> {
    let namespace_descriptor = call.cluster.catalog().namespaces.values().cloned().collect();
    Ok(ListNamespaceDescriptorsResponse { namespace_descriptor })
}

pub(crate) fn table_names(
    call: &Call<'_>,
    r: ListTableNamesByNamespaceRequest,
) -> RemoteResult<ListTableNamesByNamespaceResponse> {
    Ok(ListTableNamesByNamespaceResponse { table_name: tables(call, &r.namespace_name)? })
}

pub(crate) fn table_descriptors(
    call: &Call<'_>,
    r: ListTableDescriptorsByNamespaceRequest,
) -> RemoteResult<ListTableDescriptorsByNamespaceResponse> {
    let names = tables(call, &r.namespace_name)?;
    let table_schema = names.iter().filter_map(|n| call.cluster.schema_of(n)).collect();
    Ok(ListTableDescriptorsByNamespaceResponse { table_schema })
}

fn tables(call: &Call<'_>, namespace: &str) -> RemoteResult<Vec<TableName>> {
    let catalog = call.cluster.catalog();
    if !catalog.namespaces.contains_key(namespace) {
        return Err(not_found(namespace));
    }
    let names = catalog.tables.values().map(|t| &t.name);
    let mut names: Vec<TableName> =
        names.filter(|n| n.namespace == namespace.as_bytes()).cloned().collect();
    if namespace == "hbase" {
        names.push(crate::schema::meta_name());
        names.sort_by(|a, b| a.qualifier.cmp(&b.qualifier));
    }
    Ok(names)
}
