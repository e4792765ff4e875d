//! Access of the tests to the fields of a derived key; the derive generates the code for it.

use alloc::vec::Vec;
use core::ops::Bound;

use crate::encoding::{Encoding, EncodingOrder, OrderClass, ValuesWithBoundBytes};
use crate::error::{EncodeError, FieldError};
use crate::key::{DerivedKey, RandomSalted};
use crate::row::RowBuf;
use crate::scan::{PartialKey, RowRange, RowRanges};

/// A derived row key whose fields the tests can visit.
///
/// The derive implements this trait if the feature `testing` is enabled.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be tested as a row key",
    note = "`test_row_key!` takes types with #[derive(RowKey)]"
)]
pub trait VisitFields {
    #[doc(hidden)]
    type Derived: DerivedKey;

    /// Passes each field to the visitor, in key order.
    #[doc(hidden)]
    fn visit_fields<V: Visitor<Self::Derived>>(&self, visitor: &mut V);

    /// Returns the split keys of a salted key.
    #[doc(hidden)]
    fn splits() -> Vec<Vec<u8>>;
}

impl<K: VisitFields> VisitFields for RandomSalted<K> {
    type Derived = K::Derived;

    fn visit_fields<V: Visitor<K::Derived>>(&self, visitor: &mut V) {
        (**self).visit_fields(visitor);
    }

    fn splits() -> Vec<Vec<u8>> {
        K::splits()
    }
}

/// A visitor of the fields of a key.
#[doc(hidden)]
pub trait Visitor<K: DerivedKey> {
    /// Visits the next field. `RANGES` is the number of ranges of a scan that fixes the fields
    /// before it, or 0 if the rows of that scan are spread over the whole table.
    fn field<F, A, const RANGES: usize>(
        &mut self,
        name: &'static str,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>;

    /// Called after the last field.
    fn end<const RANGES: usize>(&mut self);
}

/// One field of a key and its bytes.
pub(super) struct FieldBytes {
    pub(super) name: &'static str,
    pub(super) prefix_free: bool,
    pub(super) width: Option<usize>,
    pub(super) bytes: Vec<u8>,
}

/// The values of the last field that a range must contain, compared with the value in the key from
/// which the range was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectedValues {
    /// Every value, if the fields before the last are those of the key.
    Any,
    Equal,
    AtLeast,
    Above,
    Below,
    AtMost,
}

/// Ranges of the rows whose first `fixed` fields are those of a key.
pub(super) struct ScanRanges {
    pub(super) fixed: usize,
    pub(super) wanted: ExpectedValues,
    pub(super) ranges: Result<Vec<RowRange>, EncodeError>,
}

/// The fields of a key, and every range that a scan of its values can build.
pub(super) struct KeyFields<K: DerivedKey> {
    pub(super) parts: Vec<FieldBytes>,
    pub(super) built: Vec<ScanRanges>,
    partial: PartialKey<K>,
}

impl<K: DerivedKey> KeyFields<K> {
    pub(super) fn of(key: &impl VisitFields<Derived = K>) -> Self {
        let mut seen = Self { parts: Vec::new(), built: Vec::new(), partial: PartialKey::new() };
        key.visit_fields(&mut seen);
        seen
    }

    fn built(
        &mut self,
        wanted: ExpectedValues,
        ranges: Result<impl Into<Vec<RowRange>>, EncodeError>,
    ) {
        self.built.push(ScanRanges {
            fixed: self.parts.len(),
            wanted,
            ranges: ranges.map(Into::into),
        });
    }
}

impl<K: DerivedKey> Visitor<K> for KeyFields<K> {
    fn field<F, A, const RANGES: usize>(
        &mut self,
        name: &'static str,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>,
    {
        let class = <F::Order as EncodingOrder>::CLASS;
        if RANGES > 0 {
            self.built(ExpectedValues::Any, self.partial.clone().prefix::<RANGES>());
            if matches!(class, OrderClass::Natural | OrderClass::Reversed) {
                let (included, excluded) = (Bound::Included(value), Bound::Excluded(value));
                // A range that excludes this value still contains the other values with the same
                // row.
                let shared = match F::encode_bound(value, &mut RowBuf::<64>::new()) {
                    Ok(Some(at)) => at,
                    // A refused value is reported by the ranges.
                    Ok(None) | Err(_) => ValuesWithBoundBytes::BOUND_ONLY,
                };
                let above =
                    if shared.above { ExpectedValues::AtLeast } else { ExpectedValues::Above };
                let below =
                    if shared.below { ExpectedValues::AtMost } else { ExpectedValues::Below };
                for (wanted, from, to) in [
                    (ExpectedValues::Equal, included, included),
                    (ExpectedValues::AtLeast, included, Bound::Unbounded),
                    (above, excluded, Bound::Unbounded),
                    (below, Bound::Unbounded, excluded),
                    (ExpectedValues::AtMost, Bound::Unbounded, included),
                ] {
                    let step = self.partial.clone().step(name);
                    let ranges = step.between::<F, A, RANGES>(from, to);
                    self.built(wanted, ranges.row_ranges());
                }
            }
        }
        let mut bytes = RowBuf::<64>::new();
        // A refused value is reported by the ranges.
        let _refused = F::encode(value, &mut bytes).is_err();
        self.parts.push(FieldBytes {
            name,
            prefix_free: F::PREFIX_FREE,
            width: F::WIDTH,
            bytes: bytes.to_vec(),
        });
        self.partial = self.partial.clone().step(name).set_value::<F, A>(value, feed);
    }

    fn end<const RANGES: usize>(&mut self) {
        if RANGES == 1 {
            self.built(ExpectedValues::Any, self.partial.clone().row());
        } else if RANGES > 0 {
            self.built(ExpectedValues::Any, self.partial.clone().prefix::<RANGES>());
        }
    }
}
