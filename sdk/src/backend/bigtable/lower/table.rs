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
        // All of these messages have these fields, with numbers of their own.
        macro_rules! encoded {
            ($message:ident { $($field:ident: $value:expr),* }) => {
                $message {
                    table_name: target.table.clone(),
                    authorized_view_name: target.authorized_view.clone(),
                    app_profile_id: app_profile.to_owned(),
                    $($field: $value,)*
                    ..$message::default()
                }
                .encode_to_vec()
            };
        }
        let view = || target.materialized_view.clone();
        Self {
            read_row: encoded!(ReadRowsRequest { materialized_view_name: view(), rows_limit: 1 }),
            read_rows: encoded!(ReadRowsRequest { materialized_view_name: view() }),
            mutate_row: encoded!(MutateRowRequest {}),
            mutate_rows: encoded!(MutateRowsRequest {}),
            read_modify_write_row: encoded!(ReadModifyWriteRowRequest {}),
            check_and_mutate_row: encoded!(CheckAndMutateRowRequest {}),
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
