//! The calls that create, describe, change, list and delete authorized views.

use tallrow_wire::bigtable::{
    CreateAuthorizedViewRequest, DeleteAuthorizedViewRequest, Empty, GetAuthorizedViewRequest,
    ListAuthorizedViewsRequest, ListAuthorizedViewsResponse, ResponseView,
    UpdateAuthorizedViewRequest,
};

use super::description::schema_of;
use super::operations::begin_operation;
use super::page::page_of;
use super::view_changes::{self, check_new, describe, name_of, updated};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::names;
use crate::bigtable::open_table::no_authorized_view;
use crate::bigtable::status::{StatusResult, invalid};
use crate::bigtable::views::{self, StoredView};
use crate::state::OperationWork;

/// Answers a CreateAuthorizedView.
pub(crate) fn create_authorized_view(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: CreateAuthorizedViewRequest = call.decode()?;
    let cluster = call.cluster.lock_admin();
    let schema = schema_of(call, &request.parent)?;
    names::check_authorized_view_id(&request.authorized_view_id)?;
    // What cannot be done is refused now, and not by the operation.
    check_new(&schema, &request)?;
    let name = name_of(&request.parent, &request.authorized_view_id);
    let work = OperationWork::CreateAuthorizedView(Box::new(request));
    Ok(begin_operation(&cluster, &name, work))
}

/// Answers an UpdateAuthorizedView.
pub(crate) fn update_authorized_view(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: UpdateAuthorizedViewRequest = call.decode()?;
    let new = request.authorized_view.as_ref();
    let new = new.ok_or_else(|| invalid("The authorized_view is not set"))?;
    let (table, id) = names::authorized_view(call.cluster, &new.name)?;
    let name = new.name.clone();
    let cluster = call.cluster.lock_admin();
    updated(&schema_of(call, table)?, id, &request)?;
    let work = OperationWork::UpdateAuthorizedView(Box::new(request));
    Ok(begin_operation(&cluster, &name, work))
}

/// Answers a GetAuthorizedView.
pub(crate) fn get_authorized_view(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: GetAuthorizedViewRequest = call.decode()?;
    let (table, id) = names::authorized_view(call.cluster, &request.name)?;
    let view = views::find(&schema_of(call, table)?, id);
    let view = view.ok_or_else(|| no_authorized_view(&request.name))?;
    // The default is described as BASIC, and tests of Google's clients find a subset_view.
    let parts = match request.view() {
        ResponseView::ResponseViewUnspecified => ResponseView::Full,
        parts => parts,
    };
    Ok(ReplyMessages::one(&describe(table, id, &view, parts)))
}

/// Answers a ListAuthorizedViews: the views of a table, in the order of their ids.
pub(crate) fn list_authorized_views(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ListAuthorizedViewsRequest = call.decode()?;
    let schema = schema_of(call, &request.parent)?;
    let parts = match request.view() {
        ResponseView::ResponseViewUnspecified => ResponseView::NameOnly,
        parts => parts,
    };
    let listed = views::list(&schema);
    let (listed, next_page_token) = page_of(listed, request.page_size, &request.page_token)?;
    let describe = |(id, view): &(String, StoredView)| describe(&request.parent, id, view, parts);
    let authorized_views = listed.iter().map(describe).collect();
    Ok(ReplyMessages::one(&ListAuthorizedViewsResponse { authorized_views, next_page_token }))
}

/// Answers a DeleteAuthorizedView.
pub(crate) fn delete_authorized_view(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: DeleteAuthorizedViewRequest = call.decode()?;
    view_changes::delete(&call.cluster.lock_admin(), &request)?;
    Ok(ReplyMessages::one(&Empty {}))
}
