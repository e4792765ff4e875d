//! The layout of a row key as a value, which reads, writes, splits and finds rows without their
//! Rust type.
//!
//! A [`Schema`] is read from the text that every key has,
//! [`RowKey::SCHEMA`](crate::RowKey::SCHEMA), from a lock file, or from JSON (feature `json`);
//! `docs/schema.md` has the grammar of the text and of the JSON.
//!
//! ```
//! use tallrow_codec::RowKey;
//! use tallrow_codec::schema::Schema;
//! use tallrow_codec::show::Notation;
//!
//! #[derive(RowKey)]
//! #[row_key(schema_table = "events", salt(buckets = 4, fields = (user)))]
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
//!     schema.shell_create_command(&["d"], 4)?,
//!     r"create 'events', 'd', SPLITS => ['\x01', '\x02', '\x03']"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bigtable_key;
mod decode;
mod encode;
mod error;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_shape;
mod key_prefix;
mod layouts;
mod matching;
mod model;
mod number;
mod parts;
mod phoenix;
mod raw_value;
mod read;
mod split;
mod tags;
mod time;
mod value;

pub use crate::const_schema::TypeName;
pub use bigtable_key::{
    BigtableColumn, BigtableInteger, BigtableJoin, BigtableKey, BigtableKeyError, BigtableType,
};
pub use error::{SchemaError, TextError};
pub use matching::{FuzzyRow, MatchError, RowSelection};
pub use model::Schema;
pub use parts::{PartLayout, RowPart};
pub use phoenix::{PhoenixColumn, PhoenixError, PhoenixKey};
pub use tallrow_layout::{
    Attributes, CompatTarget, DigestPart, End, Field, Int, Limit, RecordVariant, RevTsKind,
    SaltFunction, SaltOrHash, Tag, Tags, Type, Unit,
};
pub use time::Time;
pub use value::{FieldValues, Value};
