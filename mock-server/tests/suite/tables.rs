//! What the master does, and what it rejects, with the texts of its exceptions.

use tallrow_mock::MockCluster;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use crate::frames::{Fixture, create, meta, put, raw_scan};

fn t() -> TableName {
    parse_table_name(b"t")
}

async fn rejection<R: prost::Message>(
    f: &mut Fixture,
    method: &str,
    request: &R,
) -> (String, String) {
    let error = f.master.call::<Empty>(method, request).await.unwrap_err();
    (error.simple_name().to_owned(), error.message)
}

fn expected(class: &str, text: &str) -> (String, String) {
    (class.to_owned(), text.to_owned())
}

/// Makes a call that is rejected with an exception of this class and text.
async fn rejected<R: prost::Message>(
    f: &mut Fixture,
    method: &str,
    request: &R,
    class: &str,
    text: &str,
) {
    assert_eq!(rejection(f, method, request).await, expected(class, text));
}

async fn disable(f: &mut Fixture) {
    let request = DisableTableRequest { table_name: t(), ..Default::default() };
    f.master.call::<DisableTableResponse>("DisableTable", &request).await.unwrap();
}

async fn outcome(f: &mut Fixture, proc_id: u64) -> Option<RemoteException> {
    let request = GetProcedureResultRequest { proc_id };
    let (answer, _) = (f.master)
        .call::<GetProcedureResultResponse>("getProcedureResult", &request)
        .await
        .unwrap();
    assert_eq!(answer.state, ProcedureResultState::Finished as i32);
    answer.exception.as_ref().map(RemoteException::from_foreign)
}

/// Like HBase: tables and families that are refused, with the exception and its text.
#[tokio::test]
async fn a_table_that_exists_or_is_invalid_is_rejected() {
    let mut f = Fixture::new(&[]).await;
    let error = async |f: &mut Fixture,
                       name: &str,
                       attributes: &[(&str, &str)],
                       splits: &[&'static str]| {
        let error = create(&mut f.master, name, attributes, splits).await.unwrap_err();
        (error.simple_name().to_owned(), error.message)
    };
    assert_eq!(error(&mut f, "t", &[], &[]).await, expected("TableExistsException", "t"));
    assert_eq!(error(&mut f, "no:t", &[], &[]).await, expected("NamespaceNotFoundException", "no"));
    let (class, text) = error(&mut f, "u", &[("TTL", "0")], &[]).await;
    assert_eq!(class, "DoNotRetryIOException");
    assert!(text.starts_with("TTL for column family f must be positive. "), "{text}");
    let (_, text) = error(&mut f, "u v", &[], &[]).await;
    assert!(text.starts_with("Illegal character code:32, < > at 1. "), "{text}");
    let (_, text) = error(&mut f, "u", &[], &["a", "a"]).await;
    assert_eq!(text, "All split keys must be unique");
    let none = CreateTableRequest {
        table_schema: TableSchema {
            table_name: Some(parse_table_name(b"u")),
            ..Default::default()
        },
        ..Default::default()
    };
    let (_, text) = rejection(&mut f, "CreateTable", &none).await;
    assert!(text.starts_with("Table should have at least one column family. "), "{text}");
    assert_eq!(f.cluster.regions("u").len(), 0);
}

/// Like HBase: a repeated request of an administrator, with its nonce, is one procedure.
#[tokio::test]
async fn a_repeated_request_returns_the_same_procedure() {
    let mut f = Fixture::new(&[]).await;
    let request = CreateTableRequest {
        table_schema: TableSchema {
            table_name: Some(parse_table_name(b"u")),
            column_families: vec![ColumnFamilySchema { name: "f".into(), ..Default::default() }],
            ..Default::default()
        },
        nonce_group: Some(1),
        nonce: Some(2),
        ..Default::default()
    };
    let first = f.master.call::<CreateTableResponse>("CreateTable", &request).await.unwrap().0;
    let again = f.master.call::<CreateTableResponse>("CreateTable", &request).await.unwrap().0;
    assert_eq!(first, again);
}

/// Unlike HBase: the procedures of the master have ended when they are answered.
#[tokio::test]
async fn a_table_is_created_disabled_enabled_truncated_and_deleted() {
    let mut f = Fixture::with(MockCluster::builder().servers(1), &[], &["m"]).await;
    f.put("a", "q", 1, "v").await;
    let delete = DeleteTableRequest { table_name: t(), ..Default::default() };
    let truncate =
        TruncateTableRequest { table_name: t(), preserve_splits: Some(true), ..Default::default() };
    let enable = EnableTableRequest { table_name: t(), ..Default::default() };
    assert_eq!(
        rejection(&mut f, "DeleteTable", &delete).await,
        expected("TableNotDisabledException", "Not DISABLED; tableName=t, state=ENABLED")
    );
    rejected(&mut f, "truncateTable", &truncate, "TableNotDisabledException", "t").await;
    // Enabling an enabled table fails when the procedure is polled.
    let (answer, _) = f.master.call::<EnableTableResponse>("EnableTable", &enable).await.unwrap();
    let failure = outcome(&mut f, answer.proc_id.unwrap()).await.unwrap();
    assert_eq!(
        (failure.simple_name(), failure.message.as_str()),
        ("TableNotDisabledException", "tableName=t, state=ENABLED")
    );
    disable(&mut f).await;
    let again = DisableTableRequest { table_name: t(), ..Default::default() };
    rejected(&mut f, "DisableTable", &again, "TableNotEnabledException", "t").await;
    assert!(f.cluster.regions("t").iter().all(|r| r.server.is_none()));
    let old = f.region(b"a");
    f.master.call::<TruncateTableResponse>("truncateTable", &truncate).await.unwrap();
    assert_eq!(f.cluster.regions("t").len(), 2);
    assert_ne!(f.region(b"a"), old);
    assert_eq!(f.values("a").await, [""; 0]);
    disable(&mut f).await;
    f.master.call::<EnableTableResponse>("EnableTable", &enable).await.unwrap();
    disable(&mut f).await;
    f.master.call::<DeleteTableResponse>("DeleteTable", &delete).await.unwrap();
    rejected(&mut f, "DeleteTable", &delete, "TableNotFoundException", "t").await;
    let state = GetTableStateRequest { table_name: t() };
    rejected(&mut f, "GetTableState", &state, "TableNotFoundException", "No state found for t")
        .await;
    // A new table of the same name is empty, in `hbase:meta` too.
    create(&mut f.master, "t", &[], &[]).await.unwrap();
    assert_eq!(f.cluster.regions("t").len(), 1);
    assert_eq!(f.values("a").await, [""; 0]);
}

#[tokio::test]
async fn families_are_added_modified_and_deleted() {
    let mut f = Fixture::new(&[]).await;
    let family = |name: &'static str, versions: &'static str| ColumnFamilySchema {
        name: name.into(),
        attributes: vec![BytesBytesPair { first: "VERSIONS".into(), second: versions.into() }],
        configuration: Vec::new(),
    };
    let add = |name| AddColumnRequest {
        table_name: t(),
        column_families: family(name, "2"),
        ..Default::default()
    };
    f.master.call::<AddColumnResponse>("AddColumn", &add("g")).await.unwrap();
    rejected(
        &mut f,
        "AddColumn",
        &add("g"),
        "InvalidFamilyOperationException",
        "Column family 'g' in table 't' already exists so cannot be added",
    )
    .await;
    let alter = ModifyColumnRequest {
        table_name: t(),
        column_families: family("g", "7"),
        ..Default::default()
    };
    f.master.call::<ModifyColumnResponse>("ModifyColumn", &alter).await.unwrap();
    let describe = GetTableDescriptorsRequest { table_names: vec![t()], ..Default::default() };
    let (answer, _) = (f.master)
        .call::<GetTableDescriptorsResponse>("GetTableDescriptors", &describe)
        .await
        .unwrap();
    let families = &answer.table_schema[0].column_families;
    assert_eq!(families.iter().map(|f| &f.name[..]).collect::<Vec<_>>(), [b"f", b"g"]);
    let versions = families[1].attributes.iter().find(|a| &a.first[..] == b"VERSIONS");
    assert_eq!(&versions.unwrap().second[..], b"7");
    assert!(families[1].attributes.iter().any(|a| &a.first[..] == b"BLOCKSIZE"));
    let drop = |name: &'static str| DeleteColumnRequest {
        table_name: t(),
        column_name: name.into(),
        ..Default::default()
    };
    f.put("r", "q", 1, "v").await;
    assert_eq!(
        rejection(&mut f, "DeleteColumn", &drop("x")).await.1,
        "Family 'x' does not exist, so it cannot be deleted"
    );
    f.master.call::<DeleteColumnResponse>("DeleteColumn", &drop("f")).await.unwrap();
    assert_eq!(
        rejection(&mut f, "DeleteColumn", &drop("g")).await.1,
        "Family 'g' is the only column family in the table, so it cannot be deleted"
    );
    let missing = f.mutate(put("r")).await.unwrap_err();
    assert_eq!(missing.class, exception::NO_SUCH_COLUMN_FAMILY);
}

#[tokio::test]
async fn namespaces_are_created_and_deleted_if_they_are_empty() {
    let mut f = Fixture::new(&[]).await;
    let descriptor = NamespaceDescriptor { name: "ns".into(), configuration: Vec::new() };
    let make = CreateNamespaceRequest { namespace_descriptor: descriptor, ..Default::default() };
    f.master.call::<CreateNamespaceResponse>("CreateNamespace", &make).await.unwrap();
    rejected(
        &mut f,
        "CreateNamespace",
        &make,
        "NamespaceExistException",
        "Namespace ns already exists",
    )
    .await;
    create(&mut f.master, "ns:t", &[], &[]).await.unwrap();
    let drop =
        |name: &str| DeleteNamespaceRequest { namespace_name: name.into(), ..Default::default() };
    let (class, text) = rejection(&mut f, "DeleteNamespace", &drop("ns")).await;
    assert_eq!(class, "ConstraintException");
    assert!(text.ends_with("has 1 tables"), "{text}");
    rejected(
        &mut f,
        "DeleteNamespace",
        &drop("default"),
        "ConstraintException",
        "Reserved namespace default cannot be removed.",
    )
    .await;
    rejected(&mut f, "DeleteNamespace", &drop("no"), "NamespaceNotFoundException", "no").await;
    let (names, _) = (f.master)
        .call::<ListNamespacesResponse>("ListNamespaces", &ListNamespacesRequest {})
        .await
        .unwrap();
    assert_eq!(names.namespace_name, ["default", "hbase", "ns"]);
}

#[tokio::test]
async fn tables_are_listed_by_pattern_and_system_tables_on_request() {
    let mut f = Fixture::new(&[]).await;
    create(&mut f.master, "t.1", &[], &[]).await.unwrap();
    let list = async |f: &mut Fixture, regex: Option<&str>, system| {
        let request = GetTableNamesRequest {
            regex: regex.map(str::to_owned),
            include_sys_tables: Some(system),
            namespace: None,
        };
        let (answer, _) =
            f.master.call::<GetTableNamesResponse>("GetTableNames", &request).await.unwrap();
        let text =
            |n: &TableName| String::from_utf8(tallrow_wire::region::format_table_name(n)).unwrap();
        answer.table_names.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(list(&mut f, None, false).await, ["t", "t.1"]);
    assert_eq!(list(&mut f, None, true).await, ["t", "t.1", "hbase:meta", "hbase:namespace"]);
    assert_eq!(list(&mut f, Some("t"), false).await, ["t"]);
    assert_eq!(list(&mut f, Some("t.+"), false).await, ["t.1"]);
    assert_eq!(list(&mut f, Some("default:(t|x)"), false).await, ["t"]);
    let bad = GetTableNamesRequest { regex: Some("(".into()), ..Default::default() };
    assert!(rejection(&mut f, "GetTableNames", &bad).await.1.starts_with("pattern \"(\": "));
}

/// Unlike HBase: the balancer, the normalizer and the chores of the master do nothing.
#[tokio::test]
async fn switches_keep_their_state_and_lists_are_empty() {
    let mut f = Fixture::new(&[]).await;
    let off = SwitchRequest { on: false };
    for (set, get) in [
        ("SetBalancerRunning", "IsBalancerEnabled"),
        ("SetNormalizerRunning", "IsNormalizerEnabled"),
        ("EnableCatalogJanitor", "IsCatalogJanitorEnabled"),
        ("SetCleanerChoreRunning", "IsCleanerChoreEnabled"),
    ] {
        let state = f.master.call::<SwitchResponse>(get, &Empty {}).await.unwrap().0;
        assert!(state.on, "{get}");
        let before = f.master.call::<SwitchResponse>(set, &off).await.unwrap().0;
        assert!(before.on, "{set}");
        let state = f.master.call::<SwitchResponse>(get, &Empty {}).await.unwrap().0;
        assert!(!state.on, "{get}");
    }
    let ran = f.master.call::<BalanceResponse>("Balance", &Empty {}).await.unwrap().0;
    assert!(!ran.balancer_ran, "it is off");
    let request = GetClusterStatusRequest::default();
    let (answer, _) =
        (f.master).call::<GetClusterStatusResponse>("GetClusterStatus", &request).await.unwrap();
    let status = answer.cluster_status;
    assert_eq!(status.balancer_on, Some(false));
    assert_eq!(status.hbase_version.unwrap().version, "2.6.4");
    assert_eq!((status.live_servers.len(), status.dead_servers.len()), (1, 0));
    assert_eq!(status.live_servers[0].server_load.region_loads.len(), 3);
}

#[tokio::test]
async fn a_client_before_2_6_flushes_a_table_by_exec_procedure() {
    let mut f = Fixture::new(&[("VERSIONS", "1")]).await;
    for at in [1, 2] {
        f.put("r", "q", at, "v").await;
    }
    let procedure = ProcedureDescription {
        signature: "flush-table-proc".into(),
        instance: Some("t".into()),
        ..Default::default()
    };
    let request = ExecProcedureRequest { procedure: procedure.clone() };
    let (answer, _) =
        f.master.call::<ExecProcedureResponse>("ExecProcedure", &request).await.unwrap();
    assert_eq!(answer.expected_timeout, Some(300_000));
    let request = IsProcedureDoneRequest { procedure: Some(procedure) };
    let (answer, _) =
        f.master.call::<IsProcedureDoneResponse>("IsProcedureDone", &request).await.unwrap();
    assert_eq!(answer.done, Some(true));
    assert_eq!(f.scan(raw_scan(), 9).await.unwrap().1.len(), 1);
}

#[tokio::test]
async fn regions_that_do_not_exist_cannot_be_moved_or_split() {
    let mut f = Fixture::new(&[]).await;
    let encoded = "0123456789abcdef0123456789abcdef";
    let region = RegionSpecifier { r#type: 2, value: encoded.into() };
    let request = MoveRegionRequest { region, dest_server_name: None };
    assert_eq!(
        rejection(&mut f, "MoveRegion", &request).await,
        expected("UnknownRegionException", encoded)
    );
    let region_info = RegionInfo { region_id: 1, table_name: t(), ..Default::default() };
    let request = SplitTableRegionRequest { region_info, ..Default::default() };
    let (class, text) = rejection(&mut f, "SplitRegion", &request).await;
    assert_eq!(class, "UnknownRegionException");
    assert!(text.starts_with("No RegionState found for "));
}

/// Like HBase: a region whose split policy allows no splits is not split at a given row either.
#[tokio::test]
async fn a_region_is_not_split_against_its_policy() {
    let mut f = Fixture::new(&[]).await;
    let policy = "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";
    let table_schema = TableSchema {
        table_name: Some(t()),
        attributes: vec![BytesBytesPair { first: "SPLIT_POLICY".into(), second: policy.into() }],
        column_families: vec![ColumnFamilySchema { name: "f".into(), ..Default::default() }],
        ..Default::default()
    };
    let request = ModifyTableRequest { table_name: t(), table_schema, ..Default::default() };
    f.master.call::<ProcIdResponse>("ModifyTable", &request).await.unwrap();
    let (answer, _) = (f.admin)
        .call::<GetRegionInfoResponse>(
            "GetRegionInfo",
            &GetRegionInfoRequest { region: f.region(b""), ..Default::default() },
        )
        .await
        .unwrap();
    let encoded = tallrow_wire::region::encoded_name_of(&answer.region_info);
    let request = SplitTableRegionRequest {
        region_info: answer.region_info,
        split_row: Some("m".into()),
        ..Default::default()
    };
    let text = format!("{encoded} NOT splittable");
    rejected(&mut f, "SplitRegion", &request, "DoNotRetryIOException", &text).await;
    assert_eq!(f.cluster.regions("t").len(), 1);
}

/// Like HBase: a secondary replica is split and merged with its primary, and not alone.
#[tokio::test]
async fn a_secondary_replica_is_neither_split_nor_merged() {
    let mut f = Fixture::with(MockCluster::builder().servers(1), &[], &["m"]).await;
    let pair = BytesBytesPair { first: "REGION_REPLICATION".into(), second: "2".into() };
    let table_schema = TableSchema {
        table_name: Some(t()),
        attributes: vec![pair],
        column_families: vec![ColumnFamilySchema { name: "f".into(), ..Default::default() }],
        ..Default::default()
    };
    let request = ModifyTableRequest { table_name: t(), table_schema, ..Default::default() };
    f.master.call::<ProcIdResponse>("ModifyTable", &request).await.unwrap();
    let mut replicas = Vec::new();
    for row in [&b"a"[..], b"m"] {
        let request = GetRegionInfoRequest { region: f.region(row), ..Default::default() };
        let method = "GetRegionInfo";
        let answer = f.admin.call::<GetRegionInfoResponse>(method, &request).await.unwrap().0;
        replicas.push(RegionInfo { replica_id: Some(1), ..answer.region_info });
    }
    let names: Vec<Vec<u8>> = replicas.iter().map(tallrow_wire::region::name).collect();
    let specifier = |name: &Vec<u8>| RegionSpecifier {
        r#type: RegionSpecifierType::RegionName as i32,
        value: name.clone().into(),
    };
    let region = names.iter().map(specifier).collect();
    let merge = MergeTableRegionsRequest { region, ..Default::default() };
    let name = String::from_utf8(names[0].clone()).unwrap();
    let text = format!("Can't merge non-default replicas; {name}");
    rejected(&mut f, "MergeTableRegions", &merge, "MergeRegionException", &text).await;
    let split = SplitTableRegionRequest {
        region_info: replicas.remove(0),
        split_row: Some("c".into()),
        ..Default::default()
    };
    let text = "java.lang.IllegalArgumentException: Can't invoke split on non-default regions \
                directly";
    rejected(&mut f, "SplitRegion", &split, "IOException", text).await;
}

/// Like HBase: the time of the last major compaction of a table is the earliest of its regions.
#[tokio::test]
async fn the_last_major_compaction_of_a_table_is_that_of_all_regions() {
    let mut f = Fixture::with(MockCluster::builder().servers(1), &[], &["m"]).await;
    let of_table = MajorCompactionTimestampRequest { table_name: t() };
    let mut times = Vec::new();
    for row in [&b"a"[..], b"m"] {
        let region = f.region(row);
        let request = CompactRegionRequest {
            region: region.clone(),
            major: Some(true),
            ..Default::default()
        };
        f.admin.call::<CompactRegionResponse>("CompactRegion", &request).await.unwrap();
        let (of_region, _) = (f.master)
            .call::<MajorCompactionTimestampResponse>(
                "getLastMajorCompactionTimestampForRegion",
                &MajorCompactionTimestampForRegionRequest { region },
            )
            .await
            .unwrap();
        let (answer, _) = (f.master)
            .call::<MajorCompactionTimestampResponse>("getLastMajorCompactionTimestamp", &of_table)
            .await
            .unwrap();
        times.push((of_region.compaction_timestamp, answer.compaction_timestamp));
    }
    let [(first, before), (second, after)] = times[..] else { panic!("{times:?}") };
    assert!(first > 0 && second >= first, "{times:?}");
    assert_eq!((before, after), (0, first));
}

/// The rows of `hbase:meta` of the regions of `t`, whose server has that too.
async fn meta_rows(f: &mut Fixture) -> usize {
    let request = ScanRequest {
        region: Some(meta()),
        scan: Some(Scan::default()),
        number_of_rows: Some(1000),
        ..Default::default()
    };
    let (_, cells) = f.client.call::<ScanResponse>("Scan", &request).await.unwrap();
    let mut rows: Vec<_> = cells.iter().map(|c| c.row().to_vec()).collect();
    rows.dedup();
    rows.iter().filter(|row| row.starts_with(b"t,")).count()
}

/// It stayed for ever, and whoever waited for all regions of a table of the same name to be open
/// waited for ever.
#[tokio::test]
async fn the_parent_of_a_split_goes_with_its_table() {
    let mut f = Fixture::new(&[]).await;
    f.cluster.split_region("t", b"m").unwrap();
    assert_eq!(meta_rows(&mut f).await, 3);
    disable(&mut f).await;
    let truncate =
        TruncateTableRequest { table_name: t(), preserve_splits: Some(true), ..Default::default() };
    f.master.call::<TruncateTableResponse>("truncateTable", &truncate).await.unwrap();
    assert_eq!(meta_rows(&mut f).await, 2);
    f.cluster.split_region("t", b"c").unwrap();
    assert_eq!(meta_rows(&mut f).await, 4);
    disable(&mut f).await;
    let delete = DeleteTableRequest { table_name: t(), ..Default::default() };
    f.master.call::<DeleteTableResponse>("DeleteTable", &delete).await.unwrap();
    assert_eq!(meta_rows(&mut f).await, 0);
}

/// Otherwise a cluster in which many tests make tables would grow with each of them.
#[tokio::test]
async fn little_stays_in_meta_of_tables_that_were_dropped() {
    let mut f = Fixture::new(&[]).await;
    let name = |n: u32| parse_table_name(format!("t{n}").as_bytes());
    for n in 0..500 {
        create(&mut f.master, &format!("t{n}"), &[], &[]).await.unwrap();
        let request = DisableTableRequest { table_name: name(n), ..Default::default() };
        f.master.call::<DisableTableResponse>("DisableTable", &request).await.unwrap();
        let request = DeleteTableRequest { table_name: name(n), ..Default::default() };
        f.master.call::<DeleteTableResponse>("DeleteTable", &request).await.unwrap();
    }
    let request = ScanRequest {
        region: Some(meta()),
        scan: Some(raw_scan()),
        number_of_rows: Some(10_000),
        ..Default::default()
    };
    let (_, cells) = f.client.call::<ScanResponse>("Scan", &request).await.unwrap();
    // Each of them had eleven cells and two markers.
    assert!(cells.len() < 1500, "{} cells", cells.len());
    let state = GetTableStateRequest { table_name: t() };
    let (state, _) = f.master.call::<GetTableStateResponse>("GetTableState", &state).await.unwrap();
    assert_eq!(state.table_state.state, TableStateKind::Enabled as i32);
}

/// The Java client reads the state of a table in a range of times that ends now.
#[tokio::test]
async fn the_state_of_a_table_is_older_than_the_answer() {
    let mut f = Fixture::new(&[]).await;
    for _ in 0..5 {
        disable(&mut f).await;
        let enable = EnableTableRequest { table_name: t(), ..Default::default() };
        f.master.call::<EnableTableResponse>("EnableTable", &enable).await.unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let get = Get {
            row: "t".into(),
            time_range: Some(TimeRange { from: Some(0), to: u64::try_from(now.as_millis()).ok() }),
            ..Default::default()
        };
        let request = GetRequest { region: meta(), get };
        let (_, cells) = f.client.call::<GetResponse>("Get", &request).await.unwrap();
        let state: TableState = prost::Message::decode(cells[0].value()).unwrap();
        assert_eq!(state.state, TableStateKind::Enabled as i32);
    }
}

#[tokio::test]
async fn the_name_of_a_region_is_no_longer_than_a_row() {
    let f = Fixture::new(&[]).await;
    // The table, two commas, an id of 13 digits between points, and a hash.
    let longest = 32_767 - "t,,.1234567890123.".len() - 32;
    f.cluster.split_region("t", &vec![b'k'; longest]).unwrap();
    assert_eq!(f.cluster.regions("t").len(), 2);
    let error = f.cluster.split_region("t", &vec![b'k'; longest + 1]).unwrap_err();
    assert!(error.to_string().contains("Row length 32768 is > 32767"), "{error}");
    assert_eq!(f.cluster.regions("t").len(), 2);
}
