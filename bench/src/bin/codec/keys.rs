//! Makes the row keys that all codecs encode and decode, with the same values in each run.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use storekey::{BorrowDecode, Decode, Encode};
use tallrow_codec::RowKey;

/// The number of different keys that each codec encodes.
const KEYS: usize = 1024;

/// The key of fixed width; the last number is already a reverse time.
#[derive(
    Clone, Copy, Debug, PartialEq, RowKey, Serialize, Deserialize, Encode, Decode, BorrowDecode,
)]
pub(crate) struct Fixed {
    pub(crate) host: [u8; 16],
    pub(crate) event: u64,
    pub(crate) reverse: u64,
}

/// The key of variable width, with an owned text.
#[derive(Clone, Debug, PartialEq, RowKey, Serialize, Deserialize, Encode, Decode)]
pub(crate) struct Variable {
    #[key(escaped)]
    pub(crate) user: String,
    pub(crate) number: i64,
    pub(crate) part: u32,
}

/// The key of variable width, with a borrowed text.
#[derive(Debug, RowKey, BorrowDecode)]
pub(crate) struct Borrowed<'a> {
    #[key(escaped)]
    pub(crate) user: Cow<'a, str>,
    pub(crate) number: i64,
    pub(crate) part: u32,
}

impl PartialEq<Variable> for Borrowed<'_> {
    fn eq(&self, other: &Variable) -> bool {
        (&*self.user, self.number, self.part) == (&other.user, other.number, other.part)
    }
}

/// A generator of random numbers, which are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

pub(crate) fn fixed() -> Vec<Fixed> {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut key = || {
        let mut host = [0; 16];
        host[..8].copy_from_slice(&numbers.next().to_be_bytes());
        host[8..].copy_from_slice(&numbers.next().to_be_bytes());
        let time = 1_700_000_000_000 + (numbers.next() >> 30);
        Fixed { host, event: numbers.next() >> 20, reverse: i64::MAX.cast_unsigned() - time }
    };
    (0..KEYS).map(|_| key()).collect()
}

pub(crate) fn variable() -> Vec<Variable> {
    const CHARS: &[u8; 38] = b"abcdefghijklmnopqrstuvwxyz0123456789-.";
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    let mut key = || {
        let chars = 6 + numbers.next() % 19;
        let user = (0..chars).map(|_| CHARS[(numbers.next() % 38) as usize] as char).collect();
        let number = numbers.next().cast_signed();
        Variable { user, number, part: (numbers.next() >> 40) as u32 }
    };
    (0..KEYS).map(|_| key()).collect()
}

/// The host that the prefix handle hashes, and the event that it encodes.
pub(crate) const PREFIX: (&str, u64) = ("host-07919.example", 42);

/// The times of the keys that are made with one prefix handle.
pub(crate) fn times() -> Vec<i64> {
    (0..KEYS as i64).map(|i| 1_700_000_000_000 + i * 977).collect()
}
