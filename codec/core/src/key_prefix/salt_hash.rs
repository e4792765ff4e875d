//! The hash functions of salts. Written by hand, because they can never change: a stored row is
//! found only by the same function.
#![expect(clippy::indexing_slicing, reason = "a table of 256 has an entry for each byte")]

/// A hash function for salts, fed incrementally.
///
/// ```
/// use tallrow_codec::{JavaArraysHash, SaltHash};
///
/// let mut hash = JavaArraysHash::default();
/// hash.feed(b"ab");
/// assert_eq!(hash.bucket(16), (31 * (31 + 97) + 98) % 16);
/// ```
pub trait SaltHash: Clone + Default {
    /// Adds the next bytes.
    fn feed(&mut self, bytes: &[u8]);

    /// Returns the bucket, below `buckets`.
    fn bucket(&self, buckets: u32) -> u32;
}

/// FNV-1a with 64 bits, the upper half XORed into the lower, modulo the number of buckets. This is
/// the default.
///
/// ```
/// use tallrow_codec::{Fnv1a, SaltHash};
///
/// let mut hash = Fnv1a::default();
/// hash.feed(b"a");
/// let whole = 0xaf63_dc4c_8601_ec8c_u64;
/// assert_eq!(hash.bucket(1000), ((whole >> 32) as u32 ^ whole as u32) % 1000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl SaltHash for Fnv1a {
    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    #[inline]
    fn bucket(&self, buckets: u32) -> u32 {
        let [a, b, c, d, e, f, g, h] = self.0.to_be_bytes();
        (u32::from_be_bytes([a, b, c, d]) ^ u32::from_be_bytes([e, f, g, h])) % buckets
    }
}

/// CRC-32 (IEEE, reflected, as in zip), modulo the number of buckets.
///
/// ```
/// use tallrow_codec::{Crc32, SaltHash};
///
/// let mut hash = Crc32::default();
/// hash.feed(b"123456789");
/// assert_eq!(hash.bucket(1000), 0xcbf4_3926 % 1000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Crc32(u32);

impl Crc32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut crc = i as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[i] = crc;
            i += 1;
        }
        table
    };
}

impl Default for Crc32 {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl SaltHash for Crc32 {
    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = self.0 >> 8 ^ Self::TABLE[usize::from(low ^ byte)];
        }
    }

    #[inline]
    fn bucket(&self, buckets: u32) -> u32 {
        !self.0 % buckets
    }
}

/// `h = 31 * h + byte` for each byte, where `h` has 32 bits and starts at 1, and the byte is
/// signed; then the absolute value of the remainder of `h` modulo the number of buckets, as in
/// Phoenix and OpenTSDB.
#[derive(Clone, Copy, Debug)]
pub struct JavaArraysHash(i32);

impl Default for JavaArraysHash {
    fn default() -> Self {
        Self(1)
    }
}

impl SaltHash for JavaArraysHash {
    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(31).wrapping_add(i32::from(byte.cast_signed()));
        }
    }

    #[inline]
    fn bucket(&self, buckets: u32) -> u32 {
        let rest = i64::from(self.0) % i64::from(buckets);
        u32::try_from(rest.unsigned_abs()).unwrap_or_default()
    }
}

/// MurmurHash3 x86 32-bit with seed 0, modulo the number of buckets.
///
/// ```
/// use tallrow_codec::{Murmur3, SaltHash};
///
/// let mut hash = Murmur3::default();
/// hash.feed(b"hel");
/// hash.feed(b"lo");
/// assert_eq!(hash.bucket(u32::MAX), 0x248b_fa47);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Murmur3 {
    hash: u32,
    /// The bytes of the block that is not yet full, little-endian.
    block: u32,
    len: u32,
}

impl Murmur3 {
    #[inline]
    fn scramble(block: u32) -> u32 {
        block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
    }
}

impl SaltHash for Murmur3 {
    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.block |= u32::from(*byte) << (8 * (self.len % 4));
            self.len = self.len.wrapping_add(1);
            if self.len.is_multiple_of(4) {
                self.hash ^= Self::scramble(self.block);
                self.hash = self.hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
                self.block = 0;
            }
        }
    }

    #[inline]
    fn bucket(&self, buckets: u32) -> u32 {
        let mut h = self.hash ^ Self::scramble(self.block) ^ self.len;
        h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
        h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
        (h ^ h >> 16) % buckets
    }
}

/// No hash: the encoded bytes of one unsigned field, as a number, modulo the number of buckets.
/// Examples are `id % P`, and the timestamps that the HBase book puts into buckets.
///
/// ```
/// use tallrow_codec::{Modulo, SaltHash};
///
/// let mut hash = Modulo::default();
/// hash.feed(&1234_u32.to_be_bytes());
/// assert_eq!(hash.bucket(100), 34);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Modulo(u128);

impl SaltHash for Modulo {
    #[inline]
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u128::from(*byte);
        }
    }

    #[inline]
    fn bucket(&self, buckets: u32) -> u32 {
        (self.0 % u128::from(buckets)) as u32
    }
}
