//! Rows sort as the fields of their keys do, and no row key begins another.

use std::cmp::Ordering;

use proptest::prelude::*;

use crate::keys::*;

fn agrees<K: Key>(front: usize, a: &K, b: &K) {
    let (x, y) = (a.row(), b.row());
    if x[..front] == y[..front] {
        assert_eq!(x.cmp(&y), a.order(b), "{a:?} {x:02x?}\n{b:?} {y:02x?}");
    } else {
        assert_ne!(a.order(b), Ordering::Equal, "equal keys, different rows: {a:?} {b:?}");
    }
}

macro_rules! order {
    ($($test:ident: $key:ty, front $front:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2000))]
            $(
                #[test]
                fn $test((a, b) in (<$key>::any(), <$key>::any())) {
                    agrees($front, &a, &b);
                    agrees($front, &a, &a);
                }
            )*
        }
    };
}

order! {
    numbers: Numbers, front 0;
    texts: Texts, front 0;
    descending: Descending, front 0;
    small: Small, front 0;
    nested: Nested, front 0;
    salted_inside_a_bucket: Salted, front 1;
    whole_salted_inside_a_bucket: WholeSalted, front 1;
    hash_prefixed_inside_a_hash: Access, front 6;
    reversed_text: Phone, front 0;
    kinds_of_rows_inside_a_bucket: CustomerRow, front 1;
    partitioned_inside_a_part: Partitioned, front 8;
}

fn free<K: Key>(a: &K, b: &K) {
    if a != b {
        assert!(!b.row().starts_with(&a.row()), "{a:?} begins {b:?}");
    }
}

macro_rules! prefix_free {
    ($($test:ident: $key:ty;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2000))]
            $(
                #[test]
                fn $test((a, b) in (<$key>::any(), <$key>::any())) {
                    free(&a, &b);
                }
            )*
        }
    };
}

prefix_free! {
    prefix_free_numbers: Numbers;
    prefix_free_descending: Descending;
    prefix_free_nested: Nested;
    prefix_free_salted: Salted;
    prefix_free_access: Access;
    prefix_free_phone: Phone;
    prefix_free_partitioned: Partitioned;
}
