//! After each of many random changes, a copy of the file is that of the same tables.

use fastrand::Rng;
use tallrow_mock::{Change, MockCluster};
use tallrow_wire::cell::Cell;
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use super::{Folder, restarted};
use crate::frames::{
    Fixture, Frames, create, delete, increment, mutation, raw_scan, server_of, specifier,
};
use crate::thorough;

const ROWS: [&str; 6] = ["a", "b\u{0}", "c", "m", "n", "z\u{e9}"];
const MARKERS: [DeleteType; 4] = [
    DeleteType::DeleteOneVersion,
    DeleteType::DeleteMultipleVersions,
    DeleteType::DeleteFamily,
    DeleteType::DeleteFamilyVersion,
];

fn name(table: &str) -> TableName {
    parse_table_name(table.as_bytes())
}

/// The cells of all regions of a table, as a raw scan returns them; none if it is disabled.
async fn cells(cluster: &MockCluster, table: &str) -> Vec<Cell> {
    let mut all = Vec::new();
    for region in cluster.regions(table) {
        if region.server.is_none() {
            return Vec::new();
        }
        let server = server_of(cluster, table, &region.start_key);
        let mut client = Frames::open(cluster, server, "ClientService").await;
        let request = ScanRequest {
            region: Some(specifier(cluster, table, &region.start_key)),
            scan: Some(raw_scan()),
            number_of_rows: Some(1000),
            client_handles_partials: Some(true),
            ..Default::default()
        };
        all.extend(client.call::<ScanResponse>("Scan", &request).await.unwrap().1);
    }
    all
}

/// The names of snapshots and namespaces.
async fn names(cluster: &MockCluster) -> (Vec<String>, Vec<String>) {
    let mut master = Frames::open(cluster, cluster.rpc_address(), "MasterService").await;
    let (snapshots, _) = master
        .call::<GetCompletedSnapshotsResponse>("GetCompletedSnapshots", &Empty {})
        .await
        .unwrap();
    let (namespaces, _) = master
        .call::<ListNamespaceDescriptorsResponse>(
            "ListNamespaceDescriptors",
            &ListNamespaceDescriptorsRequest {},
        )
        .await
        .unwrap();
    let of_namespace = |of: NamespaceDescriptor| format!("{of:?}");
    (
        snapshots.snapshots.into_iter().map(|snapshot| snapshot.name).collect(),
        namespaces.namespace_descriptor.into_iter().map(of_namespace).collect(),
    )
}

/// Compares a cluster with one that starts with a copy of its file.
async fn compare(folder: &Folder, cluster: &MockCluster, what: &str) {
    let (_copy, other) = restarted(&folder.bytes()).await;
    assert_eq!(other.dropped_data(), None);
    assert_eq!(other.dump_tables(), cluster.dump_tables(), "{what}");
    assert_eq!(other.tables(), cluster.tables(), "{what}");
    assert_eq!(names(&other).await, names(cluster).await, "{what}");
    for table in cluster.tables().iter().filter(|table| !table.starts_with("hbase:")) {
        assert_eq!(cells(&other, table).await, cells(cluster, table).await, "{what}");
        let regions = |of: &MockCluster| -> Vec<_> {
            of.regions(table).into_iter().map(|r| (r.name, r.server.is_some())).collect()
        };
        assert_eq!(regions(&other), regions(cluster), "{what}");
    }
    other.shutdown().await;
}

/// A cluster with a table `t`, which is changed at random.
struct Changed {
    f: Fixture,
    random: Rng,
}

impl Changed {
    fn row(&mut self) -> &'static str {
        ROWS[self.random.usize(..ROWS.len())]
    }

    async fn mutate(&mut self) {
        let (row, at) = (self.row(), self.random.u64(1..6));
        let qualifier = ["p", "q"][self.random.usize(..2)];
        let change = match self.random.u8(..8) {
            0..2 => increment(row, 1, self.random.u64(1..)),
            2..4 => delete(row, qualifier, at, MARKERS[self.random.usize(..4)]),
            4 => {
                let mut put = mutation(MutationType::Put, row, &[(qualifier, at, "short-lived")]);
                let value = Some(90_000_i64.to_be_bytes().to_vec().into());
                put.attribute.push(NameBytesPair { name: "_ttl".into(), value });
                put
            }
            _ => mutation(MutationType::Put, row, &[(qualifier, at, "v"), ("q", at, "w")]),
        };
        self.f.reconnect(row.as_bytes()).await;
        self.f.mutate(change).await.unwrap();
    }

    async fn call<R: prost::Message>(&mut self, method: &str, request: &R) {
        // What is not possible at the moment changes nothing.
        let _ = self.f.master.call::<Empty>(method, request).await;
    }

    /// Calls the server that has the region of a row.
    async fn admin<R: prost::Message>(&mut self, row: &str, method: &str, request: &R) {
        let server = server_of(&self.f.cluster, "t", row.as_bytes());
        let mut admin = Frames::open(&self.f.cluster, server, "AdminService").await;
        admin.call::<Empty>(method, request).await.unwrap();
    }

    async fn disabled(&mut self, table: &str, then: impl AsyncFnOnce(&mut Self)) {
        let request = DisableTableRequest { table_name: name(table), ..Default::default() };
        self.call("DisableTable", &request).await;
        then(self).await;
        let request = EnableTableRequest { table_name: name(table), ..Default::default() };
        self.call("EnableTable", &request).await;
    }

    /// Makes a change, and returns what it was.
    async fn change(&mut self) -> &'static str {
        let row = self.row();
        let region = specifier(&self.f.cluster, "t", row.as_bytes());
        let snapshot = SnapshotDescription {
            name: ["s1", "s2"][self.random.usize(..2)].into(),
            table: Some("t".into()),
            ..Default::default()
        };
        match self.random.u8(..28) {
            0 | 1 => {
                let request = FlushRegionRequest { region, ..Default::default() };
                self.admin(row, "FlushRegion", &request).await;
                "flush"
            }
            2 => {
                let major = Some(true);
                let request = CompactRegionRequest { region, major, family: None };
                self.admin(row, "CompactRegion", &request).await;
                "compact"
            }
            3 | 4 => {
                let _ = self.f.cluster.split_region("t", row.as_bytes());
                "split"
            }
            5 => {
                let (table, row) = ("t".into(), row.as_bytes().to_vec());
                let _ = self.f.cluster.apply(&Change::MergeRegions { table, row });
                "merge"
            }
            6 => {
                let column_families = ColumnFamilySchema { name: "g".into(), ..Default::default() };
                let request = AddColumnRequest {
                    table_name: name("t"),
                    column_families,
                    ..Default::default()
                };
                self.call("AddColumn", &request).await;
                "add a family"
            }
            7 => {
                let (table_name, column_name) = (name("t"), "g".into());
                let request = DeleteColumnRequest { table_name, column_name, ..Default::default() };
                self.call("DeleteColumn", &request).await;
                "delete a family"
            }
            8 => {
                let request = SnapshotRequest { snapshot, ..Default::default() };
                self.call("Snapshot", &request).await;
                "take a snapshot"
            }
            9 => {
                let request = RestoreSnapshotRequest { snapshot, ..Default::default() };
                self.disabled("t", async |this| this.call("RestoreSnapshot", &request).await).await;
                "restore a snapshot"
            }
            10 => {
                let request = DeleteSnapshotRequest { snapshot };
                self.call("DeleteSnapshot", &request).await;
                "delete a snapshot"
            }
            11 => {
                let snapshot = SnapshotDescription { table: Some("u".into()), ..snapshot };
                let request = RestoreSnapshotRequest { snapshot, ..Default::default() };
                self.call("RestoreSnapshot", &request).await;
                "clone a snapshot"
            }
            12 => {
                self.disabled("u", async |this| {
                    let request =
                        DeleteTableRequest { table_name: name("u"), ..Default::default() };
                    this.call("DeleteTable", &request).await;
                })
                .await;
                "delete a table"
            }
            13 if self.random.bool() => {
                let preserve_splits = Some(self.random.bool());
                self.disabled("t", async |this| {
                    let table_name = name("t");
                    let request =
                        TruncateTableRequest { table_name, preserve_splits, ..Default::default() };
                    this.call("truncateTable", &request).await;
                })
                .await;
                "truncate"
            }
            14 => {
                let _ = create(&mut self.f.master, "n:x", &[("VERSIONS", "2")], &["k"]).await;
                "create a table"
            }
            15 => {
                let namespace_descriptor =
                    NamespaceDescriptor { name: "n".into(), configuration: Vec::new() };
                let request = CreateNamespaceRequest { namespace_descriptor, ..Default::default() };
                self.call("CreateNamespace", &request).await;
                "create a namespace"
            }
            16 => {
                let request =
                    DeleteNamespaceRequest { namespace_name: "n".into(), ..Default::default() };
                self.call("DeleteNamespace", &request).await;
                "delete a namespace"
            }
            17 => {
                let text = "tallrow-mock tables 1\ntable \"l\"\nstate disabled\nfamily \"f\"\n\
                            split \"m\"\nput \"a\" \"f:q\" 7 \"v\"\nput \"z\" \"f:q\" 7 \"v\"\n";
                let _ = self.f.cluster.load_tables(text);
                "load tables"
            }
            18 => {
                let request = DisableTableRequest { table_name: name("n:x"), ..Default::default() };
                self.call("DisableTable", &request).await;
                "disable a table"
            }
            _ => {
                self.mutate().await;
                "mutate"
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_each_change_a_killed_process_leaves_the_same_tables() {
    let (runs, changes) = if thorough() { (40, 200) } else { (4, 60) };
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..runs {
        let folder = Folder::new();
        let attributes = [&[("VERSIONS", "3")][..], &[("NEW_VERSION_BEHAVIOR", "true")]];
        let attributes = attributes[usize::from(seed % 2 == 1)];
        let f = Fixture::with(folder.builder(), attributes, &["m"]).await;
        let mut changed = Changed { f, random: Rng::with_seed(seed) };
        for step in 0..changes {
            let kind = changed.change().await;
            kinds.insert(kind);
            compare(&folder, &changed.f.cluster, &format!("seed {seed}, step {step}: {kind}"))
                .await;
        }
        // A flush and a compaction drop the same cells: what was flushed is known.
        let bytes = folder.bytes();
        let (_copy, other) = restarted(&bytes).await;
        for cluster in [&changed.f.cluster, &other] {
            for region in cluster.regions("t") {
                let server = server_of(cluster, "t", &region.start_key);
                let mut admin = Frames::open(cluster, server, "AdminService").await;
                let region = specifier(cluster, "t", &region.start_key);
                let request = CompactRegionRequest { region, major: Some(true), family: None };
                admin.call::<Empty>("CompactRegion", &request).await.unwrap();
            }
        }
        assert_eq!(other.dump_tables(), changed.f.cluster.dump_tables(), "seed {seed}");
        other.shutdown().await;
    }
    assert!(kinds.len() > 15, "{kinds:?}");
}
