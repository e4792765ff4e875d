//! Derivation of keys from base keys.

use zeroize::Zeroizing;

use super::Enctype;
use super::cipher::{Aes, BLOCK, Mac};

/// Derives a key of `len` bytes from a base key and this constant.
pub(super) fn derive(
    enctype: Enctype,
    base: &[u8],
    constant: &[u8],
    len: usize,
) -> Option<Zeroizing<Vec<u8>>> {
    match enctype {
        Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => by_folding(base, constant, len),
        Enctype::Aes128Sha2 | Enctype::Aes256Sha2 => by_hash(enctype, base, constant, len),
    }
}

/// `DK` (RFC 3961, section 5.1): the folded constant, encrypted repeatedly.
fn by_folding(base: &[u8], constant: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    let aes = Aes::new(base)?;
    let mut block = [0; BLOCK];
    block.copy_from_slice(&n_fold(constant, BLOCK));
    let mut key = Zeroizing::new(Vec::with_capacity(len + BLOCK));
    while key.len() < len {
        aes.encrypt_block(&mut block);
        key.extend_from_slice(&block);
    }
    key.truncate(len);
    Some(key)
}

/// `KDF-HMAC-SHA2` (RFC 8009, section 3).
fn by_hash(enctype: Enctype, base: &[u8], label: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    let bits = u32::try_from(len).ok()?.checked_mul(8)?;
    let parts: [&[u8]; 4] = [&[0, 0, 0, 1], label, &[0], &bits.to_be_bytes()];
    let mut key = Zeroizing::new(Mac::new(enctype, base)?.hash(&parts));
    key.truncate(len);
    Some(key)
}

/// `n-fold` (RFC 3961, section 5.1): copies of the input, each rotated by 13 bits more than the one
/// before, are added with end-around carry.
pub(super) fn n_fold(input: &[u8], len: usize) -> Vec<u8> {
    let mut sum = vec![0_u8; len];
    if input.is_empty() || len == 0 {
        return sum;
    }
    let bits = input.len() * 8;
    let copies = len / gcd(len, input.len());
    // Returns the bit at a position in the sequence of all copies.
    let bit = |at: usize| {
        let (copy, place) = (at / bits, at % bits);
        let from = (place + bits - (13 * copy) % bits) % bits;
        input.get(from / 8).map_or(0, |byte| (byte >> (7 - from % 8)) & 1)
    };
    for chunk in (0..copies * input.len() / len).rev() {
        let mut carry = 0_u16;
        let add = |at: usize, byte: u8, sum: &mut [u8], carry: u16| {
            let Some(place) = sum.get_mut(at) else { return 0 };
            let total = u16::from(*place) + u16::from(byte) + carry;
            *place = total as u8;
            total >> 8
        };
        for at in (0..len).rev() {
            let first = (chunk * len + at) * 8;
            let byte = (0..8).fold(0, |byte, n| byte << 1 | bit(first + n));
            carry = add(at, byte, &mut sum, carry);
        }
        while carry > 0 {
            for at in (0..len).rev() {
                carry = add(at, 0, &mut sum, carry);
            }
        }
    }
    sum
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
