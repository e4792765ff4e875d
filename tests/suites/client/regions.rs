//! Single regions, the servers that have them, and the procedures that change them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::admin::{CompactionState, HBaseAdmin, ProcedureState};
use tallrow::{ErrorKind, Put, RawTable, Scan};
use tallrow_tests::{Place, until};

async fn fill(table: &RawTable, rows: &[&str]) {
    for row in rows {
        table.put(Put::new(*row).cell("f", "q", "v")).await.unwrap();
    }
}

async fn starts(hbase: &HBaseAdmin, table: &RawTable) -> Vec<String> {
    let regions = hbase.regions(table.name()).await.unwrap();
    regions.iter().map(|r| String::from_utf8_lossy(r.start_key()).into_owned()).collect()
}

pub(crate) async fn regions_are_merged_with_their_rows(place: Place) {
    let table = place.table(&["d", "h", "p"]).await;
    let hbase = place.client.admin().hbase().unwrap();
    fill(&table, &["a", "e", "k", "x"]).await;
    let regions = hbase.regions(table.name()).await.unwrap();
    hbase.merge_regions(&[regions[2].clone(), regions[1].clone()]).await.unwrap();
    assert_eq!(starts(&hbase, &table).await, ["", "d", "p"]);
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "e", "k", "x"]);
    fill(&table, &["f", "l"]).await;
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "e", "f", "k", "l", "x"]);

    let now = hbase.regions(table.name()).await.unwrap();
    let refused = [vec![now[0].clone(), now[2].clone()], vec![now[0].clone(), now[0].clone()]];
    for regions in refused {
        let error = hbase.merge_regions(&regions).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    }
    let error = hbase.merge_regions(&now[..1]).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
}

pub(crate) async fn a_region_is_closed_and_opened_again(place: Place) {
    let table = place.table(&["m"]).await;
    let hbase = place.client.admin().hbase().unwrap();
    fill(&table, &["a", "x"]).await;
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    hbase.unassign_region(&region).await.unwrap();
    let brief = table.clone().with_timeout(Duration::from_millis(700));
    assert_eq!(brief.get("a").await.unwrap_err().kind(), ErrorKind::Timeout);
    assert!(table.exists("x").await.unwrap(), "the other region is open");
    hbase.assign_region(&region).await.unwrap();
    assert!(table.exists("a").await.unwrap());
    let error = hbase.assign_region(&region).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.exception().unwrap().ends_with("DoNotRetryRegionException"), "{error:?}");
    assert!(table.exists("a").await.unwrap());
}

pub(crate) async fn a_region_is_emptied(place: Place) {
    let table = place.table(&["m"]).await;
    let hbase = place.client.admin().hbase().unwrap();
    fill(&table, &["a", "b", "x"]).await;
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    let done = hbase.truncate_region(&region).await;
    let version = hbase.version().await.unwrap().unwrap();
    if version.starts_with("2.4") || version.starts_with("2.5") {
        let error = done.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&version) && text.contains("2.6"), "{text}");
        return;
    }
    done.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["x"]);
    fill(&table, &["c"]).await;
    assert_eq!(Place::keys(&table, Scan::all()).await, ["c", "x"]);
    assert_eq!(starts(&hbase, &table).await, ["", "m"]);
}

pub(crate) async fn files_are_merged_by_a_minor_compaction(place: Place) {
    let table = place.table(&[]).await;
    let hbase = place.client.admin().hbase().unwrap();
    for row in ["a", "b", "c", "d"] {
        fill(&table, &[row]).await;
        hbase.flush(table.name()).await.unwrap();
    }
    let server = hbase.regions(table.name()).await.unwrap().remove(0);
    let server = server.server().unwrap().to_owned();
    hbase.compact(table.name()).await.unwrap();
    until("the four files are one", async || {
        let metrics = hbase.region_metrics(&server, table.name()).await.unwrap();
        let state = hbase.compaction_state(table.name()).await.unwrap();
        (metrics[0].store_files, state) == (1, CompactionState::None)
    })
    .await;
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b", "c", "d"]);
}

pub(crate) async fn the_status_has_servers_tables_and_regions(place: Place) {
    let table = place.table(&["m"]).await;
    let hbase = place.client.admin().hbase().unwrap();
    fill(&table, &["a", "b", "x"]).await;
    assert!(table.exists("a").await.unwrap());
    let status = hbase.cluster_status().await.unwrap();
    assert_eq!(status.version, hbase.version().await.unwrap());
    assert_eq!(status.cluster_id.unwrap().len(), 36);
    assert_eq!(status.master.unwrap().split(',').count(), 3);
    let servers: Vec<_> = status.servers.iter().map(|s| s.name.clone()).collect();
    let mut expected = hbase.region_servers().await.unwrap();
    expected.sort();
    assert_eq!(servers, expected);
    assert!(status.servers.iter().all(|s| s.max_heap_mb >= s.used_heap_mb && s.max_heap_mb > 0));
    let counts = status.tables.iter().find(|t| t.table == *table.name()).unwrap();
    assert_eq!((counts.open, counts.total), (2, 2));

    let mut writes = Vec::new();
    for region in hbase.regions(table.name()).await.unwrap() {
        let metrics = hbase.region_metrics(region.server().unwrap(), table.name()).await.unwrap();
        let encoded = region.encoded_name().into_bytes();
        let own = metrics.iter().find(|m| m.name.windows(32).any(|w| w == encoded)).unwrap();
        assert_eq!(own.stores, 2);
        writes.push((own.write_requests, own.read_requests > 0));
    }
    assert_eq!(writes, [(2, true), (1, false)]);
    let error = hbase.region_metrics("nonsense", table.name()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
}

pub(crate) async fn procedures_are_listed_awaited_and_reported(place: Place) {
    let table = place.table(&[]).await;
    let hbase = place.client.admin().hbase().unwrap();
    let polls = Arc::new(Mutex::new(Vec::new()));
    let seen = polls.clone();
    let reporting = hbase.with_progress(move |p| seen.lock().unwrap().push(p.clone()));
    reporting.disable_table(table.name()).await.unwrap();
    let polls = polls.lock().unwrap().clone();
    let last = polls.last().unwrap();
    assert_eq!((last.operation, last.finished), ("disable table", true));
    assert!(last.submitted.is_some() && last.updated >= last.submitted, "{last:?}");
    assert!(polls.iter().rev().skip(1).all(|p| !p.finished && p.id == last.id));

    let listed = hbase.list_procedures().await.unwrap();
    if let Some(own) = listed.iter().find(|p| p.id == last.id) {
        assert!(own.class.ends_with("DisableTableProcedure"), "{own:?}");
        assert_eq!(own.state, ProcedureState::Success);
        assert!(own.error.is_none());
    } else {
        // The master removes it soon after its result was read.
        assert!(place.client.mock_cluster().is_none(), "{listed:?}");
    }
    let error = hbase.wait_for_procedure(u64::MAX >> 1).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert!(!hbase.abort_procedure(last.id).await.unwrap());
}

/// The switches are those of the whole cluster, so on a shared one they are only read and set to
/// what they are.
pub(crate) async fn switches_are_read_and_set(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    let table = place.table(&["m"]).await;
    assert!(hbase.set_balancer_enabled(true).await.unwrap());
    assert!(hbase.is_balancer_enabled().await.unwrap());
    assert!(hbase.set_split_enabled(true).await.unwrap());
    assert!(hbase.is_split_enabled().await.unwrap());
    assert!(hbase.set_merge_enabled(true).await.unwrap());
    assert!(hbase.is_merge_enabled().await.unwrap());
    assert!(hbase.set_snapshot_cleanup_enabled(true).await.unwrap());
    assert!(hbase.is_snapshot_cleanup_enabled().await.unwrap());
    if place.client.mock_cluster().is_none() {
        return;
    }
    assert!(hbase.set_merge_enabled(false).await.unwrap());
    assert!(!hbase.is_merge_enabled().await.unwrap() && hbase.is_split_enabled().await.unwrap());
    let regions = hbase.regions(table.name()).await.unwrap();
    let error = hbase.merge_regions(&regions).await.unwrap_err();
    assert!(error.to_string().contains("merge switch is off"), "{error}");
    assert!(!hbase.set_merge_enabled(true).await.unwrap());
    hbase.merge_regions(&regions).await.unwrap();
}

pub(crate) async fn a_decommissioned_server_gets_no_regions(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    assert!(hbase.list_decommissioned_servers().await.unwrap().is_empty());
    if place.client.mock_cluster().is_none() {
        return; // It would empty a server of the other tests.
    }
    let table = place.table(&["d", "h", "p"]).await;
    let servers = hbase.region_servers().await.unwrap();
    hbase.decommission_servers(&[&servers[0]], true).await.unwrap();
    assert_eq!(hbase.list_decommissioned_servers().await.unwrap(), servers[..1]);
    fill(&table, &["a", "e", "k", "x"]).await;
    let other = place.table(&["d", "h", "p"]).await;
    for table in [&table, &other] {
        for region in hbase.regions(table.name()).await.unwrap() {
            assert_eq!(region.server(), Some(servers[1].as_str()));
        }
    }
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    hbase.recommission_server(&servers[0], &[region]).await.unwrap();
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    assert_eq!(region.server(), Some(servers[0].as_str()));
}
