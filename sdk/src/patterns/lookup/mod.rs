//! Numeric substitution: short ids for long names, in a table that maps both ways.
//!
//! A row key that contains the name of a host, a metric or a type of event grows with the length of
//! that name. With an id in place of the name, the key is short and of fixed width. [`Lookup`]
//! turns names into ids and ids into names.
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
//! let id = kinds.get_or_create("connection refused by the payment service").await?;
//! let key = LogKey { kind: Uid::new(id).unwrap(), at: 1_700_000_000_000 };
//! assert_eq!(key.encode().len(), 10);
//!
//! let name = kinds.name(key.kind.number()).await?;
//! assert_eq!(name.as_deref(), Some(&b"connection refused by the payment service"[..]));
//! # Ok(())
//! # }
//! ```
//!
//! If the fields of a key that hold ids have the attribute `lookup`, [`KeyLookup`] replaces all
//! names of a key at once, and looks up the names of many keys together.
//!
//! # Bytes
//! The table has the families `id` and `name`, and may hold names of several kinds; the kind is the
//! qualifier. This is the layout of OpenTSDB's `tsdb-uid`, whose kinds are `metrics`, `tagk` and
//! `tagv`, each with ids of 3 bytes.
//!
//! | row | column | value | |
//! |---|---|---|---|
//! | the name | `id:`kind | the id, big-endian in 1 to 8 bytes | the forward mapping |
//! | the id, in the same bytes | `name:`kind | the name | the reverse mapping |
//! | `\x00` | `id:`kind | 8 bytes | the counter: the largest id that has been taken |
//!
//! A name can be any bytes, except the empty name and the single byte 0, which is the row of the
//! counters. OpenTSDB encodes names in ISO 8859-1, of which ASCII is a part.
//!
//! # A new name
//! A new name gets the next id of the counter. Then the reverse mapping is written, and after that
//! the forward mapping, each only if it does not exist yet. The name has its id as soon as the
//! forward mapping exists. If another writer was first, the id of that writer is used. The id that
//! this writer took then has a reverse mapping, but no forward mapping leads to it; this id is kept
//! for the next new name of this lookup. An id that is still kept when the process ends has leaked.
//! Ids leak in the same way in OpenTSDB, which writes in the same order.
//!
//! So a lookup leaks at most as many ids as the number of names that it creates concurrently, and
//! one id for each error. This matters if there are few ids. For example, there are only 255 ids of
//! one byte, and ten processes that each create one name after the other may leak ten of them each
//! time they are started. With ids of 1 or 2 bytes, keep a
//! [`block_size`](LookupBuilder::block_size) of 1, create names in few processes, and make the
//! lookups of all other processes [`read_only`](LookupBuilder::read_only).
//!
//! # Cost
//!
//! | | calls | rows |
//! |---|---|---|
//! | a cached name or id | none | |
//! | a name or id that is in the table, but not in the cache | 1 get | |
//! | a new name | 1 get, 1 increment, 2 checked puts | 2 |
//! | n new names in [`get_or_create_all`](Lookup::get_or_create_all) | n gets, 1 increment, 2n checked puts, in shared calls | 2n |
//! | a race that was lost | 1 get more | |
//! | the next new name after it | 2 gets, 2 checked puts | 2 |
//!
//! With [`block_size`](LookupBuilder::block_size) n, only one of n new names needs an increment;
//! the ids that a process has not used when it ends are skipped.
//!
//! # Guarantees
//! - A name has one id and an id has one name, with any number of tasks and processes, and whatever
//!   replies are lost.
//! - A mapping that was returned is in the table, in both directions.
//! - Every call may be repeated after any error, and dropped at any time. If a call is dropped
//!   while it creates a name, the name is still created.
//! - Mappings do not change, so a cached one is not read again. This holds as long as nobody
//!   renames or deletes names. OpenTSDB's `uid rename` renames names, so clients have to be
//!   restarted after it.
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
mod finding;
mod fsck;
mod handle;
mod keys;
mod mappings;
mod read_many;
mod repair;
mod state;
mod stats;

pub use builder::{LookupBuilder, table_descriptor};
pub use finding::{Finding, FsckReport};
pub use handle::Lookup;
pub use keys::KeyLookup;
pub(crate) use mappings::{id_bytes, id_from_bytes};
pub use repair::RepairOutcome;
pub use stats::LookupStats;
