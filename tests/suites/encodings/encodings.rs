//! Every encoding with values of every type it takes, ascending and descending, each with the order
//! that its page promises.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::num::NonZero;

use md5::Digest as _;
use tallrow_codec::{
    Charset, Decoding, Desc, Digest, Digits, Encoding, Escaped, Field, FieldError, Fixed,
    GroupedOrder, InvertedRevTs, Md5, Md5Hex, Native, NaturalOrder, NonNeg, Nullable,
    PrefixEncoding, RawBe, RevTs, ReversedChars, ReversedDigits, RowKey, Sep, SortedSep, TagPairs,
    Terminated, TerminatedList, TextEncoding, Uid, UnterminatedList, char_set,
};
use tallrow_matrix::Part;

use crate::of::Of;
use crate::values;
use crate::values::{EDGES, numbers};

pub(crate) type Parts = Vec<Box<dyn Part>>;

/// A key that is a field of others.
#[derive(RowKey, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    shop: u16,
    #[key(escaped)]
    shelf: String,
}

type Order<T> = fn(&T, &T) -> Ordering;

fn any<T>(_: &T) -> bool {
    true
}

/// Adds an encoding in the order of its values and the same encoding descending.
fn both<F, T>(parts: &mut Parts, name: &str, values: &[T], fits: fn(&T) -> bool, order: Order<T>)
where
    T: Field + Clone + Debug + 'static,
    F: Encoding<T::Arg, Order = NaturalOrder, Error: Into<FieldError>>
        + for<'a> Decoding<'a, T>
        + 'static,
{
    parts.push(Box::new(Of::<F, T>::new(name, values, fits, order).ordered()));
    let name = format!("{name} desc");
    parts.push(Box::new(Of::<Desc<F>, T>::new(&name, values, fits, order).ordered()));
}

/// Adds an encoding whose rows are in another order than its values.
fn grouped<F, T>(parts: &mut Parts, name: &str, values: &[T], fits: fn(&T) -> bool, order: Order<T>)
where
    T: Field + Clone + Debug + 'static,
    F: Encoding<T::Arg, Order = GroupedOrder, Error: Into<FieldError>>
        + for<'a> Decoding<'a, T>
        + 'static,
{
    parts.push(Box::new(Of::<F, T>::new(name, values, fits, order)));
}

/// Adds an encoding of text or bytes, ascending, and descending where its end is marked.
fn text<F, T>(
    parts: &mut Parts,
    name: &str,
    values: &[T],
    fits: fn(&T) -> bool,
    begins: fn(&T, &T) -> bool,
) where
    T: Field + Clone + Debug + Ord + 'static,
    F: PrefixEncoding<T::Arg>
        + Encoding<T::Arg, Order = NaturalOrder, Error: Into<FieldError>>
        + for<'a> Decoding<'a, T>
        + 'static,
{
    parts.push(Box::new(Of::<F, T>::new(name, values, fits, T::cmp).ordered().text(begins)));
    if F::PREFIX_FREE {
        let name = format!("{name} desc");
        let part = Of::<Desc<F>, T>::new(&name, values, fits, T::cmp).ordered().text(begins);
        parts.push(Box::new(part));
    }
}

pub(crate) fn integers() -> Parts {
    let mut parts = Parts::new();
    macro_rules! integers {
        ($($int:ident)*) => {$(
            let name = stringify!($int);
            let values = numbers!($int);
            both::<Native, $int>(&mut parts, name, &values, any, $int::cmp);
            let some: Vec<_> = values.iter().copied().filter_map(NonZero::new).collect();
            both::<Native, NonZero<$int>>(&mut parts, &format!("NonZero<{name}>"), &some, any, Ord::cmp);
        )*};
    }
    integers! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }
    parts
}

pub(crate) fn numbers() -> Parts {
    let mut parts = Parts::new();
    macro_rules! signed {
        ($($int:ident)*) => {$(
            let name = stringify!($int);
            let values = numbers!($int);
            both::<RawBe, $int>(&mut parts, &format!("{name} raw_be"), &values, |n| *n >= 0, $int::cmp);
            let some: Vec<_> = values.iter().filter_map(|n| NonNeg::try_from(*n).ok()).collect();
            both::<Native, NonNeg<$int>>(&mut parts, &format!("NonNeg<{name}>"), &some, any, Ord::cmp);
        )*};
    }
    signed! { i8 i16 i32 i64 i128 }

    macro_rules! digits {
        ($($int:ident: $($width:literal)*;)*) => {$($({
            let values = numbers!($int);
            let name = format!("{} digits = {}", stringify!($int), $width);
            fn back(n: &$int) -> String {
                format!("{n:0width$}", width = $width).chars().rev().collect()
            }
            fn fits(n: &$int) -> bool {
                n.to_string().len() <= $width
            }
            both::<Digits<$width>, $int>(&mut parts, &name, &values, fits, $int::cmp);
            let name = format!("{name}, reverse");
            let order: Order<$int> = |a, b| back(a).cmp(&back(b));
            grouped::<ReversedDigits<$width>, $int>(&mut parts, &name, &values, fits, order);
        })*)*};
    }
    digits! { u8: 3 2; u16: 5 2; u32: 10 3; u64: 20 2; u128: 39 3; }

    let times = numbers!(i64);
    let reversed = Of::<RevTs, i64>::new("rev_ts i64", &times, any, i64::cmp).ordered();
    parts.push(Box::new(reversed));
    let times = numbers!(u64);
    let fits = |t: &u64| i64::try_from(*t).is_ok();
    parts.push(Box::new(Of::<RevTs, u64>::new("rev_ts u64", &times, fits, u64::cmp).ordered()));
    let reversed = Of::<InvertedRevTs, u64>::new("rev_ts not", &times, any, u64::cmp).ordered();
    parts.push(Box::new(reversed));
    parts
}

pub(crate) fn small() -> Parts {
    let mut parts = Parts::new();
    both::<Native, bool>(&mut parts, "bool", &[false, true], any, bool::cmp);
    let chars = ['\0', '\u{1}', '|', '\u{7f}', '\u{80}', '\u{d7ff}', '\u{e000}', '\u{10ffff}'];
    both::<Native, char>(&mut parts, "char", &chars, any, char::cmp);

    macro_rules! floats {
        ($($float:ident)*) => {$(
            let mut values = vec![$float::NAN];
            for value in [0.0, $float::MIN_POSITIVE, $float::from_bits(1), 1.0, 1.5, $float::MAX, $float::INFINITY] {
                values.extend([value, -value]);
            }
            both::<Native, $float>(&mut parts, stringify!($float), &values, any, $float::total_cmp);
        )*};
    }
    floats! { f32 f64 }

    let arrays = |all: Vec<Vec<u8>>| all.into_iter().filter_map(|b| <[u8; 2]>::try_from(b).ok());
    let arrays: Vec<_> = arrays(values::bytes()).collect();
    both::<Native, [u8; 2]>(&mut parts, "[u8; 2]", &arrays, any, Ord::cmp);
    both::<Native, [u8; 0]>(&mut parts, "[u8; 0]", &[[]], any, Ord::cmp);
    both::<Nullable<Native>, Option<[u8; 2]>>(
        &mut parts,
        "Option<[u8; 2]>",
        &some(&arrays),
        any,
        Ord::cmp,
    );

    let values = some(&numbers!(u8));
    both::<Nullable<Native>, Option<u8>>(&mut parts, "Option<u8>", &values, any, Ord::cmp);
    let nested = some(&values);
    both::<Nullable<Nullable<Native>>, Option<Option<u8>>>(
        &mut parts,
        "Option<Option<u8>>",
        &nested,
        any,
        Ord::cmp,
    );
    let values = some(&numbers!(i16));
    both::<Nullable<Native>, Option<i16>>(&mut parts, "Option<i16>", &values, any, Ord::cmp);
    let values = some(&numbers!(u16));
    let fits: fn(&Option<u16>) -> bool = |n| n.is_none_or(|n| n < 1000);
    both::<Nullable<Digits<3>>, Option<u16>>(
        &mut parts,
        "Option<u16> digits = 3",
        &values,
        fits,
        Ord::cmp,
    );

    let uuids = [[0; 16], [0x7f; 16], [0x80; 16], [0xff; 16]].map(uuid::Uuid::from_bytes);
    both::<Native, uuid::Uuid>(&mut parts, "Uuid", &uuids, any, Ord::cmp);

    let ids: Vec<Uid<Native, 3>> = numbers!(u64).into_iter().filter_map(Uid::new).collect();
    grouped::<Native, Uid<Native, 3>>(&mut parts, "Id<_, 3>", &ids, any, Ord::cmp);
    let ids: Vec<Uid<Native>> = numbers!(u64).into_iter().filter_map(Uid::new).collect();
    grouped::<Native, Uid<Native>>(&mut parts, "Id<_>", &ids, any, Ord::cmp);
    let ids: Vec<Uid<Native, 10>> = numbers!(u64).into_iter().filter_map(Uid::new).collect();
    grouped::<Native, Uid<Native, 10>>(&mut parts, "Id<_, 10>", &ids, any, Ord::cmp);

    let numbers = [0, 1, 0xff, 0x100, 0xffff];
    let lists = numbers.iter().flat_map(|a| numbers.map(|b| vec![*a, b]));
    let lists = lists.chain(numbers.map(|n| vec![n])).chain([vec![], vec![0, 0, 0]]);
    let lists: Vec<Vec<u16>> = lists.collect();
    both::<TerminatedList<Native>, Vec<u16>>(&mut parts, "Vec<u16>", &lists, any, Ord::cmp);
    let last =
        Of::<UnterminatedList<Native>, Vec<u16>>::new("Vec<u16> last", &lists, any, Ord::cmp);
    parts.push(Box::new(last.ordered()));
    let words = ["", "\0", "\u{1}", "a", "a\0"].map(String::from);
    let lists = words.iter().flat_map(|a| words.clone().map(|b| vec![a.clone(), b]));
    let lists: Vec<Vec<String>> =
        lists.chain(words.clone().map(|a| vec![a])).chain([vec![]]).collect();
    both::<TerminatedList<Escaped>, Vec<String>>(
        &mut parts,
        "Vec<text> escaped",
        &lists,
        any,
        Ord::cmp,
    );
    let last = Of::<UnterminatedList<Escaped>, Vec<String>>::new(
        "Vec<text> escaped, last",
        &lists,
        any,
        Ord::cmp,
    );
    parts.push(Box::new(last.ordered()));
    let tags = EDGES.iter().flat_map(|a| EDGES.map(|b| vec![(*a, b), (b, *a)]));
    let tags = tags.chain(EDGES.map(|a| vec![(a, a)])).chain([vec![]]);
    let tags: Vec<TagPairs<u8, u8, 2>> =
        tags.filter_map(|pairs| TagPairs::new(pairs).ok()).collect();
    let last = Of::<Native, TagPairs<u8, u8, 2>>::new("Tags<u8, u8, 2>", &tags, any, Ord::cmp);
    parts.push(Box::new(last.ordered()));

    let shelf = |shelf: &str| [0, 1, 0xffff].map(|shop| Place { shop, shelf: shelf.to_owned() });
    let places: Vec<_> = ["", "\0", "a", "a\0"].into_iter().flat_map(shelf).collect();
    both::<Native, Place>(&mut parts, "a key in a key", &places, any, Ord::cmp);
    both::<Nullable<Native>, Option<Place>>(
        &mut parts,
        "Option of a key in a key",
        &some(&places),
        any,
        Ord::cmp,
    );
    parts
}

fn some<T: Clone>(values: &[T]) -> Vec<Option<T>> {
    [None].into_iter().chain(values.iter().cloned().map(Some)).collect()
}

const LOWER: u128 = char_set("a-c");
const WORD: u128 = char_set("a-c_");

fn lower(text: &str) -> bool {
    text.chars().all(|c| matches!(c, 'a'..='c'))
}

fn word(text: &str) -> bool {
    text.chars().all(|c| matches!(c, 'a'..='c' | '_'))
}

/// Says whether `value` fits a width, filled with `pad`.
fn padded(value: &[u8], width: usize, pad: u8) -> bool {
    value.len() <= width && value.last() != Some(&pad) && value.iter().all(|b| *b >= pad)
}

pub(crate) fn texts() -> Parts {
    let mut parts = Parts::new();
    let begins: fn(&String, &String) -> bool = |text, start| text.starts_with(&**start);
    let (texts, words) = (values::texts(), values::words());
    macro_rules! texts {
        ($($encoding:ty, $name:literal, $values:expr, $fits:expr;)*) => {$(
            text::<$encoding, String>(&mut parts, $name, $values, $fits, begins);
        )*};
    }
    texts! {
        Native, "text", &texts, any;
        Escaped, "text escaped", &texts, any;
        Terminated<0>, "text nul_terminated", &texts, |t| !t.contains('\0');
        Fixed<4>, "text width = 4", &texts, |t| padded(t.as_bytes(), 4, 0);
        Fixed<4, b' '>, "text width = 4, pad = ' '", &texts, |t| padded(t.as_bytes(), 4, b' ');
        Charset<Native, LOWER>, "text chars", &words, |t| lower(t);
        Charset<Escaped, WORD>, "text escaped, chars", &words, |t| word(t);
        Charset<Terminated<0>, WORD>, "text nul_terminated, chars", &words, |t| word(t);
        Charset<Fixed<4>, WORD>, "text width = 4, chars", &words, |t| word(t) && t.len() <= 4;
        Charset<SortedSep<b'.'>, WORD>, "text sep = '.', chars", &words, |t| word(t);
        Charset<SortedSep<0x1f>, LOWER>, "text sep = 1f, chars", &words, |t| lower(t);
    }
    let optional = some(&texts);
    let fits: fn(&Option<String>) -> bool =
        |t| t.as_ref().is_none_or(|t| padded(t.as_bytes(), 4, 0));
    both::<Nullable<Escaped>, Option<String>>(
        &mut parts,
        "Option<text> escaped",
        &optional,
        any,
        Ord::cmp,
    );
    both::<Nullable<Fixed<4>>, Option<String>>(
        &mut parts,
        "Option<text> width = 4",
        &optional,
        fits,
        Ord::cmp,
    );
    let last =
        Of::<Nullable<Native>, Option<String>>::new("Option<text>", &optional, any, Ord::cmp);
    parts.push(Box::new(last.ordered()));
    parts
}

pub(crate) fn byte_strings() -> Parts {
    let mut parts = Parts::new();
    let begins: fn(&Vec<u8>, &Vec<u8>) -> bool = |bytes, start| bytes.starts_with(start);
    let values = values::bytes();
    macro_rules! bytes {
        ($($encoding:ty, $name:literal, $fits:expr;)*) => {$(
            text::<$encoding, Vec<u8>>(&mut parts, $name, &values, $fits, begins);
        )*};
    }
    bytes! {
        Native, "bytes", any;
        Escaped, "bytes escaped", any;
        Terminated<0>, "bytes nul_terminated", |b| !b.contains(&0);
        Fixed<4>, "bytes width = 4", |b| padded(b, 4, 0);
        Fixed<3, 1>, "bytes width = 3, pad = 1", |b| padded(b, 3, 1);
        Fixed<0>, "bytes width = 0", |b| b.is_empty();
    }
    let optional = some(&values);
    both::<Nullable<Escaped>, Option<Vec<u8>>>(
        &mut parts,
        "Option<bytes> escaped",
        &optional,
        any,
        Ord::cmp,
    );
    let fits: fn(&Option<Vec<u8>>) -> bool = |b| b.as_ref().is_none_or(|b| !b.contains(&0));
    both::<Nullable<Terminated<0>>, Option<Vec<u8>>>(
        &mut parts,
        "Option<bytes> nul_terminated",
        &optional,
        fits,
        Ord::cmp,
    );
    parts
}

fn back(text: &str) -> String {
    text.chars().rev().collect()
}

pub(crate) fn spread() -> Parts {
    let mut parts = Parts::new();
    let (texts, words) = (values::texts(), values::words());
    let order: Order<String> = |a, b| back(a).cmp(&back(b));
    fn reversed<F: TextEncoding<Error: Into<FieldError>> + 'static>(
        parts: &mut Parts,
        name: &str,
        values: &[String],
        fits: fn(&String) -> bool,
    ) {
        let name = format!("{name}, reverse");
        grouped::<ReversedChars<F>, String>(parts, &name, values, fits, |a, b| {
            back(a).cmp(&back(b))
        });
        let name = format!("{name}, desc");
        grouped::<Desc<ReversedChars<F>>, String>(parts, &name, values, fits, |a, b| {
            back(b).cmp(&back(a))
        });
    }
    reversed::<Escaped>(&mut parts, "text escaped", &texts, any);
    reversed::<Terminated<0>>(&mut parts, "text nul_terminated", &texts, |t| !t.contains('\0'));
    reversed::<Fixed<4>>(&mut parts, "text width = 4", &texts, |t| {
        padded(back(t).as_bytes(), 4, 0)
    });
    let fits: fn(&String) -> bool = |t| word(t) && t.len() <= 4;
    reversed::<Charset<Fixed<4>, WORD>>(&mut parts, "text width = 4, chars", &words, fits);
    grouped::<ReversedChars<Native>, String>(&mut parts, "text, reverse", &texts, any, order);

    let order: Order<String> = |a, b| format!("{a}|").cmp(&format!("{b}|"));
    grouped::<Sep<b'|'>, String>(&mut parts, "text sep = '|'", &texts, |t| !t.contains('|'), order);
    grouped::<Charset<Sep<b'|'>, WORD>, String>(
        &mut parts,
        "text sep = '|', chars",
        &words,
        |t| word(t),
        order,
    );
    let values = values::bytes();
    let order: Order<Vec<u8>> = |a, b| [&a[..], b"|"].concat().cmp(&[&b[..], b"|"].concat());
    grouped::<Sep<b'|'>, Vec<u8>>(
        &mut parts,
        "bytes sep = '|'",
        &values,
        |b| !b.contains(&b'|'),
        order,
    );

    fn md5(plain: &[u8], n: usize) -> Vec<u8> {
        md5::Md5::digest(plain)[..n].to_vec()
    }
    fn hex(plain: &[u8], n: usize) -> Vec<u8> {
        let hex: String = md5(plain, 16).iter().map(|b| format!("{b:02x}")).collect();
        hex.into_bytes()[..n].to_vec()
    }
    parts.push(Box::new(Of::<Md5<16>, String>::hashed::<16>("md5 text", texts.clone(), |t| {
        md5(t.as_bytes(), 16)
    })));
    parts.push(Box::new(Of::<Md5<5>, u32>::hashed::<5>(
        "md5(bytes = 5) u32",
        numbers!(u32),
        |n| md5(&n.to_be_bytes(), 5),
    )));
    parts.push(Box::new(Of::<Md5Hex<9>, i16>::hashed::<9>(
        "md5(hex = 9) i16",
        numbers!(i16),
        |n| hex(&n.to_be_bytes(), 9),
    )));
    parts.push(Box::new(Of::<Md5Hex<32>, Vec<u8>>::hashed::<32>(
        "md5(hex = 32) bytes",
        values,
        |b| hex(b, 32),
    )));
    let digests: Vec<Digest<2>> = values::bytes()
        .into_iter()
        .filter_map(|b| <[u8; 2]>::try_from(b).ok())
        .map(Digest::from)
        .collect();
    parts.push(Box::new(Of::<Native, Digest<2>>::hashed::<2>("Digest<2>", digests, |d| {
        d.as_bytes().to_vec()
    })));
    parts
}
