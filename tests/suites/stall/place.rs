//! A cluster whose roles are on different servers, and clients of it with empty caches.

use std::path::PathBuf;
use std::time::Duration;

use tallrow::{
    Admin, Client, Config, FamilyDescriptor, Put, RawTable, TableDescriptor, TypedTable,
    admin::{NamespaceDescriptor, QuotaPeriod, QuotaTarget, Throttle, ThrottleKind},
    admin::{Region, SchemaDiff},
    ids::IdBlocks,
    index::{self, Index, IndexedTable, Summary},
    key_migration::{KeyMapping, KeyMigration, KeyMigrationState},
    list::PackedList,
    lookup::{self, KeyLookup, Lookup},
    series::{self, Series, TimeSeriesTable},
    value::NativeCodec,
};
use tallrow_mock::MockCluster;
use tallrow_tests::{in_memory, scratch_dir};

use crate::stall::DEADLINE;
use crate::stall::calls::{Call, Path};
use crate::stall::typed::{Id, Item, Named, Narrow, Wide};

/// The number of rows in a table, enough for many pages.
pub(crate) const ROWS: u32 = 40;
/// The server of the rows; the other one has `hbase:meta`.
pub(crate) const ROW_SERVER: usize = 1;
pub(crate) const META_SERVER: usize = 0;

/// The cluster.
pub(crate) struct Place {
    pub(crate) mock: MockCluster,
    region: Region,
    halves: Vec<Region>,
    server: String,
    diff: SchemaDiff,
    rekey_state: PathBuf,
    /// A client of its own for what comes before the calls.
    operator: Client,
}

impl Drop for Place {
    fn drop(&mut self) {
        // It is only left over if this fails.
        let _ = std::fs::remove_dir_all(&self.rekey_state);
    }
}

/// Keys that stay as they are.
pub(crate) fn same_keys() -> KeyMapping {
    KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()))
}

/// What a call can use: a client that has only connected.
pub(crate) struct Site {
    /// With one host, with three, and with three as if they were ZooKeeper's.
    pub(crate) urls: [String; 3],
    pub(crate) config: Config,
    pub(crate) client: Client,
    pub(crate) admin: Admin,
    pub(crate) raw: RawTable,
    pub(crate) items: TypedTable<Item>,
    pub(crate) indexed: IndexedTable<Item>,
    pub(crate) by_what: Index<Item, Id, Item>,
    pub(crate) total: Summary<Item, Item>,
    pub(crate) ids: IdBlocks,
    pub(crate) recent: PackedList<Item, String, NativeCodec>,
    pub(crate) lookup: Lookup,
    pub(crate) keys: KeyLookup<Named>,
    /// Another table.
    pub(crate) copies: RawTable,
    /// From `raw` to `copies`, with its state in files.
    pub(crate) rekey: KeyMigration,
    pub(crate) db: TimeSeriesTable,
    pub(crate) series: Series,
    pub(crate) region: Region,
    pub(crate) halves: Vec<Region>,
    pub(crate) server: String,
    pub(crate) diff: SchemaDiff,
}

/// Where the deadline of a call is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Timeouts {
    /// In the client's configuration.
    OfClient,
    /// By `with_timeout` of the table handle; those of the client are long.
    OfTable,
}

impl Timeouts {
    /// Whether this configures the deadline of the call.
    pub(crate) fn are_for(self, call: &Call) -> bool {
        self == Self::OfClient || call.path == Path::Rows
    }

    fn config(self) -> Config {
        let common = Config::new()
            .attempt_timeout(Duration::from_millis(150))
            .pause(Duration::from_millis(20))
            // Small pages, so that a scan still has pages to fetch after its first rows.
            .prefetch_bytes(1_024);
        match self {
            Self::OfTable => common,
            Self::OfClient => common
                .operation_timeout(DEADLINE)
                .page_timeout(DEADLINE)
                .admin_timeout(DEADLINE)
                .connect_timeout(DEADLINE),
        }
    }
}

impl Place {
    pub(crate) async fn new() -> Self {
        let mock = MockCluster::builder().servers(2).in_memory().start().await.unwrap();
        mock.move_region("hbase:meta", b"", META_SERVER).unwrap();
        let config = Config::new().connector(in_memory(&mock));
        let client = Client::connect_with(&mock.url(), config).await.unwrap();
        let admin = client.admin();
        let f = || FamilyDescriptor::new("f");
        let namespace = NamespaceDescriptor::new("empty");
        admin.hbase().unwrap().create_namespace(&namespace).await.unwrap();
        for name in [
            "t",
            "copies",
            "moving",
            "splitting",
            "disabling",
            "enabling",
            "deleting",
            "truncating",
        ] {
            let table = TableDescriptor::new(name).unwrap().family(f());
            admin.create_table(&table).await.unwrap();
            mock.move_region(name, b"", ROW_SERVER).unwrap();
        }
        for name in ["enabling", "deleting", "truncating"] {
            admin.hbase().unwrap().disable_table(name).await.unwrap();
        }
        admin.create::<Item>().await.unwrap();
        mock.move_region("items", b"", ROW_SERVER).unwrap();
        admin.create::<Narrow>().await.unwrap();
        admin.create_table(&lookup::table_descriptor("names").unwrap()).await.unwrap();
        admin.create_table(&series::table_descriptor("tsdb").unwrap()).await.unwrap();
        admin.create_table(&index::table_descriptor("items_by_what").unwrap()).await.unwrap();
        for name in ["names", "tsdb", "items_by_what"] {
            mock.move_region(name, b"", ROW_SERVER).unwrap();
        }
        let rows = (0..ROWS).map(|i| Put::new(format!("r{i:03}")).cell("f", "q", vec![7; 100]));
        for done in client.raw_table("t").unwrap().put_all(rows).await {
            done.unwrap();
        }
        let items: Vec<_> = (0..ROWS).map(|id| Item::new(id, &"x".repeat(100))).collect();
        for done in client.table::<Item>().put_all(&items).await {
            done.unwrap();
        }
        let region = admin.hbase().unwrap().regions("splitting").await.unwrap().remove(0);
        let merging = TableDescriptor::new("merging").unwrap().family(f()).splits(["m"]);
        admin.create_table(&merging).await.unwrap();
        let halves = admin.hbase().unwrap().regions("merging").await.unwrap();
        for (peer, enabled) in [("old", false), ("older", false), ("other", true)] {
            let hbase = admin.hbase().unwrap();
            hbase.add_replication_peer(peer, &crate::stall::calls::peer(), enabled).await.unwrap();
        }
        let throttle = Throttle::new(ThrottleKind::Writes, 1_000_000, QuotaPeriod::Second);
        let user = QuotaTarget::User("nobody".into());
        admin.hbase().unwrap().set_throttle(&user, throttle).await.unwrap();
        mock.move_region("hbase:quota", b"", ROW_SERVER).unwrap();
        for snapshot in ["old", "older"] {
            admin.hbase().unwrap().take_snapshot("merging", snapshot).await.unwrap();
        }
        let mut servers = admin.hbase().unwrap().region_servers().await.unwrap();
        let server = servers.remove(ROW_SERVER);
        let diff = admin.diff::<Wide>().await.unwrap();
        // Divided into ranges already, so that no region has to be looked up for it.
        let rekey_state = scratch_dir();
        let files =
            [("tables", "t copies"), ("phase", "write both"), ("progress", "key: key: - 0 open\n")];
        for (name, text) in files {
            std::fs::write(rekey_state.join(name), text).unwrap();
        }
        Self { mock, region, halves, server, diff, rekey_state, operator: client }
    }

    /// A client that has connected.
    pub(crate) async fn site(&self, timeouts: Timeouts) -> Site {
        let config = timeouts.config().connector(in_memory(&self.mock));
        let url = self.mock.url();
        let client = Client::connect_with(&url, config.clone()).await.unwrap();
        let raw = client.raw_table("t").unwrap().with_timeout(DEADLINE);
        let names = client.raw_table("names").unwrap().with_timeout(DEADLINE);
        let points = client.raw_table("tsdb").unwrap().with_timeout(DEADLINE);
        let db = TimeSeriesTable::builder(points, names.clone()).build().unwrap();
        let lookup = Lookup::builder(names, "host").build().unwrap();
        let by_what = client.raw_table("items_by_what").unwrap().with_timeout(DEADLINE);
        let by_what = Index::new("what", by_what, |item: &Item| [item.id.clone()]).covering();
        let items = client.table::<Item>().with_timeout(DEADLINE);
        let count = |item: &Item| [(item.id.clone(), [1])];
        let total = Summary::new(items.clone(), [Item::COUNT], count);
        let indexed = IndexedTable::builder(items.clone()).index(&by_what).build().unwrap();
        let master = self.mock.rpc_address();
        let others = [META_SERVER, ROW_SERVER]
            .map(|n| self.mock.server_address(n).unwrap().to_string())
            .join(",");
        let copies = client.raw_table("copies").unwrap().with_timeout(DEADLINE);
        let state = KeyMigrationState::directory(&self.rekey_state);
        let rekey =
            KeyMigration::builder(&self.operator, raw.clone(), copies.clone(), same_keys(), state);
        let rekey = rekey.open().await.unwrap();
        Site {
            urls: [url.clone(), format!("{url},{others}"), format!("hbase+zk://{master},{others}")],
            config,
            admin: client.admin(),
            indexed,
            by_what,
            total,
            items: items.clone(),
            recent: PackedList::new(items, Item::RECENT, 100),
            ids: IdBlocks::builder(raw.clone(), "ids", "f", "n").build().unwrap(),
            raw,
            keys: KeyLookup::from_lookups([lookup.clone()]).unwrap(),
            lookup,
            copies,
            rekey,
            series: db.series_of_ids(1, [(1, 1)]).unwrap(),
            db,
            client,
            region: self.region.clone(),
            halves: self.halves.clone(),
            server: self.server.clone(),
            diff: self.diff.clone(),
        }
    }
}
