//! Every public future of the client can be spawned: it is `Send`, and `'static` if its arguments
//! are. The list is compared with the sources, so no public `async fn` is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tallrow::{
    Admin, Append, Client, Config, Counter, Delete, Get, Increment, Put, RawTable, Scan, Table,
    TableDescriptor, TableName, Timestamp, TypedTable, Update,
    admin::{
        AuthorizedViewDescriptor, Backup, BackupDescriptor, BackupName, BigtableAdmin, Endpoint,
        HBaseAdmin, LongRunningOperation, NamespaceDescriptor, OperationProgress, Permission,
        PermissionScope, QuotaTarget, Region, ReplicationPeerConfig, SchemaBundle, SchemaDiff,
        SlowLogKind, SpaceQuota, Throttle, ThrottleKind,
    },
    changes::{ChangeRecord, ChangeStream},
    column::{Column, Condition},
    ids::IdBlocks,
    index::{CoveredRows, Index, IndexRebuild, IndexRows, IndexedTable, Summary},
    key::RowRange,
    key_migration::{Backfill, KeyMigration, KeyMigrationBuilder, Verification},
    list::PackedList,
    lookup::{Finding, KeyLookup, Lookup},
    op::{AddToCells, CheckAndMutate, MergeToCells, Mutation, RowMutations},
    query::{QueryRows, SqlRow, SqlType},
    regions::RegionLocator,
    scan::{FirstRows, RowStream},
    series::{
        DownsampledPoints, Point, Points, Series, SeriesRow, SeriesRows, SeriesScan,
        TimeSeriesTable,
    },
    table::{
        Batch, CellScan, Join, TableFirstRows, TableKeys, TableRows, TableScan, TypedWriter,
        WriteRow,
    },
    value::NativeCodec,
    writer::Writer,
};

/// A value for code that is compiled and never run.
fn any<V>() -> V {
    unreachable!("no future of this test is polled")
}

/// Spawns what `make` returns; `make` is never called.
fn spawned<F>(make: impl FnOnce() -> F)
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let spawn = || tokio::spawn(make());
    drop(spawn);
}

/// The name of a method, called in a spawned future that owns all its arguments.
macro_rules! spawned {
    ($handle:ident::$name:ident $(::<$of:ty>)? ($($argument:expr),*)) => {{
        spawned(|| async move { drop($handle::$name $(::<$of>)? ($($argument),*).await) });
        concat!(stringify!($handle), "::", stringify!($name))
    }};
}

/// In generic code, with the bounds that the operations need.
fn all<T>() -> Vec<&'static str>
where
    T: Table<Key: Send + Sync> + WriteRow + Send + Sync + 'static,
{
    let of_client = [
        spawned!(Client::close(&any(), Duration::ZERO)),
        spawned!(Client::connect("mock:")),
        spawned!(Client::connect_with("mock:", any::<Config>())),
        spawned!(Client::open::<T>(&any())),
        spawned!(Client::open_named::<T>(&any(), "t")),
        spawned!(Client::prefetch_regions(&any(), "t")),
        spawned!(Client::export_region_locations(&any())),
        spawned!(Client::import_region_locations(&any(), &any::<Vec<u8>>())),
        spawned!(Client::prepare(&any(), "SELECT 1", [("p", SqlType::Int64)])),
        spawned!(QueryRows::next_row(&mut any::<QueryRows>())),
        spawned!(QueryRows::try_collect::<Vec<SqlRow>>(any::<QueryRows>())),
        spawned!(ChangeStream::next_record(&mut any::<ChangeStream>())),
        spawned!(ChangeStream::try_collect::<Vec<ChangeRecord>>(any::<ChangeStream>())),
        spawned!(RegionLocator::all_regions(&any())),
        spawned!(RegionLocator::regions_by_server_name(&any())),
        spawned!(RegionLocator::locate(&any(), "r")),
        spawned!(RegionLocator::locate_range(&any(), &any::<RowRange>())),
        spawned!(RegionLocator::reload(&any(), "r")),
    ];
    let of_admin = [
        spawned!(Admin::alter(&any(), &any::<SchemaDiff>())),
        spawned!(Admin::create::<T>(&any())),
        spawned!(Admin::create_if_missing::<T>(&any())),
        spawned!(Admin::create_table(&any(), &any::<TableDescriptor>())),
        spawned!(Admin::create_table_with_splits(
            &any(),
            &any::<TableDescriptor>(),
            any::<Vec<String>>()
        )),
        spawned!(Admin::create_table_if_missing(&any(), &any::<TableDescriptor>())),
        spawned!(Admin::delete_table(&any(), "t")),
        spawned!(Admin::describe(&any(), "t")),
        spawned!(Admin::diff::<T>(&any())),
        spawned!(Admin::diff_table(&any(), &any::<TableDescriptor>())),
        spawned!(Admin::list_tables(&any())),
        spawned!(Admin::table_exists(&any(), "t")),
        spawned!(Admin::truncate_table(&any(), "t")),
    ];
    let of_hbase_admin = [
        spawned!(BigtableAdmin::authorized_view(&any(), "t", "v")),
        spawned!(BigtableAdmin::backup(&any(), &any::<BackupName>())),
        spawned!(BigtableAdmin::copy_backup(
            &any(),
            &any::<BackupName>(),
            &any::<BackupName>(),
            any::<SystemTime>()
        )),
        spawned!(BigtableAdmin::create_authorized_view(
            &any(),
            "t",
            &any::<AuthorizedViewDescriptor>()
        )),
        spawned!(BigtableAdmin::create_backup(&any(), "t", &any::<BackupDescriptor>())),
        spawned!(BigtableAdmin::create_schema_bundle(&any(), "t", &any::<SchemaBundle>())),
        spawned!(BigtableAdmin::delete_authorized_view(&any(), "t", "v")),
        spawned!(BigtableAdmin::delete_backup(&any(), &any::<BackupName>())),
        spawned!(BigtableAdmin::delete_schema_bundle(&any(), "t", "b", Some("etag"))),
        spawned!(BigtableAdmin::is_deletion_protected(&any(), "t")),
        spawned!(BigtableAdmin::list_authorized_views(&any(), "t")),
        spawned!(BigtableAdmin::list_backups(&any(), Some("c"))),
        spawned!(BigtableAdmin::list_schema_bundles(&any(), "t")),
        spawned!(BigtableAdmin::restore_table(&any(), &any::<BackupName>(), "t")),
        spawned!(BigtableAdmin::schema_bundle(&any(), "t", "b")),
        spawned!(BigtableAdmin::set_authorized_view(
            &any(),
            "t",
            &any::<AuthorizedViewDescriptor>()
        )),
        spawned!(BigtableAdmin::set_backup_expiry(
            &any(),
            &any::<BackupName>(),
            any::<SystemTime>()
        )),
        spawned!(BigtableAdmin::set_deletion_protection(&any(), "t", true)),
        spawned!(BigtableAdmin::set_schema_bundle(&any(), "t", &any::<SchemaBundle>())),
        spawned!(BigtableAdmin::undelete_table(&any(), "t")),
        spawned!(LongRunningOperation::cancel(&any::<LongRunningOperation<Backup>>())),
        spawned!(LongRunningOperation::poll(&any::<LongRunningOperation<Backup>>())),
        spawned!(LongRunningOperation::wait(
            &any::<LongRunningOperation<Backup>>(),
            Duration::ZERO
        )),
        spawned!(LongRunningOperation::wait_with_progress(
            &any::<LongRunningOperation<TableName>>(),
            Duration::ZERO,
            any::<fn(&OperationProgress)>()
        )),
        spawned!(BigtableAdmin::drop_rows(&any(), "t", "r")),
        spawned!(BigtableAdmin::row_key_schema(&any(), "t")),
        spawned!(BigtableAdmin::set_row_key_schema(&any(), "t", &any())),
        spawned!(BigtableAdmin::remove_row_key_schema(&any(), "t")),
        spawned!(BigtableAdmin::sample_row_keys(&any(), "t", &RowRange::all())),
        spawned!(BigtableAdmin::wait_for_replication(&any(), "t")),
        spawned!(HBaseAdmin::abort_procedure(&any(), 1)),
        spawned!(HBaseAdmin::add_labels(&any(), ["l"])),
        spawned!(HBaseAdmin::add_replication_peer(
            &any(),
            "p",
            &any::<ReplicationPeerConfig>(),
            true
        )),
        spawned!(HBaseAdmin::assign_region(&any(), &any::<Region>())),
        spawned!(HBaseAdmin::balance(&any())),
        spawned!(HBaseAdmin::call_endpoint::<()>(&any(), "t", "r", &any::<Endpoint>(), &())),
        spawned!(HBaseAdmin::call_endpoint_on_range::<()>(
            &any(),
            "t",
            "a".."b",
            &any::<Endpoint>(),
            &()
        )),
        spawned!(HBaseAdmin::remove_auths(&any(), "u", ["l"])),
        spawned!(HBaseAdmin::clear_slow_log(&any(), "s,1,1")),
        spawned!(HBaseAdmin::clone_snapshot(&any(), "s", "t")),
        spawned!(HBaseAdmin::clone_table_schema(&any(), "t", "u", true)),
        spawned!(HBaseAdmin::cluster_status(&any())),
        spawned!(HBaseAdmin::compact(&any(), "t")),
        spawned!(HBaseAdmin::compaction_state(&any(), "t")),
        spawned!(HBaseAdmin::create_namespace(&any(), &any::<NamespaceDescriptor>())),
        spawned!(HBaseAdmin::decommission_servers(&any(), &["s,1,1"], false)),
        spawned!(HBaseAdmin::delete_namespace(&any(), "n")),
        spawned!(HBaseAdmin::delete_snapshot(&any(), "s")),
        spawned!(HBaseAdmin::describe_namespace(&any(), "n")),
        spawned!(HBaseAdmin::delegation_token(&any())),
        spawned!(HBaseAdmin::disable_replication_peer(&any(), "p")),
        spawned!(HBaseAdmin::disable_table(&any(), "t")),
        spawned!(HBaseAdmin::enable_replication_peer(&any(), "p")),
        spawned!(HBaseAdmin::enable_table(&any(), "t")),
        spawned!(HBaseAdmin::flush(&any(), "t")),
        spawned!(HBaseAdmin::list_auths(&any(), "u")),
        spawned!(HBaseAdmin::grant(
            &any(),
            "u",
            &any::<PermissionScope>(),
            any::<Vec<Permission>>()
        )),
        spawned!(HBaseAdmin::grant_more(
            &any(),
            "u",
            &any::<PermissionScope>(),
            [Permission::Read]
        )),
        spawned!(HBaseAdmin::has_permissions(
            &any(),
            "u",
            &any::<PermissionScope>(),
            any::<Vec<Permission>>()
        )),
        spawned!(HBaseAdmin::is_balancer_enabled(&any())),
        spawned!(HBaseAdmin::is_table_enabled(&any(), "t")),
        spawned!(HBaseAdmin::is_merge_enabled(&any())),
        spawned!(HBaseAdmin::is_snapshot_cleanup_enabled(&any())),
        spawned!(HBaseAdmin::is_split_enabled(&any())),
        spawned!(HBaseAdmin::list_decommissioned_servers(&any())),
        spawned!(HBaseAdmin::list_labels(&any())),
        spawned!(HBaseAdmin::list_namespaces(&any())),
        spawned!(HBaseAdmin::list_permissions(&any(), &any::<PermissionScope>())),
        spawned!(HBaseAdmin::list_procedures(&any())),
        spawned!(HBaseAdmin::list_quotas(&any())),
        spawned!(HBaseAdmin::list_replication_peers(&any())),
        spawned!(HBaseAdmin::list_snapshots(&any())),
        spawned!(HBaseAdmin::major_compact(&any(), "t")),
        spawned!(HBaseAdmin::merge_regions(&any(), &any::<Vec<Region>>())),
        spawned!(HBaseAdmin::move_region(&any(), &any::<Region>(), "s,1,1")),
        spawned!(HBaseAdmin::recommission_server(&any(), "s,1,1", &any::<Vec<Region>>())),
        spawned!(HBaseAdmin::region_metrics(&any(), "s,1,1", "t")),
        spawned!(HBaseAdmin::region_servers(&any())),
        spawned!(HBaseAdmin::regions(&any(), "t")),
        spawned!(HBaseAdmin::remove_replication_peer(&any(), "p")),
        spawned!(HBaseAdmin::remove_space_quota(&any(), &any::<QuotaTarget>())),
        spawned!(HBaseAdmin::remove_throttle(&any(), &any::<QuotaTarget>(), any::<ThrottleKind>())),
        spawned!(HBaseAdmin::restore_snapshot(&any(), "s")),
        spawned!(HBaseAdmin::revoke(&any(), "u", &any::<PermissionScope>())),
        spawned!(HBaseAdmin::add_auths(&any(), "u", ["l"])),
        spawned!(HBaseAdmin::set_balancer_enabled(&any(), true)),
        spawned!(HBaseAdmin::set_merge_enabled(&any(), true)),
        spawned!(HBaseAdmin::set_snapshot_cleanup_enabled(&any(), true)),
        spawned!(HBaseAdmin::server_space_quota_snapshots(&any(), "s,1,1")),
        spawned!(HBaseAdmin::set_space_quota(&any(), &any::<QuotaTarget>(), any::<SpaceQuota>())),
        spawned!(HBaseAdmin::set_split_enabled(&any(), true)),
        spawned!(HBaseAdmin::set_throttle(&any(), &any::<QuotaTarget>(), any::<Throttle>())),
        spawned!(HBaseAdmin::slow_log(&any(), "s,1,1", any::<SlowLogKind>(), 1)),
        spawned!(HBaseAdmin::space_quota_snapshots(&any())),
        spawned!(HBaseAdmin::space_quota_table_sizes(&any())),
        spawned!(HBaseAdmin::split_region(&any(), &any::<Region>(), any::<Vec<u8>>())),
        spawned!(HBaseAdmin::take_snapshot(&any(), "t", "s")),
        spawned!(HBaseAdmin::truncate_region(&any(), &any::<Region>())),
        spawned!(HBaseAdmin::unassign_region(&any(), &any::<Region>())),
        spawned!(HBaseAdmin::update_replication_peer(&any(), "p", &any::<ReplicationPeerConfig>())),
        spawned!(HBaseAdmin::version(&any())),
        spawned!(HBaseAdmin::who_am_i(&any())),
        spawned!(HBaseAdmin::wait_for_procedure(&any(), 1)),
    ];
    let of_raw_table = [
        spawned!(RawTable::add_to_cells(&any(), any::<AddToCells>())),
        spawned!(RawTable::append(&any(), any::<Append>())),
        spawned!(RawTable::batch(&any(), any::<Vec<Mutation>>())),
        spawned!(RawTable::check_and_mutate(&any(), any::<CheckAndMutate>())),
        spawned!(RawTable::count(&any(), any::<Scan>())),
        spawned!(RawTable::delete(&any(), any::<Delete>())),
        spawned!(RawTable::delete_all(&any(), any::<Vec<Delete>>())),
        spawned!(RawTable::exists(&any(), any::<Get>())),
        spawned!(RawTable::explain(&any(), any::<Scan>())),
        spawned!(RawTable::get(&any(), any::<Get>())),
        spawned!(RawTable::get_all(&any(), any::<Vec<Get>>())),
        spawned!(RawTable::get_timeline(&any(), any::<Get>())),
        spawned!(RawTable::increment(&any(), any::<Increment>())),
        spawned!(RawTable::merge_to_cells(&any(), any::<MergeToCells>())),
        spawned!(RawTable::move_row(&any(), "a", "b")),
        spawned!(RawTable::move_row_to(&any(), "a", &any(), "b")),
        spawned!(RawTable::mutate_row(&any(), any::<RowMutations>())),
        spawned!(RawTable::mutate_rows(&any(), any::<Vec<Put>>())),
        spawned!(RawTable::put(&any(), any::<Put>())),
        spawned!(RawTable::put_all(&any(), any::<Vec<Put>>())),
        spawned!(RawTable::read_back(&any(), any::<Put>(), any::<Timestamp>())),
        spawned!(RawTable::scan_page(&any(), any::<Scan>(), 1)),
        spawned!(RowStream::next_row(&mut any())),
        spawned!(RowStream::next_step(&mut any())),
        spawned!(RowStream::try_collect::<Vec<tallrow::Row>>(any())),
        spawned!(FirstRows::next_row(&mut any::<FirstRows<'static>>())),
        spawned!(FirstRows::try_collect::<Vec<Option<tallrow::Row>>>(any::<FirstRows<'static>>())),
    ];
    let of_writer = [
        spawned!(Writer::close(&any(), Duration::ZERO)),
        spawned!(Writer::flush(&any())),
        spawned!(Writer::write(&any(), any::<Put>())),
        spawned!(TypedWriter::close(&any::<TypedWriter<T>>(), Duration::ZERO)),
        spawned!(TypedWriter::delete(&any::<TypedWriter<T>>(), &any())),
        spawned!(TypedWriter::flush(&any::<TypedWriter<T>>())),
        spawned!(TypedWriter::put(&any::<TypedWriter<T>>(), &any())),
        spawned!(TypedWriter::update(&any::<TypedWriter<T>>(), &any(), any::<Update<T>>())),
    ];
    let of_table = [
        spawned!(TypedTable::append(
            &any::<TypedTable<T>>(),
            &any(),
            any::<Column<T, String, NativeCodec>>(),
            ""
        )),
        spawned!(TypedTable::batch(
            &any::<TypedTable<T>>(),
            Batch::new().put(&any()).delete(&any())
        )),
        spawned!(TypedTable::check_and_update(
            &any::<TypedTable<T>>(),
            &any(),
            any::<Condition<T>>(),
            any::<Update<T>>()
        )),
        spawned!(TypedTable::check_and_delete(
            &any::<TypedTable<T>>(),
            &any(),
            any::<Column<T, u8, NativeCodec>>(),
            Some(&1)
        )),
        spawned!(TypedTable::check_and_put(
            &any::<TypedTable<T>>(),
            any::<Column<T, u8, NativeCodec>>(),
            Some(&1),
            &any()
        )),
        spawned!(TypedTable::delete(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::delete_all(&any::<TypedTable<T>>(), &any::<Vec<T::Key>>())),
        spawned!(TypedTable::delete_cell(
            &any::<TypedTable<T>>(),
            &any(),
            any::<Column<T, u8, NativeCodec>>()
        )),
        spawned!(TypedTable::exists(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::get(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::get_all(&any::<TypedTable<T>>(), &any::<Vec<T::Key>>())),
        spawned!(TypedTable::get_all_timeline(&any::<TypedTable<T>>(), &any::<Vec<T::Key>>())),
        spawned!(TypedTable::get_timeline(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::increment(
            &any::<TypedTable<T>>(),
            &any(),
            any::<Column<T, Counter>>(),
            1
        )),
        spawned!(TypedTable::increment_columns(
            &any::<TypedTable<T>>(),
            &any(),
            [(any::<Column<T, Counter>>(), 1)]
        )),
        spawned!(TypedTable::locate(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::locate_range(&any::<TypedTable<Row>>(), Id::scan())),
        spawned!(TypedTable::move_row(&any::<TypedTable<T>>(), &any(), &any())),
        spawned!(TypedTable::mutate_rows(
            &any::<TypedTable<T>>(),
            Batch::new().put(&any()).delete(&any())
        )),
        spawned!(TypedTable::put(&any::<TypedTable<T>>(), &any())),
        spawned!(TypedTable::put_all(&any::<TypedTable<T>>(), &any::<Vec<T>>())),
        spawned!(TypedTable::save(&any::<TypedTable<T>>(), &mut any())),
        spawned!(TypedTable::update(&any::<TypedTable<T>>(), &any(), any::<Update<T>>())),
        spawned!(Join::next_row(&mut any::<Join<T, T, TableRows<T>, fn(&T) -> Option<T::Key>>>())),
        spawned!(CellScan::page(any::<CellScan<'_, T, u32, String, NativeCodec>>(), 1)),
        spawned!(TableKeys::next_key(&mut any::<TableKeys<Id>>())),
        spawned!(TableKeys::try_collect::<Vec<Id>>(any::<TableKeys<Id>>())),
        spawned!(TableRows::try_collect::<Vec<T>>(any::<TableRows<T>>())),
        spawned!(TableFirstRows::next_row(&mut any::<TableFirstRows<'static, T>>())),
        spawned!(
            TableFirstRows::try_collect::<Vec<Option<T>>>(any::<TableFirstRows<'static, T>>())
        ),
        spawned!(Join::try_collect::<Vec<(T, Option<T>)>>(any::<
            Join<T, T, TableRows<T>, fn(&T) -> Option<T::Key>>,
        >())),
        spawned!(TableRows::next_row(&mut any::<TableRows<T>>())),
        spawned!(TableScan::count(any::<TableScan<T>>())),
        spawned!(TableScan::explain(any::<TableScan<T>>())),
        spawned!(TableScan::page(any::<TableScan<T>>(), 1)),
    ];
    let of_ids = [spawned!(IdBlocks::next_id(&any())), spawned!(IdBlocks::reserve(&any(), 1))];
    let of_list = [
        spawned!(PackedList::extend(&any::<PackedList<T, String, NativeCodec>>(), &any(), any())),
        spawned!(PackedList::get(&any::<PackedList<T, String, NativeCodec>>(), &any())),
        spawned!(PackedList::push(&any::<PackedList<T, String, NativeCodec>>(), &any(), any())),
    ];
    let of_lookup = [
        spawned!(Lookup::find(&any(), "name")),
        spawned!(Lookup::find_all(&any(), any::<Vec<String>>())),
        spawned!(Lookup::fsck(&any())),
        spawned!(Lookup::name(&any(), 1)),
        spawned!(Lookup::names(&any(), any::<Vec<u64>>())),
        spawned!(Lookup::repair(&any(), &any::<Vec<Finding>>())),
        spawned!(Lookup::get_or_create(&any(), "name")),
        spawned!(Lookup::get_or_create_all(&any(), any::<Vec<String>>())),
        spawned!(KeyLookup::find(&any::<KeyLookup<Named>>(), &any())),
        spawned!(KeyLookup::find_all(&any::<KeyLookup<Named>>(), &any::<Vec<NamedNames>>())),
        spawned!(KeyLookup::names(&any::<KeyLookup<Named>>(), &any())),
        spawned!(KeyLookup::names_all(&any::<KeyLookup<Named>>(), &any::<Vec<Named>>())),
        spawned!(KeyLookup::get_or_create(&any::<KeyLookup<Named>>(), &any())),
        spawned!(KeyLookup::get_or_create_all(
            &any::<KeyLookup<Named>>(),
            &any::<Vec<NamedNames>>()
        )),
    ];
    let of_rekey = [
        spawned!(Backfill::run(any())),
        spawned!(KeyMigration::check_keys(&any())),
        spawned!(KeyMigration::count_rows(&any())),
        spawned!(KeyMigration::phase(&any())),
        spawned!(KeyMigration::switch_reads(&any())),
        spawned!(KeyMigration::switch_reads_back(&any())),
        spawned!(KeyMigration::switch_writes(&any())),
        spawned!(KeyMigration::sync_row(&any(), "a")),
        spawned!(KeyMigration::write(&any(), "a", async { Ok(()) }, async { Ok(()) })),
        spawned!(KeyMigrationBuilder::open(any())),
        spawned!(Verification::run(any())),
    ];
    let of_series = [
        spawned!(TimeSeriesTable::find_series(&any(), "metric", any::<Vec<(String, String)>>())),
        spawned!(TimeSeriesTable::scan(&any(), any::<SeriesScan>())),
        spawned!(TimeSeriesTable::get_or_create_series(
            &any(),
            "metric",
            any::<Vec<(String, String)>>()
        )),
        spawned!(Series::append(&any(), any::<Vec<Point>>())),
        spawned!(Series::compact(&any(), any::<Timestamp>())),
        spawned!(Series::names(&any())),
        spawned!(Series::write(&any(), any::<Vec<Point>>())),
        spawned!(SeriesRows::next_row(&mut any())),
        spawned!(SeriesRows::try_collect::<Vec<SeriesRow>>(any())),
        spawned!(Points::try_collect::<Vec<Point>>(any())),
        spawned!(DownsampledPoints::try_collect::<Vec<(Timestamp, f64)>>(any())),
        spawned!(Points::next_point(&mut any())),
        spawned!(DownsampledPoints::next_value(&mut any())),
    ];
    let of_index = [
        spawned!(CoveredRows::next_row(&mut any::<CoveredRows<T, Id, T>>())),
        spawned!(CoveredRows::try_collect::<Vec<T>>(any::<CoveredRows<T, Id, T>>())),
        spawned!(IndexRows::try_collect::<Vec<T>>(any::<IndexRows<T, Id>>())),
        spawned!(IndexedTable::purge_deleted(&any::<IndexedTable<T>>())),
        spawned!(IndexRebuild::step(&mut any::<IndexRebuild<T>>())),
        spawned!(IndexRows::next_row(&mut any::<IndexRows<T, Id>>())),
        spawned!(IndexedTable::delete(&any::<IndexedTable<T>>(), &any())),
        spawned!(IndexedTable::get_by(&any::<IndexedTable<T>>(), &any::<Index<T, Id>>(), &any())),
        spawned!(IndexedTable::lag(&any::<IndexedTable<T>>())),
        spawned!(IndexedTable::put(&any::<IndexedTable<T>>(), &any())),
        spawned!(IndexedTable::put_all(&any::<IndexedTable<T>>(), &any::<Vec<T>>())),
        spawned!(IndexedTable::correct_counters(
            &any::<IndexedTable<T>>(),
            &any::<Summary<T, T>>()
        )),
        spawned!(IndexedTable::repair(&any::<IndexedTable<T>>(), Duration::ZERO)),
        spawned!(IndexedTable::update(&any::<IndexedTable<T>>(), &any(), any::<Update<T>>())),
    ];
    let groups = [
        &of_client[..],
        &of_admin,
        &of_hbase_admin,
        &of_writer,
        &of_raw_table,
        &of_table,
        &of_ids,
        &of_index,
        &of_list,
        &of_lookup,
        &of_rekey,
        &of_series,
    ];
    groups.concat()
}

/// For the tests of Bigtable alone.
const HIDDEN: &str = "bigtable/messages.rs";

/// The public `async fn`s in a folder as `Type::name`, with the type of their `impl`.
fn declared(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with(HIDDEN) {
            let mut of = String::new();
            for line in fs::read_to_string(&path).unwrap().lines() {
                if line.starts_with("impl") {
                    of = self_type(line).to_owned();
                }
                if let Some((_, rest)) = line.split_once("pub async fn ") {
                    let name = rest.split(['(', '<']).next().unwrap();
                    found.insert(format!("{of}::{name}"));
                }
            }
        }
    }
}

/// `Table` of `impl<T: Table> TypedTable<T> {`.
fn self_type(line: &str) -> &str {
    let line = line.trim_start_matches("impl");
    let mut depth = 0;
    let end_of_generics = line.find(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0
    });
    let rest = match line.starts_with('<') {
        true => &line[end_of_generics.unwrap() + 1..],
        false => line,
    };
    rest.trim_start().split([' ', '<']).next().unwrap()
}

#[derive(tallrow::RowKey)]
struct Id {
    number: u64,
}

#[derive(tallrow::RowKey)]
struct Named {
    #[key(lookup = "host")]
    host: u32,
    number: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    #[allow(dead_code, reason = "no row is made")]
    id: Id,
    #[cell("d:q")]
    value: Option<String>,
}

#[test]
fn every_public_future_can_be_spawned() {
    let compiled: BTreeSet<_> = all::<Row>().into_iter().map(str::to_owned).collect();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("sdk/src");
    let mut declared = BTreeSet::new();
    self::declared(&sources, &mut declared);
    assert_eq!(compiled, declared, "the list in this test (left) and the sources (right) differ");
}
