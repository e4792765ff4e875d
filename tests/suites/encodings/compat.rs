//! The properties of encodings, for those of other software.

use std::cmp::Ordering;
use std::fmt::Debug;

use tallrow_codec::compat::bigtable::{LastPart, LastText, OrderedCodeInt64, Part, Text};
use tallrow_codec::compat::hbase::Bytes;
use tallrow_codec::compat::ordered::{
    BlobCopy, BlobCopyDesc, Nullable, NullableLast, Numeric, NumericValue, Ordered,
};
use tallrow_codec::compat::phoenix::{Char, Column, NonEmpty, Separated, Timestamp, UnsignedFloat};
use tallrow_codec::compat::{Decimal, phoenix};
use tallrow_codec::{
    Decoding, Desc, Encoding, EncodingOrder, Field, Input, Native, NonNeg, OrderClass, RowBuf,
    Terminated,
};

fn encode<F: Encoding<T::Arg>, T: Field>(value: &T) -> Option<Vec<u8>> {
    let mut row = RowBuf::<64>::new();
    let written = F::encode(value.as_arg(), &mut row).is_ok();
    assert!(written || row.as_slice().is_empty(), "a refused value left bytes");
    written.then(|| row.into())
}

fn decode<F: for<'a> Decoding<'a, T>, T>(row: &[u8]) -> Option<(T, usize)> {
    let mut input = Input::new(row);
    let value = F::decode(&mut input).ok()?;
    Some((value, input.remaining()))
}

/// Checks every pair of values, every beginning of every encoding, and every byte of it changed.
fn hold<F, T>(values: &[T], cmp: impl Fn(&T, &T) -> Ordering)
where
    T: Field + Debug,
    F: Encoding<T::Arg> + for<'a> Decoding<'a, T>,
{
    let rows: Vec<(&T, Vec<u8>)> =
        values.iter().filter_map(|value| Some((value, encode::<F, T>(value)?))).collect();
    assert!(rows.len() * 2 > values.len(), "most values are refused");
    for (value, row) in &rows {
        assert!(F::WIDTH.is_none_or(|width| width == row.len()), "{value:?}");
        let (back, left) = decode::<F, T>(row).unwrap_or_else(|| panic!("{value:?}: {row:x?}"));
        assert!(left == 0 && cmp(&back, value).is_eq(), "{value:?} came back as {back:?}");
        for (other, next) in &rows {
            let expected = match F::Order::CLASS {
                OrderClass::Natural => cmp(value, other),
                OrderClass::Reversed => cmp(other, value),
                _ if cmp(value, other).is_eq() => Ordering::Equal,
                _ => row.cmp(next),
            };
            assert_eq!(row.cmp(next), expected, "{value:?} {row:x?} and {other:?} {next:x?}");
            let begins = next.len() > row.len() && next.starts_with(row);
            assert!(!(F::PREFIX_FREE && begins), "{value:?} begins {other:?}");
        }
        let mut strange: Vec<Vec<u8>> = (0..row.len()).map(|len| row[..len].to_vec()).collect();
        for at in 0..row.len() {
            for byte in [0x00, 0x01, 0x05, 0x7f, 0x80, 0xfa, 0xff, row[at] ^ 1, row[at] ^ 0x80] {
                let mut changed = row.clone();
                changed[at] = byte;
                strange.push(changed);
            }
        }
        for row in strange {
            let Some((back, left)) = decode::<F, T>(&row) else { continue };
            let read = &row[..row.len() - left];
            assert_eq!(encode::<F, T>(&back).as_deref(), Some(read), "{back:?} of {row:x?}");
        }
    }
}

/// Checks an encoding and its inverse.
fn both<F, T>(values: &[T], cmp: impl Fn(&T, &T) -> Ordering)
where
    T: Field + Debug,
    F: Encoding<T::Arg> + for<'a> Decoding<'a, T>,
{
    hold::<F, T>(values, &cmp);
    hold::<Desc<F>, T>(values, &cmp);
}

fn integers() -> Vec<i64> {
    let edges = [0, 1, 9, 10, 99, 100, 101, 127, 128, 255, 256, 9_999, 10_000, 65_535, i64::MAX];
    edges.iter().flat_map(|edge| [*edge, -edge, !edge]).collect()
}

/// Every text of up to three bytes out of an adversarial alphabet.
fn blobs() -> Vec<Vec<u8>> {
    let alphabet = [0x00, 0x01, 0x02, 0x05, 0x7c, 0x7f, 0x80, 0xfe, 0xff];
    let mut all: Vec<Vec<u8>> = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..2 {
        let longer = |start: &Vec<u8>| alphabet.map(|byte| [&start[..], &[byte]].concat());
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    let many = (3..20).flat_map(|len| [0x00, 0x7f, 0xff].map(|byte| vec![byte; len]));
    all.extend(many);
    all
}

fn texts() -> Vec<String> {
    let alphabet = ["\0", "\u{1}", "\u{5}", "a", "|", "\u{7f}", "\u{80}", "é", "\u{10ffff}"];
    let two = alphabet.iter().flat_map(|a| alphabet.map(|b| format!("{a}{b}")));
    two.chain(alphabet.map(String::from)).chain([String::new()]).collect()
}

fn floats() -> Vec<f64> {
    let edges = [0.0, 1.0, 1.5, 0.1, 99.0, 100.0, 1e-7, 1e22, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    let all = edges.iter().chain([&f64::INFINITY]).flat_map(|edge| [*edge, -edge]);
    all.chain([f64::NAN]).collect()
}

fn decimals() -> Vec<Decimal> {
    let edges = [
        "0",
        "1",
        "1.5",
        "1.05",
        "9",
        "10",
        "11",
        "99",
        "99.9",
        "100",
        "100.01",
        "1e19",
        "1e20",
        "99e19",
        "1e21",
        "0.1",
        "0.09",
        "0.01",
        "0.001",
        "0.0099",
        "1e-20",
        "1e-21",
        "1e-480",
        "1e-481",
        "1e480",
        "1e481",
        "1e699",
        "1234567890123456789012345678901",
        "0.1234567890123456789012345678901",
        "1e-700",
        "1e-100",
        "1e123",
        "99e122",
        "12345678901234567890123456789012345678e-1",
        "12345678901234567890123456789012345670e-1",
    ];
    edges
        .iter()
        .flat_map(|edge| [(*edge).to_owned(), format!("-{edge}")])
        .map(|text| text.parse().unwrap())
        .collect()
}

#[test]
fn of_bytes() {
    hold::<Bytes, i64>(&integers(), i64::cmp);
    let shorts: Vec<i16> = (i16::MIN..=i16::MAX).step_by(257).collect();
    hold::<Bytes, i16>(&shorts, i16::cmp);
    let positive: Vec<NonNeg<i64>> =
        integers().into_iter().filter_map(|number| NonNeg::try_from(number).ok()).collect();
    both::<Bytes, NonNeg<i64>>(&positive, NonNeg::cmp);
    both::<Bytes, bool>(&[false, true], bool::cmp);
    hold::<Bytes, Vec<u8>>(&blobs(), Vec::cmp);
    hold::<Bytes, String>(&texts(), String::cmp);
    hold::<Bytes, f64>(&floats(), f64::total_cmp);
    hold::<Bytes, Decimal>(&decimals(), Decimal::cmp);
}

#[test]
fn of_ordered_bytes() {
    let bytes: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    both::<Ordered, i8>(&bytes, i8::cmp);
    both::<Ordered, i64>(&integers(), i64::cmp);
    both::<Ordered, f64>(&floats(), f64::total_cmp);
    both::<Ordered, String>(&texts(), String::cmp);
    both::<Ordered, Vec<u8>>(&blobs(), Vec::cmp);
    hold::<BlobCopy, Vec<u8>>(&blobs(), Vec::cmp);
    let plain: Vec<Vec<u8>> = blobs().into_iter().filter(|blob| !blob.contains(&0)).collect();
    hold::<BlobCopyDesc, Vec<u8>>(&plain, Vec::cmp);
    let maybe: Vec<Option<String>> = texts().into_iter().map(Some).chain([None]).collect();
    both::<Nullable<Ordered>, _>(&maybe, Option::cmp);
    hold::<NullableLast<Ordered>, _>(&maybe, Option::cmp);
}

#[test]
fn of_numbers_of_any_size() {
    both::<Numeric, Decimal>(&decimals(), Decimal::cmp);
    both::<Numeric, i64>(&integers(), i64::cmp);
    both::<Numeric, f64>(&floats(), |a, b| a.partial_cmp(b).unwrap_or_else(|| a.total_cmp(b)));
    let numbers = decimals().into_iter().map(NumericValue::Finite);
    let rest = [NumericValue::NegInfinity, NumericValue::Infinity, NumericValue::Nan];
    both::<Numeric, NumericValue>(&numbers.chain(rest).collect::<Vec<_>>(), NumericValue::cmp);
    // Whatever the type, one number is one row.
    let seven = encode::<Numeric, Decimal>(&"7.00".parse().unwrap());
    assert_eq!(seven, encode::<Numeric, i64>(&7));
    assert_eq!(seven, encode::<Numeric, f64>(&7.0));
    assert_eq!(encode::<Numeric, Decimal>(&"1e700".parse().unwrap()), None);
    assert_eq!(encode::<Numeric, Decimal>(&Decimal::new(i128::MAX, 0)), None);
}

#[test]
fn of_phoenix_columns() {
    both::<Column, i64>(&integers(), i64::cmp);
    let bytes: Vec<u8> = (0..=127).collect();
    both::<Column, u8>(&bytes, u8::cmp);
    assert_eq!(encode::<Column, u32>(&(1 << 31)), None);
    both::<Column, bool>(&[false, true], bool::cmp);
    both::<Column, f64>(&floats(), f64::total_cmp);
    let singles: Vec<f32> = floats().into_iter().map(|float| float as f32).collect();
    both::<Column, f32>(&singles[..8], f32::total_cmp);
    let positive: Vec<f64> =
        floats().into_iter().filter(|float| float.is_sign_positive()).collect();
    both::<UnsignedFloat, f64>(&positive, f64::total_cmp);
    assert_eq!(encode::<UnsignedFloat, f32>(&-0.0), None);
    let times = integers()
        .into_iter()
        .flat_map(|millis| [0, 1, 999_999].map(|nanos| Timestamp::new(millis, nanos).unwrap()));
    both::<Column, Timestamp>(&times.collect::<Vec<_>>(), Timestamp::cmp);
}

#[test]
fn of_phoenix_columns_of_any_length() {
    both::<Separated, String>(&texts(), String::cmp);
    both::<NonEmpty<Terminated<0>>, String>(&texts(), String::cmp);
    hold::<NonEmpty<Native>, String>(&texts(), String::cmp);
    let ascii: Vec<String> = texts()
        .into_iter()
        .filter(|text| text.bytes().all(|b| (0x21..0x80).contains(&b)))
        .collect();
    both::<Char<3>, String>(&ascii, String::cmp);
    assert_eq!(encode::<Char<3>, String>(&"é".into()), None);
    let some = |texts: Vec<String>| -> Vec<Option<String>> {
        texts.into_iter().filter(|text| !text.is_empty()).map(Some).chain([None]).collect()
    };
    hold::<phoenix::Nullable<NonEmpty<Terminated<0>>>, _>(&some(texts()), Option::cmp);
    hold::<phoenix::Nullable<Desc<NonEmpty<Terminated<0>>>>, _>(&some(texts()), Option::cmp);
    hold::<phoenix::NullableLast<NonEmpty<Native>>, _>(&some(texts()), Option::cmp);
    hold::<phoenix::NullableLast<Desc<NonEmpty<Terminated<0>>>>, _>(&some(texts()), Option::cmp);
}

#[test]
fn of_phoenix_decimals() {
    let small: Vec<Decimal> =
        decimals().into_iter().filter(|number| encode::<Column, _>(number).is_some()).collect();
    assert!(small.len() > 40);
    hold::<Column, Decimal>(&small, Decimal::cmp);
    both::<Separated, Decimal>(&small, Decimal::cmp);
    let maybe: Vec<Option<Decimal>> = small.into_iter().map(Some).chain([None]).collect();
    hold::<phoenix::Nullable<Separated>, _>(&maybe, Option::cmp);
    hold::<phoenix::Nullable<Desc<Separated>>, _>(&maybe, Option::cmp);
    for large in ["1e124", "-1e124", "1e-131", "1e-1000"] {
        assert_eq!(encode::<Column, Decimal>(&large.parse().unwrap()), None, "{large}");
    }
}

#[test]
fn of_bigtable_fields() {
    hold::<OrderedCodeInt64, i64>(&integers(), i64::cmp);
    let powers =
        (0..63).flat_map(|bit| [1_i64 << bit, (1 << bit) - 1, -(1 << bit), -1 - (1 << bit)]);
    hold::<OrderedCodeInt64, i64>(&powers.collect::<Vec<_>>(), i64::cmp);
    hold::<Part<OrderedCodeInt64>, i64>(&integers(), i64::cmp);
    hold::<LastPart<OrderedCodeInt64>, i64>(&integers(), i64::cmp);
    hold::<Text, Vec<u8>>(&blobs(), Vec::cmp);
    hold::<Text, String>(&texts(), String::cmp);
    let filled: Vec<Vec<u8>> = blobs().into_iter().filter(|blob| !blob.is_empty()).collect();
    hold::<LastText, Vec<u8>>(&filled, Vec::cmp);
}

/// What Java 25 writes: the nearest of the shortest numbers, two digits at least.
#[test]
fn of_floats_as_decimals() {
    let lines = [
        (0x3e60_0000_0000_0000, "2.9802322387695312e-8"),
        (0x3d30_0000_0000_0000, "5.684341886080802e-14"),
        (0x44b5_2d02_c7e1_4af6, "1e23"),
        (0xc309_dccf_b64e_c4b2, "-909957386590358.2"),
        (0x0000_0000_0000_0001, "4.9e-324"),
        (0x3fb9_9999_9999_999a, "0.1"),
    ];
    for (bits, text) in lines {
        let number = Decimal::try_from(f64::from_bits(bits)).unwrap();
        assert_eq!(number, text.parse().unwrap(), "{bits:#x}");
        assert_eq!(f64::from(&number).to_bits(), bits);
    }
}
