//! Addresses where no cluster is.
//!
//! Most tests use TCP, and so real time: they show what the operating system reports about such
//! addresses.

use std::collections::BTreeSet;
use std::future::ready;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::{
    Client, Config, Connector, Error, ErrorKind, FamilyDescriptor, Put, TableDescriptor,
};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{closed_port, in_memory};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;

/// The error of an address that is answered, however late, and not as HBase does.
async fn refused(address: &str) -> Error {
    error_within(address, Duration::from_secs(3_600)).await
}

/// The error of an address that may be silent.
async fn given_up(address: &str) -> Error {
    error_within(address, Duration::from_millis(300)).await
}

async fn error_within(address: &str, connect_timeout: Duration) -> Error {
    let config = Config::new().connect_timeout(connect_timeout);
    Client::connect_with(address, config).await.unwrap_err()
}

/// In memory, a host `closed` refuses connections, those whose names begin with `silent` take them
/// and never answer, and all others are those of the mock.
fn some_silent(mock: &MockCluster) -> Connector {
    let (mock, taken) = (mock.clone(), Mutex::new(Vec::new()));
    Connector::new(move |host, port| {
        ready(match &*host {
            "closed" => Err(io::Error::from(io::ErrorKind::ConnectionRefused)),
            silent if silent.starts_with("silent") => {
                let (client, server) = tokio::io::duplex(1 << 10);
                taken.lock().unwrap().push(server);
                Ok(client)
            }
            other => mock.dial(other, port),
        })
    })
}

/// A listener that answers every connection with `answer` and keeps it open until the other side
/// closes.
async fn listener(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut some = [0; 64];
                let _ = stream.read(&mut some).await;
                let _ = stream.write_all(answer).await;
                while stream.read(&mut some).await.is_ok_and(|n| n > 0) {}
            });
        }
    });
    port
}

#[tokio::test]
async fn a_host_that_does_not_exist_is_named() {
    for scheme in ["hbase+zk", "hbase+rpc"] {
        let error = given_up(&format!("{scheme}://no-such-host.invalid:2181")).await;
        assert_eq!(
            (error.kind(), error.operation()),
            (ErrorKind::Unreachable, "connect"),
            "{error:?}"
        );
        assert!(format!("{error:?}").contains("no-such-host.invalid:2181"), "{error:?}");
    }
}

#[tokio::test]
async fn a_closed_port_is_named() {
    let (_closed, free) = closed_port();
    for scheme in ["hbase+zk", "hbase+rpc"] {
        let error = refused(&format!("{scheme}://{free}")).await;
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
        let text = format!("{error:?}");
        assert!(text.contains(&free.to_string()) && text.contains("refused"), "{text}");
    }
}

#[tokio::test]
async fn an_answer_of_another_protocol_is_shown() {
    let port = listener(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    for scheme in ["hbase+zk", "hbase+rpc"] {
        let error = refused(&format!("{scheme}://127.0.0.1:{port}")).await;
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error:?}");
        assert!(format!("{error:?}").contains("HTTP"), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_host_is_given_up() {
    let mock = MockCluster::start().await.unwrap();
    for scheme in ["hbase+zk", "hbase+rpc"] {
        let config = Config::new().connect_timeout(Duration::from_millis(300));
        let config = config.connector(some_silent(&mock));
        let error = Client::connect_with(&format!("{scheme}://silent:1"), config).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
        assert!(format!("{error:?}").contains("no answer within 0.3 s"), "{error:?}");
    }
}

#[tokio::test]
async fn another_service_at_the_address_is_recognized() {
    let web = listener(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let mock = MockCluster::start().await.unwrap();
    let (_closed, free) = closed_port();
    // As ZooKeeper does with what it takes for a packet that is too long.
    let closing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let zookeeper = closing.local_addr().unwrap();
    tokio::spawn(async move { while closing.accept().await.is_ok() {} });
    for (address, advice) in [
        (format!("hbase+rpc://127.0.0.1:{web}"), "this is a web server: the usual ports are 2181"),
        (format!("hbase+zk://127.0.0.1:{web}"), "this is a web server: the usual ports are 2181"),
        (
            format!("hbase+zk://{}", mock.rpc_address()),
            "hbase+zk:// expects ZooKeeper; if this is a master or a region server, write hbase+rpc://",
        ),
        (
            format!("hbase+rpc://{zookeeper}"),
            "hbase+rpc:// expects masters or region servers; if this is ZooKeeper, write hbase+zk://",
        ),
        (
            format!("hbase+zk://{free}"),
            "check that ZooKeeper runs there; `Config::connect_timeout` limits how long to wait",
        ),
        (
            format!("hbase+rpc://{free}"),
            "check that a master or region server runs there; `Config::connect_timeout` limits",
        ),
    ] {
        let text = refused(&address).await.to_string();
        assert!(text.contains(advice) && text.len() < 500, "{text}");
    }
}

#[tokio::test]
async fn an_emulator_with_tls_in_its_address_is_told_that_it_has_none() {
    let mock = MockCluster::builder().bigtable_port(0).start().await.unwrap();
    let endpoint = mock.bigtable_address().unwrap();
    let text = refused(&format!("bigtable://p/i?endpoint=https://{endpoint}")).await.to_string();
    assert!(
        text.contains(
            "is not TLS; an emulator and a mock have none; then write endpoint=host:port"
        ) && !text.contains("hbase.server"),
        "{text}"
    );
}

/// A master before 2.3, or a region server before 2.5: it answers, and not to this.
#[tokio::test(start_paused = true)]
async fn a_server_that_is_older_than_the_registry_of_servers_is_told_from_none() {
    for class in [
        "org.apache.hadoop.hbase.ipc.UnknownServiceException",
        "java.lang.UnsupportedOperationException",
    ] {
        for hosts in ["rs1:16020", "rs1:16020,rs2:16020"] {
            let mock = MockCluster::builder().in_memory().start().await.unwrap();
            let fault =
                Fault::on("GetMetaRegionLocations").times(100).throw(class, "ClientMetaService");
            mock.inject(fault);
            let servers = mock.clone();
            let port = mock.rpc_address().port();
            let dial = move |_: String, _| ready(servers.dial("127.0.0.1", port));
            let config = Config::new().connector(Connector::new(dial));
            let error = Client::connect_with(&format!("hbase+rpc://{hosts}"), config).await;
            let text = error.unwrap_err().to_string();
            assert!(
                text.contains("since HBase 2.3 and region servers since 2.5: name its masters")
                    && text.contains("hbase.client.registry.impl")
                    && !text.contains("check that a master"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn each_part_of_an_invalid_address_is_reported() {
    for (address, why) in [
        ("zk1:2181", "it has no scheme"),
        ("http://master:16010", "unknown scheme \"http\""),
        ("hbase+zk://zk1:99999", "\"zk1:99999\" has no port between 1 and 65535"),
        (
            "hbase+zk://zk1;zk2",
            "\"zk1;zk2\": ';' is not allowed in a host; hosts are separated by ','",
        ),
        ("hbase+zk://user@zk1", "\"user@zk1\": '@' is not allowed in a host"),
        ("hbase+rpc://m:16000/hbase", "nothing may follow the servers, found \"/hbase\""),
    ] {
        let text = refused(address).await.to_string();
        assert!(text.starts_with(&format!("connect: address {address:?}: {why}")), "{text}");
    }
    let error = refused("hbase+zk://zk1:2181?users=u").await.to_string();
    assert!(
        error.starts_with("connect: the address: users is \"u\": unknown setting; is it user?"),
        "{error}"
    );
    let error = refused("mock:?namespace=a b").await.to_string();
    assert!(error.contains("' ' is not allowed in the namespace; use letters"), "{error}");
}

#[tokio::test]
async fn the_error_for_an_invalid_address_lists_the_valid_forms() {
    let error = refused("localhost").await;
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("hbase+rpc://"), "{error}");
}

#[tokio::test]
async fn the_second_server_of_an_address_is_used_if_the_first_is_down() {
    let mock = MockCluster::start().await.unwrap();
    let (_closed, free) = closed_port();
    let hour = Duration::from_secs(3_600);
    let config = Config::new().connect_timeout(hour).operation_timeout(hour).attempt_timeout(hour);
    let address = format!("hbase+rpc://{free},{}", mock.rpc_address());
    let client = Client::connect_with(&address, config).await.unwrap();
    assert!(client.admin().list_tables().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn silent_hosts_are_given_up_together_and_all_are_named() {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let hosts = ["silent1:1", "silent2:2", "silent3:3"];
    for scheme in ["hbase+zk", "hbase+rpc"] {
        let connect_timeout = Duration::from_millis(300);
        let config = Config::new().connect_timeout(connect_timeout).connector(some_silent(&mock));
        let address = format!("{scheme}://{},closed:4", hosts.join(","));
        let started = Instant::now();
        let error = Client::connect_with(&address, config).await.unwrap_err();
        assert_eq!(started.elapsed(), connect_timeout);
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
        let text = error.to_string();
        let (_, hosts_text) = text.split_once("does not answer as HBase does: ").unwrap();
        for host in hosts {
            assert!(hosts_text.contains(&format!("{host}: no answer within 0.")), "{text}");
        }
        assert!(hosts_text.contains("closed:4") && hosts_text.contains("refused"), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_server_that_answers_is_found_among_silent_and_refusing_ones() {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let address = format!("hbase+rpc://silent1:1,closed:2,silent2:3,{}", mock.rpc_address());
    let config = Config::new().connector(some_silent(&mock));
    let client = Client::connect_with(&address, config).await.unwrap();
    // The same hosts are queried for the master.
    assert!(client.admin().list_tables().await.unwrap().is_empty());
}

/// A cluster without sockets, and a configuration for its clients: they may take an hour to
/// connect.
async fn without_sockets() -> (MockCluster, Config) {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let connect_timeout = Duration::from_secs(3_600);
    let connector = in_memory(&mock);
    (mock, Config::new().connect_timeout(connect_timeout).connector(connector))
}

#[tokio::test(start_paused = true)]
async fn connecting_does_not_wait_for_the_names_of_other_servers() {
    let (mock, config) = without_sockets().await;
    mock.inject(Fault::on("GetBootstrapNodes").drop_reply());
    let started = Instant::now();
    Client::connect_with(&mock.url(), config).await.unwrap();
    assert!(started.elapsed().is_zero(), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_registry_lookup_ends_by_the_deadline_of_the_operation() {
    let (mock, config) = without_sockets().await;
    let operation_timeout = Duration::from_millis(300);
    mock.inject(Fault::on_connect().server(0).never_reply());
    let address = format!("{},{}", mock.url(), mock.server_address(0).unwrap());
    let config = config.operation_timeout(operation_timeout);
    let client = Client::connect_with(&address, config).await.unwrap();
    mock.inject(Fault::on("GetActiveMaster").drop_reply());
    let error = client.admin().list_tables().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "list tables"), "{error:?}");
    assert_eq!(error.elapsed(), operation_timeout);
}

/// A client knew the region servers that the cluster had when the client connected, and no others:
/// once all of them had been replaced, it found nothing while the server in its address was down.
#[tokio::test(start_paused = true)]
async fn servers_that_come_and_go_are_learnt_anew() {
    let mock = MockCluster::builder().in_memory().servers(2).start().await.unwrap();
    let dials = Arc::new(Mutex::new(Vec::new()));
    let connector = {
        let (mock, dials) = (mock.clone(), dials.clone());
        Connector::new(move |host, port| {
            dials.lock().unwrap().push(port);
            ready(mock.dial(&host, port))
        })
    };
    let config = Config::new().connector(connector);
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    let mut all = vec![mock.server_address(0).unwrap(), mock.server_address(1).unwrap()];
    for n in 0..5 {
        tokio::time::sleep(Duration::from_secs(61)).await;
        let new = mock.start_server().unwrap();
        all.push(mock.server_address(new).unwrap());
        mock.kill_server(n).unwrap();
        // Regions are looked up now and then.
        let new_table = format!("t{n}");
        let described = TableDescriptor::new(&new_table).unwrap();
        let described = described.family(FamilyDescriptor::new("f"));
        client.admin().create_table(&described).await.unwrap();
        let row = Put::new("r").cell("f", "q", "v");
        client.raw_table(&new_table).unwrap().put(row).await.unwrap();
        // What is asked for in the background is answered.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // The server in the address goes, and all that were there when the first table was looked up.
    mock.move_region("hbase:meta", b"", 5).unwrap();
    mock.kill_server(5).unwrap();
    mock.kill_master().unwrap();
    let first = client.raw_table("t0").unwrap();
    assert!(first.get("r").await.unwrap().is_some(), "the last server is known");

    // The address, and what was there last, are all that is asked.
    client.admin().list_tables().await.unwrap_err();
    dials.lock().unwrap().clear();
    client.admin().list_tables().await.unwrap_err();
    let asked: BTreeSet<u16> = dials.lock().unwrap().iter().copied().collect();
    let old: Vec<_> = all[..5].iter().filter(|of| asked.contains(&of.port())).collect();
    assert!(old.is_empty(), "{old:?} are asked, though they have been gone for long");
}
