//! The families of a table, as the service describes and checks them.

use std::collections::BTreeMap;

use tallrow_wire::bigtable::{ColumnFamily, GarbageRule, GcRule, Intersection, Union};
use tallrow_wire::proto::{ColumnFamilySchema, TableSchema};

use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::{limits, names};
use crate::schema;

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
