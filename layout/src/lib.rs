//! The layout of a row key: its fields and their encodings, its key prefix, its record variants,
//! the rules that all of them obey, and the text that describes the layout.
//!
//! This crate contains the code that `tallrow-derive` and `tallrow-codec` share. The derive makes a
//! [`Layout`] from a type and its attributes, and the codec makes a [`Layout`] from the text of a
//! schema. Both pass it to [`check`], so that each rule and its message are written only once. The
//! items for users are re-exported by `tallrow_codec::schema`; the rest may change in any release.
//!
//! | room | holds |
//! |---|---|
//! | `plan` | how each field is written: by its attributes or by the system it is compatible with |
//! | `compat` | the encodings that HBase, Phoenix and Bigtable have for a field |
//! | `check`, `violation` | the rules of layouts, and what breaks them where |
//! | `lint` | layouts that work and are not advised |
//! | `text` | the text of a schema, read and written |
//! | `encoding` | the encodings by name, each with its width and order |
//! | `model` | a layout, its record variants and its limits |
//! | `key_prefix`, `field`, `tags`, `attributes`, `order` | what a layout consists of |
//! | [`fingerprint`] | the hash of a layout, also while a key is compiled |
//!
//! ```
//! use tallrow_layout::{Place, check, parse, print};
//!
//! let source = parse("row key Event\nuser: text, escaped\nat: i64, rev_ts\n")?;
//! assert!(check(&source.layout, &|_, _| None).is_empty());
//! assert!(print(&source.layout).starts_with("row key Event\nuser: text, escaped\n"));
//!
//! let source = parse("row key Event\nuser: text\nat: i64\n")?;
//! let [violation] = &check(&source.layout, &|_, _| None)[..] else { panic!() };
//! assert_eq!(violation.place, Place::Type(0));
//! assert_eq!(source.positions.of(violation.place).line, 2);
//! # Ok::<(), tallrow_layout::ParseError>(())
//! ```

#![no_std]

extern crate alloc;

mod attributes;
mod check;
mod compat;
mod encoding;
mod field;
pub mod fingerprint;
mod key_prefix;
mod lint;
mod model;
mod order;
mod plan;
mod tags;
mod text;
mod violation;

pub use attributes::{
    Attribute, Attributes, CompatTarget, DigestPart, End, RevTsKind, Unit, chars,
};
pub use check::check;
#[doc(hidden)]
pub use check::check_tags;
pub use encoding::{Encoding, Fallibility, Plan};
pub use field::{Field, Guess, Int, Limit, Type};
pub use key_prefix::{SaltFunction, SaltOrHash};
pub use lint::{Lint, LintSettings, is_hotspot, lint, may_be_hotspot, time_name_hint};
pub use model::{Layout, MAX_DIGITS, MAX_NESTING, MAX_ROW_LEN, RecordVariant, is_field_name};
pub use order::OrderClass;
pub use plan::plan;
pub use tags::{Tag, Tags};
pub use text::{ParseError, Position, Positions, Source, fingerprint_error, parse, print};
pub use violation::{Part, Place, Suggest, Violation};
