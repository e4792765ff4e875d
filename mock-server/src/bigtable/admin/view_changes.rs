//! The changes of authorized views, and their descriptions in the service's messages.

use tallrow_wire::bigtable::{
    AuthorizedView, AuthorizedViewKind, CreateAuthorizedViewRequest, DeleteAuthorizedViewRequest,
    ResponseView, Status, UpdateAuthorizedViewRequest,
};
use tallrow_wire::proto::TableSchema;

use super::description::change_schema;
use crate::bigtable::names;
use crate::bigtable::open_table::no_authorized_view;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::table_parts::check_etag;
use crate::bigtable::views::{self, StoredView, VIEWS};
use crate::state::AdminGuard;

const SUBSET: &str = "subset_view";
const DELETION_PROTECTION: &str = "deletion_protection";

/// Makes the view that a request asks for, and describes it.
pub(super) fn create(
    schema: &mut TableSchema,
    request: &CreateAuthorizedViewRequest,
) -> StatusResult<AuthorizedView> {
    let id = &request.authorized_view_id;
    let view = check_new(schema, request)?;
    views::put(schema, id, &view);
    Ok(describe(&request.parent, id, &view, ResponseView::Full))
}

/// Checks a new view, and returns it.
pub(super) fn check_new(
    schema: &TableSchema,
    request: &CreateAuthorizedViewRequest,
) -> StatusResult<StoredView> {
    let id = &request.authorized_view_id;
    if views::find(schema, id).is_some() {
        let name = name_of(&request.parent, id);
        return Err(
            StatusCode::AlreadyExists.status(format!("Authorized view already exists: {name}"))
        );
    }
    match request.authorized_view.clone() {
        Some(AuthorizedView {
            authorized_view: Some(AuthorizedViewKind::SubsetView(subset)),
            deletion_protection: is_protected,
            ..
        }) => Ok(StoredView { subset, is_protected }),
        _ => Err(invalid("The subset_view of the authorized_view is not set")),
    }
}

/// Changes the view with this id as a request asks for, and describes it.
pub(super) fn update(
    schema: &mut TableSchema,
    (table, id): (&str, &str),
    request: &UpdateAuthorizedViewRequest,
) -> StatusResult<AuthorizedView> {
    let view = updated(schema, id, request)?;
    views::put(schema, id, &view);
    Ok(describe(table, id, &view, ResponseView::Full))
}

/// Returns the view as it is after an update.
pub(super) fn updated(
    schema: &TableSchema,
    id: &str,
    request: &UpdateAuthorizedViewRequest,
) -> StatusResult<StoredView> {
    let new = request.authorized_view.clone().unwrap_or_default();
    let old = views::find(schema, id).ok_or_else(|| no_authorized_view(&new.name))?;
    check_view_etag(&old, &new.etag, &new.name)?;
    let subset = new.authorized_view.map(|AuthorizedViewKind::SubsetView(subset)| subset);
    let mut fields = request.update_mask.clone().unwrap_or_default().paths;
    if fields.is_empty() {
        // Those that are set.
        fields.extend(subset.is_some().then(|| SUBSET.to_owned()));
        fields.extend(new.deletion_protection.then(|| DELETION_PROTECTION.to_owned()));
    }
    if fields.iter().any(|field| field == "*") {
        fields = vec![SUBSET.to_owned(), DELETION_PROTECTION.to_owned()];
    }
    let mut view = old;
    for field in &fields {
        match (&**field, &subset) {
            (DELETION_PROTECTION, _) => view.is_protected = new.deletion_protection,
            (SUBSET, Some(subset)) => view.subset = subset.clone(),
            (SUBSET, None) => {
                return Err(invalid("The subset_view of the authorized_view is not set"));
            }
            (other, _) => {
                return Err(StatusCode::Unimplemented.status(format!(
                    "The mock changes no {other} of an authorized view, only {SUBSET} and \
                     {DELETION_PROTECTION}"
                )));
            }
        }
    }
    Ok(view)
}

/// Deletes a view.
pub(super) fn delete(
    cluster: &AdminGuard<'_>,
    request: &DeleteAuthorizedViewRequest,
) -> StatusResult<()> {
    let (table, id) = names::authorized_view(cluster, &request.name)?;
    change_schema(cluster, table, |schema| {
        let view = views::find(schema, id).ok_or_else(|| no_authorized_view(&request.name))?;
        check_view_etag(&view, &request.etag, &request.name)?;
        if view.is_protected {
            return Err(protected_view_status(&request.name));
        }
        VIEWS.delete(schema, id);
        Ok(((), None))
    })
}

/// Returns an error for a table that cannot be deleted because one of its views is protected.
pub(super) fn check_no_protected_view(table: &str, schema: &TableSchema) -> StatusResult<()> {
    match views::list(schema).iter().find(|(_, view)| view.is_protected) {
        None => Ok(()),
        Some((id, _)) => Err(protected_view_status(&name_of(table, id))),
    }
}

fn check_view_etag(view: &StoredView, given: &str, name: &str) -> StatusResult<()> {
    check_etag("authorized view", name, &view.etag(), given)
}

fn protected_view_status(name: &str) -> Status {
    StatusCode::FailedPrecondition.status(format!(
        "The authorized view {name} has deletion_protection. Remove it before you delete the view \
         or its table"
    ))
}

/// Describes a view, with these parts.
pub(super) fn describe(
    table: &str,
    id: &str,
    view: &StoredView,
    parts: ResponseView,
) -> AuthorizedView {
    let name = name_of(table, id);
    if parts == ResponseView::NameOnly {
        return AuthorizedView { name, ..AuthorizedView::default() };
    }
    let has_subset = parts == ResponseView::Full;
    AuthorizedView {
        name,
        authorized_view: has_subset.then(|| AuthorizedViewKind::SubsetView(view.subset.clone())),
        etag: view.etag(),
        deletion_protection: view.is_protected,
    }
}

/// Returns the full name of a view of a table.
pub(super) fn name_of(table: &str, id: &str) -> String {
    format!("{table}/authorizedViews/{id}")
}
