//! The facts about a table or a view by which the operations on it are lowered, and its names in
//! requests.

use prost::Message;

use crate::backend::bigtable::filter::FamilyLimits;
use crate::wire::bigtable::{
    CheckAndMutateRowRequest, MutateRowRequest, MutateRowsRequest, ReadModifyWriteRowRequest,
    ReadRowsRequest,
};

/// The full names by which requests name a table or a view; one of them is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestTarget {
    pub(crate) table: String,
    pub(crate) authorized_view: String,
    pub(crate) materialized_view: String,
}

/// The encoded fields that all requests of one kind on a table or a view have: those that name it,
/// and the app profile. They are encoded once, and not for each operation.
pub(crate) struct TargetFields {
    /// The fields of a request for one row, with the limit of one row.
    pub(crate) read_row: Vec<u8>,
    pub(crate) read_rows: Vec<u8>,
    pub(crate) mutate_row: Vec<u8>,
    pub(crate) mutate_rows: Vec<u8>,
    pub(crate) read_modify_write_row: Vec<u8>,
    pub(crate) check_and_mutate_row: Vec<u8>,
}

impl TargetFields {
    pub(crate) fn new(target: &RequestTarget, app_profile: &str) -> Self {
        let (table_name, view) = (|| target.table.clone(), || target.authorized_view.clone());
        let app_profile_id = || app_profile.to_owned();
        let read_rows = |rows_limit| ReadRowsRequest {
            table_name: table_name(),
            authorized_view_name: view(),
            materialized_view_name: target.materialized_view.clone(),
            app_profile_id: app_profile_id(),
            rows_limit,
            ..ReadRowsRequest::default()
        };
        let mutate_row = MutateRowRequest {
            table_name: table_name(),
            authorized_view_name: view(),
            app_profile_id: app_profile_id(),
            ..MutateRowRequest::default()
        };
        let mutate_rows = MutateRowsRequest {
            table_name: table_name(),
            authorized_view_name: view(),
            app_profile_id: app_profile_id(),
            ..MutateRowsRequest::default()
        };
        let read_modify_write_row = ReadModifyWriteRowRequest {
            table_name: table_name(),
            authorized_view_name: view(),
            app_profile_id: app_profile_id(),
            ..ReadModifyWriteRowRequest::default()
        };
        let check_and_mutate_row = CheckAndMutateRowRequest {
            table_name: table_name(),
            authorized_view_name: view(),
            app_profile_id: app_profile_id(),
            ..CheckAndMutateRowRequest::default()
        };
        Self {
            read_row: read_rows(1).encode_to_vec(),
            read_rows: read_rows(0).encode_to_vec(),
            mutate_row: mutate_row.encode_to_vec(),
            mutate_rows: mutate_rows.encode_to_vec(),
            read_modify_write_row: read_modify_write_row.encode_to_vec(),
            check_and_mutate_row: check_and_mutate_row.encode_to_vec(),
        }
    }
}

/// What the lowering of an operation needs to know about the operation's table.
pub(crate) struct TableFacts<'a> {
    pub(crate) is_materialized_view: bool,
    /// What the families of the table keep; `None` if reads also return cells that are due for
    /// garbage collection.
    pub(crate) family_limits: Option<&'a FamilyLimits>,
    pub(crate) max_cell_bytes: usize,
}
