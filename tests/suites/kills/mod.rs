//! A mock that keeps its data, in a process that is killed at random moments while clients of both
//! protocols write, change tables, make and restore backups and read a change stream, and is started
//! again each time.

mod backups;
mod follower;
mod progress;
mod server;
mod tables;
mod writers;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tallrow::{Client, Config, RetryBudget};
use tallrow_tests::{Random, Store, own_loopbacks, scratch_dir, thorough};
use tokio::task::JoinSet;
use tokio::time::sleep;

use backups::Keeper;
use follower::Follower;
use progress::{Acknowledged, Progress};
use server::Server;
use tables::Changer;
use writers::Writer;

/// How often processes are killed, all together.
fn kills() -> u64 {
    if thorough() { 1000 } else { 20 }
}

/// The writers of each store.
const WRITERS: u64 = 3;

/// One of this many processes is killed only after it has acknowledged a change of tables. The
/// others mostly live for a shorter time than such a change takes.
const STARTS_PER_CHANGE: u64 = 4;

/// Short pauses, because the mock starts in milliseconds; long timeouts, because operations are to
/// succeed in the end.
fn config() -> Config {
    let long = Duration::from_secs(60);
    Config::new()
        .operation_timeout(long)
        .page_timeout(long)
        .admin_timeout(long)
        .pause(Duration::from_millis(2))
        .failed_server_expiry(Duration::from_millis(5))
        .retry_budget(RetryBudget::unlimited())
}

/// The tasks. None of them ends before it is told to.
type Tasks = JoinSet<Ended>;

/// What a task leaves.
enum Ended {
    Writer(Box<Writer>),
    Follower(Box<Follower>),
    Other,
}

/// Waits until enough was acknowledged, or a task has failed.
async fn wait(
    tasks: &mut Tasks,
    progress: &Progress,
    what: &str,
    is_enough: impl Fn(&Acknowledged) -> bool,
) {
    tokio::select! {
        () = progress.until(what, is_enough) => {}
        Some(ended) = tasks.join_next() => {
            ended.unwrap();
            panic!("a task has ended, which was not told to");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_and_nothing_happens_twice() {
    // A process mostly waits for its clients, which pause while it is dead, so several are killed
    // concurrently where there are many kills.
    let mut addresses = own_loopbacks();
    addresses.truncate(if thorough() { addresses.len() } else { 1 });
    let mut runs = JoinSet::new();
    for (number, ip) in (0_u64..).zip(&addresses) {
        runs.spawn(kill_under_load(number, *ip, kills().div_ceil(addresses.len() as u64)));
    }
    while let Some(run) = runs.join_next().await {
        run.unwrap();
    }
}

/// Kills a process this often, and looks for everything that was acknowledged.
async fn kill_under_load(number: u64, ip: Ipv4Addr, kills: u64) {
    let folder = scratch_dir();
    let mut server = Server::start(ip, folder.clone());
    let progress = Arc::new(Progress::default());
    let mut random = Random::new(34, number);

    let mut clients = Vec::new();
    let mut tasks = Tasks::new();
    for store in Store::ALL {
        let client = Client::connect_with(&server.url(store), config()).await.unwrap();
        writers::create(&client, store).await;
        for number in 0..WRITERS {
            let writer = Writer::new(store, number, &client, &progress);
            tasks.spawn(async { Ended::Writer(Box::new(writer.run().await)) });
        }
        clients.push(client);
    }
    let changer = Changer::new(&clients[0], &progress);
    tasks.spawn(async {
        changer.run().await;
        Ended::Other
    });
    let keeper = Keeper::new(&clients[1], &progress);
    tasks.spawn(async {
        keeper.run().await;
        Ended::Other
    });
    let follower = Follower::new(&clients[1], &progress);
    tasks.spawn(async { Ended::Follower(Box::new(follower.run().await)) });

    let (mut killed, mut starts) = (0, 0);
    while killed < kills {
        // Some operations later, and then at any moment.
        let wanted = progress.so_far().operations + random.below(60);
        wait(&mut tasks, &progress, "writes are acknowledged", |all| all.operations >= wanted)
            .await;
        if starts % STARTS_PER_CHANGE == 0 {
            let changes = progress.so_far().changes();
            wait(&mut tasks, &progress, "a change is acknowledged", |all| all.changes() > changes)
                .await;
        }
        sleep(Duration::from_micros(random.below(5_000))).await;
        server.kill();
        killed += 1;
        if random.below(4) == 0 {
            server.start_and_kill(Duration::from_micros(random.below(20_000))).await;
            killed += 1;
        }
        server.start_again();
        starts += 1;
    }
    wait(&mut tasks, &progress, "each kind of change happens", Acknowledged::is_varied).await;
    progress.end();
    let mut all = writers::Counts::default();
    let (mut writers, mut seen) = (Vec::new(), None);
    for ended in tasks.join_all().await {
        match ended {
            Ended::Writer(mut writer) => {
                writer.check_all().await;
                all.add(writer.counts());
                writers.push(writer);
            }
            Ended::Follower(follower) => seen = Some(follower),
            Ended::Other => {}
        }
    }
    let seen = seen.expect("a task has read the changes").finish().await;
    writers.iter().for_each(|writer| writer.check_seen(&seen));
    for (client, store) in clients.iter().zip(Store::ALL) {
        writers::check_rows(client, store).await;
    }
    let dropped = server.dropped();
    println!("{killed} kills, {dropped} starts that dropped a torn record; {all}; {progress}");
    server.kill();
    std::fs::remove_dir_all(folder).unwrap();
}
