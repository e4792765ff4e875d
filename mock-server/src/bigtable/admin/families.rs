//! The families of a table, as the service describes and checks them.

use std::collections::BTreeMap;

use tallrow_wire::bigtable::{
    ColumnFamily, FamilyChange, GarbageRule, GcRule, Intersection, Modification,
    ModifyColumnFamiliesRequest, Status, Union, View,
};
use tallrow_wire::proto::{ColumnFamilySchema, TableSchema};

use super::tables::{described, rejection};
use crate::bigtable::call::Call;
use crate::bigtable::open_table::no_table;
use crate::bigtable::replies::Replies;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};
use crate::bigtable::{limits, names};
use crate::procedure;
use crate::schema;

/// Creates, changes and drops families, all or none.
pub(crate) fn modify_column_families(call: &Call<'_>) -> StatusResult<Replies> {
    let request: ModifyColumnFamiliesRequest = call.decode()?;
    let table = names::table(&request.name)?;
    if request.modifications.is_empty() {
        return Err(invalid("No modifications provided"));
    }
    let altered = procedure::alter_table(call.cluster, &table, |schema| {
        for modification in &request.modifications {
            modify(schema, modification, &request.name)?;
        }
        check_count(schema.column_families.len())
    });
    altered.map_err(|e| rejection(&request.name, &e))??;
    let schema = call.cluster.schema_of(&table).ok_or_else(|| no_table(&request.name))?;
    Ok(Replies::one(&described(request.name, &schema, View::SchemaView)))
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
            families.push(to_schema(&change.id, family)?);
        }
        Some(FamilyChange::Update(family)) => {
            let old = at.and_then(|at| families.get_mut(at)).ok_or_else(missing)?;
            *old = to_schema(&change.id, family)?;
        }
        Some(FamilyChange::Drop(true)) => {
            families.remove(at.ok_or_else(missing)?);
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

/// The families of a schema.
pub(super) fn of_schema(schema: &TableSchema) -> BTreeMap<String, ColumnFamily> {
    let family = |family: &ColumnFamilySchema| {
        let name = String::from_utf8_lossy(&family.name).into_owned();
        (name, ColumnFamily { gc_rule: schema::rule_of_family(family) })
    };
    schema.column_families.iter().map(family).collect()
}

/// A family of a schema, after it was checked.
pub(super) fn to_schema(name: &str, family: &ColumnFamily) -> StatusResult<ColumnFamilySchema> {
    names::check_family(name)?;
    if let Some(rule) = &family.gc_rule {
        check_rule(rule)?;
    }
    Ok(schema::family_of_rule(name, family.gc_rule.as_ref()))
}

/// Rejects more families than a table may have.
pub(super) fn check_count(families: usize) -> StatusResult<()> {
    match families > limits::FAMILIES {
        true => Err(StatusCode::FailedPrecondition.status(format!(
            "Too many column families: {families}, the limit is {}",
            limits::FAMILIES
        ))),
        false => Ok(()),
    }
}

fn check_rule(rule: &GcRule) -> StatusResult<()> {
    match &rule.rule {
        None => Ok(()),
        Some(GarbageRule::MaxNumVersions(n)) if *n < 1 => {
            Err(invalid(format!("max_num_versions must be at least 1, but got {n}")))
        }
        Some(GarbageRule::MaxNumVersions(_)) => Ok(()),
        Some(GarbageRule::MaxAge(age)) => {
            let shortest = age.seconds > 0 || age.seconds == 0 && age.nanos >= 1_000_000;
            match shortest && (0..1_000_000_000).contains(&age.nanos) {
                true => Ok(()),
                false => Err(invalid(format!(
                    "max_age must be at least one millisecond, but got {} s and {} ns",
                    age.seconds, age.nanos
                ))),
            }
        }
        Some(
            GarbageRule::Intersection(Intersection { rules }) | GarbageRule::Union(Union { rules }),
        ) => rules.iter().try_for_each(check_rule),
    }
}
