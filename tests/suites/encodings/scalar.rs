//! Every value, and every row, of the encodings of 8 and 16 bits.

use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;
use std::num::NonZero;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::ops::RangeBounds;

use tallrow_codec::__private::v1::PartialKey;
use tallrow_codec::{
    Decoding, Desc, Digits, Encoding, Field, FieldError, FieldSelector, Floor, Input, Native,
    NonNeg, Nullable, RawBe, ReversedDigits, RowBuf, RowRanges, SortedOrder, Uid,
};
use tallrow_matrix::{Probe, Rows};

/// Tests every property of an encoding: `values` are all of its type, `fits` says which it holds,
/// `key` gives what the rows are ordered by.
fn every<F, T, K: Ord>(values: impl Iterator<Item = T>, fits: fn(&T) -> bool, key: fn(&T) -> K)
where
    T: Field<Arg = T> + PartialEq + Debug,
    F: Encoding<T, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    let values: Vec<T> = values.collect();
    let mut rows = Rows::default();
    for (index, value) in values.iter().enumerate() {
        let mut row = RowBuf::<8>::new();
        let written = F::encode(value, &mut row).is_ok();
        assert_eq!(written, fits(value), "{value:?}");
        if written {
            assert_eq!(row.len(), F::WIDTH.unwrap_or(row.len()));
            let other = rows.insert(row.to_vec(), index);
            assert_eq!(other, None, "two values have the row {row:?}");
        }
    }
    rows.pairs(&|a, b, starts| {
        let (smaller, value) = (&values[a], &values[b]);
        assert_eq!(key(smaller).cmp(&key(value)), Ordering::Less, "{smaller:?} {value:?}");
        assert!(!F::PREFIX_FREE || !starts, "{value:?} starts with {smaller:?}");
    });
    rows.near(&|row, value_of| {
        let mut input = Input::new(row);
        let read = F::decode(&mut input);
        match value_of(row.len() - input.remaining()) {
            Some(index) => assert_eq!(read.as_ref(), Ok(&values[index]), "{row:02x?}"),
            None => {
                assert!(read.is_err() && input.fault().is_some(), "{row:02x?} is read as {read:?}")
            }
        }
    });
}

fn any<T>(_: &T) -> bool {
    true
}

macro_rules! every {
    ($($test:ident: $int:ident, digits $all:literal $few:literal;)*) => {$(
        #[test]
        fn $test() {
            const ALL: std::ops::RangeInclusive<$int> = $int::MIN..=$int::MAX;
            every::<Native, $int, _>(ALL, any, |n| *n);
            every::<Desc<Native>, $int, _>(ALL, any, |n| Reverse(*n));
            let some = || ALL.filter_map(NonZero::new);
            every::<Native, NonZero<$int>, _>(some(), any, |n| *n);
            every::<Desc<Native>, NonZero<$int>, _>(some(), any, |n| Reverse(*n));
            let optional = || [None].into_iter().chain(ALL.map(Some));
            every::<Nullable<Native>, Option<$int>, _>(optional(), any, |n| *n);
            every::<Desc<Nullable<Native>>, Option<$int>, _>(optional(), any, |n| Reverse(*n));
            every!(@more $int $all $few);
        }
    )*};
    (@more u8 $all:literal $few:literal) => { every!(@unsigned u8 1 $all $few) };
    (@more u16 $all:literal $few:literal) => { every!(@unsigned u16 2 $all $few) };
    (@more $int:ident $all:literal $few:literal) => {
        every::<RawBe, $int, _>(ALL, |n| *n >= 0, |n| *n);
        every::<Desc<RawBe>, $int, _>(ALL, |n| *n >= 0, |n| Reverse(*n));
        let natural = || ALL.filter_map(|n| NonNeg::try_from(n).ok());
        every::<Native, NonNeg<$int>, _>(natural(), any, |n| *n);
        every::<Desc<Native>, NonNeg<$int>, _>(natural(), any, |n| Reverse(*n));
    };
    (@unsigned $int:ident $bytes:literal $all:literal $few:literal) => {
        fn back<const N: usize>(n: &$int) -> String {
            format!("{n:0N$}").chars().rev().collect()
        }
        let few: fn(&$int) -> bool = |n| n.to_string().len() <= $few;
        every::<Digits<$all>, $int, _>(ALL, any, |n| *n);
        every::<Desc<Digits<$all>>, $int, _>(ALL, any, |n| Reverse(*n));
        every::<Digits<$few>, $int, _>(ALL, few, |n| *n);
        every::<ReversedDigits<$all>, $int, _>(ALL, any, back::<$all>);
        every::<ReversedDigits<$few>, $int, _>(ALL, few, back::<$few>);
        let ids = ALL.map(u64::from).filter_map(Uid::<Native, $bytes>::new);
        every::<Native, Uid<Native, $bytes>, _>(ids, any, |id| id.number());
        let rows = ALL.map(|n| n.to_be_bytes());
        every::<Native, [u8; $bytes], _>(rows, any, |bytes| *bytes);
    };
}

every! {
    every_u8: u8, digits 3 2;
    every_i8: i8, digits 3 2;
    every_u16: u16, digits 5 3;
    every_i16: i16, digits 5 3;
}

#[test]
fn every_bool() {
    every::<Native, bool, _>([false, true].into_iter(), any, |b| *b);
    every::<Desc<Native>, bool, _>([false, true].into_iter(), any, |b| Reverse(*b));
    let optional = || [None, Some(false), Some(true)].into_iter();
    every::<Nullable<Native>, Option<bool>, _>(optional(), any, |b| *b);
    every::<Desc<Nullable<Native>>, Option<bool>, _>(optional(), any, |b| Reverse(*b));
}

#[test]
fn every_char() {
    for desc in [false, true] {
        let mut before = None;
        for c in '\0'..=char::MAX {
            let mut row = RowBuf::<8>::new();
            let Ok(()) = match desc {
                true => <Desc<Native> as Encoding<char>>::encode(&c, &mut row),
                false => <Native as Encoding<char>>::encode(&c, &mut row),
            };
            let input = &mut Input::new(&row);
            let read = if desc { Desc::<Native>::decode(input) } else { Native::decode(input) };
            assert_eq!(read, Ok(c));
            let sorted = before.is_none_or(|b| if desc { row < b } else { row > b });
            assert!(sorted, "{c:?}");
            before = Some(row);
        }
    }
}

/// Periods of ten: a row stands for every value of its period, and a range takes each period that
/// it touches. `row` gives the row of the start of a period.
fn periods<F>(row: fn(u8) -> u8)
where
    F: Encoding<u8, Order: SortedOrder, Error: Into<FieldError>> + for<'a> Decoding<'a, u8>,
{
    for value in 0..=u8::MAX {
        let mut written = RowBuf::<8>::new();
        assert!(F::encode(&value, &mut written).is_ok());
        assert_eq!(&written[..], [row(value / 10 * 10)]);
        let read: Result<u8, _> = F::decode(&mut Input::new(&[row(value)]));
        assert_eq!(read.ok(), (value % 10 == 0).then_some(value));
    }
    let values = || (0..=31).chain(239..=u8::MAX);
    let ends = || values().flat_map(|n| [Included(n), Excluded(n)]).chain([Unbounded]);
    for ends in ends().flat_map(|from| ends().map(move |to| (from, to))) {
        // A range without a value touches no period, but its ends may lie in one.
        if !(0..=u8::MAX).any(|n| ends.contains(&n)) {
            continue;
        }
        let step = PartialKey::<Probe>::new().step("at");
        let Ok([range]) = FieldSelector::<F, u8>::apply(ends, step, |_, _| ()).row_ranges() else {
            panic!("no range for {ends:?}");
        };
        for start in (0..=u8::MAX).step_by(10) {
            let touched = (start..=start.saturating_add(9)).any(|n| ends.contains(&n));
            assert_eq!(range.contains(&[row(start)]), touched, "{start} in {ends:?}: {range:?}");
        }
    }
}

#[test]
fn every_period_of_u8() {
    periods::<Floor<Native, 10>>(|n| n);
    periods::<Desc<Floor<Native, 10>>>(|n| !n);
    periods::<Floor<Desc<Native>, 10>>(|n| !n);
}

#[test]
fn periods_at_the_edges_of_wider_numbers() {
    macro_rules! edges {
        ($($int:ident)*) => {$(
            let low = $int::MIN..=$int::MIN + 25;
            for value in low.chain($int::MAX - 25..=$int::MAX).chain(0..25).chain((0..25).map(|n: $int| $int::MIN.max(n.wrapping_neg()))) {
                let start = (i128::from(value).div_euclid(10) * 10).max($int::MIN.into()) as $int;
                let (mut row, mut plain) = (RowBuf::<8>::new(), RowBuf::<8>::new());
                let (Ok(()), Ok(())) = (
                    <Floor<Native, 10> as Encoding<$int>>::encode(&value, &mut row),
                    <Native as Encoding<$int>>::encode(&start, &mut plain),
                );
                assert_eq!(row, plain, "{value}");
                plain = RowBuf::new();
                let Ok(()) = <Native as Encoding<$int>>::encode(&value, &mut plain);
                let read: Result<$int, _> = Floor::<Native, 10>::decode(&mut Input::new(&plain));
                assert_eq!(read.ok(), (value == start).then_some(value));
            }
        )*};
    }
    edges! { u16 u32 u64 i32 i64 }
}
