//! Clusters whose servers are reached by other addresses than their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tallrow::{Client, Config, ErrorKind, Get, Put};
use tallrow_mock::MockCluster;
use tallrow_tests::{Place, patient, real, with_credentials};
use tokio::net::{TcpListener, TcpStream};

/// A port that is forwarded to an address, by a name that no certificate has; how many connections
/// it had.
async fn forward(to: &str) -> (String, Arc<AtomicUsize>) {
    let (to, listener) = (to.to_owned(), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let address = format!("localhost:{}", listener.local_addr().unwrap().port());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    tokio::spawn(async move {
        while let Ok((mut outside, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            let mut inside = TcpStream::connect(&to).await.unwrap();
            tokio::spawn(async move {
                // Either side may end it.
                let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
            });
        }
    });
    (address, count)
}

pub(crate) async fn servers_are_reached_through_forwarded_ports(place: Place) {
    // The hosts of an address, and all servers; a mock with sockets.
    let (mock, url, servers);
    match place.client.mock_cluster() {
        Some(_) => {
            mock = Some(MockCluster::start().await.unwrap());
            let mock = mock.as_ref().unwrap();
            url = mock.url();
            servers = (0..2).map(|n| mock.server_address(n).unwrap().to_string()).collect();
        }
        None => {
            let admin = place.client.admin().hbase().unwrap();
            let (Some(zk), Some(rpc)) = (real("TALLROW_REAL_ZK"), real("TALLROW_REAL_RPC")) else {
                return;
            };
            (mock, url) = (None, zk);
            let hosts = rpc.strip_prefix("hbase+rpc://").unwrap();
            let mut all = hosts.split(',').map(str::to_owned).collect::<Vec<_>>();
            // The registry of 2.4 is its masters.
            for name in admin.region_servers().await.unwrap() {
                let parts: Vec<_> = name.split(',').collect();
                let address = format!("{}:{}", parts[0], parts[1]);
                if !all.contains(&address) {
                    all.push(address);
                }
            }
            servers = all;
        }
    }
    let (scheme, rest) = url.split_once("://").unwrap();
    let (host, path) =
        rest.split_once('/').map_or((rest, String::new()), |(h, p)| (h, format!("/{p}")));
    let mut config = match &mock {
        Some(_) => patient(),
        None => with_credentials(&url, patient()),
    };
    let mut counts = BTreeMap::new();
    let mut entry = host.split(',').next().unwrap().to_owned();
    if !servers.contains(&entry) {
        // Not by TLS, which would find another name in the certificate.
        let (first, count) = forward(&entry).await;
        let port = entry.rsplit_once(':').unwrap().1;
        entry = format!("entry.internal:{port}");
        config = config.host_override("entry.internal", first);
        counts.insert("entry", count);
    }
    for server in &servers {
        let (forwarded, count) = forward(server).await;
        config = config.host_override(server, forwarded);
        counts.insert(server, count);
    }
    let client = Client::connect_with(&format!("{scheme}://{entry}{path}"), config).await;
    let client = client.unwrap_or_else(|e| panic!("{e:?}"));
    let name = place.table_name().await;
    let descriptor = tallrow::TableDescriptor::new(&*name).unwrap();
    let descriptor = descriptor.family(tallrow::FamilyDescriptor::new("f"));
    client.admin().create_table_with_splits(&descriptor, &["m"]).await.unwrap();
    let table = client.raw_table(&*name).unwrap();
    for row in ["a", "z"] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
        assert!(table.get(Get::new(row)).await.unwrap().is_some());
    }
    let used = |count: &Arc<AtomicUsize>| count.load(Ordering::Relaxed) > 0;
    assert!(counts.get("entry").is_none_or(used), "{counts:?}");
    let used = counts.values().filter(|count| used(count)).count();
    // Its registry, and whoever serves hbase:meta or the table; the master if it is another one.
    assert!(used >= 2, "{counts:?}");
    tallrow_tests::drop_table(&client.admin(), &name).await;
    drop(mock);
}

pub(crate) async fn an_override_that_fails_is_named_with_its_server(place: Place) {
    let (closed, port) = tallrow_tests::closed_port();
    let config = Config::new().host_override("rs1.internal", port.to_string());
    let error = Client::connect_with("hbase+rpc://rs1.internal:16000", config).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    for part in ["rs1.internal:16000", &format!("at its host override {port}")] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let wrong = Config::new().host_override("rs1", "http://a");
    let error = Client::connect_with("hbase+rpc://rs1", wrong).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    drop((closed, place));
}
