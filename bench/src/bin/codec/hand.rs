//! Careful hand-written code for these keys: the baseline for the other codecs.

use std::borrow::Cow;
use std::hint::black_box;

use tallrow_codec::{Encoding, Md5, RowBuf};

use crate::keys::{Fixed, PREFIX, Variable, times};
use crate::race::Line;

const CODEC: &str = "hand";

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    Line::new(CODEC, keys, |key| {
        black_box(&encode_fixed(key));
    })
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| encode_fixed(key).to_vec()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert_eq!(decode_fixed(row).as_ref(), Some(key));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        black_box(&decode_fixed(row));
    })
}

pub(crate) fn variable_encode(keys: &[Variable]) -> Line<'_> {
    Line::new(CODEC, keys, |key| {
        let mut buffer = [0; 128];
        black_box(encode_variable(key, &mut buffer));
    })
}

pub(crate) fn variable_decode(keys: &[Variable]) -> Line<'_> {
    let mut buffer = [0; 128];
    let mut encode = |key| encode_variable(key, &mut buffer).unwrap_or_default().to_vec();
    let rows: Vec<_> = keys.iter().map(&mut encode).collect();
    for (key, row) in keys.iter().zip(&rows) {
        let (user, number, part) = (Cow::Borrowed(&*key.user), key.number, key.part);
        assert_eq!(decode_variable(row), Some((user, number, part)));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        black_box(&decode_variable(row));
    })
}

pub(crate) fn prefix_handle<'k>() -> Line<'k> {
    let template = black_box(prefix());
    Line::new(CODEC, times(), move |at: &i64| {
        black_box(&stamp(template, *at));
    })
}

#[inline]
pub(crate) fn encode_fixed(key: &Fixed) -> [u8; 32] {
    let mut row = [0; 32];
    row[..16].copy_from_slice(&key.host);
    row[16..24].copy_from_slice(&key.event.to_be_bytes());
    row[24..].copy_from_slice(&key.reverse.to_be_bytes());
    row
}

#[inline]
fn decode_fixed(row: &[u8]) -> Option<Fixed> {
    let row: &[u8; 32] = row.try_into().ok()?;
    Some(Fixed {
        host: row[..16].try_into().ok()?,
        event: u64::from_be_bytes(row[16..24].try_into().ok()?),
        reverse: u64::from_be_bytes(row[24..].try_into().ok()?),
    })
}

/// Encodes the text with 00 as 00 FF, ended by 00 01, and then the numbers.
#[inline]
pub(crate) fn encode_variable<'b>(key: &Variable, row: &'b mut [u8; 128]) -> Option<&'b [u8]> {
    let mut user = key.user.as_bytes();
    let mut at = 0;
    if user.len() * 2 + 14 > row.len() {
        return None;
    }
    while let Some(zero) = memchr::memchr(0, user) {
        row[at..at + zero].copy_from_slice(&user[..zero]);
        row[at + zero] = 0;
        row[at + zero + 1] = 0xff;
        at += zero + 2;
        user = &user[zero + 1..];
    }
    row[at..at + user.len()].copy_from_slice(user);
    at += user.len();
    row[at] = 0;
    row[at + 1] = 1;
    row[at + 2..at + 10].copy_from_slice(&(key.number ^ i64::MIN).to_be_bytes());
    row[at + 10..at + 14].copy_from_slice(&key.part.to_be_bytes());
    Some(&row[..at + 14])
}

#[inline]
fn decode_variable(row: &[u8]) -> Option<(Cow<'_, str>, i64, u32)> {
    let mut zero = memchr::memchr(0, row)?;
    let mut owned: Option<Vec<u8>> = None;
    let mut from = 0;
    loop {
        match *row.get(zero + 1)? {
            1 => break,
            0xff => {
                owned.get_or_insert_default().extend_from_slice(&row[from..=zero]);
                from = zero + 2;
                zero = from + memchr::memchr(0, &row[from..])?;
            }
            _ => return None,
        }
    }
    let user = match owned {
        None => Cow::Borrowed(str::from_utf8(&row[..zero]).ok()?),
        Some(mut user) => {
            user.extend_from_slice(&row[from..zero]);
            Cow::Owned(String::from_utf8(user).ok()?)
        }
    };
    let rest: &[u8; 12] = row[zero + 2..].try_into().ok()?;
    let number = i64::from_be_bytes(rest[..8].try_into().ok()?) ^ i64::MIN;
    Some((user, number, u32::from_be_bytes(rest[8..].try_into().ok()?)))
}

/// Makes a row in which [`stamp`] replaces the time.
pub(crate) fn prefix() -> [u8; 32] {
    let (host, event) = PREFIX;
    let mut row = [0; 32];
    row[..16].copy_from_slice(&md5(host));
    row[16..24].copy_from_slice(&event.to_be_bytes());
    row
}

#[inline]
pub(crate) fn stamp(mut row: [u8; 32], at: i64) -> [u8; 32] {
    row[24..].copy_from_slice(&(i64::MAX - at).to_be_bytes());
    row
}

fn md5(text: &str) -> [u8; 16] {
    let mut digest = RowBuf::<16>::new();
    match <Md5<16> as Encoding<str>>::encode(text, &mut digest) {
        Ok(()) => digest.as_slice().try_into().unwrap_or_default(),
        Err(never) => match never {},
    }
}
