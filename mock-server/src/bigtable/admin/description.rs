//! Describes tables and families in the service's messages, and checks new families.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use tallrow_wire::bigtable::{
    ChangeStreamConfig, ClusterState, ColumnFamily, Duration, FieldMask, GarbageRule, GcRule,
    Intersection, ReplicationState, Status, Table, TimestampGranularity, Union, View,
};
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{ColumnFamilySchema, TableSchema};

use super::{key_schema, value_type};
use crate::bigtable::call::GrpcCall;
use crate::bigtable::open_table::no_table;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::{limits, names};
use crate::journal::OperationRecord;
use crate::procedures;
use crate::schema::{self, Aggregation, attribute, set_attribute};
use crate::state::{self, AdminGuard};

/// The attribute of a table that is protected from deletion.
const PROTECTED: &str = "BIGTABLE_DELETION_PROTECTION";

/// How long changes may be kept: a day to seven days.
const RETENTION_MS: RangeInclusive<u64> = 86_400_000..=604_800_000;

/// The name of the only cluster of the instance.
const CLUSTER: &str = "mock-c1";

/// Describes a table, with the parts that the view has.
pub(super) fn table_message(name: String, schema: &TableSchema, view: View) -> Table {
    let has_schema = matches!(view, View::SchemaView | View::Full);
    let has_clusters = matches!(view, View::ReplicationView | View::EncryptionView | View::Full);
    let ready = ClusterState { replication_state: ReplicationState::Ready as i32 };
    let millis = TimestampGranularity::Millis as i32;
    Table {
        name,
        cluster_states: match has_clusters {
            true => BTreeMap::from([(CLUSTER.to_owned(), ready)]),
            false => BTreeMap::new(),
        },
        column_families: if has_schema { families_of(schema) } else { BTreeMap::new() },
        granularity: if has_schema { millis } else { 0 },
        change_stream_config: if has_schema { change_stream_config(schema) } else { None },
        deletion_protection: has_schema && is_protected(schema),
        row_key_schema: if has_schema { key_schema::of_table(schema) } else { None },
    }
}

/// Alters a table, and describes the altered table.
pub(super) fn alter_and_describe(
    call: &GrpcCall<'_>,
    name: String,
    change: impl FnOnce(&mut TableSchema) -> StatusResult<()>,
) -> StatusResult<Table> {
    let table = names::table_name(call.cluster, &name)?;
    // The description is of this change, and of no later one.
    let cluster = call.cluster.lock_admin();
    let altered = procedures::modify_table_without_schema_check(&cluster, &table, change);
    altered.map_err(|e| status_of_exception(&name, &e))??;
    let schema = schema_of(call, &name)?;
    Ok(table_message(name, &schema, View::SchemaView))
}

/// Changes what of a table's schema concerns no region, such as its views: its regions stay as they
/// are. The log has the change in one record with the end of an operation, if `change` returns one.
pub(super) fn change_schema<R>(
    cluster: &AdminGuard<'_>,
    table: &str,
    change: impl FnOnce(&mut TableSchema) -> StatusResult<(R, Option<OperationRecord>)>,
) -> StatusResult<R> {
    let name = names::table_name(cluster, table)?;
    let mut catalog = cluster.catalog_mut();
    let found = catalog.table(&name).ok_or_else(|| no_table(table))?;
    let mut schema = found.schema.clone();
    let (result, operation) = change(&mut schema)?;
    let altered = state::Table { schema, ..found.clone() };
    catalog.set_table(altered);
    catalog.note_operation(operation);
    Ok(result)
}

/// Returns the schema of the table with this name.
pub(super) fn schema_of(call: &GrpcCall<'_>, name: &str) -> StatusResult<TableSchema> {
    let schema = call.cluster.schema_of(&names::table_name(call.cluster, name)?);
    schema.ok_or_else(|| no_table(name))
}

/// Returns whether a table is protected from deletion.
pub(super) fn is_protected(schema: &TableSchema) -> bool {
    attribute(&schema.attributes, PROTECTED) == Some(b"true")
}

/// Sets whether a table is protected from deletion.
pub(super) fn set_deletion_protection(schema: &mut TableSchema, protected: bool) {
    set_attribute(&mut schema.attributes, PROTECTED, protected.then_some("true"));
}

/// Returns how long the changes of a table are to be kept, in ms; `None` if it has no stream.
pub(super) fn change_stream_retention(
    config: Option<&ChangeStreamConfig>,
) -> StatusResult<Option<u64>> {
    let Some(config) = config else { return Ok(None) };
    let period = config.retention_period.unwrap_or_default();
    let ms = u64::try_from(period.seconds).ok().and_then(|seconds| {
        seconds.checked_mul(1_000)?.checked_add(u64::try_from(period.nanos / 1_000_000).ok()?)
    });
    ms.filter(|ms| RETENTION_MS.contains(ms)).map(Some).ok_or_else(|| {
        invalid(format!(
            "The retention_period of a change stream must be at least 1 day and at most 7 days, but got \
             {} s",
            period.seconds
        ))
    })
}

fn change_stream_config(schema: &TableSchema) -> Option<ChangeStreamConfig> {
    let ms = schema::stream_retention_ms(schema)?;
    let seconds = i64::try_from(ms / 1_000).unwrap_or(i64::MAX);
    let nanos = i32::try_from(ms % 1_000 * 1_000_000).unwrap_or(0);
    Some(ChangeStreamConfig { retention_period: Some(Duration { seconds, nanos }) })
}

/// The status for deleting a protected table or a family of one.
pub(super) fn deletion_protected_status(table: &str) -> Status {
    StatusCode::FailedPrecondition.status(format!(
        "The table {table} has deletion_protection. Remove it before you delete the table or a \
         column family"
    ))
}

/// The status for the exception with which a procedure rejected a change.
pub(super) fn status_of_exception(table: &str, exception: &RemoteException) -> Status {
    match &*exception.class {
        exception::TABLE_EXISTS => {
            StatusCode::AlreadyExists.status(format!("Table already exists: {table}"))
        }
        exception::TABLE_NOT_FOUND => no_table(table),
        _ => invalid(&*exception.message),
    }
}

/// Describes the families of a schema.
fn families_of(schema: &TableSchema) -> BTreeMap<String, ColumnFamily> {
    let family = |family: &ColumnFamilySchema| {
        let name = String::from_utf8_lossy(&family.name).into_owned();
        let value_type = schema::aggregation_of_family(family).map(Aggregation::value_type);
        (name, ColumnFamily { gc_rule: schema::rule_of_family(family), value_type })
    };
    schema.column_families.iter().map(family).collect()
}

/// Checks a family, and returns its schema.
pub(super) fn family_schema(name: &str, family: &ColumnFamily) -> StatusResult<ColumnFamilySchema> {
    names::check_family(name)?;
    family.gc_rule.as_ref().map_or(Ok(()), check_rule)?;
    let aggregation =
        family.value_type.as_ref().map(|of| value_type::aggregation(name, of)).transpose()?;
    Ok(schema_of_parts(name, family.gc_rule.as_ref(), aggregation))
}

/// Checks a change of a family, and returns the new schema. The mask names the parts that change;
/// if it names none, the rule changes.
pub(super) fn updated_family_schema(
    name: &str,
    old: &ColumnFamilySchema,
    new: &ColumnFamily,
    mask: Option<&FieldMask>,
) -> StatusResult<ColumnFamilySchema> {
    new.gc_rule.as_ref().map_or(Ok(()), check_rule)?;
    let paths = mask.map(|mask| &mask.paths[..]).unwrap_or_default();
    let aggregation = schema::aggregation_of_family(old);
    let mut rule = schema::rule_of_family(old);
    if paths.is_empty() {
        rule.clone_from(&new.gc_rule);
    }
    for path in paths {
        match &path[..] {
            "gc_rule" => rule.clone_from(&new.gc_rule),
            "value_type" => {
                value_type::check_unchanged(name, aggregation, new.value_type.as_ref())?;
            }
            other => {
                return Err(invalid(format!(
                    "The update_mask of column family {name} has the path \"{other}\". A family \
                     has the paths gc_rule and value_type"
                )));
            }
        }
    }
    Ok(schema_of_parts(name, rule.as_ref(), aggregation))
}

fn schema_of_parts(
    name: &str,
    rule: Option<&GcRule>,
    aggregation: Option<Aggregation>,
) -> ColumnFamilySchema {
    let mut family = schema::family_of_rule(name, rule);
    schema::set_aggregation(&mut family, aggregation);
    family
}

/// Returns an error if there are more families than a table may have.
pub(super) fn check_family_count(families: usize) -> StatusResult<()> {
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
