//! The calls that create, describe, change, list and delete schema bundles.

use tallrow_wire::bigtable::{
    CreateSchemaBundleRequest, DeleteSchemaBundleRequest, Empty, GetSchemaBundleRequest,
    ListSchemaBundlesRequest, ListSchemaBundlesResponse, UpdateSchemaBundleRequest,
};

use super::bundle_changes::{self, check_new, describe, name_of, no_bundle, updated};
use super::description::schema_of;
use super::operations::begin_operation;
use super::page::page_of;
use crate::bigtable::bundles::BUNDLES;
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::names;
use crate::bigtable::status::{StatusResult, invalid};
use crate::state::OperationWork;

/// Answers a CreateSchemaBundle.
pub(crate) fn create_schema_bundle(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CreateSchemaBundleRequest = call.decode()?;
    let cluster = call.cluster.lock_admin();
    let schema = schema_of(call, &request.parent)?;
    names::check_schema_bundle_id(&request.schema_bundle_id)?;
    // What cannot be done is refused now, and not by the operation.
    check_new(&schema, &request)?;
    let name = name_of(&request.parent, &request.schema_bundle_id);
    let work = OperationWork::CreateSchemaBundle(Box::new(request));
    Ok(begin_operation(&cluster, &name, work))
}

/// Answers an UpdateSchemaBundle.
pub(crate) fn update_schema_bundle(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: UpdateSchemaBundleRequest = call.decode()?;
    let new = request.schema_bundle.as_ref();
    let new = new.ok_or_else(|| invalid("The schema_bundle is not set"))?;
    let (table, id) = names::schema_bundle(call.cluster, &new.name)?;
    let name = new.name.clone();
    let cluster = call.cluster.lock_admin();
    updated(&schema_of(call, table)?, id, &request)?;
    let work = OperationWork::UpdateSchemaBundle(Box::new(request));
    Ok(begin_operation(&cluster, &name, work))
}

/// Answers a GetSchemaBundle.
pub(crate) fn get_schema_bundle(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GetSchemaBundleRequest = call.decode()?;
    let (table, id) = names::schema_bundle(call.cluster, &request.name)?;
    let schema = schema_of(call, table)?;
    let descriptors = BUNDLES.find(&schema, id).ok_or_else(|| no_bundle(&request.name))?;
    Ok(ReplyMessages::one(&describe(table, id, descriptors.clone())))
}

/// Answers a ListSchemaBundles: the bundles of a table, in the order of their ids.
pub(crate) fn list_schema_bundles(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ListSchemaBundlesRequest = call.decode()?;
    let listed = BUNDLES.list(&schema_of(call, &request.parent)?);
    let (page, next_page_token) = page_of(listed, request.page_size, &request.page_token)?;
    let describe = |(id, descriptors): (String, _)| describe(&request.parent, &id, descriptors);
    let schema_bundles = page.into_iter().map(describe).collect();
    Ok(ReplyMessages::one(&ListSchemaBundlesResponse { schema_bundles, next_page_token }))
}

/// Answers a DeleteSchemaBundle.
pub(crate) fn delete_schema_bundle(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: DeleteSchemaBundleRequest = call.decode()?;
    bundle_changes::delete(&call.cluster.lock_admin(), &request)?;
    Ok(ReplyMessages::one(&Empty {}))
}
