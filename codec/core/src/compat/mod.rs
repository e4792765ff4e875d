//! Compatibility encodings: the encodings that HBase's own classes, Phoenix and Bigtable write and
//! read.
//!
//! The attribute `compat` selects them for a derived key; custom encodings and filters use the
//! types of this module.
//!
//! | module | bytes of |
//! |---|---|
//! | [`hbase`] | `org.apache.hadoop.hbase.util.Bytes` |
//! | [`ordered`] | `org.apache.hadoop.hbase.util.OrderedBytes` |
//! | [`types`] | `org.apache.hadoop.hbase.types`: what wraps the two above, and `Struct` |
//! | [`phoenix`] | Phoenix: columns of a primary key, separators, nulls |
//! | [`bigtable`] | a key schema of Bigtable |
//!
//! The encodings of HBase and Phoenix are tested byte for byte against files made by their classes.
//! Where a class breaks the order of rows, its bytes are kept, and the [order
//! class](crate::EncodingOrder) or the page of the encoding says so.
//!
//! # Invariants
//!
//! - The bytes are those of HBase's classes, of Phoenix and of Bigtable, including their quirks.
//!   Tests: `codec/tests/golden/compat`,
//!   `codec/tests/golden/bigtable.rs::structs_are_those_of_the_protocol`,
//!   `codec/tests/golden/derived.rs`.

#[macro_use]
mod macros;

pub mod bigtable;
mod decimal;
pub mod hbase;
mod null;
pub mod ordered;
pub mod phoenix;
pub mod types;

use crate::encoding::{TextEncoding, wrapped};
pub use decimal::{Decimal, DecimalError};

wrapped! {
    [encode decode]:
    [] ordered::Numeric;
    [] phoenix::UnsignedFloat;
    [] bigtable::OrderedCodeInt64;
}

wrapped! {
    [encode decode prefix]:
    [] hbase::Bytes;
    [] ordered::Ordered;
    [] phoenix::Column;
    [] phoenix::Separated;
    [const N: usize] phoenix::Char<N>;
    [F: TextEncoding] phoenix::NonEmpty<F>;
    [] bigtable::Text;
    [] bigtable::LastText;
}
