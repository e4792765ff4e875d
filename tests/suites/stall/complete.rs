//! No public call is missing.

use std::fs;
use std::path::Path;

use crate::stall::calls::CALLS;

/// Calls that are covered by others here: all of them connect by `connect_with`, and scans are read
/// by `next_row`. How long a `close` takes is for its caller to say:
/// `tests/suites/faults/writer.rs`.
const WITHIN_OTHERS: [&str; 3] = ["close", "connect_with", "next_row"];

/// Calls of Bigtable, which HBase has not: `backups.rs`, `bundles.rs`, `changes.rs`, `faults.rs`,
/// `queries.rs` and `views.rs` in `sdk/src/backend/bigtable/tests`. The steps of a purge are a scan
/// and checked deletes.
const OF_BIGTABLE: [&str; 34] = [
    "authorized_view",
    "backup",
    "cancel",
    "copy_backup",
    "create_authorized_view",
    "create_backup",
    "create_schema_bundle",
    "delete_authorized_view",
    "delete_backup",
    "delete_schema_bundle",
    "drop_rows",
    "is_deletion_protected",
    "list_authorized_views",
    "list_backups",
    "list_schema_bundles",
    "merge_to_cells",
    "next_record",
    "poll",
    "prepare",
    "purge_deleted",
    "remove_row_key_schema",
    "restore_table",
    "row_key_schema",
    "sample_row_keys",
    "schema_bundle",
    "set_authorized_view",
    "set_backup_expiry",
    "set_deletion_protection",
    "set_row_key_schema",
    "set_schema_bundle",
    "undelete_table",
    "wait",
    "wait_for_replication",
    "wait_with_progress",
];
/// For the tests of Bigtable alone.
const HIDDEN: &str = "bigtable/messages.rs";

/// The public async functions in a folder.
fn functions(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            functions(&path, found);
            continue;
        }
        if path.ends_with(HIDDEN) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let starts = text.lines().filter_map(|line| line.trim().strip_prefix("pub async fn "));
        found.extend(starts.map(|rest| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            rest.chars().take_while(|c| is_name(*c)).collect::<String>()
        }));
    }
}

#[test]
fn no_public_call_is_missing() {
    let mut found = Vec::new();
    functions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src"), &mut found);
    assert!(found.len() > 40, "the reader of sources is broken: {found:?}");
    let name = |call: &str| call.split([':', ' ']).nth(2).map(str::to_owned);
    let here: Vec<_> = CALLS.iter().filter_map(|call| name(call.name)).collect();
    let elsewhere = [&WITHIN_OTHERS[..], &OF_BIGTABLE].concat();
    found.retain(|f| !here.contains(f) && !elsewhere.contains(&f.as_str()));
    assert_eq!(found, [""; 0], "they need a line in calls.rs");
}
