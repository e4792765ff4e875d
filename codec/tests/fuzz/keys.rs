//! Keys whose rows are read: together they have every encoding that can be decoded.

use tallrow_codec::{Digest, NonNeg, RowKey, Uid};

#[derive(RowKey, Debug)]
pub(crate) struct Numbers {
    a: i8,
    #[key(desc)]
    b: u16,
    #[key(rev_ts)]
    c: i64,
    d: std::num::NonZero<i32>,
    #[key(raw_be)]
    e: i16,
    f: NonNeg<i64>,
    #[key(rev_ts = "inverted", display_time = "s")]
    g: u64,
    #[key(digits = 3)]
    h: u16,
    #[key(digits = 3, reverse)]
    i: u128,
    #[key(floor = 10)]
    j: i32,
}

#[derive(RowKey, Debug)]
pub(crate) struct Small {
    a: bool,
    b: char,
    c: f32,
    #[key(desc)]
    d: f64,
    e: [u8; 2],
    f: Uid<Numbers, 3>,
    g: Digest<2>,
    #[key(desc)]
    h: Option<u8>,
    i: Option<i16>,
}

#[derive(RowKey, Debug)]
pub(crate) struct Texts {
    #[key(escaped)]
    a: String,
    #[key(width = 4)]
    b: String,
    #[key(nul_terminated)]
    c: String,
    #[key(width = 3, pad = ' ', desc)]
    d: String,
    e: String,
}

#[derive(RowKey, Debug)]
pub(crate) struct Bytes {
    #[key(escaped, desc)]
    a: Vec<u8>,
    #[key(escaped)]
    b: Option<Vec<u8>>,
    #[key(reverse, escaped)]
    c: String,
    d: Vec<u8>,
}

#[derive(RowKey, Debug)]
pub(crate) struct Place {
    shop: u16,
    #[key(escaped)]
    shelf: String,
}

#[derive(RowKey, Debug)]
pub(crate) struct Nested {
    #[key(desc)]
    place: Place,
    other: Option<Place>,
    at: u8,
}

#[derive(RowKey, Debug)]
#[row_key(salt(buckets = 7, fields = (tenant, user)))]
pub(crate) struct Salted {
    tenant: u8,
    #[key(escaped)]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey, Debug)]
#[row_key(text_sep = '|', hash_prefix(md5, hex = 2, fields = (user), sep = '|'), allow(unsorted_text))]
pub(crate) struct Access {
    #[key(chars = "a-z")]
    system: String,
    #[key(chars = "a-zA-Z0-9_")]
    user: String,
    #[key(width = 2, chars = "0-9")]
    period: String,
}

#[derive(RowKey, Debug)]
#[row_key(shared(customer), salt(buckets = 3, fields = (customer), hash = java_arrays_hash))]
pub(crate) enum Rows {
    #[key(tag = 1)]
    Customer { customer: u16 },
    #[key(tag = 2)]
    Order {
        customer: u16,
        #[key(escaped)]
        order: String,
        place: Option<char>,
    },
    #[key(tag = 9)]
    Note {
        customer: u16,
        #[key(rev_ts)]
        at: i64,
        text: String,
    },
}
