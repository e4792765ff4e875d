//! Namespaces.

use tallrow_wire::proto::*;

use super::procedure_calls;
use crate::base::RemoteResult;
use crate::hbase::call::Call;
use crate::procedures::{self, namespace_not_found};
use crate::schema;

pub(crate) fn create(
    call: &Call<'_>,
    r: CreateNamespaceRequest,
) -> RemoteResult<CreateNamespaceResponse> {
    let work = || procedures::create_namespace(call.cluster, &r.namespace_descriptor);
    Ok(CreateNamespaceResponse {
        proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn modify(
    call: &Call<'_>,
    r: ModifyNamespaceRequest,
) -> RemoteResult<ModifyNamespaceResponse> {
    let work = || procedures::modify_namespace(call.cluster, &r.namespace_descriptor);
    Ok(ModifyNamespaceResponse {
        proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn delete(
    call: &Call<'_>,
    r: DeleteNamespaceRequest,
) -> RemoteResult<DeleteNamespaceResponse> {
    let work = || procedures::delete_namespace(call.cluster, &r.namespace_name);
    Ok(DeleteNamespaceResponse {
        proc_id: procedure_calls::run(call, (r.nonce_group, r.nonce), work)?,
    })
}

pub(crate) fn descriptor(
    call: &Call<'_>,
    r: GetNamespaceDescriptorRequest,
) -> RemoteResult<GetNamespaceDescriptorResponse> {
    let catalog = call.cluster.catalog();
    let found = catalog.namespaces.get(&r.namespace_name).cloned();
    let namespace_descriptor = found.ok_or_else(|| namespace_not_found(&r.namespace_name))?;
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
        return Err(namespace_not_found(namespace));
    }
    let names = catalog.tables.values().map(|t| &t.name);
    let mut names: Vec<TableName> =
        names.filter(|n| n.namespace == namespace.as_bytes()).cloned().collect();
    if namespace == "hbase" {
        names.push(schema::meta_name());
        names.sort_by(|a, b| a.qualifier.cmp(&b.qualifier));
    }
    Ok(names)
}
