//! Keys of all kinds, as the strictest user would define them: without the standard library,
//! without unsafe code, with strict lints of the compiler and of clippy. The test is that this
//! compiles without warnings.
#![no_std]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    clippy::all,
    clippy::pedantic
)]

extern crate alloc;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use tallrow_codec::{RandomSalted, RowKey, TagPairs, Uid};

/// Of a fixed width.
#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq)]
#[row_key(ord)]
pub struct Reading {
    /// Which.
    #[key(desc)]
    pub device: u32,
    /// When.
    #[key(rev_ts)]
    pub at: i64,
}

/// By number.
#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[row_key(lock_file = "pair.key")]
pub struct Pair(pub u16, pub [u8; 3]);

/// Of variable width, salted.
#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(salt(buckets = 8, bucket_offset = 8, fields = (tenant, pair)), layout = 2)]
pub struct Event {
    /// Who.
    pub tenant: u32,
    /// Where.
    pub pair: Pair,
    /// What.
    #[key(escaped)]
    pub name: Option<String>,
    /// With what.
    #[key(terminated_list, width = 4)]
    pub words: Vec<String>,
    /// The rest.
    pub rest: Vec<u8>,
}

/// Hashed and borrowed.
#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user), sep = '|'), text_sep = '\x01')]
pub struct Log<'a> {
    /// Who.
    #[key(chars = "a-z")]
    pub user: Cow<'a, str>,
    /// Where.
    #[key(md5)]
    pub host: &'a str,
    /// When.
    #[key(floor = 3600)]
    pub hour: u32,
    /// What.
    pub text: &'a str,
}

/// In any bucket.
#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq)]
#[row_key(salt(random, buckets = 4))]
pub struct Click {
    /// Which.
    pub page: u64,
}

/// A table of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {}

/// A measure of something.
#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
#[row_key(salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
pub struct Metric {
    /// What.
    pub metric: Uid<Names, 3>,
    /// When.
    #[key(floor = 3600)]
    pub at: u32,
    /// Of what.
    pub tags: TagPairs<Uid<Names, 3>, Uid<Names, 3>, 8>,
}

/// Several record variants.
#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(shared(customer), tag_type = u16)]
pub enum Customer {
    /// The customer.
    #[key(tag = 1)]
    Itself {
        /// Which.
        customer: u64,
    },
    /// An order.
    #[key(tag = 300)]
    Order {
        /// Whose.
        customer: u64,
        /// Which.
        #[key(digits = 6, reverse)]
        order: u32,
        /// Of what.
        line: String,
    },
}

/// With parameters.
#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
pub struct At<T, const N: usize> {
    /// Which.
    pub id: T,
    /// More of it.
    pub more: Option<[u8; N]>,
    /// When.
    #[key(rev_ts = "inverted")]
    pub at: u64,
}

/// Layouts that follow each other.
#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
#[row_key(layouts)]
pub enum Version {
    /// At random.
    V1(RandomSalted<Click>),
    /// By hash.
    V2(Event),
}
