//! The views that requests name in place of a table. The mock has none.

use tallrow_wire::bigtable::Status;

use super::names;
use super::status::{StatusResult, not_found};
use crate::state::Cluster;

/// Returns an error if a request names a view, because the mock has no views. Answering from the
/// whole table would return more than the view shows. An empty name means that the request names no
/// view.
pub(super) fn check_no_view(
    cluster: &Cluster,
    authorized: &str,
    materialized: &str,
) -> StatusResult<()> {
    if !authorized.is_empty() {
        names::check_view_name(authorized, "/authorizedViews/", |table| {
            names::table_id(cluster, table).map(drop)
        })?;
        return Err(no_view("Authorized", authorized));
    }
    if !materialized.is_empty() {
        names::check_view_name(materialized, "/materializedViews/", |instance| {
            names::check_instance(cluster, instance)
        })?;
        return Err(no_view("Materialized", materialized));
    }
    Ok(())
}

fn no_view(kind: &str, view: &str) -> Status {
    not_found(format!("{kind} view not found: {view}"))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tallrow_wire::bigtable::{FeatureFlags, method};

    use crate::MockCluster;
    use crate::bigtable::status::StatusCode;
    use crate::bigtable::{GrpcCall, run_method};
    use crate::procedures;
    use crate::schema::sample_table;

    /// Encodes a field with a text of less than 128 bytes.
    fn field(number: u8, text: &str) -> Vec<u8> {
        [&[number << 3 | 2, text.len() as u8][..], text.as_bytes()].concat()
    }

    #[tokio::test]
    async fn a_view_that_a_request_names_is_not_found() {
        let mock = MockCluster::start().await.unwrap();
        let cluster = mock.cluster();
        procedures::create_table_without_schema_check(cluster, sample_table(&[]), &[]).unwrap();
        let features = FeatureFlags::default;
        let status = |path, message: Vec<u8>| {
            let call = GrpcCall { cluster, features: &features, message: Bytes::from(message) };
            run_method(path, &call).err()
        };
        let table = "projects/p/instances/i/tables/t";
        let authorized = &*format!("{table}/authorizedViews/v");
        let materialized = "projects/p/instances/i/materializedViews/m";
        for (path, number, view, text) in [
            (method::READ_ROWS, 9, authorized, "Authorized"),
            (method::READ_ROWS, 11, materialized, "Materialized"),
            (method::SAMPLE_ROW_KEYS, 4, authorized, "Authorized"),
            (method::SAMPLE_ROW_KEYS, 5, materialized, "Materialized"),
            (method::MUTATE_ROW, 6, authorized, "Authorized"),
            (method::MUTATE_ROWS, 5, authorized, "Authorized"),
            (method::CHECK_AND_MUTATE_ROW, 9, authorized, "Authorized"),
            (method::READ_MODIFY_WRITE_ROW, 6, authorized, "Authorized"),
        ] {
            // A client that names a view may name its table too.
            for message in [field(number, view), [field(1, table), field(number, view)].concat()] {
                let status = status(path, message).unwrap();
                assert_eq!(status.code, StatusCode::NotFound as i32, "{path} {}", status.message);
                assert_eq!(status.message, format!("{text} view not found: {view}"), "{path}");
            }
            for bad in ["v", table, "projects/p/instances/i/tables/t/authorizedViews/"] {
                let status = status(path, field(number, bad)).unwrap();
                assert_eq!(status.code, StatusCode::InvalidArgument as i32, "{path} {bad}");
            }
            // The name of no view is of no view.
            let status = status(path, [field(1, table), field(number, "")].concat());
            let not_found = StatusCode::NotFound as i32;
            assert!(status.is_none_or(|status| status.code != not_found), "{path}");
        }
    }
}
