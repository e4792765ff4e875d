//! The methods of columns that make conditions: comparisons, ranges, presence, prefixes and parts
//! of text.

use std::fmt;
use std::ops::Bound;

use super::order::holds;
use super::{
    BitCell, CompareCell, Compares, Condition, Operand, OperandRange, Passes, Reads, Test, TextCell,
};
use super::{cells::CellSet, cells::all_cells};
use crate::model::show;
use crate::model::value::{CellValue, DecodeCell, NativeCodec};
use crate::request::filter::{Comparator, CompareOperator, RegexPattern};
use crate::table::column::Column;
use crate::table::column::{AnyColumn, DynamicColumn};

/// Defines the functions of a type of column that make conditions.
macro_rules! conditions {
    ($column:ident, $of:literal) => {
        #[doc = concat!("Comparisons of ", $of, ", for [`Condition`]s.")]
        impl<T, V, C> $column<T, V, C> {
            /// Makes a condition that holds if the column's value is greater than `value`.
            ///
            /// See [`Condition`] for an example of this and the other comparisons.
            pub fn gt(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::Greater, &value.into_operand())
            }

            /// Makes a condition that holds if the column's value is greater than `value` or equal
            /// to it.
            ///
            /// See [`Condition`] for an example.
            pub fn ge(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::GreaterOrEqual, &value.into_operand())
            }

            /// Makes a condition that holds if the column's value is less than `value`.
            ///
            /// See [`Condition`] for an example.
            pub fn lt(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::Less, &value.into_operand())
            }

            /// Makes a condition that holds if the column's value is less than `value` or equal to
            /// it.
            ///
            /// See [`Condition`] for an example.
            pub fn le(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::LessOrEqual, &value.into_operand())
            }

            /// Makes a condition that holds if the column's value is equal to `value`.
            ///
            /// See [`Condition`] for an example.
            pub fn eq(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::Equal, &value.into_operand())
            }

            /// Makes a condition that holds if the column has a value and this is not equal to
            /// `value`. In contrast, `!column.eq(value)` also holds if the column has no value.
            ///
            /// See [`Condition`] for an example.
            pub fn ne(self, value: impl Operand<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                compare(&self, CompareOperator::NotEqual, &value.into_operand())
            }

            /// Makes a condition that holds if the column's value is in the range `values`. For the
            /// range `..`, the condition holds if the column has a value.
            ///
            /// See [`Condition`] for an example.
            pub fn is_between(self, values: impl OperandRange<V>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                between(&self, values.bounds())
            }

            /// Makes a condition that holds if the column's value is equal to one of `values`.
            ///
            /// See [`Condition`] for an example.
            pub fn one_of(self, values: impl IntoIterator<Item: Operand<V>>) -> Condition<T>
            where
                V: PartialOrd + fmt::Debug,
                C: CompareCell<V>,
            {
                let values = values.into_iter().map(Operand::into_operand);
                Condition::any(values.map(|value| compare(&self, CompareOperator::Equal, &value)))
            }
        }

        #[doc = concat!("Whether there is a cell of ", $of, ", for [`Condition`]s.")]
        impl<T, V, C> $column<T, V, C> {
            /// Makes a condition that holds if the column's cell exists, with any value.
            ///
            /// See [`Condition`] for an example.
            pub fn is_present(self) -> Condition<T> {
                is_present(&self)
            }

            /// Makes a condition that holds if the column's cell does not exist.
            ///
            /// See [`Condition`] for an example.
            pub fn is_absent(self) -> Condition<T> {
                let test = test(&self, "is absent", all_cells().complement(), Passes::Never);
                Condition::test(Test { absent: true, ..test })
            }
        }

        #[doc = concat!("The bits of the numbers of ", $of, ", for [`Condition`]s.")]
        impl<T, V> $column<T, V, NativeCodec> {
            /// Makes a condition that holds if every bit that is set in `bits` is set in the
            /// column's value. If `bits` is 0, the condition holds if the column has a value.
            ///
            /// On Bigtable, this is a `value_bitmask_filter`.
            ///
            /// ```
            /// use tallrow::{Client, RowKey, Table};
            ///
            /// # #[derive(RowKey, Debug, PartialEq)] struct Id { id: u32 }
            /// #[derive(Table, Debug, PartialEq)]
            /// #[table(name = "users")]
            /// #[family("u")]
            /// struct User {
            ///     #[key]
            ///     id: Id,
            ///     #[cell("u:flags")]
            ///     flags: u32,
            /// }
            /// const ADMIN: u32 = 1;
            /// const ACTIVE: u32 = 4;
            ///
            /// # #[tokio::main(flavor = "current_thread")]
            /// # async fn main() -> tallrow::Result<()> {
            /// # let client = Client::connect("mock:").await?;
            /// # client.admin().create::<User>().await?;
            /// let users = client.table::<User>();
            /// for (id, flags) in [(1, ADMIN), (2, ADMIN | ACTIVE), (3, ACTIVE)] {
            ///     users.put(&User { id: Id { id }, flags }).await?;
            /// }
            /// let both = users.scan(Id::scan()).filter(User::FLAGS.has_bits(ADMIN | ACTIVE));
            /// assert_eq!(both.count().await?, 1);
            /// let not_admin = users.scan(Id::scan()).filter(!User::FLAGS.has_bits(ADMIN));
            /// assert_eq!(not_admin.rows().next_row().await?.unwrap().id.id, 3);
            /// # Ok(())
            /// # }
            /// ```
            pub fn has_bits(self, bits: V) -> Condition<T>
            where
                V: BitCell,
            {
                let (mask, read) = (bits.to_cell(), reads::<V>());
                let cells = CellSet::Matching(CompareOperator::Equal, Comparator::all_bits(&mask));
                let shown = format!("has the bits {bits:?}");
                Condition::test(test(&self, &shown, cells, Passes::HasBits { mask, read }))
            }
        }

        #[doc = concat!("What the text or the bytes of ", $of, " hold, for [`Condition`]s.")]
        impl<T, V> $column<T, V, NativeCodec> {
            /// Makes a condition that holds if the column's value begins with `part`.
            ///
            /// See [`Condition`] for an example.
            pub fn starts_with(self, part: &V::Part) -> Condition<T>
            where
                V: TextCell,
            {
                let (part, read) = (part.as_ref().to_vec(), reads::<V>());
                let cells =
                    CellSet::Matching(CompareOperator::Equal, Comparator::binary_prefix(&part));
                let shown = format!("starts with {}", show::bytes(&part));
                Condition::test(test(&self, &shown, cells, Passes::StartsWith { part, read }))
            }

            /// Makes a condition that holds if the column's value contains `part`, in the same
            /// case.
            ///
            /// See [`Condition`] for an example.
            pub fn contains(self, part: &V::Part) -> Condition<T>
            where
                V: TextCell,
            {
                let (part, read) = (part.as_ref().to_vec(), reads::<V>());
                // Not a substring comparator, because that ignores case.
                let found = Comparator::regex(RegexPattern::quote(&part));
                let cells = CellSet::Matching(CompareOperator::Equal, found);
                let shown = format!("contains {}", show::bytes(&part));
                Condition::test(test(&self, &shown, cells, Passes::Contains { part, read }))
            }
        }
    };
}
conditions!(Column, "a column");
conditions!(DynamicColumn, "a dynamic column");

fn reads<V: CellValue>() -> Reads {
    |value| <V as CellValue>::from_cell(value).map(drop)
}

fn test<T>(column: &impl AnyColumn<T>, what: &str, cells: CellSet, passes: Passes) -> Test {
    let (family, qualifier) = (column.family(), column.qualifier());
    let shown = format!("{} {what}", show::column(family.as_bytes(), &qualifier));
    Test { family, qualifier, shown, absent: false, cells, passes }
}

fn is_present<T>(column: &impl AnyColumn<T>) -> Condition<T> {
    Condition::test(test(column, "is present", all_cells(), Passes::Always))
}

fn compare<T, A: AnyColumn<T>>(
    column: &A,
    compare: CompareOperator,
    value: &A::Value,
) -> Condition<T>
where
    A::Value: PartialOrd + fmt::Debug,
    A::Codec: CompareCell<A::Value>,
{
    let compares: Compares = |value, compare, operand| {
        Ok(holds(&A::Codec::decode(value)?, compare, &A::Codec::decode(operand)?))
    };
    let shown = format!("{} {value:?}", compare.symbol());
    let bound = A::Codec::largest_bytes_at_most(value);
    let compare_bytes = match (&bound, compare) {
        (Some((_, true)), compare) => Some(compare),
        (Some((_, false)), CompareOperator::Less | CompareOperator::LessOrEqual) => {
            Some(CompareOperator::LessOrEqual)
        }
        (Some((_, false)), CompareOperator::Greater | CompareOperator::GreaterOrEqual) => {
            Some(CompareOperator::Greater)
        }
        _ => None,
    };
    let test = match (compare_bytes, bound) {
        (Some(compare), Some((operand, _))) => {
            let cells = CellSet::from_comparison(A::Codec::ORDER, compare, &operand);
            test(column, &shown, cells, Passes::Compare { compare, operand, compares })
        }
        // No cell can hold the value, or all cells hold larger values.
        _ => match compare {
            CompareOperator::Greater
            | CompareOperator::GreaterOrEqual
            | CompareOperator::NotEqual => test(column, &shown, all_cells(), Passes::Always),
            CompareOperator::Less | CompareOperator::LessOrEqual | CompareOperator::Equal => {
                test(column, &shown, all_cells().complement(), Passes::Never)
            }
        },
    };
    let absent = A::Codec::absent().is_some_and(|absent| holds(&absent, compare, value));
    Condition::test(Test { absent, ..test })
}

fn between<T, A: AnyColumn<T>>(
    column: &A,
    (from, to): (Bound<A::Value>, Bound<A::Value>),
) -> Condition<T>
where
    A::Value: PartialOrd + fmt::Debug,
    A::Codec: CompareCell<A::Value>,
{
    let from = match from {
        Bound::Included(value) => Some((CompareOperator::GreaterOrEqual, value)),
        Bound::Excluded(value) => Some((CompareOperator::Greater, value)),
        Bound::Unbounded => None,
    };
    let to = match to {
        Bound::Included(value) => Some((CompareOperator::LessOrEqual, value)),
        Bound::Excluded(value) => Some((CompareOperator::Less, value)),
        Bound::Unbounded => None,
    };
    match (from, to) {
        (None, None) if A::Codec::absent().is_none() => is_present(column),
        (from, to) => {
            let bounds = from.into_iter().chain(to);
            Condition::all(bounds.map(|(op, value)| self::compare(column, op, &value)))
        }
    }
}
