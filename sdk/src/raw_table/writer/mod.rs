//! Writes that are collected and sent many at a time.
//!
//! A [`Writer`] is for a stream of writes whose single outcomes nobody waits for: an import, a log,
//! events. A write returns as soon as there is room for it, so memory is bounded and a producer
//! that is too fast waits; what was collected is sent when enough of it is for one server, or when
//! it has waited for [`linger`](WriterBuilder::linger). Writes of one row are sent in their order,
//! one after the other is answered; writes of different rows in any order. HBase's Java client
//! calls this a `BufferedMutator`.
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
//! A write that was collected is not on the server yet. [`Writer::flush`] returns when all that
//! were collected before it have been answered, and has those that failed; [`Writer::close`] does
//! the same within a time, and also returns those that were never sent. A writer that is dropped
//! sends what it has, if the runtime lives long enough, and nobody learns what failed: close it.
//!
//! Each write is retried as if it were sent alone, and
//! [`DeliveryGuarantee`](crate::DeliveryGuarantee) applies. Only the row's own writes wait for one
//! that is retried; a server that does not answer holds up writes for other servers only once its
//! own fill the buffer.

mod builder;
mod dispatch;
mod handle;
mod outcome;
mod shared;
mod state;

pub use builder::WriterBuilder;
pub use handle::Writer;
pub use outcome::{CloseReport, FailedWrite, FlushReport, WriterStats};
