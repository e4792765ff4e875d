//! A client that fails fast, and a client that retries while regions split and move, with the
//! corresponding settings of HBase's Java client.
//!
//! `cargo run -p tallrow-cases --example patience` prints the results of each:
//! ```text
//! fail fast, nobody answers: Unreachable within 3 s
//! patient, the region splits and moves meanwhile: 200 of 200 increments are counted
//! the row that was read is stale: false
//! ```

use std::future::pending;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use tallrow::{Client, Config, Connector, Counter, Result, RowKey, Table};
use tallrow_examples::place;
use tokio::net::TcpStream;

#[derive(RowKey, Clone)]
struct PageKey {
    page: u32,
}

#[derive(Table)]
#[table(name = "tallrow_patience")]
#[family("d")]
struct Page {
    #[key]
    key: PageKey,
    #[cell("d:h")]
    hits: Counter,
}

/// Corresponds to `hbase.client.pause` = 1000 and `hbase.client.retries.number` = 3, which is about
/// three seconds. There is no setting for the number of attempts, because what a caller knows is
/// its deadline.
fn fail_fast() -> Config {
    Config::new()
        .pause(Duration::from_secs(1))
        .operation_timeout(Duration::from_secs(3))
        .attempt_timeout(Duration::from_secs(1))
        .connect_timeout(Duration::from_secs(1))
}

/// Corresponds to `hbase.client.retries.number` of 20 and more.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> Result<()> {
    // Servers that are never reached, as behind a firewall.
    let nowhere = Connector::new(|_, _| pending::<std::io::Result<TcpStream>>());
    let started = Instant::now();
    let connected =
        Client::connect_with("hbase+rpc://nowhere", fail_fast().connector(nowhere)).await;
    let error = connected.expect_err("no server");
    // Much less time than many attempts take, even on a machine that pauses for a while.
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    println!("fail fast, nobody answers: {:?} within 3 s", error.kind());

    let client = place::connect().await?;
    let pages = place::empty::<Page>(&client).await?.with_timeout(PATIENCE);
    let hit = |n: u32| {
        let pages = pages.clone();
        async move { pages.increment(&PageKey { page: n % 10 }, Page::HITS, 1).await }
    };
    // The increments run while the region is split and moved.
    let writes = async {
        let mut all = Vec::new();
        for n in 0..20 {
            all.extend(join_all((n * 10..n * 10 + 10).map(hit)).await);
        }
        all
    };
    let (writes, disturbed) = join(writes, disturb(&client)).await;
    disturbed?;
    for write in writes {
        write?;
    }
    let mut counted = 0;
    let mut rows = pages.scan(PageKey::scan()).rows();
    while let Some(page) = rows.next_row().await? {
        counted += page.hits.0;
    }
    println!(
        "patient, the region splits and moves meanwhile: {counted} of 200 increments are counted"
    );
    assert_eq!(counted, 200);

    // A read from a replica would report that its row may be stale.
    let row = client.raw_table(Page::TABLE)?.get(PageKey { page: 1 }.encode()).await?;
    let stale = row.is_some_and(|row| row.is_stale());
    println!("the row that was read is stale: {stale}");
    assert!(!stale);
    Ok(())
}

/// Splits the region of the table, and moves its halves to another server, if there is one.
async fn disturb(client: &Client) -> Result<()> {
    let admin = client.admin().hbase()?;
    let regions = admin.regions(Page::TABLE).await?;
    admin.split_region(&regions[0], PageKey { page: 5 }.encode()).await?;
    let servers = admin.region_servers().await?;
    for region in admin.regions(Page::TABLE).await? {
        let other = servers.iter().find(|server| Some(server.as_str()) != region.server());
        if let Some(other) = other {
            admin.move_region(&region, other).await?;
        }
    }
    Ok(())
}
