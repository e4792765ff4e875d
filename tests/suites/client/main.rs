//! What a client must do on every cluster, run from one source on the mock and on a real HBase.

mod admin;
mod aggregates;
mod batches;
mod bigtable;
mod cells;
mod checks;
mod compression;
mod conditions;
mod counters;
mod counts;
mod endpoints;
mod errors;
mod filters;
mod ids;
mod index;
mod keys;
mod layouts;
mod lists;
mod locator;
mod lookup;
mod lost_replies;
mod messages;
mod mistakes;
mod moves;
mod mutate_rows;
mod named_keys;
mod names;
mod options;
mod overrides;
mod paging;
mod parts;
mod phoenix;
mod quotas;
mod records;
mod regions;
mod rekey;
mod replicas;
mod replication;
mod retention;
mod row_mutations;
mod rows;
mod scans;
mod schema;
mod sequences;
mod series;
mod simulation;
mod site;
mod sizes;
mod snapshots;
mod typed;
mod updates;
mod versions;
mod writer;

use std::pin::Pin;

use tallrow_tests::Place;

/// Calls a macro with all cases by their modules, after its own arguments.
macro_rules! with_cases {
    ($macro:ident $(, $own:path)?) => {
        $macro! { $($own,)?
            admin: [
                a_table_is_created_described_disabled_enabled_and_deleted,
                a_rejection_by_the_master_contains_its_reason,
                splits_become_regions,
                an_operation_on_a_disabled_table_is_a_clear_error,
                a_truncated_table_is_empty_and_keeps_its_regions,
                an_invalid_family_is_rejected_before_it_is_sent,
                an_option_that_hbase_cannot_parse_is_rejected_before_it_is_sent,
                permissions_of_a_cluster_without_them_are_unsupported,
            ],
            aggregates: [
                additions_become_sums,
                batches_and_writers_add,
                additions_of_many_tasks_are_all_counted,
                a_family_stays_the_aggregate_that_it_is,
                an_addition_to_an_ordinary_family_is_a_counter_or_refused,
            ],
            batches: [
                outcomes_are_in_the_order_of_their_operations,
                many_rows_are_written_and_read_at_once,
                an_invalid_operation_does_not_affect_the_others,
                the_first_error_of_many_says_how_many_failed,
                a_typed_batch_has_an_outcome_for_each_change,
            ],
            cells: [
                qualifiers_are_the_keys_of_a_map,
                a_qualifier_prefix_separates_maps,
                offsets_pack_the_points_of_an_hour,
                the_versions_of_a_cell_are_read_newest_first,
                groups_are_flattened_into_the_row,
                values_are_encoded_by_their_codec,
                a_default_replaces_only_an_absent_cell,
                an_invalid_cell_is_reported_with_its_column,
            ],
            checks: [
                a_check_holds_as_its_comparison_specifies,
                a_comparison_with_an_empty_value_is_one_of_bytes,
                a_check_applies_every_kind_of_change,
                a_check_on_another_row_is_refused,
            ],
            compression: [
                cells_are_compressed_both_ways,
                blocks_of_many_chunks_are_read_and_written,
                a_server_without_the_class_is_named_with_it,
            ],
            conditions: [
                the_server_finds_what_the_client_finds,
                no_comparison_holds_for_absent_cells,
                each_bit_of_a_mask_has_to_be_set,
                a_change_depends_on_what_its_condition_says,
                a_cell_of_another_type_is_reported_by_the_client,
            ],
            counters: [
                an_increment_adds_and_returns,
                a_counter_wraps_around,
                a_cell_that_is_not_a_counter_is_reported,
                an_append_appends_and_returns,
                concurrent_increments_are_all_counted,
            ],
            counts: [
                keys_are_those_of_the_whole_rows,
                no_values_are_sent,
                deleted_rows_are_not_counted,
                typed_rows_are_counted_and_their_keys_decoded,
            ],
            endpoints: [
                an_endpoint_answers_for_the_region_of_a_row,
                an_endpoint_is_called_in_every_region_of_a_range,
                an_endpoint_that_is_not_there_is_a_clear_error,
            ],
            errors: [
                an_unknown_table_is_reported_without_retries,
                an_unknown_family_is_reported_without_retries,
                a_disabled_table_is_reported,
                invalid_operations_are_not_sent,
                a_row_key_that_cannot_be_encoded_is_reported_with_the_operation,
                an_error_of_the_server_has_the_operation_that_was_called,
                a_row_key_that_cannot_be_decoded_is_an_error_of_the_program_too,
            ],
            filters: [
                classes_of_the_servers_are_named_with_their_bytes,
                decimal_numbers_are_compared_as_numbers,
                filter_strings_keep_what_they_say,
                rows_are_chosen_by_their_keys,
                cells_are_chosen_by_their_parts,
                rows_are_chosen_by_one_of_their_columns,
                filters_are_combined,
                a_get_and_a_check_take_filters,
                rows_are_found_by_fields_that_are_not_first,
                a_filter_that_hbase_misinterprets_is_not_sent,
                a_pattern_that_java_rejects_is_an_error_of_the_server,
                a_pattern_that_java_accepts_is_sent_unchanged,
            ],
            ids: [
                blocks_are_taken_from_the_counter,
                concurrent_callers_never_get_the_same_id,
                ids_begin_at_the_first_one,
                no_id_is_above_the_last_one,
                a_counter_of_another_form_gives_no_ids,
                settings_without_an_id_are_refused,
            ],
            index: [
                a_row_is_found_by_each_of_its_keys,
                a_put_leaves_what_it_does_not_write,
                an_update_of_an_indexed_row_adds_to_a_counter,
                what_rows_left_that_were_deleted_long_ago_is_purged,
                hooks_are_called_for_indexed_rows,
                settings_without_an_index_are_refused,
                totals_follow_the_rows,
                a_join_keeps_the_order_and_reads_each_row_once,
            ],
            keys: [
                user_events_are_newest_first,
                hashed_logs_are_adjacent,
                logs_by_number_are_in_order_of_the_numbers,
                salted_events_are_in_order_inside_a_bucket,
                hash_prefixed_text_is_adjacent,
                a_customer_comes_before_its_orders,
                hours_of_a_metric_are_in_order,
                buckets_of_a_timestamp_are_merged_in_order_of_time,
                a_list_is_read_page_by_page,
            ],
            layouts: [
                a_further_layout_is_opened_recorded_and_read,
                a_table_is_split_for_every_layout,
            ],
            lists: [
                the_cells_of_a_row_are_read_in_pages,
                a_range_of_cells_is_read,
                a_page_of_cells_is_not_moved_by_others,
                a_page_of_cells_that_does_not_fit_is_refused,
                a_packed_list_keeps_its_newest_items,
                a_packed_list_of_another_program_keeps_its_newest_items,
                concurrent_writers_of_a_packed_list_lose_nothing,
            ],
            locator: [
                located_regions_are_those_of_the_cluster,
                keys_are_located_with_all_their_buckets,
                what_is_cleared_is_looked_up_again,
                a_reload_finds_splits_and_moves,
                a_client_is_warmed_from_a_file,
                an_old_file_is_corrected_as_it_is_used,
                a_file_of_another_cluster_is_refused,
            ],
            lookup: [
                names_and_ids_are_bytes_of_every_width,
                a_table_of_opentsdb_is_continued,
                many_names_are_resolved_at_once,
                a_lost_race_uses_the_id_of_the_winner,
                a_name_that_cannot_be_a_row_is_refused,
                a_read_only_lookup_never_writes,
                ids_of_one_byte_run_out,
                every_fault_is_found_and_repaired,
                a_counter_below_the_ids_gives_none_twice,
            ],
            lost_replies: [
                an_increment_with_a_condition_is_made_once,
                an_increment_that_ends_its_own_condition_is_unknown,
                a_put_with_a_condition_is_read_back,
                a_row_tells_which_changes_were_made,
            ],
            messages: [
                a_missing_family_is_named_with_those_of_the_table,
                a_table_in_another_state_is_explained,
                a_missing_table_is_explained_by_every_operation,
                a_bad_name_is_reported_with_the_rule,
                an_operation_that_asks_for_nothing_says_so,
                a_cell_of_another_width_is_no_counter,
                a_page_token_that_does_not_fit_says_why,
                a_row_of_another_type_is_shown_with_its_column_and_bytes,
            ],
            mistakes: [
                a_column_that_is_given_as_a_family_is_told_apart,
                the_longest_time_is_as_good_as_no_limit,
                a_cell_that_would_be_gone_at_once_is_refused,
                a_row_that_another_type_has_written_names_the_column,
                each_mock_is_a_cluster_of_its_own,
            ],
            mutate_rows: [
                rows_of_a_region_change_in_one_step,
                nothing_changes_if_a_row_cannot,
                a_step_that_cannot_be_sent_is_refused,
                rows_of_a_type_change_in_one_step,
            ],
            moves: [
                a_scan_continues_where_its_region_moved,
                a_filtered_scan_continues_where_its_region_moved,
                a_scan_continues_through_a_split,
                writes_find_a_region_that_moved_and_split,
            ],
            named_keys: [
                names_become_ids_and_ids_names,
                new_names_get_ids_in_their_order,
                scanned_rows_get_their_names_back,
                each_variant_of_an_enum_has_its_names,
                lookups_of_other_tables_and_settings_are_used,
                a_read_only_lookup_creates_no_key,
                what_has_no_name_does_not_affect_other_keys,
                lookups_that_do_not_fit_a_key_are_refused,
            ],
            names: [
                a_namespace_is_created_described_and_deleted,
                a_client_completes_the_names_of_all_tables,
                a_row_type_has_tables_of_several_names,
            ],
            options: [
                attributes_reach_the_server,
                a_typed_table_has_options,
                every_durability_is_accepted,
                a_call_of_a_trace_is_answered,
            ],
            overrides: [
                servers_are_reached_through_forwarded_ports,
                an_override_that_fails_is_named_with_its_server,
            ],
            paging: [
                a_page_says_why_it_ended,
                a_plain_key_is_a_position,
                a_salted_key_is_a_position_in_every_bucket,
                a_hash_prefixed_key_is_a_position,
                a_key_is_a_position_among_its_equals_in_other_buckets,
                a_key_of_any_layout_is_a_position,
                rows_of_bytes_are_read_in_pages,
                a_token_of_another_scan_is_refused,
            ],
            row_mutations: [
                every_kind_of_change_is_applied_atomically,
                no_change_is_applied_if_one_is_rejected,
                each_change_has_its_own_timestamp_and_time_to_live,
                a_check_can_apply_several_changes,
                row_mutations_share_calls_with_other_operations,
                additions_to_a_cell_are_added_up,
                a_cell_is_not_changed_twice_in_one_step,
            ],
            regions: [
                regions_are_merged_with_their_rows,
                a_region_is_closed_and_opened_again,
                a_region_is_emptied,
                files_are_merged_by_a_minor_compaction,
                the_status_has_servers_tables_and_regions,
                procedures_are_listed_awaited_and_reported,
                switches_are_read_and_set,
                a_decommissioned_server_gets_no_regions,
            ],
            quotas: [
                throttles_are_set_listed_and_removed,
                space_is_limited_measured_and_free_again,
                a_space_quota_of_what_has_none_is_refused,
            ],
            replicas: [
                a_secondary_replica_says_that_it_may_be_stale,
                a_timeline_read_takes_the_answer_that_comes_first,
            ],
            replication: [
                peers_are_added_changed_listed_and_removed,
                the_log_of_slow_calls_is_read,
            ],
            retention: [
                deleted_cells_are_removed_by_flush_and_major_compaction,
                deleted_cells_stay_if_the_family_keeps_them,
                kept_deleted_cells_count_as_versions,
                versions_beyond_the_maximum_are_not_read_and_a_flush_removes_them,
                every_version_ends_with_the_time_to_live_of_its_family,
                min_versions_outlive_the_time_to_live,
                markers_are_kept_until_their_time_to_live_or_forever,
                a_cell_lives_no_longer_than_its_family,
            ],
            phoenix: [
                a_row_of_nulls_is_found_by_its_empty_column,
                the_cells_of_phoenix_are_compared_by_the_server,
            ],
            records: [
                a_scan_distinguishes_record_variants,
                a_projection_reads_its_columns,
            ],
            rows: [
                a_row_is_written_read_and_deleted,
                what_is_written_after_a_delete_is_found,
                a_get_returns_the_columns_that_it_names,
                versions_and_times_are_chosen,
                each_kind_of_delete_hides_the_cells_that_it_names,
                any_bytes_are_a_row_key_a_qualifier_and_a_value,
                a_cell_with_a_time_to_live_vanishes,
            ],
            scans: [
                a_filter_of_whole_rows_is_refused_for_parts,
                a_scan_crosses_regions_in_order,
                a_reversed_scan_returns_the_same_rows_backwards,
                a_limit_counts_rows_across_regions,
                columns_versions_and_times_restrict_a_scan,
                rows_larger_than_a_page_are_returned_whole,
                cells_are_limited_for_each_family,
                a_call_returns_as_many_rows_as_it_may,
                a_row_is_returned_in_batches_of_cells,
                a_row_is_returned_in_the_parts_that_are_sent,
                regions_are_read_in_parallel,
                a_scan_is_explained_before_it_is_read,
                a_scan_is_measured_by_the_client_and_the_servers,
                a_raw_scan_shows_delete_markers,
                an_empty_range_has_no_rows,
                a_range_has_the_rows_between_its_bounds_in_both_orders,
                a_dropped_scan_does_not_affect_later_calls,
            ],
            rekey: [
                a_row_moves_with_all_its_cells,
                a_row_moves_back,
                a_row_that_cannot_be_compared_is_not_copied,
                a_row_is_not_moved_onto_another,
                two_movers_move_a_row_once,
                every_kind_of_write_reaches_both_tables,
                a_delete_of_the_newest_version_reaches_both_tables,
                keys_that_would_become_one_are_reported,
                differences_are_found_and_repaired,
                a_table_gets_other_keys_while_it_is_written,
                tables_that_do_not_fit_are_refused,
            ],
            schema: [
                a_table_is_created_from_its_row_type,
                differences_are_listed_and_altered,
                changes_that_lose_data_are_rejected_unless_allowed_by_name,
                a_key_of_another_layout_is_reported_and_cannot_be_altered,
                a_stated_default_is_no_difference,
            ],
            sequences: [
                any_sequence_of_changes_has_the_result_of_a_model,
            ],
            series: [
                points_of_a_series_are_in_order_of_time,
                rows_of_all_buckets_are_in_order_of_time,
                tags_are_found_whatever_bytes_their_ids_have,
                a_series_is_not_mixed_with_those_of_more_tags,
                an_hour_is_compacted_into_one_cell,
                a_half_compacted_hour_is_read_and_completed,
                points_are_appended_to_one_cell,
                the_last_point_of_a_time_counts,
                what_cannot_be_a_point_is_refused,
                a_cell_that_is_no_point_is_an_error_with_its_row,
                no_point_is_lost_while_hours_are_compacted,
            ],
            site: [
                files_alone_say_where_the_cluster_is,
            ],
            simulation: [
                the_regions_of_a_table_get_what_was_simulated,
            ],
            sizes: [
                sizes_of_cells_and_rows_are_those_of_the_server,
            ],
            snapshots: [
                a_table_is_restored_from_its_snapshot,
                a_deleted_table_comes_back_and_a_clone_is_independent,
                snapshots_that_cannot_be_are_clear_errors,
                a_snapshot_without_a_flush_has_what_is_in_files,
                a_snapshot_is_not_restored_after_its_time_to_live,
                a_schema_is_cloned_without_rows,
            ],
            typed: [
                the_first_row_of_each_range_comes_in_the_order_of_the_ranges,
                the_first_row_of_a_range_is_that_of_all_buckets,
                a_row_is_a_value,
                rows_with_a_random_salt_are_found_in_any_bucket,
                buckets_of_a_salted_key_are_merged_in_order,
                buckets_of_a_salted_key_are_read_in_any_order,
                a_leading_text_is_complete_or_a_prefix,
                a_row_that_does_not_match_the_type_is_reported,
            ],
            updates: [
                an_update_is_atomic,
                columns_versions_and_families_are_unset,
                an_update_depends_on_a_condition,
                a_constraint_is_checked_before_sending,
                a_cell_is_set_or_deleted_by_an_option,
                an_update_changes_a_cell_once_or_adds_to_it,
                writes_of_a_table_have_its_time_and_time_to_live,
                a_row_version_detects_concurrent_writers,
                a_hook_adds_writes_to_a_change_or_rejects_it,
            ],
            versions: [
                a_region_is_emptied_where_the_book_says_so,
            ],
            writer: [
                a_writer_writes_all_it_was_given,
                writes_of_a_row_are_made_in_their_order,
                a_writer_of_typed_rows_does_what_the_table_does,
                a_closed_client_has_written_all,
            ],
        }
    };
}

/// A case that runs. It is boxed so that it is compiled once, and not for each store.
type Running = Pin<Box<dyn Future<Output = ()>>>;

/// A case, which gets the client and the tables of its own.
type Case = fn(Place) -> Running;

macro_rules! boxed {
    ($($module:ident: [$($case:ident,)*],)*) => {
        $(pub(crate) mod $module {
            $(pub(crate) fn $case(place: tallrow_tests::Place) -> crate::Running {
                Box::pin(crate::$module::$case(place))
            })*
        })*
    };
}

mod cases {
    with_cases!(boxed);
}

/// Makes a test of each case; `$run` is a function that gets its name and the case itself.
macro_rules! run_each {
    ($run:path, $($module:ident: [$($case:ident,)*],)*) => {
        $(mod $module {
            $(#[test]
            fn $case() {
                $run(stringify!($case), crate::cases::$module::$case);
            })*
        })*
    };
}

/// As `#[tokio::test]` does it for two worker threads.
fn wait_for(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.unwrap().block_on(test);
}

/// The same where nothing waits in vain: the next timer is due as soon as nothing else is to be
/// done.
fn wait_in_paused_time(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(test);
}

/// Cases that wait until a time has passed: on the mock, in paused time. The others are in real
/// time, because a mock's clock stands still in paused time, and they compare it with the system's.
const WAITING: &[&str] = &[
    "a_region_is_closed_and_opened_again",
    "a_server_without_the_class_is_named_with_it",
    "a_snapshot_is_not_restored_after_its_time_to_live",
];

macro_rules! names {
    ($($module:ident: [$($case:ident,)*],)*) => {
        &[$((stringify!($module), &[$(stringify!($case)),*])),*]
    };
}

/// The names of all cases.
const MODULES: &[(&str, &[&str])] = with_cases!(names);

mod on_mock {
    use tallrow_tests::Place;

    fn run(name: &str, case: crate::Case) {
        let test = async { case(Place::mock().await).await };
        match crate::WAITING.contains(&name) {
            true => crate::wait_in_paused_time(test),
            false => crate::wait_for(test),
        }
    }

    with_cases!(run_each, super::run);
}

/// Runs if the environment names a cluster.
mod on_real {
    use tallrow_tests::Place;

    fn run(name: &str, case: crate::Case) {
        crate::wait_for(async {
            if let Some(place) = Place::real(name).await {
                case(place).await;
            }
        });
    }

    with_cases!(run_each, super::run);
}

/// By Bigtable's protocol, on the mock.
mod on_bigtable {
    use std::panic::AssertUnwindSafe;

    use futures_util::FutureExt;
    use tallrow_tests::Place;

    fn run(name: &str, case: crate::Case) {
        crate::wait_for(async {
            let case = case(Place::bigtable().await);
            let Some(why) = crate::bigtable::why_not(name) else { return case.await };
            let outcome = AssertUnwindSafe(case).catch_unwind().await;
            assert!(outcome.is_err(), "{name} is listed as not of Bigtable, and passes: {why}");
        });
    }

    with_cases!(run_each, super::run);
}

/// By Bigtable's protocol, on Google's emulator if the environment names one.
mod on_emulator {
    use tallrow_tests::Place;

    fn run(name: &str, case: crate::Case) {
        if crate::bigtable::why_not(name).is_some() || crate::bigtable::DEFECTS.contains(&name) {
            return;
        }
        crate::wait_for(async {
            if let Some(place) = Place::emulator(name).await {
                case(place).await;
            }
        });
    }

    with_cases!(run_each, super::run);
}
