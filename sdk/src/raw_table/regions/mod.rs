//! Where the rows of a table are: which region holds them, and which server holds the region.
//!
//! A client finds and remembers the location of each row by itself. This module is for programs
//! that need the locations, too: to group work by server, to see how a table is spread over the
//! servers, or to make the client [forget](RegionLocator::clear_cache) locations.
//!
//! # A warm start
//!
//! When a client starts, its cache of regions is empty. It looks up each region in `hbase:meta`
//! when it first needs the region. [`Client::prefetch_regions`](crate::Client::prefetch_regions)
//! reads all regions of a table at once;
//! [`Client::export_region_locations`](crate::Client::export_region_locations) and
//! [`Client::import_region_locations`](crate::Client::import_region_locations) pass the known
//! regions from one run to the next, without any call to `hbase:meta`. A location that has changed
//! meanwhile is noticed when it is used, like any other: the server says that it does not have the
//! region, or does not answer, and the region is looked up again.
//!
//! ```
//! # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let client = Client::connect("mock:").await?;
//! # let events = TableDescriptor::new("events")?.family(FamilyDescriptor::new("d")).splits(["h", "p"]);
//! # client.admin().create_table(&events).await?;
//! # let file = std::env::temp_dir().join(format!("regions-{}", std::process::id()));
//! // Before a program ends:
//! client.prefetch_regions("events").await?;
//! std::fs::write(&file, client.export_region_locations().await?)?;
//!
//! // And when it starts again:
//! # client.clear_region_cache();
//! let warmed = client.import_region_locations(&std::fs::read(&file)?).await?;
//! assert_eq!(warmed, 3);
//! # std::fs::remove_file(&file)?;
//! client.raw_table("events")?.put(Put::new("k").cell("d", "q", "v")).await?;
//! # assert_eq!(client.metrics().meta_lookups.count(), 1, "those of prefetch_regions");
//! # Ok(())
//! # }
//! ```
//!
//! # The file
//!
//! The file begins with the line `tallrow regions 1`, in which 1 is the version of the format. The
//! line is followed by the 16 bytes of the MD5 hash of a message, and by the message itself, in the
//! format of Protocol Buffers:
//!
//! ```text
//! message RegionMap {
//!   string cluster_id = 1;          // the id of the cluster, as its registry has it
//!   repeated Server servers = 2;
//!   repeated Table tables = 3;
//! }
//! message Server {
//!   string address = 1;             // host:port
//!   uint64 start_code = 2;
//! }
//! message Table {
//!   string name = 1;                // namespace:qualifier, or a qualifier in namespace default
//!   repeated Region regions = 2;    // in the order of their keys
//! }
//! message Region {
//!   optional bytes start = 1;       // absent: where the region before it ends; the first one starts at the empty key
//!   bytes end = 2;                  // empty: the end of the table
//!   uint64 id = 3;                  // of the region's name, which is table,start,id.hash.
//!   uint32 server = 4;              // which of the servers
//!   uint64 sequence = 5;            // of two locations of a region, the higher is the newer
//! }
//! ```
//!
//! A file from another cluster is refused, because its locations lead to the servers of that
//! cluster, which would answer with their own rows.

mod locator;

pub use crate::model::region_location::RegionLocation;
pub use locator::RegionLocator;
