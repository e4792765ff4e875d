//! Families.

use tallrow_wire::proto::{
    AddColumnRequest, AddColumnResponse, DeleteColumnRequest, DeleteColumnResponse,
    ModifyColumnRequest, ModifyColumnResponse,
};

use super::procedure_calls;
use crate::base::RemoteResult;
use crate::hbase::call::Call;
use crate::procedures;

pub(crate) fn add(call: &Call<'_>, r: AddColumnRequest) -> RemoteResult<AddColumnResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        procedures::add_family(call.cluster, &r.table_name, r.column_families)
    })?;
    Ok(AddColumnResponse { proc_id })
}

pub(crate) fn modify(
    call: &Call<'_>,
    r: ModifyColumnRequest,
) -> RemoteResult<ModifyColumnResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        procedures::modify_family(call.cluster, &r.table_name, r.column_families)
    })?;
    Ok(ModifyColumnResponse { proc_id })
}

pub(crate) fn delete(
    call: &Call<'_>,
    r: DeleteColumnRequest,
) -> RemoteResult<DeleteColumnResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        procedures::delete_family(call.cluster, &r.table_name, &r.column_name)
    })?;
    Ok(DeleteColumnResponse { proc_id })
}
