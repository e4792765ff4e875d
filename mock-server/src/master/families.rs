//! Altering the families of a table.

use tallrow_wire::proto::{
    AddColumnRequest, AddColumnResponse, DeleteColumnRequest, DeleteColumnResponse,
    ModifyColumnRequest, ModifyColumnResponse,
};

use super::procedure;
use crate::call::Call;
use crate::remote_exception::RemoteResult;

pub(crate) fn add(call: &Call<'_>, r: AddColumnRequest) -> RemoteResult<AddColumnResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        call.cluster.add_family(&r.table_name, r.column_families)
    })?;
    Ok(AddColumnResponse { proc_id })
}

pub(crate) fn modify(
    call: &Call<'_>,
    r: ModifyColumnRequest,
) -> RemoteResult<ModifyColumnResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        call.cluster.modify_family(&r.table_name, r.column_families)
    })?;
    Ok(ModifyColumnResponse { proc_id })
}

pub(crate) fn delete(
    call: &Call<'_>,
    r: DeleteColumnRequest,
) -> RemoteResult<DeleteColumnResponse> {
    let proc_id = procedure(call, (r.nonce_group, r.nonce), || {
        call.cluster.delete_family(&r.table_name, &r.column_name)
    })?;
    Ok(DeleteColumnResponse { proc_id })
}
