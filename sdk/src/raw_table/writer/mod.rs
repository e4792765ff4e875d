//! Writers, which collect writes and send many of them together.
//!
//! A [`Writer`] is for a stream of writes, such as an import, a log or events, where nobody waits
//! for the outcome of each single write. A call of [`write`](Writer::write) returns as soon as the
//! buffer has room for the write, so memory is bounded and a producer that is too fast waits.
//! Collected writes are sent when there are enough of them for one server, or when they have waited
//! for the time [`linger`](WriterBuilder::linger). Writes of one row are sent in their order, each
//! after the write before it was answered; writes of different rows are sent in any order. HBase's
//! Java client calls this a `BufferedMutator`.
//!
//! ```
//! use std::time::Duration;
//! use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client
//!     .admin()
//!     .create_table(&TableDescriptor::new("log")?.family(FamilyDescriptor::new("l")))
//!     .await?;
//! let writer = client.raw_table("log")?.writer().start()?;
//! for i in 0..10_000 {
//!     writer.write(Put::new(format!("event{i}")).cell("l", "text", "something happened")).await?;
//! }
//! let closed = writer.close(Duration::from_secs(30)).await;
//! assert!(closed.is_complete());
//! assert_eq!(writer.stats().acknowledged, 10_000);
//! # Ok(())
//! # }
//! ```
//!
//! A write that was collected is not on the server yet. [`Writer::flush`] waits until all writes
//! that were collected before the flush have been answered, and returns the writes that failed;
//! [`Writer::close`] does the same within a given time, and also returns the writes that were never
//! sent. A writer that is dropped still sends the writes that it has collected, if the runtime
//! lives long enough, but nobody learns which of them failed; therefore close a writer before
//! dropping it.
//!
//! Each write is retried as if it were sent alone, as its
//! [`DeliveryGuarantee`](crate::DeliveryGuarantee) allows. Only writes of the same row wait for a
//! write that is retried; a server that does not answer delays the writes for other servers only
//! once its own writes fill the buffer.

mod builder;
mod dispatch;
mod handle;
mod outcome;
mod shared;
mod state;

pub use builder::WriterBuilder;
pub use handle::Writer;
pub use outcome::{CloseReport, FailedWrite, FlushReport, WriterStats};
