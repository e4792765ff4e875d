//! Adding, modifying and deleting families.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{ColumnFamilySchema, TableName};

use super::tables::modify_table;
use crate::base::{RemoteResult, remote_exception};
use crate::schema::table_text;
use crate::state::AdminGuard;

/// Adds a family.
pub(crate) fn add_family(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    family: ColumnFamilySchema,
) -> RemoteResult<()> {
    modify_table(cluster, name, |schema| {
        if schema.column_families.iter().any(|f| f.name == family.name) {
            return Err(bad_family(format!(
                "Column family '{}' in table '{}' already exists so cannot be added",
                String::from_utf8_lossy(&family.name),
                table_text(name)
            )));
        }
        schema.column_families.push(family);
        Ok(())
    })
}

/// Modifies a family.
pub(crate) fn modify_family(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    family: ColumnFamilySchema,
) -> RemoteResult<()> {
    modify_table(cluster, name, |schema| {
        let Some(old) = schema.column_families.iter_mut().find(|f| f.name == family.name) else {
            return Err(bad_family(format!(
                "Column family '{}' does not exist, so it cannot be modified",
                String::from_utf8_lossy(&family.name)
            )));
        };
        *old = family;
        Ok(())
    })
}

/// Deletes a family.
pub(crate) fn delete_family(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    family: &[u8],
) -> RemoteResult<()> {
    modify_table(cluster, name, |schema| {
        let shown = String::from_utf8_lossy(family);
        if !schema.column_families.iter().any(|f| &f.name[..] == family) {
            return Err(bad_family(format!(
                "Family '{shown}' does not exist, so it cannot be deleted"
            )));
        }
        if schema.column_families.len() == 1 {
            return Err(bad_family(format!(
                "Family '{shown}' is the only column family in the table, so it cannot be deleted"
            )));
        }
        schema.column_families.retain(|f| &f.name[..] != family);
        Ok(())
    })
}

fn bad_family(text: String) -> RemoteException {
    remote_exception(exception::INVALID_FAMILY_OPERATION, text)
}
