//! Creating, changing and dropping families.

use tallrow_wire::bigtable::{FamilyChange, Modification, ModifyColumnFamiliesRequest, Status};
use tallrow_wire::proto::TableSchema;

use super::description::{
    alter_and_describe, check_family_count, deletion_protected_status, family_schema, is_protected,
    updated_family_schema,
};
use crate::bigtable::call::{GrpcCall, ReplyMessages};
use crate::bigtable::names;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};

/// Answers a ModifyColumnFamilies: creates, changes and drops families. Either all or none of the
/// modifications are made.
pub(crate) fn modify_column_families(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ModifyColumnFamiliesRequest = call.decode()?;
    names::table_name(call.cluster, &request.name)?;
    if request.modifications.is_empty() {
        return Err(invalid("No modifications provided"));
    }
    let name = request.name.clone();
    let table = alter_and_describe(call, request.name, |schema| {
        for modification in &request.modifications {
            modify(schema, modification, &name)?;
        }
        check_family_count(schema.column_families.len())
    })?;
    Ok(ReplyMessages::one(&table))
}

fn modify(schema: &mut TableSchema, change: &Modification, table: &str) -> StatusResult<()> {
    let families = &mut schema.column_families;
    let at = families.iter().position(|family| family.name == change.id.as_bytes());
    let missing = || -> Status {
        not_found(format!("Requested column family not found = {} in {table}", change.id))
    };
    match &change.r#mod {
        Some(FamilyChange::Create(family)) => {
            if at.is_some() {
                let text = format!("Column family already exists: {} in {table}", change.id);
                return Err(StatusCode::AlreadyExists.status(text));
            }
            families.push(family_schema(&change.id, family)?);
        }
        Some(FamilyChange::Update(family)) => {
            let old = at.and_then(|at| families.get_mut(at)).ok_or_else(missing)?;
            let mask = change.update_mask.as_ref();
            *old = updated_family_schema(&change.id, old, family, mask)?;
        }
        Some(FamilyChange::Drop(true)) => {
            let at = at.ok_or_else(missing)?;
            if is_protected(schema) {
                return Err(deletion_protected_status(table));
            }
            schema.column_families.remove(at);
        }
        Some(FamilyChange::Drop(false)) | None => {
            return Err(invalid(format!(
                "The modification of column family {} is neither create nor update nor drop = true",
                change.id
            )));
        }
    }
    Ok(())
}
