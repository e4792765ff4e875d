//! The keys under test, one for each combination of neighbours that an encoding can have, with values
//! from the bytes with edge cases: 00, 01, 02, the separator, 7F, 80, FE, FF.

use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;
use std::num::NonZero;

use proptest::prelude::*;
use tallrow_codec::{DecodeRowKey, RandomSalted as InBucket, RowKey, TagPairs, Uid};
use uuid::Uuid;

/// A key with the order its rows must have.
pub(crate) trait Key: RowKey + Debug + Clone + PartialEq {
    fn any() -> BoxedStrategy<Self>;
    fn order(&self, other: &Self) -> Ordering;

    fn row(&self) -> Vec<u8> {
        self.encode_key().unwrap_or_else(|e| panic!("{self:?}: {e}")).as_ref().to_vec()
    }
}

pub(crate) fn bytes(max: usize) -> BoxedStrategy<Vec<u8>> {
    let byte = prop::sample::select(vec![0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff]);
    prop::collection::vec(byte, 0..=max).boxed()
}

pub(crate) fn text(max: usize) -> BoxedStrategy<String> {
    of(&['\0', '\u{1}', '\u{2}', 'a', 'b', '|', '\u{7f}', '\u{80}', '\u{10ffff}'], max)
}

pub(crate) fn of(chars: &[char], max: usize) -> BoxedStrategy<String> {
    let char = prop::sample::select(chars.to_vec());
    prop::collection::vec(char, 0..=max).prop_map(String::from_iter).boxed()
}

/// Text of at most four bytes that does not end in the padding.
fn padded() -> BoxedStrategy<String> {
    of(&['\0', '\u{1}', 'a', '\u{7f}'], 4)
        .prop_map(|text| text.trim_end_matches('\0').to_owned())
        .boxed()
}

/// Numbers near the edges of their type.
macro_rules! edges {
    ($int:ty) => {
        prop_oneof![
            any::<$int>(),
            prop::sample::select(vec![<$int>::MIN, <$int>::MIN + 1, <$int>::MAX - 1, <$int>::MAX]),
            (0_u8..4).prop_map(|n| n as $int),
        ]
    };
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) a: i8,
    #[key(desc)]
    pub(crate) b: u16,
    #[key(rev_ts)]
    pub(crate) c: i64,
    pub(crate) d: i128,
    #[key(desc)]
    pub(crate) e: i32,
}

impl Key for Numbers {
    fn any() -> BoxedStrategy<Self> {
        (edges!(i8), edges!(u16), edges!(i64), edges!(i128), edges!(i32))
            .prop_map(|(a, b, c, d, e)| Self { a, b, c, d, e })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (self.a, Reverse(self.b), Reverse(self.c), self.d, Reverse(self.e)).cmp(&(
            o.a,
            Reverse(o.b),
            Reverse(o.c),
            o.d,
            Reverse(o.e),
        ))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Texts {
    #[key(escaped)]
    pub(crate) a: String,
    #[key(width = 4)]
    pub(crate) b: String,
    #[key(nul_terminated)]
    pub(crate) c: String,
    pub(crate) d: String,
}

impl Key for Texts {
    fn any() -> BoxedStrategy<Self> {
        let c = of(&['\u{1}', 'a', '\u{10ffff}'], 2);
        (text(3), padded(), c, text(3)).prop_map(|(a, b, c, d)| Self { a, b, c, d }).boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (&self.a, &self.b, &self.c, &self.d).cmp(&(&o.a, &o.b, &o.c, &o.d))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Descending {
    #[key(escaped, desc)]
    pub(crate) a: Vec<u8>,
    #[key(width = 4, desc)]
    pub(crate) b: String,
    #[key(desc)]
    pub(crate) c: Option<u8>,
    #[key(escaped, desc)]
    pub(crate) d: String,
}

impl Key for Descending {
    fn any() -> BoxedStrategy<Self> {
        (bytes(3), padded(), prop::option::of(edges!(u8)), text(3))
            .prop_map(|(a, b, c, d)| Self { a, b, c, d })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (&o.a, &o.b, &o.c, &o.d).cmp(&(&self.a, &self.b, &self.c, &self.d))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Small {
    pub(crate) a: bool,
    pub(crate) b: char,
    pub(crate) c: f64,
    #[key(desc)]
    pub(crate) d: f32,
    #[key(escaped)]
    pub(crate) e: Option<String>,
    pub(crate) f: [u8; 3],
    pub(crate) g: Vec<u8>,
}

impl Key for Small {
    fn any() -> BoxedStrategy<Self> {
        let double = prop_oneof![
            any::<f64>().prop_filter("one NaN has no equal", |f| !f.is_nan()),
            prop::sample::select(vec![
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MIN_POSITIVE
            ]),
        ];
        let single = any::<f32>().prop_filter("one NaN has no equal", |f| !f.is_nan());
        let e = prop::option::of(text(2));
        (any::<bool>(), any::<char>(), double, single, e, any::<[u8; 3]>(), bytes(3))
            .prop_map(|(a, b, c, d, e, f, g)| Self { a, b, c, d, e, f, g })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (self.a, self.b)
            .cmp(&(o.a, o.b))
            .then(self.c.total_cmp(&o.c))
            .then(o.d.total_cmp(&self.d))
            .then((&self.e, self.f, &self.g).cmp(&(&o.e, o.f, &o.g)))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) shop: u16,
    #[key(escaped)]
    pub(crate) shelf: String,
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Nested {
    #[key(desc)]
    pub(crate) place: Place,
    pub(crate) other: Place,
    #[key(rev_ts = "inverted")]
    pub(crate) at: u64,
}

impl Key for Nested {
    fn any() -> BoxedStrategy<Self> {
        let place = || (0_u16..3, text(2)).prop_map(|(shop, shelf)| Place { shop, shelf });
        (place(), place(), edges!(u64))
            .prop_map(|(place, other, at)| Self { place, other, at })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        o.place.cmp(&self.place).then(self.other.cmp(&o.other)).then(o.at.cmp(&self.at))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 7, fields = (tenant, user)))]
pub(crate) struct Salted {
    pub(crate) tenant: i16,
    #[key(escaped)]
    pub(crate) user: String,
    #[key(rev_ts)]
    pub(crate) at: i64,
}

impl Key for Salted {
    fn any() -> BoxedStrategy<Self> {
        (-1_i16..2, text(2), -2_i64..3)
            .prop_map(|(tenant, user, at)| Self { tenant, user, at })
            .boxed()
    }

    /// The order inside one bucket.
    fn order(&self, o: &Self) -> Ordering {
        (self.tenant, &self.user, Reverse(self.at)).cmp(&(o.tenant, &o.user, Reverse(o.at)))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 256, hash = java_arrays_hash))]
pub(crate) struct WholeSalted {
    #[key(desc)]
    pub(crate) a: u8,
    pub(crate) b: Vec<u8>,
}

impl Key for WholeSalted {
    fn any() -> BoxedStrategy<Self> {
        (edges!(u8), bytes(3)).prop_map(|(a, b)| Self { a, b }).boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (Reverse(self.a), &self.b).cmp(&(Reverse(o.a), &o.b))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(hash_prefix(md5, hex = 5, fields = (user), sep = '|'), text_sep = '\u{1f}')]
pub(crate) struct Access {
    #[key(chars = "a-c")]
    pub(crate) system: String,
    #[key(chars = "a-c_")]
    pub(crate) user: String,
    #[key(width = 2, chars = "0-9")]
    pub(crate) period: String,
    pub(crate) rest: u8,
}

impl Key for Access {
    fn any() -> BoxedStrategy<Self> {
        let period = of(&['0', '1'], 2);
        (of(&['a', 'b'], 2), of(&['a', 'c', '_'], 2), period, 0_u8..3)
            .prop_map(|(system, user, period, rest)| Self { system, user, period, rest })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (&self.system, &self.user, &self.period, self.rest)
            .cmp(&(&o.system, &o.user, &o.period, o.rest))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Phone {
    #[key(reverse, width = 5, chars = "0-9")]
    pub(crate) number: String,
    #[key(reverse, escaped)]
    pub(crate) name: String,
    pub(crate) at: u8,
}

impl Key for Phone {
    fn any() -> BoxedStrategy<Self> {
        (of(&['0', '1', '9'], 5), text(3), 0_u8..3)
            .prop_map(|(number, name, at)| Self { number, name, at })
            .boxed()
    }

    /// The order of the reversed texts, which is what the rows have.
    fn order(&self, o: &Self) -> Ordering {
        let back = |text: &str| text.chars().rev().collect::<String>();
        (back(&self.number), back(&self.name), self.at).cmp(&(back(&o.number), back(&o.name), o.at))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 100, fields = (id), hash = modulo, width = 8))]
pub(crate) struct Partitioned {
    #[key(digits = 4, desc)]
    pub(crate) code: u16,
    pub(crate) id: u64,
    pub(crate) kind: Uid<Phone, 3>,
    #[key(floor = 10, desc)]
    pub(crate) at: i32,
    #[key(raw_be)]
    pub(crate) count: i16,
    pub(crate) sign: NonZero<i8>,
    #[key(digits = 5, reverse)]
    pub(crate) number: u32,
}

impl Key for Partitioned {
    fn any() -> BoxedStrategy<Self> {
        let sign = edges!(i8).prop_filter_map("not zero", NonZero::new);
        let at = (-3_i32..3).prop_map(|n| n * 10);
        let kind = (0_u64..1 << 24).prop_filter_map("fits", Uid::new);
        (0_u16..10_000, edges!(u64), kind, at, 0..=i16::MAX, sign, 0_u32..100_000)
            .prop_map(|(code, id, kind, at, count, sign, number)| Self {
                code,
                id,
                kind,
                at,
                count,
                sign,
                number,
            })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        let back = |k: &Self| format!("{:05}", k.number).chars().rev().collect::<String>();
        (
            Reverse(self.code),
            self.id,
            self.kind,
            Reverse(self.at),
            self.count,
            self.sign,
            back(self),
        )
            .cmp(&(Reverse(o.code), o.id, o.kind, Reverse(o.at), o.count, o.sign, back(o)))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(shared(customer, region), salt(buckets = 3, fields = (customer)))]
pub(crate) enum CustomerRow {
    #[key(tag = 1)]
    Customer {
        #[key(escaped)]
        customer: String,
        region: u8,
    },
    #[key(tag = 4)]
    Line {
        #[key(escaped)]
        customer: String,
        region: u8,
        order: i8,
        line: u16,
    },
    #[key(tag = 2)]
    Note {
        #[key(escaped)]
        customer: String,
        region: u8,
        #[key(rev_ts)]
        at: i64,
        text: String,
    },
}

impl CustomerRow {
    pub(crate) fn shared(&self) -> (&String, u8, u8) {
        match self {
            Self::Customer { customer, region } => (customer, *region, 1),
            Self::Line { customer, region, .. } => (customer, *region, 4),
            Self::Note { customer, region, .. } => (customer, *region, 2),
        }
    }
}

impl Key for CustomerRow {
    fn any() -> BoxedStrategy<Self> {
        let shared = || (text(2), 0_u8..2);
        prop_oneof![
            shared().prop_map(|(customer, region)| Self::Customer { customer, region }),
            (shared(), edges!(i8), 0_u16..3).prop_map(|((customer, region), order, line)| {
                Self::Line { customer, region, order, line }
            }),
            (shared(), edges!(i64), text(2)).prop_map(|((customer, region), at, text)| {
                Self::Note { customer, region, at, text }
            }),
        ]
        .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        self.shared().cmp(&o.shared()).then_with(|| match (self, o) {
            (Self::Line { order, line, .. }, Self::Line { order: order2, line: line2, .. }) => {
                (order, line).cmp(&(order2, line2))
            }
            (Self::Note { at, text, .. }, Self::Note { at: at2, text: text2, .. }) => {
                (Reverse(at), text).cmp(&(Reverse(at2), text2))
            }
            _ => Ordering::Equal,
        })
    }
}

#[derive(RowKey, Debug, Clone, PartialEq, Eq)]
#[row_key(ord, salt(buckets = 4, bucket_offset = 12, fields = (session)))]
pub(crate) struct Sorted {
    #[key(desc)]
    pub(crate) session: Uuid,
    #[key(width = 4)]
    pub(crate) name: String,
    #[key(floor = 10)]
    pub(crate) at: u32,
}

impl Key for Sorted {
    fn any() -> BoxedStrategy<Self> {
        let session = prop_oneof![(0_u128..3), any::<u128>(), Just(u128::MAX)];
        (session.prop_map(Uuid::from_u128), padded(), 0_u32..3)
            .prop_map(|(session, name, at)| Self { session, name, at: at * 10 })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (Reverse(self.session), &self.name, self.at).cmp(&(Reverse(o.session), &o.name, o.at))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq, Eq)]
#[row_key(ord, tag_type = u16, shared(tenant))]
pub(crate) enum Wide {
    #[key(tag = 256)]
    Text {
        #[key(desc)]
        tenant: u8,
        #[key(nul_terminated)]
        text: String,
    },
    #[key(tag = 255)]
    Hashed {
        #[key(desc)]
        tenant: u8,
        at: i16,
    },
    #[key(tag = 1)]
    Tenant {
        #[key(desc)]
        tenant: u8,
    },
}

impl Wide {
    fn pieces(&self) -> (Reverse<u8>, u16, Option<&String>, i16) {
        match self {
            Self::Text { tenant, text } => (Reverse(*tenant), 256, Some(text), 0),
            Self::Hashed { tenant, at } => (Reverse(*tenant), 255, None, *at),
            Self::Tenant { tenant } => (Reverse(*tenant), 1, None, 0),
        }
    }
}

impl Key for Wide {
    fn any() -> BoxedStrategy<Self> {
        let text = of(&['\u{1}', 'a', '\u{10ffff}'], 2);
        prop_oneof![
            (0_u8..3, text).prop_map(|(tenant, text)| Self::Text { tenant, text }),
            (0_u8..3, edges!(i16)).prop_map(|(tenant, at)| Self::Hashed { tenant, at }),
            (0_u8..3).prop_map(|tenant| Self::Tenant { tenant }),
        ]
        .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        self.pieces().cmp(&o.pieces())
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(random, buckets = 300, width = 2, bucket_offset = 5))]
pub(crate) struct Click {
    #[key(escaped)]
    pub(crate) page: String,
    #[key(rev_ts)]
    pub(crate) at: i64,
}

impl Key for InBucket<Click> {
    fn any() -> BoxedStrategy<Self> {
        let pick = prop_oneof![any::<u32>(), Just(299), Just(300)];
        (text(2), edges!(i64), pick)
            .prop_map(|(page, at, pick)| Click { page, at }.salted(pick))
            .boxed()
    }

    /// The order inside one bucket; the same key may be in another as well.
    fn order(&self, o: &Self) -> Ordering {
        (&self.page, Reverse(self.at), self.bucket()).cmp(&(&o.page, Reverse(o.at), o.bucket()))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece(#[key(nul_terminated)] pub(crate) String, pub(crate) u8);

#[derive(RowKey, Debug, Clone, PartialEq)]
pub(crate) struct Lists {
    #[key(terminated)]
    pub(crate) numbers: Vec<i8>,
    #[key(terminated, escaped, desc)]
    pub(crate) names: Vec<String>,
    #[key(terminated)]
    pub(crate) options: Vec<Option<u8>>,
    pub(crate) pieces: Vec<Piece>,
}

pub(crate) fn list<T: Debug + Clone + 'static>(item: BoxedStrategy<T>) -> BoxedStrategy<Vec<T>> {
    prop::collection::vec(item, 0..=3).boxed()
}

pub(crate) fn piece() -> BoxedStrategy<Piece> {
    (of(&['\u{1}', 'a'], 1), 0_u8..3).prop_map(|(text, n)| Piece(text, n)).boxed()
}

impl Key for Lists {
    fn any() -> BoxedStrategy<Self> {
        let numbers = prop::sample::select(vec![i8::MIN, -1, 0, 1, i8::MAX]).boxed();
        let option = prop::option::of(0_u8..2).boxed();
        (list(numbers), list(text(1)), list(option), list(piece()))
            .prop_map(|(numbers, names, options, pieces)| Self { numbers, names, options, pieces })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (&self.numbers, Reverse(&self.names), &self.options, &self.pieces).cmp(&(
            &o.numbers,
            Reverse(&o.names),
            &o.options,
            &o.pieces,
        ))
    }
}

/// The rows of OpenTSDB, with a salt.
#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
pub(crate) struct Metric {
    pub(crate) metric: Uid<Metric, 3>,
    #[key(floor = 3600)]
    pub(crate) at: u32,
    pub(crate) tags: TagPairs<Uid<Piece, 3>, Uid<Lists, 3>, 3>,
}

impl Key for Metric {
    fn any() -> BoxedStrategy<Self> {
        fn id<T>() -> impl Strategy<Value = Uid<T, 3>> {
            prop_oneof![0_u64..3, Just((1 << 24) - 1)].prop_filter_map("fits", Uid::new)
        }
        let tags = prop::collection::btree_map(id(), id(), 0..=3)
            .prop_filter_map("fits", |tags| TagPairs::new(tags.into_iter().rev()).ok());
        (id(), 0_u32..3, tags)
            .prop_map(|(metric, hour, tags)| Self { metric, at: hour * 3600, tags })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (self.metric, self.at, self.tags).cmp(&(o.metric, o.at, o.tags))
    }
}

#[derive(RowKey, Debug, Clone, PartialEq)]
#[row_key(salt(buckets = 3, fields = (first)))]
pub(crate) struct Generic<T, U, const N: usize> {
    #[key(desc)]
    pub(crate) first: T,
    pub(crate) maybe: Option<T>,
    pub(crate) bytes: [u8; N],
    #[key(terminated)]
    pub(crate) list: Vec<T>,
    pub(crate) last: U,
}

impl Key for Generic<Piece, String, 2> {
    fn any() -> BoxedStrategy<Self> {
        let bytes = prop::sample::select(vec![[0, 0], [0, 1], [255, 255]]);
        (piece(), prop::option::of(piece()), bytes, list(piece()), text(2))
            .prop_map(|(first, maybe, bytes, list, last)| Self { first, maybe, bytes, list, last })
            .boxed()
    }

    fn order(&self, o: &Self) -> Ordering {
        (Reverse(&self.first), &self.maybe, self.bytes, &self.list, &self.last).cmp(&(
            Reverse(&o.first),
            &o.maybe,
            o.bytes,
            &o.list,
            &o.last,
        ))
    }
}

/// Checks that `bytes`, if they are accepted, are what the decoded key encodes to.
pub(crate) fn canonical<K: Key + DecodeRowKey>(bytes: &[u8]) {
    if let Ok(key) = K::decode_key(bytes) {
        assert_eq!(key.row(), bytes, "{key:?}");
    }
}
