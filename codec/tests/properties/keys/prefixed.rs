//! Keys with a salt or a hash before their fields.

use std::cmp::{Ordering, Reverse};
use std::num::NonZero;

use proptest::prelude::*;
use tallrow_codec::{RandomSalted as InBucket, RowKey, TagPairs, Uid};
use uuid::Uuid;

use super::{Key, Lists, Phone, Piece, bytes, of, padded, text};

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
