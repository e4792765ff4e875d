//! The first fields of a row key, for the builder of a scan.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Bound;

use super::range::{RowRange, next_prefix, next_row};
use super::ranges::KeyRanges;
use crate::encoding::{Encoding, EncodingOrder, OrderClass, PrefixEncoding};
use crate::error::{EncodeError, FieldError};
use crate::key::DerivedKey;
use crate::key_prefix::SaltOrHash;
use crate::row::{RowBuf, Sink};

/// The bytes of the fields fixed so far, after space for the key prefix, and the first error.
///
/// Used only by generated scan builders.
pub struct PartialKey<K: DerivedKey> {
    row: RowBuf,
    key_prefix: K::SaltOrHash,
    error: Option<EncodeError>,
}

/// One end of a range of rows, before its key prefix is known.
#[derive(Clone, Debug)]
enum Edge {
    /// The end is at this row.
    At(RowBuf),
    /// The end is after all rows that begin with these bytes.
    After(RowBuf),
}

/// Both ends of a range of rows, before their key prefix is known.
type Ends = (Edge, Edge);

impl<K: DerivedKey> PartialKey<K> {
    /// Returns the state in which no field is fixed.
    pub fn new() -> Self {
        let mut row = RowBuf::new();
        for _ in 0..<K::SaltOrHash as SaltOrHash>::LEN {
            row.put(&[0]);
        }
        Self { row, key_prefix: K::SaltOrHash::default(), error: None }
    }

    /// Formats the builder with the name `builder` that holds these fields.
    ///
    /// # Errors
    /// When the formatter fails.
    pub fn fmt_builder(&self, builder: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(builder).field("partial", self).finish()
    }

    /// Returns the next step, which has the name of the next field.
    pub fn step(self, field: &'static str) -> NextFieldName<K> {
        NextFieldName { partial: self, field }
    }

    /// Returns the next step, which has the name of the next field and its encoding `F`.
    pub fn field<F, A: ?Sized>(self, field: &'static str) -> NextField<K, F, A> {
        NextField { step: self.step(field), encoding: PhantomData }
    }

    /// Returns the rows that begin with the fields fixed so far.
    ///
    /// # Errors
    /// When one of these fields did not fit its encoding.
    pub fn prefix<const RANGES: usize>(self) -> Result<[RowRange; RANGES], EncodeError> {
        let row = self.row.clone();
        self.expand((Edge::At(row.clone()), Edge::After(row)))
    }

    /// Returns the range of the whole table, for a key whose rows are spread over the whole table
    /// as long as no field is fixed.
    ///
    /// # Errors
    /// None: no field is fixed yet.
    pub fn all_rows(self) -> Result<[RowRange; 1], EncodeError> {
        Ok([RowRange::all()])
    }

    /// Returns the range of the rows that begin with the fields so far. If `row` is true, all
    /// fields must have been given, and the range contains only the row with this key.
    ///
    /// # Errors
    /// If one of these fields does not fit its encoding.
    pub fn row_or_prefix(self, row: bool) -> Result<[RowRange; 1], EncodeError> {
        if row { self.row() } else { self.prefix() }
    }

    /// Returns the range of only the row with this key, all of whose fields have been given.
    ///
    /// # Errors
    /// If one of these fields does not fit its encoding.
    pub fn row(self) -> Result<[RowRange; 1], EncodeError> {
        let row = self.row.clone();
        let next = next_row(&row);
        self.expand((Edge::At(row), Edge::At(next)))
    }

    /// Writes the key prefix into both ends: the prefix of the fixed fields, or each bucket in
    /// turn.
    fn expand<const RANGES: usize>(self, ends: Ends) -> Result<[RowRange; RANGES], EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        Ok(core::array::from_fn(|bucket| {
            let (start, stop) = ends.clone();
            let stamp = |mut row: RowBuf| {
                if let Some(front) =
                    row.as_mut_slice().get_mut(..<K::SaltOrHash as SaltOrHash>::LEN)
                {
                    if RANGES == 1 {
                        self.key_prefix.write(front);
                    } else {
                        K::SaltOrHash::write_bucket(bucket, front);
                    }
                }
                row
            };
            let stop = match stop {
                Edge::At(row) => Some(stamp(row)),
                Edge::After(row) => next_prefix(&stamp(row)),
            };
            match start {
                Edge::At(row) => RowRange::new(stamp(row), stop),
                Edge::After(row) => match next_prefix(&stamp(row.clone())) {
                    Some(start) => RowRange::new(start, stop),
                    // There are no rows after the last possible one.
                    None => RowRange::new(stamp(row.clone()), Some(stamp(row))),
                },
            }
        }))
    }
}

impl<K: DerivedKey> Default for PartialKey<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: DerivedKey> Clone for PartialKey<K> {
    fn clone(&self) -> Self {
        Self {
            row: self.row.clone(),
            key_prefix: self.key_prefix.clone(),
            error: self.error.clone(),
        }
    }
}

impl<K: DerivedKey> fmt::Debug for PartialKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(K::TYPE_IDENT).field("row", &self.row).field("error", &self.error).finish()
    }
}

/// The next field of a scan, with its encoding.
pub struct NextField<K: DerivedKey, F, A: ?Sized> {
    pub(super) step: NextFieldName<K>,
    encoding: PhantomData<fn(&A) -> F>,
}

/// The next field of a scan, with its name for errors.
pub struct NextFieldName<K: DerivedKey> {
    partial: PartialKey<K>,
    field: &'static str,
}

impl<K: DerivedKey> NextFieldName<K> {
    fn keep(&mut self, result: Result<(), FieldError>) {
        if let Err(fault) = result {
            let field = self.field;
            self.partial.error.get_or_insert_with(|| EncodeError::new(K::TYPE_IDENT, field, fault));
        }
    }

    /// Appends `value` in the encoding `F`, and feeds the key prefix from the value and its bytes.
    pub fn set_value<F, A>(
        mut self,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) -> PartialKey<K>
    where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>,
    {
        let mark = self.partial.row.position();
        let result = F::encode(value, &mut self.partial.row).map_err(Into::into);
        feed(&mut self.partial.key_prefix, value, self.partial.row.written_since(mark));
        self.keep(result);
        self.partial
    }

    /// Returns the rows whose next field, in the encoding `F`, is between two bounds.
    pub(crate) fn between<F, A, const RANGES: usize>(
        mut self,
        from: Bound<&A>,
        to: Bound<&A>,
    ) -> KeyRanges<K, RANGES>
    where
        A: ?Sized,
        F: Encoding<A, Error: Into<FieldError>>,
    {
        let mut at_bound = |bound: &A| {
            let mut row = self.partial.row.clone();
            match F::encode_bound(bound, &mut row) {
                Ok(at) => at.map(|at| (row, at)),
                Err(fault) => {
                    self.keep(Err(fault.into()));
                    None
                }
            }
        };
        // Each end is a row and a flag. The row is that of the largest value not above the bound.
        // The flag says whether the row is in the range: several values can have the same row, some
        // in the range and some outside; or the value of the row can be smaller than the bound.
        let from = match from {
            Bound::Included(value) => at_bound(value).map(|(row, at)| (row, at.equal || at.above)),
            Bound::Excluded(value) => at_bound(value).map(|(row, at)| (row, at.above)),
            Bound::Unbounded => None,
        };
        let to = match to {
            Bound::Included(value) => {
                Some(at_bound(value).map(|(row, at)| (row, at.equal || at.below)))
            }
            Bound::Excluded(value) => Some(at_bound(value).map(|(row, at)| (row, at.below))),
            Bound::Unbounded => None,
        };
        let to = match to {
            // All values are above the end.
            Some(None) => {
                let nowhere = Edge::At(self.partial.row.clone());
                return KeyRanges::new(self.partial.expand((nowhere.clone(), nowhere)));
            }
            other => other.flatten(),
        };
        let reversed = <F::Order as EncodingOrder>::CLASS == OrderClass::Reversed;
        let (first, last) = if reversed { (to, from) } else { (from, to) };
        // The end of all rows of one value: the next prefix if another field may follow, the next
        // row if the value ends the row key.
        let after = |row: RowBuf| {
            if F::PREFIX_FREE { Edge::After(row) } else { Edge::At(next_row(&row)) }
        };
        let start = match first {
            Some((row, true)) => Edge::At(row),
            Some((row, false)) => after(row),
            None => Edge::At(self.partial.row.clone()),
        };
        let stop = match last {
            Some((row, true)) => after(row),
            Some((row, false)) => Edge::At(row),
            None => Edge::After(self.partial.row.clone()),
        };
        KeyRanges::new(self.partial.expand((start, stop)))
    }

    /// Returns the rows whose next field, in the encoding `F`, starts with `start`.
    pub(super) fn with_prefix<F, A, const RANGES: usize>(
        mut self,
        start: &A,
    ) -> KeyRanges<K, RANGES>
    where
        A: ?Sized,
        F: PrefixEncoding<A>,
    {
        let result = F::encode_start(start, &mut self.partial.row);
        self.keep(result);
        KeyRanges::new(self.partial.prefix())
    }
}
