//! Keys that are enums, one variant for each type of record.

use std::cmp::{Ordering, Reverse};

use proptest::prelude::*;
use tallrow_codec::RowKey;

use super::{Key, of, text};

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
