//! Servers that cannot be reached: how often they are dialed, and how soon the first operation
//! after it succeeds.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::{Client, Config, Connector, FamilyDescriptor, Put, RawTable, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::thorough;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, copy, duplex};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

/// What a host does with a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Host {
    Up,
    Refuses,
    /// Does not answer until it is up.
    Silent,
    /// Accepts it, and ends it.
    Closes,
}

/// All hosts of a cluster, and who dialed them when.
struct Network {
    mock: MockCluster,
    state: watch::Sender<Host>,
    dials: Mutex<Vec<(Instant, String)>>,
    open: Mutex<Vec<AbortHandle>>,
    /// How old a connection was when a call was sent on it.
    oldest: Arc<Mutex<Duration>>,
}

impl Network {
    async fn dial(&self, host: String, port: u16) -> io::Result<DuplexStream> {
        self.dials.lock().unwrap().push((Instant::now(), format!("{host}:{port}")));
        match *self.state.borrow() {
            Host::Refuses => return Err(io::ErrorKind::ConnectionRefused.into()),
            Host::Closes => return Ok(duplex(1).0),
            Host::Up | Host::Silent => {}
        }
        self.state.subscribe().wait_for(|state| *state == Host::Up).await.unwrap();
        let server = self.mock.dial(&host, port)?;
        let (near, far) = duplex(1 << 16);
        let (opened, oldest) = (Instant::now(), self.oldest.clone());
        let wire = async move {
            let (mut from, mut to) = tokio::io::split(far);
            let (mut back, mut there) = tokio::io::split(server);
            let calls = async {
                let mut bytes = [0; 1 << 12];
                while let Ok(read @ 1..) = from.read(&mut bytes).await {
                    // Anything larger than a ping.
                    if read > 64 {
                        let mut oldest = oldest.lock().unwrap();
                        *oldest = (*oldest).max(opened.elapsed());
                    }
                    if there.write_all(&bytes[..read]).await.is_err() {
                        break;
                    }
                }
            };
            tokio::select! {
                () = calls => {}
                _ = copy(&mut back, &mut to) => {}
            }
        };
        self.open.lock().unwrap().push(tokio::spawn(wire).abort_handle());
        Ok(near)
    }

    /// Ends these connections, by the order in which they were opened.
    fn ends(&self, which: &[usize]) {
        let open = self.open.lock().unwrap();
        which.iter().for_each(|at| open[*at].abort());
    }

    /// Every host is in this state from now on, and ends what it has.
    fn becomes(&self, state: Host) {
        self.state.send_replace(state);
        self.open.lock().unwrap().drain(..).for_each(|wire| wire.abort());
    }

    /// The most dials of one host in one second, those before this time left out.
    fn most_in_a_second(&self, since: Instant) -> usize {
        let mut seconds: BTreeMap<(String, u64), usize> = BTreeMap::new();
        for (at, host) in self.dials.lock().unwrap().iter().filter(|(at, _)| *at >= since) {
            *seconds.entry((host.clone(), at.duration_since(since).as_secs())).or_default() += 1;
        }
        seconds.into_values().max().unwrap_or(0)
    }
}

async fn network(is_bigtable: bool) -> (Arc<Network>, RawTable) {
    let mock = MockCluster::builder().in_memory().bigtable_port(0).start().await.unwrap();
    let url = if is_bigtable { mock.bigtable_url().unwrap() } else { mock.url() };
    let network = Arc::new(Network {
        mock,
        state: watch::Sender::new(Host::Up),
        dials: Mutex::default(),
        open: Mutex::default(),
        oldest: Arc::default(),
    });
    let dialed = network.clone();
    let connector = Connector::new(move |host, port| {
        let network = dialed.clone();
        async move { network.dial(host, port).await }
    });
    let config = Config::new().connector(connector).operation_timeout(Duration::from_secs(30));
    let client = Client::connect_with(&url, config).await.unwrap();
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table("t").unwrap();
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    (network, table)
}

/// One attempt in 50 ms, and one at once, for each of two services of a server: for rows, and for
/// what the registry is asked.
const MOST: usize = 2 * 22;

/// How many operations begin in a second, and for how long.
fn loads() -> [(u32, Duration); 3] {
    let (some, most) = if thorough() { (3, 10_000) } else { (1, 2_500) };
    [
        (1, Duration::from_secs(10)),
        (100, Duration::from_secs(some)),
        (most, Duration::from_millis(400)),
    ]
}

#[tokio::test(start_paused = true)]
async fn how_often_a_host_is_dialed_does_not_depend_on_how_much_waits_for_it() {
    for is_bigtable in [false, true] {
        for state in [Host::Refuses, Host::Silent, Host::Closes] {
            for (rate, down) in loads() {
                let (network, table) = network(is_bigtable).await;
                let what = format!("bigtable {is_bigtable}, {state:?}, {rate}/s");
                network.becomes(state);
                let since = Instant::now();
                let (succeeded, mut first) = watch::channel(None::<Instant>);
                let succeeded = Arc::new(succeeded);
                let mut gets = JoinSet::new();
                let every = Duration::from_secs(1) / rate;
                for n in 0..(down.as_secs_f64() * f64::from(rate)) as u32 {
                    sleep_until(since + every * n).await;
                    let (table, succeeded) = (table.clone(), succeeded.clone());
                    gets.spawn(async move {
                        let row = table.get("a").await.unwrap();
                        assert!(row.is_some());
                        succeeded.send_if_modified(|first| {
                            let is_first = first.is_none();
                            first.get_or_insert_with(Instant::now);
                            is_first
                        });
                    });
                }
                sleep_until(since + down).await;
                // Between two dials as well as at one.
                sleep(Duration::from_millis(u64::from(7 * rate % 50))).await;
                let dials = network.most_in_a_second(since);
                assert!((1..=MOST).contains(&dials), "{what}: {dials} dials of a host in a second");
                assert_eq!(*first.borrow(), None, "{what}");
                network.becomes(Host::Up);
                let back = Instant::now();
                first.wait_for(Option::is_some).await.unwrap();
                let took = first.borrow().unwrap().duration_since(back);
                println!("{what}: {dials} dials, first success after {took:?}");
                assert!(took <= Duration::from_millis(100), "{what}: first success after {took:?}");
                gets.join_all().await;
            }
        }
    }
}

/// The service ends a connection after an hour, with the calls on it.
#[tokio::test(start_paused = true)]
async fn no_call_is_sent_on_a_connection_to_bigtable_that_is_an_hour_old() {
    let (network, table) = network(true).await;
    // Calls at a time open all connections of the pool.
    let gets = || async {
        let gets: JoinSet<_> = (0..32)
            .map(|_| {
                let table = table.clone();
                async move { table.get("a").await }
            })
            .collect();
        gets.join_all().await
    };
    for _ in 0..8 {
        gets().await;
    }
    let opened = network.open.lock().unwrap().len();
    assert!(opened > 4, "{opened} connections");
    sleep(Duration::from_secs(30 * 60)).await;
    // Callers one by one need no more connections than there are.
    network.ends(&[1, 2]);
    for _ in 0..600 {
        sleep(Duration::from_secs(10)).await;
        table.get("a").await.unwrap();
    }
    let oldest = *network.oldest.lock().unwrap();
    assert!(oldest < Duration::from_secs(58 * 60), "a call on a connection {oldest:?} old");
    assert!(oldest > Duration::from_secs(30 * 60), "{oldest:?}");
}

/// A connection may hold what it was given until it is flushed, as one with TLS does whose server
/// reads slowly.
#[tokio::test(start_paused = true)]
async fn a_connection_that_collects_what_it_is_given_is_flushed() {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let url = mock.url();
    let connector = Connector::new(move |host, port| {
        let stream = mock.dial(&host, port);
        async move { stream.map(|stream| tokio::io::BufWriter::with_capacity(1 << 20, stream)) }
    });
    let client = Client::connect_with(&url, Config::new().connector(connector)).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await.unwrap();
    let table = client.raw_table("t").unwrap();
    let began = Instant::now();
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}
