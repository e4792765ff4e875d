//! One reply in 20 is lost, by the mock and on the way from Google's emulator: an increment or an
//! append is made once, or not at all, and what the client does not know it says that it does not
//! know.

mod dropping;
mod emulator;
mod load;

use std::time::Duration;

use dropping::Dropping;
use emulator::Emulator;
use tallrow::{Client, Config, FamilyDescriptor, TableDescriptor};
use tallrow_mock::{Fault, MockCluster};

const FAMILY: &str = "f";

fn config() -> Config {
    let patience = Duration::from_secs(600);
    Config::new().pause(Duration::from_millis(2)).operation_timeout(patience)
}

/// A client with an empty table `t`.
async fn client(at: &str, config: Config) -> Client {
    let client = Client::connect_with(&format!("bigtable://p/i?endpoint={at}"), config).await;
    let client = client.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new(FAMILY));
    client.admin().create_table(&table).await.unwrap();
    client
}

#[tokio::test]
async fn nothing_is_made_twice_when_the_mock_loses_replies() {
    for seed in 0..5 {
        let mock = MockCluster::builder().servers(1).bigtable_port(0).seed(seed).start().await;
        let mock = mock.unwrap();
        let at = mock.bigtable_address().unwrap().to_string();
        let client = client(&at, config()).await;
        let lost = || Fault::on("ReadModifyWriteRow");
        mock.inject(lost().chance(0.05).close_after());
        mock.inject(lost().chance(0.05).close_before());
        let table = client.raw_table("t").unwrap();
        let made = load::run(&table, 600, || {}).await;
        mock.clear_faults();
        let unknown = made.check(&table).await;
        assert!((10..300).contains(&unknown), "seed {seed}: {unknown} unknown");
        println!("seed {seed}: {made}");
    }
}

#[tokio::test]
async fn nothing_is_made_twice_when_replies_are_lost_on_emulator() {
    let Some(emulator) = Emulator::start().await else { return };
    let dropping = Dropping::default();
    let client = client(&emulator.address, config().connector(dropping.connector())).await;
    let table = client.raw_table("t").unwrap();
    // The same calls in each run.
    fastrand::seed(7);
    let made = load::run(&table, 1_000, || {
        if fastrand::u8(..20) == 0 {
            dropping.drop_one();
        }
    })
    .await;
    dropping.stop();
    let unknown = made.check(&table).await;
    assert!((10..500).contains(&unknown), "{unknown} unknown");
    println!("emulator: {made}");
}
