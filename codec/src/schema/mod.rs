//! The layout of a row key as a value.

mod check;
pub(crate) mod compose;
mod decode;
mod encode;
mod error;
#[cfg(feature = "json")]
mod json;
mod kind;
mod lead;
mod matching;
mod model;
mod parse;
mod phoenix;
mod plain;
mod print;
mod read;
mod split;
mod time;
mod value;
mod words;

pub use error::SchemaError;
pub use kind::Kind;
pub use matching::{FuzzyRow, MatchError, Matching};
pub use model::{
    DigestPart, End, Field, Int, Lead, Limit, Record, SaltFunction, Schema, Type, Unit,
};
pub use phoenix::{PhoenixColumn, PhoenixError, PhoenixKey};
pub use read::TextError;
pub use time::Time;
pub use value::{Fields, Value};
