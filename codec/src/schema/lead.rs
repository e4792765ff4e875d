//! What stands in front of the fields, computed without the type.

use super::model::{Lead, SaltFunction};
use crate::form::{Md5State, put_md5};
use crate::lead::{Crc32, Fnv1a, Java31, Modulo, Murmur3, SaltHash, salt};

/// The computation under way.
pub(super) enum State {
    None,
    /// The bucket the writer chose, once it has.
    Random(u32),
    Fnv1a(Fnv1a),
    Crc32(Crc32),
    Murmur3(Murmur3),
    Java31(Java31),
    Modulo(Modulo),
    Md5(Md5State),
}

impl State {
    pub(super) fn new(lead: &Lead) -> Self {
        match lead {
            Lead::None => Self::None,
            Lead::RandomSalt { .. } => Self::Random(0),
            Lead::HashPrefix { .. } => Self::Md5(Md5State::default()),
            Lead::Salt { hash, .. } => match hash {
                SaltFunction::Fnv1a => Self::Fnv1a(Fnv1a::default()),
                SaltFunction::Crc32 => Self::Crc32(Crc32::default()),
                SaltFunction::Murmur3 => Self::Murmur3(Murmur3::default()),
                SaltFunction::Java31 => Self::Java31(Java31::default()),
                SaltFunction::Modulo => Self::Modulo(Modulo::default()),
            },
        }
    }

    /// Takes in the encoded bytes of a field, or for a hash prefix those of its plain value.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        match self {
            Self::None | Self::Random(_) => {}
            Self::Fnv1a(hash) => hash.feed(bytes),
            Self::Crc32(hash) => hash.feed(bytes),
            Self::Murmur3(hash) => hash.feed(bytes),
            Self::Java31(hash) => hash.feed(bytes),
            Self::Modulo(hash) => hash.feed(bytes),
            Self::Md5(state) => state.feed(bytes),
        }
    }

    fn bucket(&self, buckets: u32) -> u32 {
        match self {
            Self::Fnv1a(hash) => hash.bucket(buckets),
            Self::Crc32(hash) => hash.bucket(buckets),
            Self::Murmur3(hash) => hash.bucket(buckets),
            Self::Java31(hash) => hash.bucket(buckets),
            Self::Modulo(hash) => hash.bucket(buckets),
            Self::None | Self::Random(_) | Self::Md5(_) => 0,
        }
    }

    /// Writes the bytes into `front`, which is as long as `lead` is wide.
    pub(super) fn write(self, lead: &Lead, front: &mut [u8]) {
        match (lead, self) {
            (Lead::Salt { buckets, first, .. }, state) => {
                salt::put(first.saturating_add(state.bucket(*buckets)), front);
            }
            (Lead::RandomSalt { first, .. }, Self::Random(index)) => {
                salt::put(first.saturating_add(index), front);
            }
            (Lead::HashPrefix { digest, sep, .. }, Self::Md5(state)) => {
                if let Some((md5, rest)) = front.split_at_mut_checked(digest.len) {
                    put_md5(state.finish(), digest.hex, md5);
                    rest.iter_mut().zip(sep).for_each(|(to, sep)| *to = *sep);
                }
            }
            _ => {}
        }
    }
}
