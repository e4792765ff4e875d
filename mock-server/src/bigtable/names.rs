//! The names of tables, families and instances, and the tables that a request names.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{
    CreateBackupRequest, Fields, Status, UpdateAuthorizedViewRequest, UpdateSchemaBundleRequest,
    UpdateTableRequest, method,
};
use tallrow_wire::proto::TableName;
use tallrow_wire::region;

use super::limits::{BACKUP_ID_CHARS, BUNDLE_ID_CHARS, VIEW_ID_CHARS};
use super::status::{StatusResult, invalid, not_found};
use crate::state::Cluster;

/// The maximum length of the id of a table.
const TABLE_ID_CHARS: usize = 50;

/// The maximum length of the name of a family.
const FAMILY_CHARS: usize = 64;

/// Returns an error unless `name` has the form of an instance name, `projects/P/instances/I`, and
/// is the name of the cluster's instance, if the cluster has one.
pub(super) fn check_instance(cluster: &Cluster, name: &str) -> StatusResult<()> {
    check_instance_name(name)?;
    check_own(cluster, name)
}

fn check_own(cluster: &Cluster, instance: &str) -> StatusResult<()> {
    match &cluster.bigtable_instance {
        Some(own) if own != instance => Err(not_found(format!("Instance not found: {instance}"))),
        _ => Ok(()),
    }
}

fn check_instance_name(name: &str) -> StatusResult<()> {
    let parts = name.strip_prefix("projects/").and_then(|rest| rest.split_once('/'));
    let parts = parts.and_then(|(project, rest)| Some((project, rest.strip_prefix("instances/")?)));
    match parts {
        Some((project, instance))
            if !project.is_empty() && !instance.is_empty() && !instance.contains('/') =>
        {
            Ok(())
        }
        _ => Err(bad_name(name, "projects/<project>/instances/<instance>")),
    }
}

/// Returns the table that the name `projects/P/instances/I/tables/T` stands for: table `T` in
/// HBase's default namespace.
pub(super) fn table_name(cluster: &Cluster, name: &str) -> StatusResult<TableName> {
    table_id(cluster, name).map(|id| region::parse_table_name(id.as_bytes()))
}

/// Returns the id `T` in a table name `projects/P/instances/I/tables/T`. The id is the whole name
/// of the table in HBase.
pub(super) fn table_id<'n>(cluster: &Cluster, name: &'n str) -> StatusResult<&'n str> {
    let (instance, id) = parse_table(name)?;
    check_own(cluster, instance)?;
    Ok(id)
}

/// Returns the name of the table and the id in the name of an authorized view, and an error unless
/// it has the form of one, of an instance that exists.
pub(super) fn authorized_view<'n>(
    cluster: &Cluster,
    name: &'n str,
) -> StatusResult<(&'n str, &'n str)> {
    part_of_table(cluster, name, "authorizedViews/<view>")
}

/// Returns the name of the table and the id in the name of a schema bundle, and an error unless it
/// has the form of one, of an instance that exists.
pub(super) fn schema_bundle<'n>(
    cluster: &Cluster,
    name: &'n str,
) -> StatusResult<(&'n str, &'n str)> {
    part_of_table(cluster, name, "schemaBundles/<bundle>")
}

/// Returns the name of the table and the id in a name that ends in this form.
fn part_of_table<'n>(
    cluster: &Cluster,
    name: &'n str,
    form: &str,
) -> StatusResult<(&'n str, &'n str)> {
    let bad = || {
        let table = "projects/<project>/instances/<instance>/tables/<table>";
        bad_name(name, &format!("{table}/{form}"))
    };
    let collection = form.split('/').next().unwrap_or_default();
    let (table, id) = name.split_once(&format!("/{collection}/")).ok_or_else(bad)?;
    if !is_id(id) {
        return Err(bad());
    }
    table_id(cluster, table)?;
    Ok((table, id))
}

/// Returns an error for an id that an authorized view may not have.
pub(super) fn check_authorized_view_id(id: &str) -> StatusResult<()> {
    check_id("authorized_view_id", id, VIEW_ID_CHARS)
}

/// Returns an error for an id that a schema bundle may not have.
pub(super) fn check_schema_bundle_id(id: &str) -> StatusResult<()> {
    check_id("schema_bundle_id", id, BUNDLE_ID_CHARS)
}

/// Returns an error for an id in this field that is none, or is longer than this.
fn check_id(field: &str, id: &str, chars: usize) -> StatusResult<()> {
    match is_id(id) && id.len() <= chars {
        true => Ok(()),
        false => Err(invalid(format!(
            "Invalid {field}: \"{id}\". Expected a name that matches \
             [_a-zA-Z0-9][-_.a-zA-Z0-9]* and has at most {chars} characters"
        ))),
    }
}

/// Returns an error unless `name` has the form of the name of a materialized view, of an instance
/// that exists.
pub(super) fn check_materialized_view(cluster: &Cluster, name: &str) -> StatusResult<()> {
    let expected = "projects/<project>/instances/<instance>/materializedViews/<view>";
    match name.split_once("/materializedViews/") {
        Some((instance, id)) if is_id(id) => check_instance(cluster, instance),
        _ => Err(bad_name(name, expected)),
    }
}

/// Splits a table name into the instance and the id, and checks the form of both.
fn parse_table(name: &str) -> StatusResult<(&str, &str)> {
    let (instance, id) = split_table(name)?;
    check_instance_name(instance)?;
    match is_id(id) {
        true => Ok((instance, id)),
        false => Err(bad_table_id(id)),
    }
}

/// Splits a table name into the instance and the id, without checking either.
fn split_table(name: &str) -> StatusResult<(&str, &str)> {
    const BETWEEN: &str = "/tables/";
    let at = name.as_bytes().windows(BETWEEN.len()).position(|part| part == BETWEEN.as_bytes());
    at.and_then(|at| Some((name.get(..at)?, name.get(at + BETWEEN.len()..)?)))
        .ok_or_else(|| bad_name(name, "projects/<project>/instances/<instance>/tables/<table>"))
}

/// Returns the instance in a cluster name `projects/P/instances/I/clusters/C`, and an error if the
/// instance does not exist. Every instance has all clusters.
pub(super) fn check_cluster<'n>(cluster: &Cluster, name: &'n str) -> StatusResult<&'n str> {
    let bad = || bad_name(name, "projects/<project>/instances/<instance>/clusters/<cluster>");
    let (instance, id) = name.rsplit_once("/clusters/").ok_or_else(bad)?;
    check_instance_name(instance).map_err(|_| bad())?;
    if !is_id(id) {
        return Err(bad());
    }
    check_own(cluster, instance)?;
    Ok(instance)
}

/// Returns an error unless `name` has the form of the name of a backup in a cluster that exists.
pub(super) fn check_backup(cluster: &Cluster, name: &str) -> StatusResult<()> {
    let (of, id) = name.rsplit_once("/backups/").ok_or_else(|| {
        let expected =
            "projects/<project>/instances/<instance>/clusters/<cluster>/backups/<backup>";
        bad_name(name, expected)
    })?;
    check_cluster(cluster, of)?;
    check_backup_id(id)
}

/// Returns an error for an id that a backup may not have.
pub(super) fn check_backup_id(id: &str) -> StatusResult<()> {
    check_id("backup_id", id, BACKUP_ID_CHARS)
}

/// Returns an error for an id that a table may not have.
pub(super) fn check_table_id(id: &str) -> StatusResult<()> {
    match is_id(id) && id.len() <= TABLE_ID_CHARS {
        true => Ok(()),
        false => Err(bad_table_id(id)),
    }
}

fn bad_table_id(id: &str) -> Status {
    invalid(format!(
        "Invalid table_id: \"{id}\". Expected a name that matches [_a-zA-Z0-9][-_.a-zA-Z0-9]* and \
         has at most {TABLE_ID_CHARS} characters"
    ))
}

/// Returns an error for a name that a family may not have.
pub(super) fn check_family(name: &str) -> StatusResult<()> {
    match is_id(name) && name.len() <= FAMILY_CHARS {
        true => Ok(()),
        false => Err(invalid(format!(
            "Invalid column family: \"{name}\". Expected a name that matches \
             [_a-zA-Z0-9][-_.a-zA-Z0-9]* and has at most {FAMILY_CHARS} characters"
        ))),
    }
}

fn is_id(name: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut bytes = name.bytes();
    bytes.next().is_some_and(word) && bytes.all(|b| word(b) || matches!(b, b'-' | b'.'))
}

fn bad_name(name: &str, expected: &str) -> Status {
    invalid(format!("Invalid resource name: \"{name}\". Expected {expected}"))
}

/// The first field of most requests: the name of a table or of an instance.
#[derive(Clone, PartialEq, prost::Message)]
struct Start {
    #[prost(bytes = "bytes", tag = "1")]
    name: Bytes,
}

/// The field of a CreateTable or RestoreTable request with the id of the table.
#[derive(Clone, PartialEq, prost::Message)]
struct Id {
    #[prost(bytes = "bytes", tag = "2")]
    table_id: Bytes,
}

/// Returns the ids of the tables that a request names.
pub(crate) fn table_ids_of_request(path: &str, request: &Bytes) -> Vec<Vec<u8>> {
    let name = match path.rsplit('/').next().unwrap_or_default() {
        "CreateTable" | "RestoreTable" => {
            return Id::decode(request.clone())
                .map(|id| id.table_id.to_vec())
                .into_iter()
                .collect();
        }
        "UpdateTable" => {
            let request = UpdateTableRequest::decode(request.clone()).unwrap_or_default();
            request.table.unwrap_or_default().name
        }
        "CreateBackup" => {
            let request = CreateBackupRequest::decode(request.clone()).unwrap_or_default();
            request.backup.unwrap_or_default().source_table
        }
        "UpdateSchemaBundle" => {
            let request = UpdateSchemaBundleRequest::decode(request.clone()).unwrap_or_default();
            request.schema_bundle.unwrap_or_default().name
        }
        "UpdateAuthorizedView" => {
            let request = UpdateAuthorizedViewRequest::decode(request.clone()).unwrap_or_default();
            request.authorized_view.unwrap_or_default().name
        }
        _ => {
            let name = Start::decode(request.clone()).unwrap_or_default().name;
            match name.is_empty() {
                true => authorized_view_of(path, request).unwrap_or_default(),
                false => String::from_utf8_lossy(&name).into_owned(),
            }
        }
    };
    let after = name.split_once("/tables/").map(|(_, after)| after);
    after.and_then(|id| id.split('/').next()).map(|id| id.as_bytes().to_vec()).into_iter().collect()
}

/// The name of the authorized view that a request names in place of a table.
fn authorized_view_of(path: &str, request: &[u8]) -> Option<String> {
    let number = match path {
        method::READ_ROWS | method::CHECK_AND_MUTATE_ROW => 9,
        method::SAMPLE_ROW_KEYS => 4,
        method::MUTATE_ROW | method::READ_MODIFY_WRITE_ROW => 6,
        method::MUTATE_ROWS => 5,
        _ => return None,
    };
    let mut fields = Fields::of(request);
    while let Some(field) = fields.next_field().ok()? {
        if field.number == number {
            return field.text().ok().map(str::to_owned);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use tallrow_wire::bigtable;

    use super::*;

    #[test]
    fn a_request_that_names_a_part_of_a_table_is_one_of_the_table() {
        let view = "projects/p/instances/i/tables/t/authorizedViews/v";
        let authorized_view_name = || view.to_owned();
        let read = bigtable::ReadRowsRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let sample = bigtable::SampleRowKeysRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let one = bigtable::MutateRowRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let many = bigtable::MutateRowsRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let check = bigtable::CheckAndMutateRowRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let increment = bigtable::ReadModifyWriteRowRequest {
            authorized_view_name: authorized_view_name(),
            ..Default::default()
        };
        let update = UpdateAuthorizedViewRequest {
            authorized_view: Some(bigtable::AuthorizedView {
                name: view.to_owned(),
                ..Default::default()
            }),
            ..Default::default()
        };
        let delete =
            bigtable::DeleteAuthorizedViewRequest { name: view.to_owned(), etag: String::new() };
        let name = "projects/p/instances/i/tables/t/schemaBundles/b".to_owned();
        let get_bundle = bigtable::GetSchemaBundleRequest { name: name.clone() };
        let update_bundle = UpdateSchemaBundleRequest {
            schema_bundle: Some(bigtable::SchemaBundle { name, ..Default::default() }),
            ..Default::default()
        };
        for (path, request) in [
            (method::READ_ROWS, read.encode_to_vec()),
            (method::SAMPLE_ROW_KEYS, sample.encode_to_vec()),
            (method::MUTATE_ROW, one.encode_to_vec()),
            (method::MUTATE_ROWS, many.encode_to_vec()),
            (method::CHECK_AND_MUTATE_ROW, check.encode_to_vec()),
            (method::READ_MODIFY_WRITE_ROW, increment.encode_to_vec()),
            (method::UPDATE_AUTHORIZED_VIEW, update.encode_to_vec()),
            (method::DELETE_AUTHORIZED_VIEW, delete.encode_to_vec()),
            (method::GET_SCHEMA_BUNDLE, get_bundle.encode_to_vec()),
            (method::UPDATE_SCHEMA_BUNDLE, update_bundle.encode_to_vec()),
        ] {
            assert_eq!(table_ids_of_request(path, &request.into()), [b"t"], "{path}");
        }
    }

    #[test]
    fn a_table_is_named_by_its_project_instance_and_id() {
        assert_eq!(
            parse_table("projects/p/instances/i/tables/t-1").unwrap(),
            ("projects/p/instances/i", "t-1")
        );
        for bad in [
            "",
            "t",
            "projects/p/instances/i",
            "projects//instances/i/tables/t",
            "projects/p/instances//tables/t",
            "projects/p/instances/i/j/tables/t",
            "projects/tables/instances/i/tables/t",
        ] {
            assert!(
                parse_table(bad).unwrap_err().message.starts_with("Invalid resource name"),
                "{bad}"
            );
        }
        for bad in ["", "-t", "a/b", "a:b"] {
            let name = format!("projects/p/instances/i/tables/{bad}");
            assert!(
                parse_table(&name).unwrap_err().message.starts_with("Invalid table_id"),
                "{bad}"
            );
        }
    }
}
