//! An encoding with values of one type.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::ops::Bound;

use tallrow_codec::__private::v1::{DerivedKey, NextFieldName, PartialKey};
use tallrow_codec::{
    EncodeError, Failed, Input, NoSaltOrHash, OrderClass, RowBuf, RowKey, RowRange,
};

/// The key type of scans over parts.
pub enum Probe {}

impl RowKey for Probe {
    type Encoded = RowBuf;
    const SCHEMA: &'static str = "row key Probe\n";
    const FINGERPRINT: u64 = 0;

    fn encode_key(&self) -> Result<RowBuf, EncodeError> {
        match *self {}
    }
}

impl DerivedKey for Probe {
    type Key = Self;
    type SaltOrHash = NoSaltOrHash;
    type Row = RowBuf;
    type Error = Infallible;
    type FieldOrder = ();
    const TYPE_IDENT: &'static str = "Probe";
    const FIELD_ORDER: &'static () = &();
    const SCHEMA: &'static str = <Self as RowKey>::SCHEMA;
}

/// What the tests need of an encoding and its values, which they name by number.
pub trait Part {
    /// Its name in messages.
    fn name(&self) -> &str;
    /// The order class of the encoding.
    fn class(&self) -> OrderClass;
    /// Whether no row of it starts with another.
    fn prefix_free(&self) -> bool;
    /// The number of bytes, if it is fixed.
    fn width(&self) -> Option<usize>;
    /// The number of values.
    fn count(&self) -> usize;
    /// Returns a value as text.
    fn show(&self, i: usize) -> String;

    /// The order that the rows of two values must have, worked out without their bytes.
    fn rows(&self, i: usize, j: usize) -> Ordering;
    /// Writes a value.
    fn put(&self, i: usize, row: &mut RowBuf);
    /// Fixes the field of a scan to a value.
    fn fix(&self, i: usize, step: NextFieldName<Probe>) -> PartialKey<Probe>;

    /// Reads a value and writes it again.
    fn again(&self, input: &mut Input<'_>, row: &mut RowBuf) -> Result<(), Failed>;
    /// Reads a value and returns whether it is value `i`.
    fn reads(&self, input: &mut Input<'_>, i: usize) -> Result<bool, Failed>;

    /// The rows between two values, where the encoding has such ranges.
    fn between(&self, step: NextFieldName<Probe>, ends: Ends) -> Option<RowRange>;
    /// Returns whether a value is between two.
    fn inside(&self, i: usize, ends: Ends) -> bool;
    /// The rows that start with value `i`, where the encoding has such ranges.
    fn starting(&self, step: NextFieldName<Probe>, i: usize) -> Option<RowRange>;
    /// Returns whether a value starts with another.
    fn starts(&self, i: usize, start: usize) -> bool;
}

/// Two values and how they end a range.
pub type Ends = (Bound<usize>, Bound<usize>);
