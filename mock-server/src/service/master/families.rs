//! Families.

use tallrow_wire::proto::{
    AddColumnRequest, AddColumnResponse, DeleteColumnRequest, DeleteColumnResponse,
    ModifyColumnRequest, ModifyColumnResponse,
};

use super::procedures;
use crate::procedure;
use crate::remote_exception::RemoteResult;
use crate::service::call::Call;

pub(crate) fn add(call: &Call<'_>, r: AddColumnRequest) -> RemoteResult<AddColumnResponse> {
    let proc_id = procedures::run(call, (r.nonce_group, r.nonce), || {
        procedure::add_family(call.cluster, &r.table_name, r.column_families)
    })?;
    Ok(AddColumnResponse { proc_id })
}

pub(crate) fn modify(
    call: &Call<'_>,
    r: ModifyColumnRequest,
) -> RemoteResult<ModifyColumnResponse> {
    let proc_id = procedures::run(call, (r.nonce_group, r.nonce), || {
        procedure::modify_family(call.cluster, &r.table_name, r.column_families)
    })?;
    Ok(ModifyColumnResponse { proc_id })
}

pub(crate) fn delete(
    call: &Call<'_>,
    r: DeleteColumnRequest,
) -> RemoteResult<DeleteColumnResponse> {
    let proc_id = procedures::run(call, (r.nonce_group, r.nonce), || {
        procedure::delete_family(call.cluster, &r.table_name, &r.column_name)
    })?;
    Ok(DeleteColumnResponse { proc_id })
}
