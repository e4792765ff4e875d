//! The layout of a row key as a value: what reads, writes, splits and finds rows without the type they
//! were written with.
//!
//! A [`Schema`] comes from the text every key has, [`RowKey::SCHEMA`](crate::RowKey::SCHEMA), from a lock
//! file, or from JSON (feature `json`); `docs/schema.md` has the grammar of both.
//!
//! ```
//! use tallrow_codec::RowKey;
//! use tallrow_codec::schema::Schema;
//! use tallrow_codec::show::Notation;
//!
//! #[derive(RowKey)]
//! #[row_key(table = "events", salt(buckets = 4, fields = (user)))]
//! struct Event {
//!     #[key(escaped)]
//!     user: String,
//!     #[key(rev_ts)]
//!     at: i64,
//! }
//!
//! let schema = Schema::of::<Event>()?;
//! let row = schema.encode_text("user=bob, at=2023-11-14T22:13:20Z")?;
//! assert_eq!(row, Event { user: "bob".into(), at: 1_700_000_000_000 }.encode().as_slice());
//!
//! let shell = Notation::Shell.write(&row);
//! let fields = schema.decode_text(&shell, Notation::Shell)?;
//! assert_eq!(fields.to_string(), "user: bob, at: 2023-11-14T22:13:20.000Z (1700000000000)");
//!
//! assert_eq!(
//!     schema.shell_create(&["d"], 4)?,
//!     r"create 'events', 'd', SPLITS => ['\x01', '\x02', '\x03']"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
pub(crate) mod compose;
mod decode;
mod encode;
mod error;
mod field;
#[cfg(feature = "json")]
mod json;
mod key_prefix;
mod kind;
mod matching;
mod model;
mod number;
mod parse;
mod phoenix;
mod plain;
mod print;
mod read;
mod scan;
mod split;
mod time;
mod ty;
mod value;
mod versions;
mod words;

pub use error::SchemaError;
pub use field::{End, Field, Unit, World};
pub use kind::Kind;
pub use matching::{FuzzyRow, MatchError, Matching};
pub use model::{DigestPart, KeyPrefix, Record, SaltFunction, Schema};
pub use phoenix::{PhoenixColumn, PhoenixError, PhoenixKey};
pub use read::TextError;
pub use time::Time;
pub use ty::{Int, Limit, Type};
pub use value::{Fields, Value};
