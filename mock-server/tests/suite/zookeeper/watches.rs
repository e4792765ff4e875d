//! Watches, while servers are killed and started and `hbase:meta` moves.

use tallrow_wire::proto::{Master, MetaRegionServer};
use tallrow_wire::zookeeper::*;
use tokio::io::AsyncReadExt;

use super::{Session, cluster, dial, exists, get_children, get_data};

fn event(kind: EventKind, path: &str) -> WatchEvent {
    WatchEvent { kind, path: path.into() }
}

/// Like HBase: watches of znodes fire when the master or a region server dies or starts.
#[tokio::test(start_paused = true)]
async fn a_watch_tells_that_the_master_died_and_that_another_one_is_active() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    session.ask(&get_data("/hbase/master", true)).await.unwrap();
    cluster.kill_master().unwrap();
    assert_eq!(session.event().await, event(EventKind::NodeDeleted, "/hbase/master"));
    assert_eq!(session.ask(&exists("/hbase/master", true)).await, Err(NO_NODE));
    let started = cluster.start_master().unwrap();
    assert_eq!(session.event().await, event(EventKind::NodeCreated, "/hbase/master"));
    let master: Master = session.message("/hbase/master").await;
    assert_eq!(master.master.port, Some(started.port().into()));
    let backup = cluster.start_master().unwrap();
    let backups = session.children("/hbase/backup-masters").await;
    assert!(backups.len() == 1 && backups[0].contains(&backup.port().to_string()), "{backups:?}");
    session.ask(&get_data("/hbase/master", true)).await.unwrap();
    cluster.kill_master().unwrap();
    // A znode that was deleted and created again was deleted.
    assert_eq!(session.event().await, event(EventKind::NodeDeleted, "/hbase/master"));
    let master: Master = session.message("/hbase/master").await;
    assert_eq!(master.master.port, Some(backup.port().into()));
    assert_eq!(session.children("/hbase/backup-masters").await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn watches_tell_where_meta_is_and_which_servers_live() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    let meta = "/hbase/meta-region-server";
    session.ask(&get_data(meta, true)).await.unwrap();
    cluster.move_region("hbase:meta", b"", 1).unwrap();
    assert_eq!(session.event().await, event(EventKind::NodeDataChanged, meta));
    let at: MetaRegionServer = session.message(meta).await;
    assert_eq!(at.server.port, Some(16_021));
    session.ask(&get_data(meta, true)).await.unwrap();
    session.ask(&get_children("/hbase/rs", true)).await.unwrap();
    cluster.kill_server(1).unwrap();
    assert_eq!(session.event().await, event(EventKind::NodeDataChanged, meta));
    assert_eq!(session.event().await, event(EventKind::NodeChildrenChanged, "/hbase/rs"));
    // A watch fires once.
    cluster.start_server().unwrap();
    assert_eq!(session.children("/hbase/rs").await.len(), 2);
    // Without any server, the znode stays as it is.
    cluster.kill_server(0).unwrap();
    let at: MetaRegionServer = session.message(meta).await;
    cluster.kill_server(2).unwrap();
    assert_eq!(session.message::<MetaRegionServer>(meta).await, at);
    assert_eq!(session.stat(meta).await.unwrap().version, 3);
}

#[tokio::test(start_paused = true)]
async fn an_event_is_sent_before_the_reply_that_shows_its_change() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    session.ask(&get_data("/hbase/master", true)).await.unwrap();
    cluster.kill_master().unwrap();
    let asked = session.send(&exists("/hbase/master", false)).await;
    assert_eq!(session.event().await.kind, EventKind::NodeDeleted);
    assert_eq!(session.receive().await.unwrap().xid, asked);
}

#[tokio::test(start_paused = true)]
async fn watches_that_are_set_again_tell_what_has_happened_in_between() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    let ping = session.send(&Operation::Ping).await;
    let reply = session.receive().await.unwrap();
    assert_eq!(reply.xid, ping);
    cluster.move_region("hbase:meta", b"", 1).unwrap();
    let mut session = Session::with(&cluster, &session.again()).await.unwrap();
    let watches = WatchList {
        last_zxid_seen: reply.zxid,
        data: vec!["/hbase/meta-region-server".into(), "/hbase/hbaseid".into()],
        missing: vec!["/hbase/none".into()],
        children: vec!["/hbase/rs".into()],
    };
    let asked = session.send(&Operation::SetWatches(watches)).await;
    let changed = event(EventKind::NodeDataChanged, "/hbase/meta-region-server");
    assert_eq!(session.event().await, changed);
    assert_eq!(session.receive().await.unwrap().xid, asked);
    cluster.start_server().unwrap();
    assert_eq!(session.event().await, event(EventKind::NodeChildrenChanged, "/hbase/rs"));
}

#[tokio::test(start_paused = true)]
async fn the_connections_and_their_watches_are_bounded() {
    let cluster = cluster().await;
    let mut all = Vec::new();
    for _ in 0..1_000 {
        all.push(Session::open(&cluster).await);
    }
    assert_eq!(dial(&cluster).read(&mut [0; 8]).await.unwrap(), 0);
    all.truncate(10);
    tokio::task::yield_now().await;
    let mut session = Session::open(&cluster).await;
    let long = "/x".repeat(60_000);
    // The last of them exceeds 1 MiB.
    for n in 0..9 {
        assert_eq!(session.ask(&exists(&format!("{long}{n}"), true)).await, Err(NO_NODE));
    }
    assert!(session.receive().await.is_none());
}
