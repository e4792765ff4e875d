//! The properties of every encoding in every position, next to every neighbour.

use tallrow_codec::{Encoding, Escaped, Field, Native, Nullable, RowRange};
use tallrow_matrix::Part;

use crate::encodings;
use crate::of::Of;
use crate::values::{EDGES, strings};

fn part<F, T>(name: &str, values: &[T]) -> Box<dyn Part>
where
    T: Field + Clone + std::fmt::Debug + Ord + 'static,
    F: Encoding<T::Arg, Error: Into<tallrow_codec::FieldError>>
        + for<'a> tallrow_codec::Decoding<'a, T>
        + 'static,
{
    Box::new(Of::<F, T>::new(name, values, |_| true, T::cmp))
}

/// What may be before a field, and after one that is prefix-free.
fn neighbours() -> Vec<Box<dyn Part>> {
    let strings: [&[u8]; 6] = [b"", b"\0", b"\0\x01", b"\x01", b"\xff", b"\xff\xff"];
    let strings = strings.map(<[u8]>::to_vec);
    let optional = [None, Some(0), Some(1), Some(0xff)];
    vec![
        part::<Escaped, Vec<u8>>("escaped", &strings),
        part::<Native, u8>("u8", &EDGES),
        part::<Nullable<Native>, Option<u8>>("Option<u8>", &optional),
    ]
}

macro_rules! all_properties {
    ($($encodings:ident)*) => {$(
        #[test]
        fn $encodings() {
            let ends: [&[u8]; 6] = [b"", b"\0", b"\x01", b"\0\xff", b"\xff", b"\xff\xff"];
            let last = part::<Native, Vec<u8>>("bytes", &ends.map(<[u8]>::to_vec));
            tallrow_matrix::all_properties(&encodings::$encodings(), &neighbours(), &*last);
        }
    )*};
}

all_properties! { integers numbers small texts byte_strings spread }

/// The rows that begin with a prefix are one range, at every edge of every byte.
#[test]
fn the_range_of_a_prefix_is_exact() {
    let rows = strings(3);
    for prefix in &rows {
        let range = RowRange::prefix(prefix);
        for row in &rows {
            assert_eq!(range.contains(row), row.starts_with(prefix), "{prefix:02x?} {row:02x?}");
        }
    }
}
