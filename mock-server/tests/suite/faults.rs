//! Faults on calls: what the client receives, and what is applied.

use std::time::Duration;

use tallrow_mock::{Fault, MockCluster};
use tallrow_wire::exception;
use tallrow_wire::frame::Response;
use tallrow_wire::proto::*;
use tokio::time::Instant;

use crate::frames::{Fixture, Frames, get, put, server_of};

/// Sends a put that must not be answered, then a Get whose reply must be the next one. Returns
/// whether the put was applied.
async fn unanswered(t: &mut Fixture, fault: Fault) -> bool {
    t.cluster.inject(fault);
    let request = t.request(put("r"));
    t.client.send("Mutate", &request, b"").await;
    !t.values("r").await.is_empty()
}

/// Sends a put and reads to the end of the connection. Returns what was received and whether the
/// put was applied.
async fn closed(t: &mut Fixture, fault: Fault) -> (Vec<u8>, bool) {
    t.cluster.inject(fault);
    let request = t.request(put("r"));
    t.client.send("Mutate", &request, b"").await;
    let rest = t.client.rest().await;
    t.reconnect(b"").await;
    (rest, !t.values("r").await.is_empty())
}

#[tokio::test]
async fn an_exception_is_thrown_as_given_and_nothing_is_applied() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Mutate").nth(1).throw(exception::CALL_QUEUE_TOO_BIG, "full"));
    let request = t.request(put("r"));
    let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    assert_eq!(
        (error.class.as_str(), error.message.as_str()),
        (exception::CALL_QUEUE_TOO_BIG, "full")
    );
    assert!(error.server_overloaded && !error.do_not_retry);
    assert_eq!(t.values("r").await, [""; 0]);
    t.client.call::<MutateResponse>("Mutate", &request).await.unwrap();
    assert_eq!(t.cluster.call_count("Mutate"), 2);
}

#[tokio::test]
async fn a_call_is_applied_if_its_reply_is_dropped_but_not_if_its_request_is() {
    let mut t = Fixture::new(&[]).await;
    assert!(!unanswered(&mut t, Fault::on("Mutate").nth(1).drop_request()).await);
    assert!(unanswered(&mut t, Fault::on("Mutate").nth(1).drop_reply()).await);
}

#[tokio::test]
async fn a_connection_closes_before_or_after_the_call_is_applied() {
    let mut t = Fixture::new(&[]).await;
    let (rest, applied) = closed(&mut t, Fault::on("Mutate").nth(1).close_before()).await;
    assert_eq!((rest.len(), applied), (0, false));
    let (rest, applied) = closed(&mut t, Fault::on("Mutate").nth(1).close_after()).await;
    assert_eq!((rest.len(), applied), (0, true));
}

#[tokio::test]
async fn a_reply_is_truncated_in_the_middle() {
    let mut t = Fixture::new(&[]).await;
    let (rest, applied) = closed(&mut t, Fault::on("Mutate").nth(1).truncate_reply()).await;
    let announced = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
    assert!(rest.len() < 4 + announced && applied);
}

#[tokio::test]
async fn garbage_replaces_the_reply() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Mutate").nth(1).garbage(&b"\0\0\0\x03\x01\x02\x03"[..]));
    let request = t.request(put("r"));
    t.client.send("Mutate", &request, b"").await;
    t.client.send("Get", &GetRequest { region: t.region(b""), get: get("r") }, b"").await;
    let mut bytes = vec![0; 7];
    t.client.read_exact(&mut bytes).await;
    assert!(Response::decode(bytes[4..].to_vec().into()).is_err());
}

#[tokio::test]
async fn a_region_is_not_served() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Get").table("t").times(1).not_serving());
    let error = t.get(get("r")).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
    assert!(
        error.message.starts_with("t,,") && error.message.contains(" is not online on 127.0.0.1,")
    );
    t.get(get("r")).await.unwrap();
}

#[tokio::test]
async fn a_huge_frame_is_only_its_length() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Mutate").nth(1).huge_frame());
    let request = t.request(put("r"));
    t.client.send("Mutate", &request, b"").await;
    let mut length = [0; 4];
    t.client.read_exact(&mut length).await;
    assert_eq!(i32::from_be_bytes(length), i32::MAX);
    assert_eq!(t.values("r").await, ["q=v"]);
}

#[tokio::test]
async fn a_reply_with_a_wrong_call_id_replaces_the_real_one() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Mutate").nth(1).wrong_call_id());
    let request = t.request(put("r"));
    let sent = t.client.send("Mutate", &request, b"").await;
    let answered = t.client.receive().await.unwrap().header.call_id.unwrap();
    assert!(answered > sent + 1000, "{answered}");
    assert_eq!(t.values("r").await, ["q=v"]);
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_trickles_delays_later_replies_but_no_call() {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(Fault::on("Get").nth(1).trickle(Duration::from_secs(1)));
    let read = GetRequest { region: t.region(b""), get: get("r") };
    let started = Instant::now();
    let slow = t.client.send("Get", &read, b"").await;
    let request = t.request(put("r"));
    let quick = t.client.send("Mutate", &request, b"").await;
    let server = server_of(&t.cluster, "t", b"");
    let mut other = Frames::open(&t.cluster, server, "ClientService").await;
    let (_, cells) = other.call_with::<GetResponse>("Get", &read, b"").await.unwrap();
    assert_eq!((cells.len(), started.elapsed().as_secs()), (1, 0));
    assert_eq!(t.client.receive().await.unwrap().header.call_id, Some(slow));
    let taken = started.elapsed();
    assert!(taken >= Duration::from_secs(10), "{taken:?}");
    assert_eq!(t.client.receive().await.unwrap().header.call_id, Some(quick));
    assert_eq!(started.elapsed(), taken);
}

#[tokio::test]
async fn faults_apply_to_every_service_and_those_that_did_not_fire_are_listed() {
    let mut t = Fixture::new(&[]).await;
    let methods = ["GetActiveMaster", "GetTableNames", "GetOnlineRegion"];
    for method in methods {
        t.cluster.inject(Fault::on(method).nth(1).throw(exception::IO, method));
    }
    t.cluster.inject(Fault::on("Scan").table("hbase:meta").throw(exception::IO, "meta"));
    let mut registry = Frames::open(&t.cluster, t.cluster.rpc_address(), "ClientMetaService").await;
    for (method, connection) in
        methods.into_iter().zip([&mut registry, &mut t.master, &mut t.admin])
    {
        assert_eq!(connection.call::<Empty>(method, &Empty {}).await.unwrap_err().message, method);
    }
    let never = Fault::on("Scan").table("hbase:meta").throw(exception::IO, "meta");
    assert_eq!(t.cluster.unfired_faults(), [never]);
}

#[tokio::test]
async fn a_fault_applies_to_its_table_also_in_a_batch_and_on_a_scanner() {
    let mut t = Fixture::new(&[]).await;
    t.put("a", "q", 1, "v").await;
    t.put("b", "q", 1, "v").await;
    t.cluster.inject(Fault::on("Multi").table("other").throw(exception::IO, "wrong table"));
    t.cluster.inject(Fault::on("Multi").table("default:t").throw(exception::IO, "this table"));
    let action = RegionAction { region: t.region(b""), ..Default::default() };
    let batch = MultiRequest { region_action: vec![action], ..Default::default() };
    let error = t.client.call::<MultiResponse>("Multi", &batch).await.unwrap_err();
    assert_eq!(error.message, "this table");
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    t.cluster.inject(Fault::on("Scan").table("t").throw(exception::IO, "next"));
    let error = t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap_err();
    assert_eq!(error.message, "next");
    t.cluster.clear_faults();
    t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap();
}

#[tokio::test]
async fn the_same_seed_gives_the_same_faults() {
    let history = async |seed| {
        let mut t = Fixture::with(MockCluster::builder().seed(seed), &[], &[]).await;
        t.cluster.inject(Fault::on("Mutate").chance(0.4).throw(exception::REGION_TOO_BUSY, "busy"));
        let mut failed = Vec::new();
        for n in 0..30 {
            let request = t.request(put(&format!("r{n}")));
            failed.push(t.client.call::<MutateResponse>("Mutate", &request).await.is_err());
        }
        failed
    };
    assert_eq!(history(1).await, history(1).await);
    assert_ne!(history(1).await, history(2).await);
}
