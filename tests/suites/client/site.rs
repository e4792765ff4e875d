//! HBase's own configuration files.

use tallrow::{Client, Config, Get, Put};
use tallrow_tests::{Place, in_memory, patience, patient, real, scratch_dir};

/// The configuration directory of the cluster, and how to connect to it.
async fn files(place: &Place) -> Option<(std::path::PathBuf, Config)> {
    let Some(mock) = place.client.mock_cluster() else {
        place.client.admin().hbase().unwrap();
        return Some((real("TALLROW_REAL_CONF")?.into(), patient()));
    };
    let dir = scratch_dir();
    let registry = "org.apache.hadoop.hbase.client.RpcConnectionRegistry";
    let properties = [
        ("hbase.client.registry.impl", registry.to_owned()),
        ("hbase.masters", mock.rpc_address().to_string()),
        ("hbase.client.operation.timeout", "30s".to_owned()),
    ];
    let properties = properties.map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    });
    let text = format!("<configuration>{}</configuration>", properties.concat());
    std::fs::write(dir.join("hbase-site.xml"), text).unwrap();
    // The other times are those of the file.
    let config = Config::new().connector(in_memory(mock)).connect_timeout(patience());
    Some((dir, config))
}

pub(crate) async fn files_alone_say_where_the_cluster_is(place: Place) {
    let Some((dir, config)) = files(&place).await else { return };
    let table = place.table(&[]).await;
    let address = format!("hbase-site:{}", dir.display());
    let client = Client::connect_with(&address, config).await.unwrap_or_else(|e| panic!("{e}"));
    let same = client.raw_table(table.name()).unwrap();
    same.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    assert!(table.get(Get::new("r")).await.unwrap().is_some());

    let report = client.config_report();
    assert_eq!(report.wrong_entries().count(), 0, "{report}");
    let known = |name| report.entries().iter().find(|entry| entry.name() == name);
    let used = ["hbase.zookeeper.quorum", "hbase.masters"].into_iter().find_map(known).unwrap();
    assert_eq!(used.status(), &tallrow::settings::EntryStatus::Used, "{report}");
    let unknown: Vec<_> = report
        .entries()
        .iter()
        .filter(|entry| matches!(entry.status(), tallrow::settings::EntryStatus::Unknown(_)))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
