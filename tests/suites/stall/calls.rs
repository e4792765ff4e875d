//! Every public call to a server.

use std::pin::Pin;
use std::time::Duration;

use tallrow::{
    Append, Client, Delete, Error, FamilyDescriptor, Increment, Put, Result, Scan, TableDescriptor,
    Timestamp, Update,
    admin::{
        Endpoint, NamespaceDescriptor, Permission, PermissionScope, QuotaPeriod, QuotaTarget,
        ReplicationPeerConfig, SlowLogKind, SpaceQuota, SpaceViolationPolicy, Throttle,
        ThrottleKind,
    },
    key::RowRange,
    key_migration::{KeyMigration, KeyMigrationState},
    lookup::Finding,
    op::BatchResults,
    op::{AddToCells, Check, RowMutations, RowOperation},
    series::{Aggregation, Point, SeriesScan},
    table::Batch,
};

use crate::stall::place::{Site, same_keys};
use crate::stall::typed::{Creating, Id, Item, Missing, Named, named};

/// A call, and the servers that it calls.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) path: Path,
    pub(crate) run: fn(Site) -> Running,
}

/// The result of each part of a call.
pub(crate) type Errors = Vec<Option<Error>>;
type Running = Pin<Box<dyn Future<Output = Errors>>>;

/// The servers that a call uses after the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// None: it only connects.
    Connect,
    /// None.
    Registry,
    /// `hbase:meta`, then the server of the rows.
    Rows,
    /// `hbase:meta`.
    Meta,
    /// `hbase:meta`, then the server of every region.
    Regions,
    /// The server of the rows, by its name.
    Server,
    /// The master.
    Master,
    /// The master, then the master until its procedure is done.
    Procedure,
    /// The master, which is asked for a procedure.
    Poll,
    /// `hbase:meta`, then as `Procedure`.
    RegionsThenMaster,
}

/// The outcome of a call.
pub(crate) trait Failures {
    fn errors(self) -> Errors;
}

impl<T> Failures for Result<T> {
    fn errors(self) -> Errors {
        vec![self.err()]
    }
}

impl<T> Failures for BatchResults<T> {
    fn errors(self) -> Errors {
        self.into_iter().map(Result::err).collect()
    }
}

macro_rules! calls {
    ($($path:ident $name:literal |$site:ident| $call:expr;)*) => {
        &[$(Call {
            name: $name,
            path: Path::$path,
            run: |$site: Site| Box::pin(async move { Failures::errors($call) }),
        }),*]
    };
}

fn put(row: &str) -> Put {
    Put::new(row).cell("f", "q", "v")
}

fn table(name: &str) -> TableDescriptor {
    TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"))
}

pub(crate) fn peer() -> ReplicationPeerConfig {
    ReplicationPeerConfig::new("zk.example:2181:/hbase")
}

fn endpoint() -> Endpoint {
    Endpoint::new("AggregateService", "GetRowNum").repeatable()
}

/// A file of `Client::export_region_locations` without regions.
const NO_REGIONS: &[u8] =
    b"tallrow regions 1\n\xd4\x1d\x8c\xd9\x8f\x00\xb2\x04\xe9\x80\x09\x98\xec\xf8\x42\x7e";

fn id() -> Id {
    Id { id: 1 }
}

fn seen() -> Update<Item> {
    Update::new().set(Item::WHAT, "seen").add(Item::COUNT, 1)
}

fn both() -> [Item; 2] {
    [Item::new(1, "a"), Item::new(2, "b")]
}

fn counted() -> RowMutations {
    RowMutations::new("r").add(put("r")).add(Increment::new("r").add("f", "n", 1))
}

fn operations() -> [RowOperation; 3] {
    [
        put("r001").into(),
        tallrow::Get::new("r002").into(),
        Increment::new("r003").add("f", "n", 1).into(),
    ]
}

/// With its state in a table.
async fn rekey(site: &Site) -> Result<KeyMigration> {
    let state = KeyMigrationState::table(site.raw.clone(), "rekey", "f");
    let keys = same_keys();
    KeyMigration::builder(&site.client, site.raw.clone(), site.copies.clone(), keys, state)
        .open()
        .await
}

pub(crate) const CALLS: &[Call] = calls! {
    Connect "Client::connect" |s| Client::connect_with(&s.urls[0], s.config).await;
    Connect "Client::connect to three hosts" |s| Client::connect_with(&s.urls[1], s.config).await;
    Connect "Client::connect to ZooKeeper" |s| Client::connect_with(&s.urls[2], s.config).await;
    Master "Client::open" |s| s.client.open::<Item>().await;
    Master "Client::open_named" |s| s.client.open_named::<Item>("others").await;
    Meta "Client::prefetch_regions" |s| s.client.prefetch_regions("t").await;

    Registry "Client::export_region_locations" |s| s.client.export_region_locations().await;
    Registry "Client::import_region_locations" |s| s.client.import_region_locations(NO_REGIONS).await;
    Meta "RegionLocator::locate" |s| s.client.region_locator("t").unwrap().locate("r001").await;
    Meta "RegionLocator::reload" |s| s.client.region_locator("t").unwrap().reload("r001").await;
    Meta "RegionLocator::locate_range" |s| s.client.region_locator("t").unwrap().locate_range(&RowRange::all()).await;
    Meta "RegionLocator::all_regions" |s| s.client.region_locator("t").unwrap().all_regions().await;
    Meta "RegionLocator::regions_by_server_name" |s| s.client.region_locator("t").unwrap().regions_by_server_name().await;

    Rows "RawTable::get" |s| s.raw.get("r001").await;
    Rows "RawTable::exists" |s| s.raw.exists("r001").await;
    Rows "RawTable::put" |s| s.raw.put(put("r001")).await;
    Rows "RawTable::delete" |s| s.raw.delete(Delete::new("r001")).await;
    Rows "RawTable::delete newest version" |s| s.raw.delete(Delete::new("r001").newest_version("f", "q")).await;
    Rows "RawTable::increment" |s| s.raw.increment(Increment::new("r001").add("f", "n", 1)).await;
    Rows "RawTable::append" |s| s.raw.append(Append::new("r001").add("f", "q", "v")).await;
    Rows "RawTable::add_to_cells" |s| s.raw.add_to_cells(AddToCells::new("r001").add("f", "n", 1)).await;
    Rows "RawTable::mutate_row" |s| s.raw.mutate_row(counted()).await;
    Rows "RawTable::mutate_rows" |s| s.raw.mutate_rows([put("r001"), put("r002")]).await;
    Rows "RawTable::move_row" |s| s.raw.move_row("r001", "r1").await;
    Rows "RawTable::move_row_to" |s| s.raw.move_row_to("r001", &s.copies, "r1").await;
    Rows "RawTable::check_and_mutate" |s| s.raw.check_and_mutate(Check::new("r", "f", "q").if_not_exists().then(put("r"))).await;
    Rows "RawTable::batch" |s| s.raw.batch(operations()).await;
    Rows "RawTable::put_all" |s| s.raw.put_all([put("r001"), put("r002")]).await;
    Rows "RawTable::delete_all" |s| s.raw.delete_all(["r001", "r002"]).await;
    Rows "RawTable::get_timeline" |s| s.raw.get_timeline("r001").await;
    Rows "RawTable::get_all" |s| s.raw.get_all(["r001", "r002"]).await;
    Rows "RawTable::scan" |s| s.raw.scan(Scan::all()).unwrap().next_row().await;
    Rows "RowStream::try_collect" |s| s.raw.scan(Scan::all()).unwrap().try_collect::<Vec<_>>().await;
    Rows "FirstRows::next_row" |s| s.raw.first_of_each([Scan::all()]).next_row().await;
    Rows "RawTable::scan reversed" |s| s.raw.scan(Scan::all().reversed()).unwrap().next_row().await;
    Rows "RowStream::next_step" |s| s.raw.scan(Scan::all().cursors()).unwrap().next_step().await;
    Meta "RawTable::explain" |s| s.raw.explain(Scan::all()).await;
    Rows "RawTable::read_back" |s| s.raw.read_back(put("r"), Timestamp::from_millis(1)).await;
    Rows "RawTable::scan_page" |s| s.raw.scan_page(Scan::all(), 2).await;
    Rows "RawTable::count" |s| s.raw.count(Scan::all()).await;

    Rows "TypedTable::get" |s| s.items.get(&id()).await;
    Rows "TypedTable::get_timeline" |s| s.items.get_timeline(&id()).await;
    Rows "TypedTable::get_all_timeline" |s| s.items.get_all_timeline([id(), Id { id: 2 }].iter()).await;
    Rows "TypedTable::get_all" |s| s.items.get_all([id(), Id { id: 2 }].iter()).await;
    Rows "TypedTable::exists" |s| s.items.exists(&id()).await;
    Rows "TypedTable::put" |s| s.items.put(&Item::new(1, "a")).await;
    Rows "TypedTable::save" |s| s.items.save(&mut Item::new(1, "a")).await;
    Rows "TypedTable::put_all" |s| s.items.put_all(&both()).await;
    Rows "TypedTable::mutate_rows" |s| s.items.mutate_rows(Batch::new().put(&Item::new(1, "a")).delete(&Id { id: 2 })).await;
    Rows "TypedTable::batch" |s| s.items.batch(Batch::new().put(&Item::new(1, "a")).update(&id(), seen()).delete(&Id { id: 2 })).await;
    Rows "TypedTable::delete_all" |s| s.items.delete_all([id(), Id { id: 2 }].iter()).await;
    Rows "TypedTable::update" |s| s.items.update(&id(), seen()).await;
    Rows "TypedTable::check_and_update" |s| s.items.check_and_update(&id(), Item::WHAT.eq("x"), seen()).await;
    Rows "TypedTable::move_row" |s| s.items.move_row(&id(), &Id { id: 1_000 }).await;
    Rows "TypedTable::delete" |s| s.items.delete(&id()).await;
    Rows "TypedTable::delete_cell" |s| s.items.delete_cell(&id(), Item::COUNT).await;
    Rows "TypedTable::increment" |s| s.items.increment(&id(), Item::COUNT, 1).await;
    Rows "TypedTable::increment_columns" |s| s.items.increment_columns(&id(), [(Item::COUNT, 1)]).await;
    Rows "TypedTable::append" |s| s.items.append(&id(), Item::WHAT, "!").await;
    Rows "TypedTable::check_and_put" |s| s.items.check_and_put(Item::WHAT, None, &Item::new(1, "a")).await;
    Rows "TypedTable::check_and_delete" |s| s.items.check_and_delete(&id(), Item::WHAT, None).await;
    Rows "CellScan::page" |s| s.items.scan_cells(&id(), Item::PARTS).page(2).await;
    Meta "TypedTable::locate" |s| s.items.locate(&id()).await;
    Meta "TypedTable::locate_range" |s| s.items.locate_range(Id::scan()).await;
    Rows "TypedTable::scan" |s| s.items.scan(Id::scan()).rows().next_row().await;
    Rows "TableFirstRows::next_row" |s| s.items.first_of_each([Id::scan()]).next_row().await;
    Rows "TableKeys::next_key" |s| s.items.scan(Id::scan()).keys().next_key().await;
    Rows "TableScan::page" |s| s.items.scan(Id::scan()).page(2).await;
    Rows "TableScan::count" |s| s.items.scan(Id::scan()).count().await;

    Rows "Join::next_row" |s| s.items.join(s.items.scan(Id::scan()).rows(), |item| Some(item.id.clone())).next_row().await;

    Rows "IdBlocks::next_id" |s| s.ids.next_id().await;
    Rows "IdBlocks::reserve" |s| s.ids.reserve(2).await;
    Rows "PackedList::extend" |s| s.recent.extend(&id(), vec!["a".into(), "b".into()]).await;
    Rows "PackedList::get" |s| s.recent.get(&id()).await;
    Rows "PackedList::push" |s| s.recent.push(&id(), "a".into()).await;
    Rows "Lookup::find" |s| s.lookup.find("a").await;
    Rows "Lookup::find_all" |s| s.lookup.find_all(["a", "b"]).await;
    Rows "Lookup::name" |s| s.lookup.name(1).await;
    Rows "Lookup::names" |s| s.lookup.names([1, 2]).await;
    Rows "Lookup::get_or_create" |s| s.lookup.get_or_create("a").await;
    Rows "Lookup::get_or_create_all" |s| s.lookup.get_or_create_all(["a", "b"]).await;
    Rows "KeyLookup::find" |s| s.keys.find(&named("a")).await;
    Rows "KeyLookup::find_all" |s| s.keys.find_all(&[named("a"), named("b")]).await;
    Rows "KeyLookup::names" |s| s.keys.names(&Named { host: 1 }).await;
    Rows "KeyLookup::names_all" |s| s.keys.names_all(&[Named { host: 1 }, Named { host: 2 }]).await;
    Rows "KeyLookup::get_or_create" |s| s.keys.get_or_create(&named("a")).await;
    Rows "KeyLookup::get_or_create_all" |s| s.keys.get_or_create_all(&[named("a"), named("b")]).await;
    Rows "Lookup::fsck" |s| s.lookup.fsck().await;
    Rows "Lookup::repair" |s| s.lookup.repair(&[Finding::NameWithoutId { id: 1, name: "a".into() }]).await;
    Rows "TimeSeriesTable::get_or_create_series" |s| s.db.get_or_create_series("m", [("host", "a")]).await;
    Rows "TimeSeriesTable::find_series" |s| s.db.find_series("m", [("host", "a")]).await;
    Rows "TimeSeries::scan" |s| s.db.scan(SeriesScan::new("m").tag("host", "a")).await;
    Rows "Series::names" |s| s.series.names().await;
    Rows "Series::write" |s| s.series.write([Point::at_secs(1, 1), Point::at_secs(7_200, 1)]).await;
    Rows "Series::append" |s| s.series.append([Point::at_secs(1, 1), Point::at_secs(7_200, 1)]).await;
    Rows "Points::next_point" |s| s.series.read(..).unwrap().next_point().await;
    Rows "DownsampledPoints::next_value" |s| s.series.downsample(.., Duration::from_secs(60), Aggregation::Sum).unwrap().next_value().await;
    Rows "Series::compact" |s| s.series.compact(Timestamp::from_millis(0)).await;

    Rows "KeyMigration::write" |s| s.rekey.write("r001", s.raw.put(put("r001")), async { Ok(()) }).await;
    Rows "KeyMigration::sync_row" |s| s.rekey.sync_row("r001").await;
    Rows "KeyMigration::check_keys" |s| s.rekey.check_keys().await;
    Rows "KeyMigration::count_rows" |s| s.rekey.count_rows().await;
    Rows "Backfill::run" |s| s.rekey.backfill().run().await;
    Rows "Verify::run" |s| s.rekey.verify().run().await;
    Master "KeyMigrationBuilder::open" |s| rekey(&s).await;
    Master "KeyMigration::phase" |s| async { rekey(&s).await?.phase().await }.await;
    Master "KeyMigration::switch_reads" |s| async { rekey(&s).await?.switch_reads().await }.await;
    Master "KeyMigration::switch_reads_back" |s| async { rekey(&s).await?.switch_reads_back().await }.await;
    Master "KeyMigration::switch_writes" |s| async { rekey(&s).await?.switch_writes().await }.await;

    Rows "IndexedTable::put" |s| s.indexed.put(&Item::new(1, "a")).await;
    Rows "IndexedTable::put_all" |s| s.indexed.put_all(&both()).await;
    Rows "IndexedTable::update" |s| s.indexed.update(&id(), Update::new().set(Item::WHAT, "b")).await;
    Rows "IndexedTable::delete" |s| s.indexed.delete(&id()).await;
    Rows "IndexedTable::get_by" |s| s.indexed.get_by(&s.by_what, &id()).await;
    Rows "IndexedTable::lag" |s| s.indexed.lag().await;
    Rows "IndexedTable::correct_counters" |s| s.indexed.correct_counters(&s.total).await;
    Rows "IndexedTable::repair" |s| s.indexed.repair(Duration::ZERO).await;
    Rows "IndexRebuild::step" |s| s.indexed.rebuild().step().await;
    Rows "IndexRows::next_row" |s| s.indexed.scan_by(&s.by_what, Id::scan()).rows().next_row().await;
    Rows "CoveredRows::next_row" |s| s.indexed.scan_by(&s.by_what, Id::scan()).covered().next_row().await;

    Procedure "Admin::create" |s| s.admin.create::<Creating>().await;
    Procedure "Admin::create_if_missing" |s| s.admin.create_if_missing::<Missing>().await;
    Procedure "Admin::create_table_if_missing" |s| s.admin.create_table_if_missing(&table("missing_too")).await;
    Procedure "Admin::create_table" |s| s.admin.create_table(&table("new")).await;
    Procedure "Admin::create_table_with_splits" |s| s.admin.create_table_with_splits(&table("split"), ["m"]).await;
    Procedure "Admin::alter" |s| s.admin.alter(&s.diff).await;
    Procedure "HBaseAdmin::disable_table" |s| s.admin.hbase().unwrap().disable_table("disabling").await;
    Procedure "HBaseAdmin::enable_table" |s| s.admin.hbase().unwrap().enable_table("enabling").await;
    Procedure "Admin::delete_table" |s| s.admin.delete_table("deleting").await;
    Procedure "Admin::truncate_table" |s| s.admin.truncate_table("truncating").await;
    Procedure "HBaseAdmin::create_namespace" |s| s.admin.hbase().unwrap().create_namespace(&NamespaceDescriptor::new("new")).await;
    Procedure "HBaseAdmin::delete_namespace" |s| s.admin.hbase().unwrap().delete_namespace("empty").await;
    Procedure "HBaseAdmin::split_region" |s| s.admin.hbase().unwrap().split_region(&s.region, "m").await;
    RegionsThenMaster "HBaseAdmin::take_snapshot" |s| s.admin.hbase().unwrap().take_snapshot("t", "new").await;
    Procedure "HBaseAdmin::merge_regions" |s| s.admin.hbase().unwrap().merge_regions(&s.halves).await;
    Procedure "HBaseAdmin::truncate_region" |s| s.admin.hbase().unwrap().truncate_region(&s.region).await;
    Procedure "HBaseAdmin::clone_table_schema" |s| s.admin.hbase().unwrap().clone_table_schema("t", "same", false).await;
    RegionsThenMaster "HBaseAdmin::clone_snapshot" |s| s.admin.hbase().unwrap().clone_snapshot("old", "cloned").await;
    Master "HBaseAdmin::restore_snapshot" |s| s.admin.hbase().unwrap().restore_snapshot("old").await;
    Master "HBaseAdmin::list_snapshots" |s| s.admin.hbase().unwrap().list_snapshots().await;
    Master "HBaseAdmin::delete_snapshot" |s| s.admin.hbase().unwrap().delete_snapshot("older").await;
    Master "HBaseAdmin::assign_region" |s| s.admin.hbase().unwrap().assign_region(&s.region).await;
    Master "HBaseAdmin::unassign_region" |s| s.admin.hbase().unwrap().unassign_region(&s.region).await;
    Master "HBaseAdmin::balance" |s| s.admin.hbase().unwrap().balance().await;
    Master "HBaseAdmin::set_balancer_enabled" |s| s.admin.hbase().unwrap().set_balancer_enabled(true).await;
    Master "HBaseAdmin::is_balancer_enabled" |s| s.admin.hbase().unwrap().is_balancer_enabled().await;
    Master "HBaseAdmin::set_split_enabled" |s| s.admin.hbase().unwrap().set_split_enabled(true).await;
    Master "HBaseAdmin::is_split_enabled" |s| s.admin.hbase().unwrap().is_split_enabled().await;
    Master "HBaseAdmin::set_merge_enabled" |s| s.admin.hbase().unwrap().set_merge_enabled(true).await;
    Master "HBaseAdmin::is_merge_enabled" |s| s.admin.hbase().unwrap().is_merge_enabled().await;
    Master "HBaseAdmin::set_snapshot_cleanup_enabled" |s| s.admin.hbase().unwrap().set_snapshot_cleanup_enabled(true).await;
    Master "HBaseAdmin::is_snapshot_cleanup_enabled" |s| s.admin.hbase().unwrap().is_snapshot_cleanup_enabled().await;
    Master "HBaseAdmin::cluster_status" |s| s.admin.hbase().unwrap().cluster_status().await;
    Master "HBaseAdmin::list_procedures" |s| s.admin.hbase().unwrap().list_procedures().await;
    Poll "HBaseAdmin::wait_for_procedure" |s| s.admin.hbase().unwrap().wait_for_procedure(1).await;
    Master "HBaseAdmin::abort_procedure" |s| s.admin.hbase().unwrap().abort_procedure(1).await;
    Master "HBaseAdmin::decommission_servers" |s| s.admin.hbase().unwrap().decommission_servers(&[], false).await;
    Master "HBaseAdmin::recommission_server" |s| s.admin.hbase().unwrap().recommission_server(&s.server, &[]).await;
    Master "HBaseAdmin::list_decommissioned_servers" |s| s.admin.hbase().unwrap().list_decommissioned_servers().await;
    Procedure "HBaseAdmin::add_replication_peer" |s| s.admin.hbase().unwrap().add_replication_peer("new", &peer(), false).await;
    Procedure "HBaseAdmin::update_replication_peer" |s| s.admin.hbase().unwrap().update_replication_peer("old", &peer()).await;
    Procedure "HBaseAdmin::enable_replication_peer" |s| s.admin.hbase().unwrap().enable_replication_peer("old").await;
    Procedure "HBaseAdmin::disable_replication_peer" |s| s.admin.hbase().unwrap().disable_replication_peer("other").await;
    Procedure "HBaseAdmin::remove_replication_peer" |s| s.admin.hbase().unwrap().remove_replication_peer("older").await;
    Master "HBaseAdmin::set_throttle" |s| s.admin.hbase().unwrap().set_throttle(&QuotaTarget::RegionServers, Throttle::new(ThrottleKind::Reads, 1, QuotaPeriod::Day)).await;
    Master "HBaseAdmin::remove_throttle" |s| s.admin.hbase().unwrap().remove_throttle(&QuotaTarget::RegionServers, ThrottleKind::Reads).await;
    Master "HBaseAdmin::grant" |s| s.admin.hbase().unwrap().grant("ada", &PermissionScope::global(), [Permission::Read]).await;
    Master "HBaseAdmin::grant_more" |s| s.admin.hbase().unwrap().grant_more("ada", &PermissionScope::global(), [Permission::Read]).await;
    Master "HBaseAdmin::revoke" |s| s.admin.hbase().unwrap().revoke("ada", &PermissionScope::global()).await;
    Master "HBaseAdmin::list_permissions" |s| s.admin.hbase().unwrap().list_permissions(&PermissionScope::global()).await;
    Master "HBaseAdmin::has_permissions" |s| s.admin.hbase().unwrap().has_permissions("ada", &PermissionScope::global(), [Permission::Read]).await;
    Meta "HBaseAdmin::add_labels" |s| s.admin.hbase().unwrap().add_labels(["l"]).await;
    Meta "HBaseAdmin::list_labels" |s| s.admin.hbase().unwrap().list_labels().await;
    Meta "HBaseAdmin::add_auths" |s| s.admin.hbase().unwrap().add_auths("ada", ["l"]).await;
    Meta "HBaseAdmin::list_auths" |s| s.admin.hbase().unwrap().list_auths("ada").await;
    Meta "HBaseAdmin::remove_auths" |s| s.admin.hbase().unwrap().remove_auths("ada", ["l"]).await;
    Meta "HBaseAdmin::who_am_i" |s| s.admin.hbase().unwrap().who_am_i().await;
    Meta "HBaseAdmin::delegation_token" |s| s.admin.hbase().unwrap().delegation_token().await;
    Master "HBaseAdmin::set_space_quota" |s| s.admin.hbase().unwrap().set_space_quota(&QuotaTarget::Namespace("n".into()), SpaceQuota::new(1 << 40, SpaceViolationPolicy::NoWrites)).await;
    Master "HBaseAdmin::remove_space_quota" |s| s.admin.hbase().unwrap().remove_space_quota(&QuotaTarget::Namespace("n".into())).await;
    Master "HBaseAdmin::space_quota_snapshots" |s| s.admin.hbase().unwrap().space_quota_snapshots().await;
    Master "HBaseAdmin::space_quota_table_sizes" |s| s.admin.hbase().unwrap().space_quota_table_sizes().await;
    Server "HBaseAdmin::server_space_quota_snapshots" |s| s.admin.hbase().unwrap().server_space_quota_snapshots(&s.server).await;
    Regions "HBaseAdmin::list_quotas" |s| s.admin.hbase().unwrap().list_quotas().await;
    Master "HBaseAdmin::list_replication_peers" |s| s.admin.hbase().unwrap().list_replication_peers().await;
    Server "HBaseAdmin::slow_log" |s| s.admin.hbase().unwrap().slow_log(&s.server, SlowLogKind::Slow, 10).await;
    Server "HBaseAdmin::clear_slow_log" |s| s.admin.hbase().unwrap().clear_slow_log(&s.server).await;
    Server "HBaseAdmin::region_metrics" |s| s.admin.hbase().unwrap().region_metrics(&s.server, "t").await;
    RegionsThenMaster "HBaseAdmin::flush" |s| s.admin.hbase().unwrap().flush("t").await;
    Master "HBaseAdmin::move_region" |s| s.admin.hbase().unwrap().move_region(&s.region, &s.server).await;
    Master "Admin::diff" |s| s.admin.diff::<Item>().await;
    Master "Admin::diff_table" |s| s.admin.diff_table(&table("t")).await;
    Master "HBaseAdmin::list_namespaces" |s| s.admin.hbase().unwrap().list_namespaces().await;
    Master "HBaseAdmin::describe_namespace" |s| s.admin.hbase().unwrap().describe_namespace("empty").await;
    Master "Admin::list_tables" |s| s.admin.list_tables().await;
    Master "Admin::describe" |s| s.admin.describe("t").await;
    Master "HBaseAdmin::region_servers" |s| s.admin.hbase().unwrap().region_servers().await;
    Master "HBaseAdmin::version" |s| s.admin.hbase().unwrap().version().await;
    Meta "Admin::table_exists" |s| s.admin.table_exists("t").await;
    Meta "HBaseAdmin::is_table_enabled" |s| s.admin.hbase().unwrap().is_table_enabled("t").await;
    Meta "HBaseAdmin::regions" |s| s.admin.hbase().unwrap().regions("t").await;
    Regions "HBaseAdmin::major_compact" |s| s.admin.hbase().unwrap().major_compact("t").await;
    Regions "HBaseAdmin::call_endpoint" |s| s.admin.hbase().unwrap().call_endpoint::<()>("t", "r", &endpoint(), &()).await;
    Regions "HBaseAdmin::call_endpoint_on_range" |s| s.admin.hbase().unwrap().call_endpoint_on_range::<()>("t", "".."", &endpoint(), &()).await;
    Regions "HBaseAdmin::compaction_state" |s| s.admin.hbase().unwrap().compaction_state("t").await;
};
