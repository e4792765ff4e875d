//! The methods of the master for namespaces.

use tallrow_wire::proto::*;

use super::procedure_calls::answer_with_procedure;
use crate::base::RemoteResult;
use crate::hbase::access;
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures::{self, namespace_not_found};
use crate::schema;

/// The methods about namespaces.
pub(super) const METHODS: &[Method] = &[
    ("CreateNamespace", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: CreateNamespaceRequest| {
            procedures::create_namespace(cluster, &r.namespace_descriptor)
        })
    }),
    ("ModifyNamespace", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: ModifyNamespaceRequest| {
            procedures::modify_namespace(cluster, &r.namespace_descriptor)
        })
    }),
    ("DeleteNamespace", |c, r| {
        answer_with_procedure(c, r, &[1], |cluster, r: DeleteNamespaceRequest| {
            procedures::delete_namespace(cluster, &r.namespace_name)
        })
    }),
    ("GetNamespaceDescriptor", |c, r| {
        answer_with_message(c, r, &[1], |call, r: GetNamespaceDescriptorRequest| {
            let found = call.cluster.catalog().namespaces.get(&r.namespace_name).cloned();
            let missing = || namespace_not_found(&r.namespace_name);
            let namespace_descriptor = found.ok_or_else(missing)?;
            Ok(GetNamespaceDescriptorResponse { namespace_descriptor })
        })
    }),
    ("ListNamespaces", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let namespace_name = call.cluster.catalog().namespaces.keys().cloned().collect();
            Ok(ListNamespacesResponse { namespace_name })
        })
    }),
    ("ListNamespaceDescriptors", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let catalog = call.cluster.catalog();
            let listed = catalog.namespaces.iter();
            let listed = listed.filter(|(name, _)| access::is_namespace_listed(call, name));
            let namespace_descriptor = listed.map(|(_, found)| found.clone()).collect();
            Ok(ListNamespaceDescriptorsResponse { namespace_descriptor })
        })
    }),
    ("ListTableNamesByNamespace", |c, r| {
        answer_with_message(c, r, &[1], |call, r: ListTableNamesByNamespaceRequest| {
            let mut table_name = tables(call, &r.namespace_name)?;
            table_name.retain(|table| access::is_listed(call, table));
            Ok(ListTableNamesByNamespaceResponse { table_name })
        })
    }),
    ("ListTableDescriptorsByNamespace", |c, r| {
        answer_with_message(c, r, &[1], |call, r: ListTableDescriptorsByNamespaceRequest| {
            let mut tables = tables(call, &r.namespace_name)?;
            tables.retain(|table| access::is_described(call, table));
            let table_schema = call.cluster.schemas_of(&tables);
            Ok(ListTableDescriptorsByNamespaceResponse { table_schema })
        })
    }),
];

fn tables(call: &Call<'_>, namespace: &str) -> RemoteResult<Vec<TableName>> {
    let catalog = call.cluster.catalog();
    if !catalog.namespaces.contains_key(namespace) {
        return Err(namespace_not_found(namespace));
    }
    let names = catalog.tables.values().map(|t| &t.name);
    let mut names: Vec<TableName> =
        names.filter(|n| n.namespace == namespace.as_bytes()).cloned().collect();
    if namespace == "hbase" {
        names.push(schema::meta_table_name());
        names.sort_by(|a, b| a.qualifier.cmp(&b.qualifier));
    }
    Ok(names)
}
