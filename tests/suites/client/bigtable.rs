//! Which cases are not of Bigtable, and why; each of them must fail there.

/// What HBase has and Bigtable has not.
pub(crate) struct Missing {
    what: &'static str,
    instead: &'static str,
    /// The cases that need it.
    cases: &'static [&'static str],
}

const MISSING: &[Missing] = &[
    Missing {
        what: "Regions, servers, HBase's configuration files, namespaces, disabled tables, snapshots, quotas, replicas, endpoints: `Admin::hbase` is `Unsupported`",
        instead: "the service moves and splits tablets itself; `Admin::bigtable`, which has backups, and Google's tools for clusters",
        cases: &[
            "a_truncated_table_is_empty_and_keeps_its_regions",
            "an_operation_on_a_disabled_table_is_a_clear_error",
            "splits_become_regions",
            "a_server_without_the_class_is_named_with_it",
            "blocks_of_many_chunks_are_read_and_written",
            "cells_are_compressed_both_ways",
            "an_endpoint_answers_for_the_region_of_a_row",
            "an_endpoint_is_called_in_every_region_of_a_range",
            "an_endpoint_that_is_not_there_is_a_clear_error",
            "a_disabled_table_is_reported",
            "a_reload_finds_splits_and_moves",
            "located_regions_are_those_of_the_cluster",
            "a_missing_table_is_explained_by_every_operation",
            "a_table_in_another_state_is_explained",
            "a_filtered_scan_continues_where_its_region_moved",
            "a_scan_continues_through_a_split",
            "a_scan_continues_where_its_region_moved",
            "writes_find_a_region_that_moved_and_split",
            "a_client_completes_the_names_of_all_tables",
            "a_namespace_is_created_described_and_deleted",
            "a_space_quota_of_what_has_none_is_refused",
            "space_is_limited_measured_and_free_again",
            "throttles_are_set_listed_and_removed",
            "a_decommissioned_server_gets_no_regions",
            "a_region_is_closed_and_opened_again",
            "a_region_is_emptied",
            "files_are_merged_by_a_minor_compaction",
            "procedures_are_listed_awaited_and_reported",
            "regions_are_merged_with_their_rows",
            "switches_are_read_and_set",
            "the_status_has_servers_tables_and_regions",
            "a_secondary_replica_says_that_it_may_be_stale",
            "a_timeline_read_takes_the_answer_that_comes_first",
            "peers_are_added_changed_listed_and_removed",
            "the_log_of_slow_calls_is_read",
            "permissions_of_a_cluster_without_them_are_unsupported",
            "a_deleted_table_comes_back_and_a_clone_is_independent",
            "a_schema_is_cloned_without_rows",
            "a_snapshot_is_not_restored_after_its_time_to_live",
            "a_snapshot_without_a_flush_has_what_is_in_files",
            "a_table_is_restored_from_its_snapshot",
            "snapshots_that_cannot_be_are_clear_errors",
            "a_region_is_emptied_where_the_book_says_so",
            "servers_are_reached_through_forwarded_ports",
            "files_alone_say_where_the_cluster_is",
        ],
    },
    Missing {
        what: "Properties of tables and families other than the number of versions and the age of cells: `KEEP_DELETED_CELLS`, `BLOCKSIZE`, the key layout that a table remembers, ..",
        instead: "garbage collection rules, made from `versions`, `min_versions` and `ttl`",
        cases: &[
            "a_table_is_created_described_disabled_enabled_and_deleted",
            "a_rejection_by_the_master_contains_its_reason",
            "an_invalid_family_is_rejected_before_it_is_sent",
            "a_further_layout_is_opened_recorded_and_read",
            "a_key_of_another_layout_is_reported_and_cannot_be_altered",
            "a_stated_default_is_no_difference",
            "a_table_is_created_from_its_row_type",
            "changes_that_lose_data_are_rejected_unless_allowed_by_name",
            "differences_are_listed_and_altered",
            "deleted_cells_stay_if_the_family_keeps_them",
            "kept_deleted_cells_count_as_versions",
            "markers_are_kept_until_their_time_to_live_or_forever",
            "min_versions_outlive_the_time_to_live",
        ],
    },
    Missing {
        what: "Delete markers: raw scans, `read_back`",
        instead: "a delete removes the cells at once",
        cases: &[
            "deleted_rows_are_not_counted",
            "a_put_with_a_condition_is_read_back",
            "a_row_tells_which_changes_were_made",
            "deleted_cells_are_removed_by_flush_and_major_compaction",
            "every_version_ends_with_the_time_to_live_of_its_family",
            "versions_beyond_the_maximum_are_not_read_and_a_flush_removes_them",
            "a_raw_scan_shows_delete_markers",
        ],
    },
    Missing {
        what: "Increments and appends in one step with puts and deletes, or on a condition",
        instead: "two calls: ReadModifyWriteRow knows neither",
        cases: &[
            "an_update_of_an_indexed_row_adds_to_a_counter",
            "a_row_of_nulls_is_found_by_its_empty_column",
            "a_check_can_apply_several_changes",
            "each_change_has_its_own_timestamp_and_time_to_live",
            "every_kind_of_change_is_applied_atomically",
            "no_change_is_applied_if_one_is_rejected",
            "row_mutations_share_calls_with_other_operations",
            "an_update_depends_on_a_condition",
            "an_update_is_atomic",
            "a_check_applies_every_kind_of_change",
            "an_increment_that_ends_its_own_condition_is_unknown",
            "an_increment_with_a_condition_is_made_once",
        ],
    },
    Missing {
        what: "A time to live of a cell, attributes of operations",
        instead: "the age of cells is that of their family",
        cases: &[
            "values_are_encoded_by_their_codec",
            "a_typed_table_has_options",
            "attributes_reach_the_server",
            "a_cell_lives_no_longer_than_its_family",
            "a_cell_with_a_time_to_live_vanishes",
            "sizes_of_cells_and_rows_are_those_of_the_server",
        ],
    },
    Missing {
        what: "Filters that Bigtable's filters cannot express: of classes of one's own, by decimal numbers, by Java's own patterns, `DependentColumnFilter`, `WhileMatchFilter`, `PageFilter`, pages of columns over several families, lists in which a later filter may make HBase skip the column by which an earlier one decides, other combinations",
        instead: "each is an error that says why; `Scan::limit`, a range, or a single family often do the same",
        cases: &[
            "the_server_finds_what_the_client_finds",
            "keys_are_those_of_the_whole_rows",
            "a_get_and_a_check_take_filters",
            "a_pattern_that_java_accepts_is_sent_unchanged",
            "a_pattern_that_java_rejects_is_an_error_of_the_server",
            "cells_are_chosen_by_their_parts",
            "classes_of_the_servers_are_named_with_their_bytes",
            "decimal_numbers_are_compared_as_numbers",
            "filter_strings_keep_what_they_say",
            "filters_are_combined",
            "rows_are_chosen_by_one_of_their_columns",
        ],
    },
    Missing {
        what: "Files of regions, clearing what is known of one region",
        instead: "the samples of a table's keys are asked for together",
        cases: &[
            "a_client_is_warmed_from_a_file",
            "a_file_of_another_cluster_is_refused",
            "an_old_file_is_corrected_as_it_is_used",
            "what_is_cleared_is_looked_up_again",
        ],
    },
    Missing {
        what: "Deletes of a row or a family up to a time, and of the newest version",
        instead: "deletes of columns up to a time, of one version, or of all",
        cases: &[
            "a_delete_of_the_newest_version_reaches_both_tables",
            "each_kind_of_delete_hides_the_cells_that_it_names",
            "writes_of_a_table_have_its_time_and_time_to_live",
        ],
    },
    Missing {
        what: "Several rows in one step: `mutate_rows`",
        instead: "`batch`, whose rows change one by one",
        cases: &[
            "a_step_that_cannot_be_sent_is_refused",
            "nothing_changes_if_a_row_cannot",
            "rows_of_a_region_change_in_one_step",
            "rows_of_a_type_change_in_one_step",
        ],
    },
    Missing {
        what: "Row keys over 4 KiB, rows in parts as they are sent, counts and metrics of scans by region",
        instead: "rows come whole or in batches of cells; a count reads a cell of each row",
        cases: &[
            "no_values_are_sent",
            "a_missing_family_is_named_with_those_of_the_table",
            "an_operation_that_asks_for_nothing_says_so",
            "any_bytes_are_a_row_key_a_qualifier_and_a_value",
            "a_row_is_returned_in_the_parts_that_are_sent",
            "a_scan_is_explained_before_it_is_read",
            "a_scan_is_measured_by_the_client_and_the_servers",
        ],
    },
];

/// What a case needs that Bigtable has not.
pub(crate) fn why_not(case: &str) -> Option<&'static str> {
    MISSING.iter().find(|missing| missing.cases.contains(&case)).map(|missing| missing.what)
}

/// Cases that Google's emulator fails by its own defects: in version 1.58.0 copies of a row share
/// its list of columns (`bttest/inmem.go`, `row.copy`), and a delete takes a column out of it in
/// place, so that a read misses another one; and `value_bitmask_filter` is ignored.
pub(crate) const DEFECTS: [&str; 2] =
    ["no_point_is_lost_while_hours_are_compacted", "each_bit_of_a_mask_has_to_be_set"];

const PAGE: &str = include_str!("../../../docs/bigtable.md");
/// The marks of the tables that the page has from the suite: of the cases that HBase has too, and
/// of the parts that only Bigtable has.
const CASES: [&str; 2] = ["<!-- from the suite -->\n", "<!-- end -->\n"];
const PARTS: [&str; 2] = ["<!-- parts from the suite -->\n", "<!-- end of the parts -->\n"];

/// The tables of the page, from the cases of the suite.
fn matrix(modules: &[(&str, &[&str])]) -> String {
    let mut text =
        String::from("| cases of the suite | on HBase | of these on Bigtable |\n|---|--:|--:|\n");
    let (mut of_hbase, mut of_bigtable) = (0, 0);
    for (module, cases) in modules {
        let both = cases.iter().filter(|case| why_not(case).is_none()).count();
        let name = module.replace('_', " ");
        text += &format!("| {name} | {} | {both} |\n", cases.len());
        (of_hbase, of_bigtable) = (of_hbase + cases.len(), of_bigtable + both);
    }
    text += &format!("| all | {of_hbase} | {of_bigtable} |\n\n");
    text += "| of HBase only | cases | with Bigtable |\n|---|--:|---|\n";
    for Missing { what, instead, cases } in MISSING {
        text += &format!("| {what} | {} | {instead} |\n", cases.len());
    }
    text
}

/// With `TALLROW_WRITE`, it writes the page instead.
#[test]
fn the_page_about_bigtable_has_what_the_suite_shows() {
    let known = |case: &&&str| crate::MODULES.iter().any(|(_, cases)| cases.contains(case));
    let unknown: Vec<_> =
        MISSING.iter().flat_map(|m| m.cases).filter(|case| !known(case)).collect();
    assert!(unknown.is_empty(), "no cases of the suite: {unknown:?}");

    let tables = [(CASES, matrix(crate::MODULES)), (PARTS, crate::parts::table())];
    let mut page = PAGE.to_owned();
    for ([begin, end], table) in tables {
        let (before, rest) = page.split_once(begin).unwrap();
        let (_, after) = rest.split_once(end).unwrap();
        page = [before, begin, &table, end, after].concat();
    }
    if std::env::var_os("TALLROW_WRITE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bigtable.md");
        std::fs::write(path, page).unwrap();
    } else {
        assert_eq!(PAGE, page, "run this test with TALLROW_WRITE=1");
    }
}
