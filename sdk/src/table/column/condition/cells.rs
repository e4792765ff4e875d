//! The sets of cells that pass a comparison of values, expressed by comparisons of bytes.
//!
//! # Invariants
//!
//! - A condition on columns gives the same result on the server as on decoded values: with signs,
//!   both zeros, NaN and absent cells. Tests: `bytes_compare_as_their_values_do`,
//!   `floats_compare_as_in_rust_with_signs_zeros_and_nans`,
//!   `tests/suites/client/conditions.rs::the_server_finds_what_the_client_finds`,
//!   `tests/suites/client/conditions.rs::no_comparison_holds_for_absent_cells`.

use super::order::{CellOrder, CompareCell, holds};
use crate::Filter;
use crate::model::value::Ordered;
use crate::request::filter::{Comparator, CompareOperator, SingleColumnValue};

/// A set of byte strings: those that pass a comparison, and unions and intersections of such sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CellSet {
    Matching(CompareOperator, Comparator),
    All(Vec<CellSet>),
    Any(Vec<CellSet>),
}

use CompareOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};

fn are(compare: CompareOperator, bytes: &[u8]) -> CellSet {
    CellSet::Matching(compare, Comparator::binary(bytes))
}

/// Returns the set of all cells that exist.
pub(super) fn all_cells() -> CellSet {
    are(GreaterOrEqual, b"")
}

fn none() -> CellSet {
    are(Less, b"")
}

impl CellSet {
    /// Returns the set of the cells for which `cell <compare> operand` holds, when both are
    /// decoded.
    pub(super) fn from_comparison(
        order: CellOrder,
        compare: CompareOperator,
        operand: &[u8],
    ) -> Self {
        match order {
            CellOrder::Bytes => are(compare, operand),
            CellOrder::Signed => signed(compare, operand),
            CellOrder::F32 => {
                float(compare, operand, &f32::INFINITY.to_be_bytes(), &(-0.0f32).to_be_bytes())
            }
            CellOrder::F64 => {
                float(compare, operand, &f64::INFINITY.to_be_bytes(), &(-0.0f64).to_be_bytes())
            }
            CellOrder::OrderedF32 => {
                let encode = |float: f32| Ordered::operand_bytes(&float);
                ordered_float(compare, operand, &[f32::INFINITY, -0.0, 0.0].map(encode))
            }
            CellOrder::OrderedF64 => {
                let encode = |float: f64| Ordered::operand_bytes(&float);
                ordered_float(compare, operand, &[f64::INFINITY, -0.0, 0.0].map(encode))
            }
            CellOrder::Bool => {
                let operand = operand.first().is_some_and(|byte| *byte != 0);
                match [false, true].map(|value| holds(&value, compare, &operand)) {
                    [true, true] => all_cells(),
                    [true, false] => are(Equal, &[0]),
                    [false, true] => are(Greater, &[0]),
                    [false, false] => none(),
                }
            }
        }
    }

    /// Returns the set of all other cells.
    pub(super) fn complement(&self) -> Self {
        match self {
            Self::Matching(compare, comparator) => {
                Self::Matching(compare.inverse(), comparator.clone())
            }
            Self::All(sets) => Self::Any(sets.iter().map(Self::complement).collect()),
            Self::Any(sets) => Self::All(sets.iter().map(Self::complement).collect()),
        }
    }

    /// Returns a filter that keeps the rows whose newest cell of a column is in the set and, if
    /// `absent`, the rows without such a cell.
    pub(super) fn filter(
        &self,
        test: &impl Fn(CompareOperator, Comparator) -> SingleColumnValue,
        absent: bool,
    ) -> Filter {
        match self {
            Self::Matching(compare, comparator) => {
                test(*compare, comparator.clone()).filter_if_missing(!absent).into()
            }
            Self::All(sets) => Filter::all(sets.iter().map(|set| set.filter(test, absent))),
            Self::Any(sets) => Filter::any(sets.iter().map(|set| set.filter(test, absent))),
        }
    }
}

/// The first byte of the least number in two's complement, for every width. Numbers with a smaller
/// first byte are not negative.
const SIGN: u8 = 0x80;

fn is_negative(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|byte| byte & SIGN != 0)
}

/// Returns the set for two's complement. Its bytes sort as: 0 to the greatest number, then the
/// least number to -1.
fn signed(compare: CompareOperator, operand: &[u8]) -> CellSet {
    let itself = are(compare, operand);
    let negative = || are(GreaterOrEqual, &[SIGN]);
    let natural = || are(Less, &[SIGN]);
    match (compare, is_negative(operand)) {
        (Equal | NotEqual, _) => itself,
        (Less | LessOrEqual, false) => CellSet::Any(vec![negative(), itself]),
        (Less | LessOrEqual, true) => CellSet::All(vec![negative(), itself]),
        (Greater | GreaterOrEqual, false) => CellSet::All(vec![natural(), itself]),
        (Greater | GreaterOrEqual, true) => CellSet::Any(vec![natural(), itself]),
    }
}

/// Returns the set for IEEE 754. Its bytes sort as: +0 to infinity, positive NaNs, then -0 to
/// -infinity, negative NaNs. Both zeros are equal, and a NaN is not even equal to itself.
fn float(compare: CompareOperator, operand: &[u8], infinity: &[u8], minus_zero: &[u8]) -> CellSet {
    let with_sign = |bytes: &[u8]| -> Vec<u8> {
        let signs = [SIGN].into_iter().chain(std::iter::repeat(0));
        bytes.iter().zip(signs).map(|(byte, sign)| byte | sign).collect()
    };
    let plus_zero = vec![0; minus_zero.len()];
    let (positive, minus_infinity) = (are(LessOrEqual, infinity), with_sign(infinity));
    // All numbers that are less than 0, and -0.
    let upto_minus_zero =
        || vec![are(GreaterOrEqual, minus_zero), are(LessOrEqual, &minus_infinity)];
    let zeros = || CellSet::Any(vec![are(Equal, &plus_zero), are(Equal, minus_zero)]);
    let is_zero = operand == plus_zero || operand == minus_zero;
    let negative = is_negative(operand) && !is_zero;
    // Among bytes with the sign bit set, those greater than infinity are NaNs.
    if with_sign(operand) > minus_infinity {
        return if compare == NotEqual { all_cells() } else { none() };
    }
    match compare {
        Equal if is_zero => zeros(),
        NotEqual if is_zero => zeros().complement(),
        Equal | NotEqual => are(compare, operand),
        Less if is_zero => {
            CellSet::All(vec![are(Greater, minus_zero), are(LessOrEqual, &minus_infinity)])
        }
        LessOrEqual if is_zero => {
            CellSet::Any(vec![are(Equal, &plus_zero), CellSet::All(upto_minus_zero())])
        }
        // For negative numbers, greater bytes are smaller values.
        Less | LessOrEqual if negative => CellSet::All(vec![
            are(compare.swap_operands(), operand),
            are(LessOrEqual, &minus_infinity),
        ]),
        Less | LessOrEqual => {
            CellSet::Any(vec![are(compare, operand), CellSet::All(upto_minus_zero())])
        }
        Greater if is_zero => CellSet::All(vec![are(Greater, &plus_zero), positive]),
        GreaterOrEqual if is_zero => CellSet::Any(vec![positive, are(Equal, minus_zero)]),
        Greater | GreaterOrEqual if negative => {
            let above =
                vec![are(GreaterOrEqual, minus_zero), are(compare.swap_operands(), operand)];
            CellSet::Any(vec![positive, CellSet::All(above)])
        }
        Greater | GreaterOrEqual => CellSet::All(vec![are(compare, operand), positive]),
    }
}

/// Returns the set for floats in the encoding of row keys. Its bytes sort as: -infinity to -0, +0
/// to infinity, NaN.
fn ordered_float(
    compare: CompareOperator,
    operand: &[u8],
    [infinity, minus_zero, plus_zero]: &[Vec<u8>; 3],
) -> CellSet {
    if operand > &infinity[..] {
        return if compare == NotEqual { all_cells() } else { none() };
    }
    let is_zero = operand == minus_zero || operand == plus_zero;
    let zeros = || CellSet::Any(vec![are(Equal, minus_zero), are(Equal, plus_zero)]);
    // The zero that bounds both zeros.
    let edge = match compare {
        _ if !is_zero => operand,
        Less | GreaterOrEqual => minus_zero,
        _ => plus_zero,
    };
    match compare {
        Equal if is_zero => zeros(),
        NotEqual if is_zero => zeros().complement(),
        Less | LessOrEqual | Equal | NotEqual => are(compare, edge),
        Greater | GreaterOrEqual => {
            CellSet::All(vec![are(compare, edge), are(LessOrEqual, infinity)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::value::CellValue;
    use crate::model::value::NativeCodec;
    use crate::table::column::{CompareCell, OrderedCell};

    impl CellSet {
        /// Whether these bytes are in the set, as a server compares.
        fn hold(&self, bytes: &[u8]) -> bool {
            match self {
                Self::Matching(compare, comparator) => comparator
                    .binary_operand()
                    .is_some_and(|operand| holds(&bytes, *compare, &operand)),
                Self::All(sets) => sets.iter().all(|set| set.hold(bytes)),
                Self::Any(sets) => sets.iter().any(|set| set.hold(bytes)),
            }
        }
    }

    const ALL: [CompareOperator; 6] = [Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater];

    fn every_pair_of<C: CompareCell<V>, V: OrderedCell>(values: &[V]) {
        for operand in values {
            for compare in ALL {
                let set = CellSet::from_comparison(C::ORDER, compare, &C::operand_bytes(operand));
                let others = set.complement();
                for value in values {
                    let expected = holds(value, compare, operand);
                    let found = set.hold(&C::operand_bytes(value));
                    assert_eq!(found, expected, "{value:?} {compare:?} {operand:?}: {set:?}");
                    assert_eq!(others.hold(&C::operand_bytes(value)), !expected);
                }
            }
        }
    }

    fn every_pair_agrees<V: OrderedCell>(values: &[V])
    where
        Ordered: CompareCell<V>,
    {
        every_pair_of::<NativeCodec, V>(values);
        every_pair_of::<Ordered, V>(values);
    }

    #[test]
    fn bytes_compare_as_their_values_do() {
        every_pair_agrees(&[i16::MIN, -257, -256, -255, -1, 0, 1, 127, 128, 255, 256, i16::MAX]);
        every_pair_agrees(&[i32::MIN, -1 << 24, -1, 0, 1, 1 << 24, i32::MAX]);
        every_pair_agrees(&[i64::MIN, i64::MIN + 1, -1, 0, 1, 0x80, 0x8000_0000, i64::MAX]);
        every_pair_agrees(&[0u8, 1, 127, 128, 255]);
        every_pair_agrees(&[0u64, 1, u64::MAX >> 1, 1 << 63, u64::MAX]);
        every_pair_agrees(&[false, true]);
        every_pair_agrees(
            &["", "\0", "a", "ab", "b", "é", "\u{ffff}", "\u{10000}"].map(String::from),
        );
        every_pair_agrees(&['\0', 'a', 'é', '\u{ffff}', '\u{10000}']);
    }

    #[test]
    fn floats_compare_as_in_rust_with_signs_zeros_and_nans() {
        let nans = [0x7ff0_0000_0000_0001, 0x7fff_ffff_ffff_ffff, 0xfff0_0000_0000_0001, u64::MAX];
        let mut values = vec![
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            f64::MIN_POSITIVE,
            1.0,
            1.5,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        values.extend(nans.map(f64::from_bits));
        every_pair_agrees(&values);
        let narrow: Vec<f32> = values.iter().map(|v| *v as f32).collect();
        every_pair_agrees(&narrow);
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        for compare in ALL {
            let set = CellSet::from_comparison(CellOrder::Bool, compare, &true.to_cell());
            assert_eq!(set.hold(&[1]), holds(&true, compare, &true));
        }
    }
}
