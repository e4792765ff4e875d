//! The key prefix, computed without the type, and the plain bytes of a value that are hashed.

use tallrow_layout::{Int, SaltFunction, SaltOrHash, Type};

use super::value::Value;
use crate::encoding::{HashBytes, Md5State, put_md5};
use crate::key_prefix::{Crc32, Fnv1a, JavaArraysHash, Modulo, Murmur3, SaltHash, salt};

/// The state of the computation of a key prefix.
pub(super) enum KeyPrefixState {
    None,
    /// The index of the bucket that the writer chose; 0 until it is known.
    Random(u32),
    Fnv1a(Fnv1a),
    Crc32(Crc32),
    Murmur3(Murmur3),
    JavaArraysHash(JavaArraysHash),
    Modulo(Modulo),
    Md5(Md5State),
}

/// Returns the name of a key prefix in errors.
pub(super) fn prefix_name(prefix: &SaltOrHash) -> &'static str {
    match prefix {
        SaltOrHash::Salt { .. } | SaltOrHash::RandomSalt { .. } => "salt",
        SaltOrHash::HashPrefix { .. } => "hash",
        _ => "front",
    }
}

impl KeyPrefixState {
    pub(super) fn new(prefix: &SaltOrHash) -> Self {
        match prefix {
            SaltOrHash::None => Self::None,
            SaltOrHash::RandomSalt { .. } => Self::Random(0),
            SaltOrHash::HashPrefix { .. } => Self::Md5(Md5State::default()),
            SaltOrHash::Salt { hash, .. } => match hash {
                SaltFunction::Fnv1a => Self::Fnv1a(Fnv1a::default()),
                SaltFunction::Crc32 => Self::Crc32(Crc32::default()),
                SaltFunction::Murmur3 => Self::Murmur3(Murmur3::default()),
                SaltFunction::JavaArraysHash => Self::JavaArraysHash(JavaArraysHash::default()),
                SaltFunction::Modulo => Self::Modulo(Modulo::default()),
            },
        }
    }

    /// Adds the encoded bytes of a field or, for a hash prefix, the bytes of its plain value.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        match self {
            Self::None | Self::Random(_) => {}
            Self::Fnv1a(hash) => hash.feed(bytes),
            Self::Crc32(hash) => hash.feed(bytes),
            Self::Murmur3(hash) => hash.feed(bytes),
            Self::JavaArraysHash(hash) => hash.feed(bytes),
            Self::Modulo(hash) => hash.feed(bytes),
            Self::Md5(state) => state.feed(bytes),
        }
    }

    fn bucket(&self, buckets: u32) -> u32 {
        match self {
            Self::Fnv1a(hash) => hash.bucket(buckets),
            Self::Crc32(hash) => hash.bucket(buckets),
            Self::Murmur3(hash) => hash.bucket(buckets),
            Self::JavaArraysHash(hash) => hash.bucket(buckets),
            Self::Modulo(hash) => hash.bucket(buckets),
            Self::None | Self::Random(_) | Self::Md5(_) => 0,
        }
    }

    /// Writes the key prefix into `front`, which is as long as `prefix` is wide.
    pub(super) fn write(self, prefix: &SaltOrHash, front: &mut [u8]) {
        match (prefix, self) {
            (SaltOrHash::Salt { buckets, bucket_offset, .. }, state) => {
                salt::put_bucket(bucket_offset.saturating_add(state.bucket(*buckets)), front);
            }
            (SaltOrHash::RandomSalt { bucket_offset, .. }, Self::Random(index)) => {
                salt::put_bucket(bucket_offset.saturating_add(index), front);
            }
            (SaltOrHash::HashPrefix { digest, sep, .. }, Self::Md5(state)) => {
                if let Some((md5, rest)) = front.split_at_mut_checked(digest.len) {
                    put_md5(state.finish(), digest.hex, md5);
                    rest.iter_mut().zip(sep).for_each(|(to, sep)| *to = *sep);
                }
            }
            _ => {}
        }
    }
}

/// Calls `read` with the plain bytes of a value of the type `ty`, if the value has plain bytes.
pub(super) fn with_plain_bytes(ty: &Type, value: &Value, read: impl FnOnce(&[u8])) {
    let id = |number: Option<u64>| number.unwrap_or(u64::MAX);
    match (ty, value) {
        (_, Value::Text(text)) => text.as_str().hash_bytes(read),
        (_, Value::Bytes(bytes)) => bytes.as_slice().hash_bytes(read),
        (_, Value::Uuid(bytes)) => bytes.hash_bytes(read),
        (Type::Uid(_), Value::Unsigned(number)) => id(u64::try_from(*number).ok()).hash_bytes(read),
        (Type::Uid(_), Value::Signed(number)) => id(u64::try_from(*number).ok()).hash_bytes(read),
        (Type::Int(int), Value::Unsigned(number)) => last(*int, number.to_be_bytes(), read),
        (Type::Int(int), Value::Signed(number)) => last(*int, number.to_be_bytes(), read),
        (Type::Int(int), Value::Time(time)) => last(*int, time.count.to_be_bytes(), read),
        _ => {}
    }
}

/// Calls `read` with as many of the last bytes as the type has: the number, big-endian in its own
/// width.
fn last(int: Int, bytes: [u8; 16], read: impl FnOnce(&[u8])) {
    read(bytes.get(16_usize.saturating_sub(int.bytes)..).unwrap_or_default());
}
