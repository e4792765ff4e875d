//! The state of a client as JSON, read by a JSON parser.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join;
use proptest::prelude::*;
use serde_json::Value;
use tallrow::{Client, Config, FamilyDescriptor, Put, RowKeyDisplay, Scan, TableDescriptor};
use tallrow_mock::Fault;

use crate::observe::{Site, class, config, site_with};

fn state(client: &Client) -> Value {
    let text = client.state_json();
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn put(row: impl AsRef<[u8]>) -> Put {
    Put::new(row).cell("f", "q", "v")
}

#[tokio::test(start_paused = true)]
async fn it_has_what_the_client_is_doing() {
    let config = config().retry_budget(tallrow::RetryBudget::new(20, 10)).in_flight_bytes(100_000);
    let Site { client, table, mock } = site_with(config, &["m"]).await;
    table.put_all(('a'..='z').map(|row| put(row.to_string()))).await.into_result().unwrap();
    mock.inject(Fault::on("Get").times(1).pause_handler(Duration::from_millis(200)));
    let writer = table.writer().linger(Duration::from_secs(60)).start().unwrap();
    writer.write(put("w")).await.unwrap();
    let mut rows = table.scan(Scan::all().rows_per_call(1)).unwrap();
    rows.next().await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(10)).await;
    let looking = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        state(&client)
    };
    let (got, state) = join(table.get("a"), looking).await;
    assert!(got.unwrap().is_some());

    let pause = state["configuration"].as_array().unwrap().iter().find(|s| s["name"] == "pause");
    assert_eq!(pause.unwrap()["value"], "2 ms");
    assert_eq!(pause.unwrap()["source"], "program");
    assert_eq!(state["is_closed"], false);
    assert_eq!(state["registry"]["kind"], "rpc");
    assert!(state["registry"]["hosts"].as_str().unwrap().contains(':'));
    let in_flight = state["in_flight"]["bytes"].as_u64().unwrap();
    assert!((512..2_000).contains(&in_flight), "{state:#}");
    assert_eq!(state["in_flight"]["limit"], 100_000);
    let left = state["retry_budget"]["left"].as_u64().unwrap();
    assert!((400..420).contains(&left), "what 40 seconds bring, and a little since: {left}");
    let connections = state["connections"].as_array().unwrap();
    let services: Vec<_> = connections.iter().map(|c| c["service"].as_str().unwrap()).collect();
    assert!(services.contains(&"ClientService") && services.contains(&"MasterService"));
    assert!(connections.iter().all(|c| c["is_open"] == true && c["queued"] == 0));
    let known: BTreeMap<_, _> = state["regions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| (of["table"].as_str().unwrap(), of["known"].as_u64().unwrap()))
        .collect();
    assert_eq!(known["t"], 2);
    let scanners = state["scanners"].as_array().unwrap();
    assert_eq!(scanners.len(), 1, "{scanners:?}");
    assert_eq!(scanners[0]["table"], "t");
    assert!(scanners[0]["open_for"].as_u64().unwrap() >= 100_000_000);
    let writers = state["writers"].as_array().unwrap();
    assert_eq!(writers.len(), 1);
    assert_eq!((&writers[0]["table"], &writers[0]["waiting"]), (&"t".into(), &1.into()));
    let gets = state["metrics"]["operations"].as_array().unwrap().iter();
    let gets = gets.filter(|o| o["operation"] == "get").collect::<Vec<_>>();
    assert_eq!(gets[0]["in_flight"], 1);

    drop((rows, writer));
    tokio::time::sleep(Duration::from_millis(100)).await;
    client.close(Duration::from_secs(1)).await.unwrap();
    let state = self::state(&client);
    assert_eq!(state["is_closed"], true);
    for empty in ["scanners", "writers", "connections"] {
        assert_eq!(state[empty], Value::Array(Vec::new()), "{empty}");
    }
    assert_eq!(state["in_flight"]["bytes"], 0);
}

/// A client that finds every operation slow, after one of them failed on this row.
async fn after_a_failure(row: &[u8], keys: RowKeyDisplay) -> Value {
    let config = Config::new().row_keys(keys).slow_operations(Duration::ZERO, |_| {});
    let client = Client::connect_with("mock:", config).await.unwrap();
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table("t").unwrap();
    let mock = client.mock_cluster().unwrap();
    mock.inject(Fault::on("Mutate").times(1).throw(&class("RegionTooBusyException"), "full"));
    table.put(put(row)).await.unwrap();
    table.put(Put::new(row).cell("nosuch", "q", "v")).await.unwrap_err();
    state(&client)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn it_is_json_whatever_the_row_keys_are(row in proptest::collection::vec(any::<u8>(), 1..40)) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        for keys in [RowKeyDisplay::Shown, RowKeyDisplay::Hashed, RowKeyDisplay::Hidden] {
            let state = runtime.block_on(after_a_failure(&row, keys));
            let slow = state["slow_operations"].as_array().unwrap();
            let what: Vec<&str> = slow.iter().map(|s| s["what"].as_str().unwrap()).collect();
            prop_assert!(what.len() >= 3);
            prop_assert!(what.last().unwrap().contains("and failed"), "{what:?}");
            prop_assert!(what[what.len() - 2].contains("RegionTooBusyException"), "{what:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn row_keys_are_shown_as_configured() {
    let row = b"account-4711";
    for (keys, shown) in [
        (RowKeyDisplay::Shown, true),
        (RowKeyDisplay::Hashed, false),
        (RowKeyDisplay::Hidden, false),
    ] {
        let state = after_a_failure(row, keys).await;
        assert_eq!(state.to_string().contains("account-4711"), shown, "{keys:?}: {state:#}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_latest_slow_operations_are_kept() {
    let config = config().slow_operations(Duration::ZERO, |_| {});
    let Site { client, table, .. } = site_with(config, &[]).await;
    for n in 0..100 {
        table.get(format!("row{n}")).await.unwrap();
    }
    let state = state(&client);
    let slow = state["slow_operations"].as_array().unwrap();
    assert_eq!(slow.len(), 32);
    assert!(slow[31]["what"].as_str().unwrap().contains("row99"), "{slow:?}");
    assert!(slow[0]["what"].as_str().unwrap().contains("row68"), "{slow:?}");
}
