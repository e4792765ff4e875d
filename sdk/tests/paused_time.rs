//! The client on `mock:` in paused time: no socket is opened, and no real time passes.

use std::time::Duration;

use tallrow::admin::{FamilyDescriptor, TableDescriptor};
use tallrow::{Client, Config, ErrorKind, Get, Increment, Put, RawTable, Result, Scan};
use tallrow_mock::Fault;
use tokio::time::Instant;

/// Runs a test without the driver that sockets need: opening one would panic.
#[expect(clippy::expect_used, reason = "part of every test")]
fn without_sockets(test: impl Future<Output = Result<()>>) -> Result<()> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().expect("a runtime").block_on(test)
}

/// A table with two regions, on its own cluster.
async fn table(client: &Client) -> Result<RawTable> {
    let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("f")).splits(["m"]);
    client.admin().create_table(&table).await?;
    client.raw_table("t")
}

fn one() -> Increment {
    Increment::new("a").add("f", "n", 1)
}

#[test]
fn rows_are_written_read_and_scanned() -> Result<()> {
    without_sockets(async {
        let client = Client::connect("mock:").await?;
        let table = table(&client).await?;
        for row in ["a", "z"] {
            table.put(Put::new(row).cell("f", "q", row)).await?;
        }
        let row = table.get(Get::new("z").column("f", "q")).await?;
        assert_eq!(
            row.and_then(|row| row.value("f", "q").map(<[u8]>::to_vec)),
            Some(b"z".to_vec())
        );
        let mut rows = table.scan(Scan::all())?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next_row().await? {
            keys.push(row.key().to_vec());
        }
        assert_eq!(keys, [b"a", b"z"]);
        Ok(())
    })
}

#[test]
fn an_increment_whose_replies_are_lost_is_sent_again_after_pauses_that_cost_nothing() -> Result<()>
{
    without_sockets(async {
        let attempt_timeout = Duration::from_secs(60);
        let (operation_timeout, pause) = (attempt_timeout * 20, Duration::from_secs(30));
        let config = Config::new()
            .attempt_timeout(attempt_timeout)
            .operation_timeout(operation_timeout)
            .pause(pause);
        let client = Client::connect_with("mock:", config).await?;
        let table = table(&client).await?;
        let mock = client.mock_cluster().expect("the mock of mock:");
        mock.inject(Fault::on("Mutate").nth(1).drop_reply());
        mock.inject(Fault::on("Mutate").nth(2).close_after());
        let started = Instant::now();
        assert_eq!(table.increment(one()).await?, None, "its value is not known");
        assert!(started.elapsed() > attempt_timeout, "{:?}", started.elapsed());
        assert_eq!(mock.call_count("Mutate"), 3);
        let row = table.increment(one()).await?;
        assert_eq!(row.map(|row| row.counter("f", "n")).transpose()?, Some(Some(2)));
        Ok(())
    })
}

#[test]
fn a_server_that_is_gone_is_an_error_at_the_deadline() -> Result<()> {
    without_sockets(async {
        // As many attempts are made as this is long.
        let is_thorough = std::env::var_os("TALLROW_THOROUGH").is_some();
        let operation_timeout = Duration::from_secs(if is_thorough { 3600 } else { 300 });
        let config = Config::new().operation_timeout(operation_timeout);
        let client = Client::connect_with("mock:", config).await?;
        let table = table(&client).await?;
        table.put(Put::new("a").cell("f", "q", "v")).await?;
        let mock = client.mock_cluster().expect("the mock of mock:");
        mock.shutdown().await;
        let started = Instant::now();
        let error = table.get("a").await.expect_err("no server is left");
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
        assert!(started.elapsed() <= operation_timeout && error.elapsed() > operation_timeout / 2);
        Ok(())
    })
}
