//! Options of single calls.

use std::time::Duration;

use tallrow::observe::TraceContext;
use tallrow::op::{CallOptions, Check, Durability, IsolationLevel, RowMutations, RowOperation};
use tallrow::{Append, Delete, Get, Increment, Put, RowKey, Scan, Table};
use tallrow_tests::{Place, patient};

/// A time to live of 1 ms: an attribute that HBase itself reads.
fn ttl() -> CallOptions {
    CallOptions::new().attribute("_ttl", 1_u64.to_be_bytes())
}

pub(crate) async fn attributes_reach_the_server(place: Place) {
    let table = place.table(&[]).await;
    let put = |row: &str| Put::new(row).cell("f", "q", "v");
    let stays =
        CallOptions::new().operation_id("a test").isolation(IsolationLevel::ReadUncommitted);
    table.put(put("stays").options(stays.clone())).await.unwrap();
    table.put(put("one").options(ttl())).await.unwrap();
    table.clone().with_options(ttl()).put(put("handle").options(stays.clone())).await.unwrap();
    table.append(Append::new("append").add("f", "q", "v").options(ttl())).await.unwrap();
    table.increment(Increment::new("increment").add("f", "n", 1).options(ttl())).await.unwrap();
    table.mutate_row(RowMutations::new("rows").add(put("rows")).options(ttl())).await.unwrap();
    let part = RowMutations::new("part")
        .add(put("part").options(ttl()))
        .add(Put::new("part").cell("f", "r", "v"));
    table.mutate_row(part).await.unwrap();
    let check = Check::new("check", "f", "q").if_not_exists().then(put("check")).options(ttl());
    assert!(table.check_and_mutate(check).await.unwrap().is_applied());
    let batch: Vec<RowOperation> = vec![put("batch1").options(ttl()).into(), put("batch2").into()];
    table.batch(batch).await.into_result().unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(Place::keys(&table, Scan::all()).await, ["batch2", "part", "stays"]);
    assert!(table.get(Get::new("stays").options(stays.clone())).await.unwrap().is_some());
    assert!(table.exists(Get::new("stays").options(stays)).await.unwrap());

    // A scan with this attribute also returns delete markers.
    table.delete(Delete::new("stays")).await.unwrap();
    let raw = CallOptions::new().attribute("_raw_", [0xFF]);
    assert_eq!(Place::keys(&table, Scan::prefix("stays")).await, [""; 0]);
    let scan = Scan::prefix("stays");
    assert_eq!(Place::keys(&table, scan.clone().options(raw.clone())).await, ["stays"]);
    assert_eq!(Place::keys(&table.with_options(raw), scan).await, ["stays"]);
}

#[derive(Debug, RowKey)]
struct Id {
    id: u32,
}

#[derive(Debug, Table)]
#[table(name = "options")]
#[family("f")]
struct Row {
    #[key]
    id: Id,
    #[cell("f:q")]
    text: String,
}

pub(crate) async fn a_typed_table_has_options(place: Place) {
    let rows = place.typed::<Row>().await;
    let short = rows.clone().with_options(ttl());
    short.put(&Row { id: Id { id: 1 }, text: "a".into() }).await.unwrap();
    let both = [Row { id: Id { id: 2 }, text: "a".into() }];
    short.put_all(&both).await.into_result().unwrap();
    rows.put(&Row { id: Id { id: 3 }, text: "a".into() }).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(rows.scan(Id::scan()).count().await.unwrap(), 1);
    // A server refuses a scan of columns with this attribute.
    let raw = rows.with_options(CallOptions::new().attribute("_raw_", [0xFF]));
    let error = raw.scan(Id::scan()).rows().next_row().await.unwrap_err();
    assert!(error.to_string().contains("Cannot specify any column for a raw scan"), "{error}");
}

pub(crate) async fn every_durability_is_accepted(place: Place) {
    let table = place.table(&[]).await;
    use Durability::{AsyncWal, FsyncWal, SkipWal, SyncWal, UseDefault};
    for durability in [UseDefault, SkipWal, AsyncWal, SyncWal, FsyncWal] {
        let row = format!("{durability:?}");
        let put =
            Put::new(&row).cell("f", "q", "v").options(CallOptions::new().durability(durability));
        table.put(put).await.unwrap();
        assert!(table.exists(row.as_str()).await.unwrap());
    }
}

pub(crate) async fn a_call_of_a_trace_is_answered(place: Place) {
    let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = TraceContext::new(traceparent).unwrap().with_tracestate("vendor=x");
    let config = patient().trace_context(move || Some(trace.clone()));
    let client = place.client_of(config).await;
    let name = place.table(&["m"]).await.name().to_string();
    let table = client.raw_table(&*name).unwrap();
    let put = |row: &str| Put::new(row).cell("f", "q", "v");
    table.put(put("a")).await.unwrap();
    table.put_all(["b", "c", "x", "y"].map(put)).await.into_result().unwrap();
    assert!(table.get("a").await.unwrap().is_some());
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "b", "c", "x", "y"]);
    assert!(client.admin().table_exists(&*name).await.unwrap());
    if let Some(mock) = place.client.mock_cluster() {
        for method in ["Mutate", "Multi", "Get", "Scan"] {
            let headers = mock.trace_headers(method);
            assert!(!headers.is_empty(), "{method}");
            assert!(headers.iter().all(|headers| headers["traceparent"] == traceparent));
        }
    }
}
