//! A load whose tickets end every few seconds, while its connections break and a server is killed.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tallrow::authentication::Authentication;
use tallrow::{
    Client, Config, DeliveryGuarantee, ErrorKind, FamilyDescriptor, Get, Put, RawTable, Scan,
    TableDescriptor,
};
use tallrow_kerberos::Login;
use tallrow_tests::{SERVERS, drop_table, patient, thorough, until};
use tokio::task::JoinHandle;

use super::cluster::Secured;
use super::connections::Connections;
use super::counted_kdc::{Answer, CountedKdc, Requests};

const WRITERS: usize = 8;

/// Writers, each of which puts a row and reads it, and puts the next one when that is acknowledged.
/// None of it may fail.
struct Load {
    client: Client,
    config: Config,
    table: RawTable,
    acknowledged: Arc<[AtomicUsize; WRITERS]>,
    stops: Arc<AtomicBool>,
    writers: Vec<JoinHandle<()>>,
}

fn key(writer: usize, row: usize) -> String {
    format!("{writer}-{row:08}")
}

impl Load {
    async fn start(
        secured: &Secured,
        login: &Login,
        connections: &Connections,
        name: &str,
    ) -> Self {
        let by = Authentication::kerberos(login.clone(), SERVERS);
        // A server that was killed answers no attempt.
        let config = patient().attempt_timeout(Duration::from_secs(30)).authentication(by);
        // The answer to a write may be lost with its connection.
        let config = config.delivery(DeliveryGuarantee::Idempotent);
        let config = config.connector(connections.connector());
        let client = secured.connect_with(config.clone()).await.unwrap();
        let admin = client.admin();
        drop_table(&admin, name).await;
        let described = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
        admin.create_table(&described.splits(["2", "4", "6"])).await.unwrap();
        let table = client.raw_table(name).unwrap();
        let acknowledged = Arc::new([const { AtomicUsize::new(0) }; WRITERS]);
        let stops = Arc::new(AtomicBool::new(false));
        let writers = (0..WRITERS).map(|writer| {
            let (table, acknowledged, stops) = (table.clone(), acknowledged.clone(), stops.clone());
            tokio::spawn(async move {
                while !stops.load(Ordering::Relaxed) {
                    let key = key(writer, acknowledged[writer].load(Ordering::Relaxed));
                    let put = Put::new(&key).cell("f", "q", &key);
                    table.put(put).await.unwrap_or_else(|why| panic!("put of {key}: {why:?}"));
                    acknowledged[writer].fetch_add(1, Ordering::Relaxed);
                    let row = table.get(Get::new(&key)).await;
                    let row = row.unwrap_or_else(|why| panic!("get of {key}: {why:?}"));
                    assert_eq!(row.unwrap().value("f", "q"), Some(key.as_bytes()));
                }
            })
        });
        let writers = writers.collect();
        Self { client, config, table, acknowledged, stops, writers }
    }

    fn acknowledged(&self) -> usize {
        self.acknowledged.iter().map(|rows| rows.load(Ordering::Relaxed)).sum()
    }

    /// Waits until each writer has put this many further rows.
    async fn goes_on(&self, rows: usize) {
        let before = self.acknowledged.each_ref().map(|rows| rows.load(Ordering::Relaxed));
        until(&format!("each writer puts {rows} further rows"), async || {
            assert!(self.writers.iter().all(|writer| !writer.is_finished()), "a writer failed");
            let now = self.acknowledged.iter().map(|rows| rows.load(Ordering::Relaxed));
            now.zip(before).all(|(now, before)| now >= before + rows)
        })
        .await;
    }

    /// Ends the writers, and compares the table with what was acknowledged.
    async fn end(self) {
        self.stops.store(true, Ordering::Relaxed);
        for writer in self.writers {
            writer.await.unwrap();
        }
        let mut rows = self.table.scan(Scan::all()).unwrap();
        let expected = self.acknowledged.iter().enumerate().flat_map(|(writer, rows)| {
            (0..rows.load(Ordering::Relaxed)).map(move |row| key(writer, row))
        });
        for expected in expected {
            let row = rows.next_row().await.unwrap();
            let row = row.unwrap_or_else(|| panic!("{expected} is lost, and all after it"));
            assert_eq!(String::from_utf8_lossy(row.key()), expected);
        }
        assert!(rows.next_row().await.unwrap().is_none());
        drop_table(&self.client.admin(), self.table.name().as_str()).await;
    }
}

/// Asserts that the KDC got one login and one request for a service with each renewal, however many
/// connections were opened. A ticket is renewed in the last fifth of its time.
fn assert_few(requests: Requests, elapsed: Duration, ticket: Duration) {
    let most = elapsed.as_secs_f64() / (ticket.as_secs_f64() * 0.8) + 2.0;
    let few = requests.first as f64 <= 2.0 * most && requests.service as f64 <= most;
    assert!(few, "{requests:?} in {elapsed:?} with tickets of {ticket:?}");
}

/// Three renewals of a few seconds, or ten minutes with tickets of one.
#[tokio::test]
async fn on_real_tickets_are_renewed_while_connections_break() {
    let Some(secured) = Secured::real().await else { return };
    let (seconds, least) =
        if thorough() { (60, Duration::from_secs(600)) } else { (5, Duration::ZERO) };
    let kdc = CountedKdc::start(&secured, Answer::OfKdc, Answer::OfKdc).await;
    let krb5 = kdc.krb5(&format!("ticket_lifetime = {seconds}"));
    let keytab = secured.folder.join("user.keytab");
    let login = Login::with_keytab(krb5, "tester".parse().unwrap(), keytab).unwrap();
    let began = Instant::now();
    let connections = Connections::new();
    let load = Load::start(&secured, &login, &connections, "t_secured_renewals").await;
    while began.elapsed() < least || kdc.requests().service < 4 {
        load.goes_on(1).await;
        connections.cut();
        // One more client with the same login.
        let client = secured.connect_with(load.config.clone()).await.unwrap();
        let row = client.raw_table(load.table.name()).unwrap().get(Get::new(key(0, 0))).await;
        assert!(row.unwrap().is_some());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (requests, opened, elapsed) = (kdc.requests(), connections.opened().len(), began.elapsed());
    let acknowledged = load.acknowledged();
    println!("{acknowledged} rows in {elapsed:?}, {opened} connections, {requests:?}");
    load.end().await;
    assert_few(requests, elapsed, Duration::from_secs(seconds));
    assert!(opened > 5 * (requests.first + requests.service), "{opened} connections");
}

/// A region server that the script of the cluster kills and starts.
struct RegionServer {
    folder: PathBuf,
    name: String,
}

impl RegionServer {
    /// The one at `host,port,start code` of the cluster with this folder of tickets.
    fn find(kerberos: &Path, server_name: &str) -> Self {
        let folder = kerberos.parent().unwrap().to_owned();
        let made_by = std::fs::read_to_string(folder.join("made-by")).unwrap();
        let first: u16 = made_by.split_whitespace().nth(1).unwrap().parse().unwrap();
        let port: u16 = server_name.split(',').nth(1).unwrap().parse().unwrap();
        Self { folder, name: format!("rs{}", port - first - 1) }
    }

    async fn is_to(&self, what: &str) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/hbase/secured");
        let mut command = tokio::process::Command::new(script);
        command.args([what, &self.name]).env("TALLROW_REAL_DIR", &self.folder);
        // As its `up` had it: what is in the folder counts.
        let done = command.env("TALLROW_REAL_PORT", "free").stdin(Stdio::null()).status().await;
        assert!(done.unwrap().success(), "secured {what} {}", self.name);
    }
}

#[tokio::test]
async fn on_real_nothing_is_lost_when_a_server_is_killed_and_tickets_end() {
    let Some(secured) = Secured::alone().await else { return };
    let kdc = CountedKdc::start(&secured, Answer::OfKdc, Answer::OfKdc).await;
    let krb5 = kdc.krb5("ticket_lifetime = 5");
    let keytab = secured.folder.join("user.keytab");
    let login = Login::with_keytab(krb5, "tester".parse().unwrap(), keytab).unwrap();
    let began = Instant::now();
    let name = "t_secured_killed";
    let load = Load::start(&secured, &login, &Connections::new(), name).await;
    let hbase = load.client.admin().hbase().unwrap();
    if let Err(error) = hbase.add_labels(["killed"]).await {
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
    }
    // Where the labels are: `VisibilityController` is not ready before it has read them again.
    let labels = hbase.regions("hbase:labels").await.unwrap();
    let victim = RegionServer::find(&secured.folder, labels[0].server().unwrap());
    load.goes_on(50).await;
    victim.is_to("kill").await;
    let before = load.acknowledged();
    let listing = {
        let (hbase, stops) = (hbase.clone(), load.stops.clone());
        tokio::spawn(async move {
            while !stops.load(Ordering::Relaxed) {
                let known = hbase.list_labels().await.unwrap();
                assert!(known.iter().any(|label| label == "killed"), "{known:?}");
            }
        })
    };
    victim.is_to("start").await;
    load.goes_on(50).await;
    let (requests, elapsed) = (kdc.requests(), began.elapsed());
    let after = load.acknowledged() - before;
    println!("{before} rows, {after} since {} was killed, {elapsed:?}, {requests:?}", victim.name);
    load.end().await;
    listing.await.unwrap();
    assert_few(requests, elapsed, Duration::from_secs(5));
    assert!(requests.service >= 2, "no ticket was renewed: {requests:?}");
}
