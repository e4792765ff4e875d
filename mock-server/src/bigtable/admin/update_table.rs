//! UpdateTable: whether a table can be deleted.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{Any, Status, UpdateTableRequest, View};

use super::description::{described, protect, rejection};
use crate::bigtable::call::Call;
use crate::bigtable::names;
use crate::bigtable::open_table::no_table;
use crate::bigtable::replies::Replies;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::procedure;

/// The only field that can be changed.
const FIELD: &str = "deletion_protection";

/// The type of a table in an [`Any`].
const TABLE: &str = "type.googleapis.com/google.bigtable.admin.v2.Table";

/// `google.longrunning.Operation`. Here, it is done at once.
#[derive(Clone, PartialEq, prost::Message)]
struct Operation {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bool, tag = "3")]
    done: bool,
    #[prost(message, optional, tag = "5")]
    response: Option<Any>,
}

/// Changes a table.
pub(crate) fn update_table(call: &Call<'_>) -> StatusResult<Replies> {
    let request: UpdateTableRequest = call.decode()?;
    let Some(new) = request.table else { return Err(invalid("The table is not set")) };
    let table = names::table(call.cluster, &new.name)?;
    let fields = request.update_mask.unwrap_or_default().paths;
    if fields.is_empty() {
        return Err(invalid("The update_mask names no field"));
    }
    if let Some(other) = fields.iter().find(|field| *field != FIELD) {
        return Err(StatusCode::Unimplemented
            .status(format!("The mock changes no {other} of a table, only {FIELD}")));
    }
    let changed = procedure::alter_table(call.cluster, &table, |schema| {
        protect(schema, new.deletion_protection);
        Ok::<(), Status>(())
    });
    changed.map_err(|e| rejection(&new.name, &e))??;
    let schema = call.cluster.schema_of(&table).ok_or_else(|| no_table(&new.name))?;
    let name = format!("operations/{}/updateTable", new.name);
    let value = Bytes::from(described(new.name, &schema, View::SchemaView).encode_to_vec());
    let response = Some(Any { type_url: TABLE.to_owned(), value });
    Ok(Replies::one(&Operation { name, done: true, response }))
}
