//! Log data with numbers in place of the names of hosts and events: numeric substitution, with the
//! table LOG_TYPES that maps names to numbers and back.
//!
//! `cargo run -p tallrow-cases --example log_types` prints the cells as HBase's shell writes bytes,
//! and the logs of a host:
//! ```text
//! tallrow_log_types
//!   \x00  id:event = \x00\x00\x00\x00\x00\x00\x00\x02
//!   \x00  id:host = \x00\x00\x00\x00\x00\x00\x00\x02
//!   \x00\x00\x00\x00\x00\x00\x00\x01  name:event = com.package1.subpackage2.subsubpackage3.ImportantService
//!   \x00\x00\x00\x00\x00\x00\x00\x01  name:host = myserver1.mycompany.com
//!   \x00\x00\x00\x00\x00\x00\x00\x02  name:event = e1
//!   \x00\x00\x00\x00\x00\x00\x00\x02  name:host = myserver2.mycompany.com
//!   com.package1.subpackage2.subsubpackage3.ImportantService  id:event = \x00\x00\x00\x00\x00\x00\x00\x01
//!   e1  id:event = \x00\x00\x00\x00\x00\x00\x00\x02
//!   myserver1.mycompany.com  id:host = \x00\x00\x00\x00\x00\x00\x00\x01
//!   myserver2.mycompany.com  id:host = \x00\x00\x00\x00\x00\x00\x00\x02
//! tallrow_log_data
//!   \x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x05  d:t = started
//!   \x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x09  d:t = stopped
//!   \x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x07  d:t = an event
//!   \x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x06  d:t = started
//! 5: com.package1.subpackage2.subsubpackage3.ImportantService started
//! 9: com.package1.subpackage2.subsubpackage3.ImportantService stopped
//! 7: e1 an event
//! ```

use tallrow::key::Uid;
use tallrow::lookup::{self, KeyLookup};
use tallrow::{RowKey, Table};
use tallrow_examples::place;

const LOG_TYPES: &str = "tallrow_log_types";

/// The ids of hosts.
#[derive(Debug)]
enum Hosts {}
/// The ids of events.
#[derive(Debug)]
enum Events {}

/// 24 bytes, however long the names are.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct LogKey {
    #[key(lookup = "host")]
    host: Uid<Hosts>,
    #[key(lookup = "event")]
    event: Uid<Events>,
    #[key(monotonic)]
    at: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_log_data")]
#[family("d")]
struct Log {
    #[key]
    key: LogKey,
    #[cell("d:t")]
    text: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;
    let logs = place::empty::<Log>(&client).await?;
    let names = place::create(&client, &lookup::table_descriptor(LOG_TYPES)?).await?;
    let lookup = KeyLookup::<LogKey>::new(names)?;

    let service = "com.package1.subpackage2.subsubpackage3.ImportantService";
    let lines = [
        ("myserver1.mycompany.com", service, 5, "started"),
        ("myserver2.mycompany.com", service, 6, "started"),
        ("myserver1.mycompany.com", "e1", 7, "an event"),
        ("myserver1.mycompany.com", service, 9, "stopped"),
    ];
    for (host, event, at, text) in lines {
        let names = LogKeyNames { host: host.into(), event: event.into(), at };
        let key = lookup.get_or_create(&names).await?;
        assert_eq!(key.encode().len(), 24);
        logs.put(&Log { key, text: text.into() }).await?;
    }
    // Each name was created once, and after that found in the cache.
    let created = ["host", "event"].map(|kind| lookup.lookup(kind).map(|of| of.stats().created));
    assert_eq!(created, [Some(2), Some(2)]);
    place::print_cells(&client, LOG_TYPES).await?;
    place::print_cells(&client, Log::TABLE).await?;

    let hosts = lookup.lookup("host").ok_or("no field has hosts")?;
    let host = hosts.find("myserver1.mycompany.com").await?.and_then(Uid::new);
    let mut rows = logs.scan(LogKey::scan().host(host.ok_or("an unknown host")?)).rows();
    while let Some(Log { key, text }) = rows.next_row().await? {
        let names = lookup.names(&key).await?;
        println!("{}: {} {text}", names.at, names.event);
    }
    Ok(())
}
