//! Numeric substitution: short ids for long names, in a table that maps both ways.
//!
//! A row key with the name of a host, a metric or a type of event in it is as long as the name.
//! With an id in its place the key is short and of fixed width, and [`Lookup`] turns names into ids
//! and ids into names.
//!
//! ```
//! use tallrow::key::Uid;
//! use tallrow::{Client, RowKey, lookup::{self, Lookup}};
//!
//! enum LogTypes {}
//!
//! #[derive(RowKey, Debug, PartialEq)]
//! struct LogKey {
//!     kind: Uid<LogTypes, 2>,
//!     #[key(rev_ts)]
//!     at: i64,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create_table(&lookup::table_descriptor("names")?).await?;
//!
//! let kinds = Lookup::builder(client.raw_table("names")?, "log_type").width(2).build()?;
//! let id = kinds.resolve("connection refused by the payment service").await?;
//! let key = LogKey { kind: Uid::new(id).unwrap(), at: 1_700_000_000_000 };
//! assert_eq!(key.encode().len(), 10);
//!
//! let name = kinds.name(key.kind.number()).await?;
//! assert_eq!(name.as_deref(), Some(&b"connection refused by the payment service"[..]));
//! # Ok(())
//! # }
//! ```
//!
//! With `lookup` on the fields of a key that hold ids, [`KeyLookup`] replaces all names of a key at
//! once, and looks up those of many keys together.
//!
//! # Bytes
//! The table has the families `id` and `name`, and may hold names of several kinds: a kind is a
//! qualifier. This is the layout of OpenTSDB's `tsdb-uid`, whose kinds are `metrics`, `tagk` and
//! `tagv`, each with ids of 3 bytes.
//!
//! | row | column | value | |
//! |---|---|---|---|
//! | the name | `id:`kind | the id, big-endian in 1 to 8 bytes | the forward mapping |
//! | the id, in the same bytes | `name:`kind | the name | the reverse mapping |
//! | `\x00` | `id:`kind | 8 bytes | the counter: the largest id that has been taken |
//!
//! A name is any bytes except none and the single byte 0, which is the row of the counters.
//! OpenTSDB encodes names in ISO 8859-1, of which ASCII is a part.
//!
//! # A new name
//! A new name gets the next id of the counter; then its reverse mapping is written, then its
//! forward mapping, each only if there is none. The name has its id as soon as the forward mapping
//! is there. If another writer was first, its id is used. The own one has a reverse mapping, but no
//! name has it: it is kept for the next new name of this lookup. One that is still kept when its
//! process ends has leaked, as OpenTSDB's do, which writes in the same order.
//!
//! So a lookup leaks at most as many ids as it creates names at a time, and one for each error.
//! That matters where there are few: of the 255 ids of one byte, ten processes that create names
//! one after the other may leave ten unused each time they are started. With ids of 1 or 2 bytes
//! let few processes create names, and all others be [`read_only`](LookupBuilder::read_only); and
//! [`block_size`](LookupBuilder::block_size) must stay 1.
//!
//! # Cost
//!
//! | | calls | rows |
//! |---|---|---|
//! | a cached name or id | none | |
//! | a name or id that is in the table, but not in the cache | 1 get | |
//! | a new name | 1 get, 1 increment, 2 checked puts | 2 |
//! | n new names in [`resolve_all`](Lookup::resolve_all) | n gets, 1 increment, 2n checked puts, in shared calls | 2n |
//! | a race that was lost | 1 get more | |
//! | the next new name after it | 2 gets, 2 checked puts | 2 |
//!
//! With [`block_size`](LookupBuilder::block_size) n, only one of n new names needs an increment;
//! the ids that a process has not used when it ends are skipped.
//!
//! # Guarantees
//! - A name has one id and an id has one name, with any number of tasks and processes, and whatever
//!   replies are lost.
//! - What was returned is in the table, in both directions.
//! - Every call may be repeated after any error, and dropped at any time. A name that is being
//!   created is then finished.
//! - Mappings do not change, so a cached one is not read again. This holds as long as nobody
//!   renames or deletes names; OpenTSDB's `uid rename` does, and needs clients to be started again.
//!
//! # Errors
//!
//! | kind | |
//! |---|---|
//! | [`InvalidArgument`](crate::ErrorKind::InvalidArgument) | a name that cannot be a row; a new name, if the lookup is read-only |
//! | [`IdsExhausted`](crate::ErrorKind::IdsExhausted) | all ids of this width have been taken |
//! | [`Inconsistent`](crate::ErrorKind::Inconsistent) | the counter is below ids in use: see [`fsck`](Lookup::fsck) and [`repair`](Lookup::repair); for a [`KeyLookup`] also an id without a name |
//! | [`Decode`](crate::ErrorKind::Decode) | an id in the table has another width; for a [`KeyLookup`] also a name that is not UTF-8 |
//! | others | the errors of a get or put; never [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) |

mod batch;
mod builder;
mod cache;
mod create;
mod fill;
mod finding;
mod fsck;
mod handle;
mod keys;
mod mappings;
mod repair;
mod state;
mod stats;

pub use builder::{LookupBuilder, table_descriptor};
pub use finding::{Finding, FsckReport};
pub use handle::Lookup;
pub use keys::KeyLookup;
pub(crate) use mappings::{id_bytes, number_of};
pub use repair::Repair;
pub use stats::LookupStats;
