//! Keys of fields alone.

use std::cmp::{Ordering, Reverse};

use proptest::prelude::*;
use tallrow_codec::RowKey;

use super::{Key, bytes, of, padded, text};

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
