//! What a client must do on every cluster, from one source, on the bundled mock and on a real HBase.

mod admin;
mod batches;
mod cells;
mod checks;
mod conditions;
mod counters;
mod errors;
mod filters;
mod keys;
mod layouts;
mod moves;
mod records;
mod retention;
mod row_mutations;
mod rows;
mod scans;
mod schema;
mod sizes;
mod typed;
mod updates;

/// Makes one test of each case; `$place` is a future of a [`tallrow_tests::Place`], or of none where it is skipped.
macro_rules! run_on {
    ($place:path) => {
        run_on!($place,
            admin: [
                a_table_is_created_described_disabled_enabled_and_deleted,
                what_the_master_refuses_says_why,
                splits_become_regions,
                what_needs_an_enabled_table_says_so,
                a_truncated_table_is_empty_and_keeps_its_regions,
                a_family_that_cannot_be_is_refused_before_it_is_sent,
            ],
            batches: [
                outcomes_stand_in_the_order_of_their_operations,
                many_rows_are_written_and_read_at_once,
                one_bad_operation_does_not_spoil_its_neighbours,
            ],
            cells: [
                qualifiers_are_the_keys_of_a_map,
                a_beginning_of_qualifiers_keeps_maps_apart,
                offsets_pack_the_points_of_an_hour,
                the_history_of_a_cell_is_read_newest_first,
                groups_are_flattened_into_their_place,
                values_take_the_bytes_of_their_codec,
                a_default_stands_for_an_absent_cell_alone,
                a_bad_cell_is_told_with_its_place,
            ],
            checks: [
                a_check_holds_as_its_comparison_says,
                a_check_carries_every_kind_of_change,
                a_check_on_another_row_is_refused,
            ],
            conditions: [
                the_server_finds_what_the_client_finds,
                absent_cells_compare_with_nothing,
                a_cell_of_another_type_is_told_on_the_client,
            ],
            counters: [
                an_increment_adds_and_returns,
                a_counter_wraps_around,
                what_is_not_a_counter_is_told,
                an_append_appends_and_returns,
                increments_at_once_are_all_counted,
            ],
            errors: [
                an_unknown_table_is_told_at_once,
                an_unknown_family_is_told_at_once,
                a_disabled_table_is_told,
                what_cannot_be_sent_is_not_sent,
                a_row_key_that_cannot_be_encoded_is_told_with_what_was_attempted,
            ],
            filters: [
                rows_are_chosen_by_their_keys,
                cells_are_chosen_by_what_they_are,
                rows_are_chosen_by_one_of_their_columns,
                filters_are_put_together,
                a_get_and_a_check_take_filters,
                rows_are_found_by_fields_that_are_not_in_front,
                what_a_filter_cannot_mean_is_not_sent,
                a_pattern_that_java_rejects_is_an_error_of_the_server,
                a_pattern_that_java_accepts_is_sent_as_it_is,
            ],
            keys: [
                user_events_are_newest_first,
                hashed_logs_stand_together,
                logs_by_number_stand_in_order_of_the_numbers,
                salted_events_are_in_order_inside_a_bucket,
                hash_prefixed_text_stands_together,
                a_customer_comes_first_and_its_orders_behind,
                hours_of_a_metric_stand_in_order,
                a_list_is_read_page_by_page,
            ],
            layouts: [
                a_further_layout_is_opened_recorded_and_read,
                a_table_is_split_for_every_layout,
            ],
            moves: [
                a_scan_goes_on_where_its_region_went,
                a_filtered_scan_goes_on_where_its_region_went,
                a_scan_goes_on_through_a_split,
                writes_find_a_region_that_moved_and_split,
            ],
            row_mutations: [
                every_kind_of_change_is_made_in_one_step,
                none_of_them_is_made_if_one_is_refused,
                times_and_times_to_live_are_each_changes_own,
                a_check_guards_several_changes,
                steps_share_calls_with_other_operations,
            ],
            retention: [
                deleted_cells_go_with_flush_and_major_compaction,
                deleted_cells_stay_where_the_family_keeps_them,
                kept_deleted_cells_count_as_versions,
                versions_beyond_the_most_are_not_seen_and_go_with_a_flush,
                a_family_s_time_to_live_ends_every_version,
                min_versions_outlive_the_time_to_live,
                markers_are_kept_until_their_time_to_live_or_for_good,
                a_cell_lives_no_longer_than_its_family,
            ],
            records: [
                a_scan_tells_records_apart,
                a_projection_reads_its_part,
            ],
            rows: [
                a_row_is_put_got_and_deleted,
                a_get_brings_the_columns_it_names,
                versions_and_times_are_chosen,
                each_kind_of_delete_hides_what_it_names,
                any_bytes_are_a_row_key_a_qualifier_and_a_value,
                a_cell_with_a_time_to_live_vanishes,
            ],
            scans: [
                a_scan_crosses_regions_in_order,
                a_reversed_scan_is_the_same_rows_backwards,
                a_limit_counts_rows_over_regions,
                columns_versions_and_times_narrow_a_scan,
                rows_larger_than_a_page_come_whole,
                a_raw_scan_shows_delete_markers,
                an_empty_range_has_no_rows,
                a_dropped_scan_leaves_no_trace,
            ],
            schema: [
                a_table_is_created_from_its_row_type,
                what_differs_is_named_and_altered,
                what_loses_data_is_refused_unless_it_is_named,
                a_key_of_another_layout_is_told_and_cannot_be_altered,
                a_stated_default_is_no_difference,
            ],
            sizes: [
                cells_and_rows_are_as_large_as_the_server_says,
            ],
            typed: [
                a_row_is_a_value,
                rows_with_a_random_salt_are_found_in_any_bucket,
                buckets_of_a_salted_key_come_together_in_order,
                text_in_front_is_whole_or_begun,
                what_is_not_of_the_type_is_told,
            ],
            updates: [
                an_update_is_one_step,
                columns_versions_and_families_are_unset,
                a_condition_guards_an_update,
                a_constraint_is_checked_before_sending,
                a_version_keeps_writers_apart,
                a_hook_writes_beside_a_change_or_refuses_it,
            ],
        );
    };
    ($place:path, $($module:ident: [$($case:ident,)*],)*) => {
        $(mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                if let Some(place) = $place(stringify!($case)).await {
                    crate::$module::$case(place).await;
                }
            })*
        })*
    };
}

mod on_mock {
    use tallrow_tests::Place;

    async fn place(_: &str) -> Option<Place> {
        Some(Place::mock().await)
    }

    run_on!(super::place);
}

/// If the environment names one.
mod on_real {
    run_on!(tallrow_tests::Place::real);
}
