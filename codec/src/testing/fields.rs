//! The fields of a derived key, as its derive shows them to the laws.

use alloc::vec::Vec;
use core::ops::Bound;

use crate::encoding::Encoding;
use crate::error::{EncodeError, FieldError};
use crate::key::Derived;
use crate::order::{Order, OrderClass};
use crate::random_salted::RandomSalted;
use crate::row_buf::RowBuf;
use crate::scan::{Partial, RowRange, RowRanges};

/// A derived row key: what the laws have to know of it beyond [`RowKey`](crate::RowKey).
///
/// The derive writes it while the feature `laws` is on.
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` are not shown to the laws",
    note = "the laws are for types with #[derive(RowKey)]"
)]
pub trait TestFields {
    #[doc(hidden)]
    type Derived: Derived;

    /// Shows each field, in key order.
    #[doc(hidden)]
    fn fields<V: Visitor<Self::Derived>>(&self, visitor: &mut V);

    /// Returns the split keys of a salted key.
    #[doc(hidden)]
    fn splits() -> Vec<Vec<u8>>;
}

impl<K: TestFields> TestFields for RandomSalted<K> {
    type Derived = K::Derived;

    fn fields<V: Visitor<K::Derived>>(&self, visitor: &mut V) {
        (**self).fields(visitor);
    }

    fn splits() -> Vec<Vec<u8>> {
        K::splits()
    }
}

/// What takes in the fields of a key.
#[doc(hidden)]
pub trait Visitor<K: Derived> {
    /// Takes in the next field, `RANGES` being how many ranges of rows a scan reads that has fixed
    /// those before it; none while they are all over the table.
    fn field<F, A, const RANGES: usize>(
        &mut self,
        name: &'static str,
        value: &A,
        feed: impl FnOnce(&mut K::KeyPrefix, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>;

    /// Comes behind the last field.
    fn end<const RANGES: usize>(&mut self);
}

/// One field of a key and its bytes.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) prefix_free: bool,
    pub(super) width: Option<usize>,
    pub(super) bytes: Vec<u8>,
}

/// Which values of the last field of a range are wanted, beside the key it was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every value, the fields before being those of the key.
    Any,
    Equal,
    AtLeast,
    Above,
    Below,
    AtMost,
}

/// Ranges that hold the rows whose first `fixed` fields are those of a key.
pub(super) struct Built {
    pub(super) fixed: usize,
    pub(super) wanted: Wanted,
    pub(super) ranges: Result<Vec<RowRange>, EncodeError>,
}

/// The fields of a key, and every range that a scan of its values can build.
pub(super) struct Seen<K: Derived> {
    pub(super) parts: Vec<Part>,
    pub(super) built: Vec<Built>,
    partial: Partial<K>,
}

impl<K: Derived> Seen<K> {
    pub(super) fn of(key: &impl TestFields<Derived = K>) -> Self {
        let mut seen = Self { parts: Vec::new(), built: Vec::new(), partial: Partial::new() };
        key.fields(&mut seen);
        seen
    }

    fn built(&mut self, wanted: Wanted, ranges: Result<impl Into<Vec<RowRange>>, EncodeError>) {
        self.built.push(Built { fixed: self.parts.len(), wanted, ranges: ranges.map(Into::into) });
    }
}

impl<K: Derived> Visitor<K> for Seen<K> {
    fn field<F, A, const RANGES: usize>(
        &mut self,
        name: &'static str,
        value: &A,
        feed: impl FnOnce(&mut K::KeyPrefix, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>,
    {
        let class = <F::Order as Order>::CLASS;
        if RANGES > 0 {
            self.built(Wanted::Any, self.partial.clone().prefix::<RANGES>());
            if matches!(class, OrderClass::Natural | OrderClass::Reversed) {
                let (included, excluded) = (Bound::Included(value), Bound::Excluded(value));
                // Values that share the row of this one are in a range that leaves it out.
                let shares = F::shares(value);
                let above = if shares.above { Wanted::AtLeast } else { Wanted::Above };
                let below = if shares.below { Wanted::AtMost } else { Wanted::Below };
                for (wanted, from, to) in [
                    (Wanted::Equal, included, included),
                    (Wanted::AtLeast, included, Bound::Unbounded),
                    (above, excluded, Bound::Unbounded),
                    (below, Bound::Unbounded, excluded),
                    (Wanted::AtMost, Bound::Unbounded, included),
                ] {
                    let step = self.partial.clone().step(name);
                    let ranges = step.between::<F, A, RANGES>(from, to);
                    self.built(wanted, ranges.row_ranges());
                }
            }
        }
        let mut bytes = RowBuf::<64>::new();
        // A value that is refused shows in the range that names it.
        let _refused = F::encode(value, &mut bytes).is_err();
        self.parts.push(Part {
            name,
            prefix_free: F::PREFIX_FREE,
            width: F::WIDTH,
            bytes: bytes.to_vec(),
        });
        self.partial = self.partial.clone().step(name).fix::<F, A>(value, feed);
    }

    fn end<const RANGES: usize>(&mut self) {
        if RANGES == 1 {
            self.built(Wanted::Any, self.partial.clone().row());
        } else if RANGES > 0 {
            self.built(Wanted::Any, self.partial.clone().prefix::<RANGES>());
        }
    }
}
