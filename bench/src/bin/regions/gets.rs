//! Measures gets of random rows by clients that know no region, and by clients that know all
//! regions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use tallrow::{Client, Config, FamilyDescriptor, Result, TableDescriptor};
use tallrow_bench::cpu_time;

use super::{patient, row};

const TABLE: &str = "regions_gets";
/// How often each client is measured; the median is shown.
const ROUNDS: usize = 5;

pub(crate) struct Gets {
    pub(crate) regions: u32,
    pub(crate) gets: u32,
    pub(crate) tasks: u32,
    pub(crate) address: String,
}

/// The time and CPU time of the gets of one client, and its lookups.
#[derive(Clone, Copy)]
struct Took {
    time: Duration,
    cpu: Duration,
    lookups: u64,
}

/// Measures a client without any region location in its cache, then the same client again, and then
/// another client that imports the locations of the first.
pub(crate) async fn measure(gets: &Gets) -> Result<()> {
    let maker = Client::connect_with(&gets.address, patient()).await?;
    // A cluster in this process can only be reached through the client that started it.
    let (address, config) = match maker.mock_cluster() {
        Some(mock) => {
            let servers = mock.clone();
            let dial = move |host: String, port| std::future::ready(servers.dial(&host, port));
            (mock.url(), patient().connector(tallrow::Connector::new(dial)))
        }
        None => (gets.address.clone(), patient()),
    };
    create(&maker, gets.regions).await?;
    let (mut cold, mut warm, mut from_file) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS as u32 {
        let client = connect(&address, &config).await?;
        cold.push(get(&client, gets, round).await?);
        let known = client.export_region_locations().await?;
        warm.push(get(&client, gets, round).await?);
        let client = connect(&address, &config).await?;
        client.import_region_locations(&known).await?;
        from_file.push(get(&client, gets, round).await?);
    }
    println!("\n{} gets by {} tasks, {} regions", gets.gets, gets.tasks, gets.regions);
    println!("| regions known | s | us each | CPU us each | calls to hbase:meta |");
    println!("|---|---|---|---|---|");
    let cold = print("none", cold, gets);
    let warm = print("all", warm, gets);
    print("all, from a file", from_file, gets);
    println!("cold / warm: {:.2} x", cold.as_secs_f64() / warm.as_secs_f64());
    delete(&maker).await
}

async fn delete(client: &Client) -> Result<()> {
    let admin = client.admin();
    admin.hbase()?.disable_table(TABLE).await?;
    admin.delete_table(TABLE).await
}

async fn create(client: &Client, regions: u32) -> Result<()> {
    let admin = client.admin();
    if admin.table_exists(TABLE).await? {
        delete(client).await?;
    }
    let splits = (1..regions).map(|region| row(region, regions));
    let table = TableDescriptor::new(TABLE)?.family(FamilyDescriptor::new("f")).splits(splits);
    admin.create_table(&table).await
}

/// Connects a client and opens its connections, by gets of some rows. The regions are forgotten
/// afterwards.
async fn connect(address: &str, config: &Config) -> Result<Client> {
    let client = Client::connect_with(address, config.clone()).await?;
    for region in
        client.region_locator(TABLE)?.regions_by_server_name().await?.values().flatten().take(64)
    {
        client.raw_table(TABLE)?.get(region.start_key().to_vec()).await?;
    }
    client.region_locator(TABLE)?.clear_cache();
    Ok(client)
}

async fn get(client: &Client, gets: &Gets, seed: u32) -> Result<Took> {
    let table = Arc::new(client.raw_table(TABLE)?);
    let (before, cpu, started) = (lookups(client), cpu_time(), Instant::now());
    let &Gets { regions, gets, tasks, .. } = gets;
    let task = |task| {
        let table = table.clone();
        tokio::spawn(async move {
            for n in (task..gets).step_by(tasks as usize) {
                let region = (n.wrapping_add(seed << 20)).wrapping_mul(0x9E37_79B9) % regions;
                table.get(row(region, regions).to_vec()).await?;
            }
            Ok::<_, tallrow::Error>(())
        })
    };
    let ended = |error: tokio::task::JoinError| tallrow::Error::invalid_argument(error.to_string());
    for done in try_join_all((0..tasks).map(task)).await.map_err(ended)? {
        done?;
    }
    let lookups = lookups(client) - before;
    Ok(Took { time: started.elapsed(), cpu: cpu_time().saturating_sub(cpu), lookups })
}

fn lookups(client: &Client) -> u64 {
    client.metrics().meta_lookups.count()
}

/// Prints the line of the median, and returns the median time.
fn print(known: &str, mut rounds: Vec<Took>, gets: &Gets) -> Duration {
    rounds.sort_unstable_by_key(|took| took.time);
    let Some(median) = rounds.get(rounds.len() / 2).copied() else { return Duration::ZERO };
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(gets.gets);
    println!(
        "| {known} | {:.2} | {:.1} | {:.1} | {} |",
        median.time.as_secs_f64(),
        each(median.time),
        each(median.cpu),
        median.lookups
    );
    median.time
}
