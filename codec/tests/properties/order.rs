//! Rows sort as the fields of their keys do, and no row key is a prefix of another.

use std::cmp::Ordering;

use proptest::prelude::*;
use tallrow_codec::{RandomSalted as InBucket, RowKey};

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
            #![proptest_config(crate::cases(2000))]
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
    record_variants_inside_a_bucket: CustomerRow, front 1;
    partitioned_inside_a_part: Partitioned, front 8;
    sorted_inside_a_bucket: Sorted, front 1;
    wide_tags: Wide, front 0;
    lists: Lists, front 0;
    generic_inside_a_bucket: Generic<Piece, String, 2>, front 1;
    metrics_inside_a_bucket: Metric, front 1;
    random_inside_a_bucket: InBucket<Click>, front 2;
}

fn free<K: Key>(a: &K, b: &K) {
    if a != b {
        assert!(!b.row().starts_with(&a.row()), "{a:?} is a prefix of {b:?}");
    }
}

macro_rules! prefix_free {
    ($($test:ident: $key:ty;)*) => {
        proptest! {
            #![proptest_config(crate::cases(2000))]
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
    prefix_free_sorted: Sorted;
    prefix_free_wide_tags: Wide;
    prefix_free_random: InBucket<Click>;
}

fn sorts<K: Key + Ord>(a: &K, b: &K) {
    assert_eq!(a.cmp(b), a.row().cmp(&b.row()), "{a:?} {b:?}");
    assert_eq!(a.cmp(b) == Ordering::Equal, a == b, "{a:?} {b:?}");
}

proptest! {
    #[test]
    fn keys_with_ord_sort_as_their_rows((a, b) in (Sorted::any(), Sorted::any()), (c, d) in (Wide::any(), Wide::any())) {
        sorts(&a, &b);
        sorts(&c, &d);
    }
}

/// Keys with equal rows are still different by `Ord`, as by `Eq`.
#[test]
fn ord_agrees_with_eq_where_rows_do_not() {
    #[derive(RowKey, Debug, Clone, PartialEq, Eq)]
    #[row_key(ord)]
    struct Short {
        #[key(md5(bytes = 1))]
        host: u16,
        #[key(width = 1)]
        name: String,
        #[key(floor = 10)]
        at: u32,
    }

    let names = ["", "a", "too long", "too long as well"];
    let key = |i: usize| {
        let at = u32::try_from(i % 7 + 5).unwrap();
        Short { host: u16::try_from(i / 4).unwrap(), name: names[i % 4].into(), at }
    };
    let keys: Vec<Short> = (0..300).map(key).collect();
    let keys: Vec<_> = keys.into_iter().map(|key| (key.encode().ok(), key)).collect();
    for ((x, a), (y, b)) in keys.iter().flat_map(|a| keys.iter().map(move |b| (a, b))) {
        assert_eq!(a.cmp(b) == Ordering::Equal, a == b, "{a:?} {b:?}");
        assert_eq!(a.cmp(b), b.cmp(a).reverse());
        match (x, y) {
            (Some(x), Some(y)) if x != y => assert_eq!(a.cmp(b), x.cmp(y)),
            (Some(_), None) => assert_eq!(a.cmp(b), Ordering::Less, "a key without a row is last"),
            _ => {}
        }
    }
    let rows: std::collections::BTreeSet<_> = keys.iter().map(|(row, _)| row).collect();
    assert!(rows.len() < keys.len(), "some keys share a row");
}
