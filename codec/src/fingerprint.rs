//! A number that stands for the layout of a row key.

/// Returns the number of a word: 64-bit FNV-1a of its bytes.
///
/// ```
/// assert_eq!(tallrow_codec::shape("a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub const fn shape(word: &str) -> u64 {
    fold(0xcbf2_9ce4_8422_2325, word.as_bytes())
}

/// Returns the number of two parts, in this order.
///
/// ```
/// use tallrow_codec::{shape, shape_with};
///
/// assert_ne!(shape_with(shape("a"), 1), shape_with(shape("a"), 2));
/// ```
pub const fn shape_with(first: u64, second: u64) -> u64 {
    fold(first, &second.to_be_bytes())
}

const fn fold(mut hash: u64, mut bytes: &[u8]) -> u64 {
    while let [first, rest @ ..] = bytes {
        hash = (hash ^ *first as u64).wrapping_mul(0x0000_0100_0000_01b3);
        bytes = rest;
    }
    hash
}

/// Returns the text of a lock file: the schema, then the fingerprint in hex on a line of its own.
#[doc(hidden)]
pub const fn lock<const N: usize>(schema: &str, fingerprint: u64) -> [u8; N] {
    let parts: [&[u8]; 3] = [schema.as_bytes(), b"fingerprint ", &hex(fingerprint)];
    let mut text = [b'\n'; N];
    let (mut at, mut part) = (0, 0);
    while part < parts.len() {
        let mut from = 0;
        while from < parts[part].len() && at < N {
            text[at] = parts[part][from];
            at += 1;
            from += 1;
        }
        part += 1;
    }
    text
}

/// Returns how long the text of a lock file is.
#[doc(hidden)]
pub const fn lock_len(schema: &str) -> usize {
    schema.len() + "fingerprint ".len() + 16 + 1
}

const fn hex(number: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    let mut i = 0;
    while i < 16 {
        let digit = (number >> (60 - 4 * i)) as u8 & 0x0f;
        digits[i] = if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
        i += 1;
    }
    digits
}

/// Says whether a lock file holds `text`, whatever its line ends are.
#[doc(hidden)]
pub const fn unchanged(text: &[u8], mut file: &[u8]) -> bool {
    let mut text = text;
    loop {
        while let [b'\r', rest @ ..] = file {
            file = rest;
        }
        match (text, file) {
            ([], []) => return true,
            ([a, more @ ..], [b, rest @ ..]) if *a == *b => (text, file) = (more, rest),
            _ => return false,
        }
    }
}
