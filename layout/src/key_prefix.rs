//! The bytes before the fields of a row key.

use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::DigestPart;
use crate::field::Field;

/// The bytes before the fields of a row key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaltOrHash {
    /// None.
    #[default]
    None,
    /// The number of a bucket, from a hash of fields.
    Salt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        bucket_offset: u32,
        /// How many bytes the number takes.
        width: usize,
        /// The hash function.
        hash: SaltFunction,
        /// The fields whose encoded bytes are hashed.
        fields: Vec<String>,
    },
    /// The number of a bucket, chosen by the writer.
    RandomSalt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        bucket_offset: u32,
        /// How many bytes the number takes.
        width: usize,
    },
    /// Part of an MD5.
    HashPrefix {
        /// Which part of it.
        digest: DigestPart,
        /// The byte after it.
        sep: Option<u8>,
        /// The fields whose plain values are hashed.
        fields: Vec<String>,
    },
}

impl SaltOrHash {
    /// Returns how many bytes it takes.
    pub fn width(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Salt { width, .. } | Self::RandomSalt { width, .. } => *width,
            Self::HashPrefix { digest, sep, .. } => digest.len + usize::from(sep.is_some()),
        }
    }

    /// Returns the names of the fields it is computed from.
    pub fn fields(&self) -> &[String] {
        match self {
            Self::None | Self::RandomSalt { .. } => &[],
            Self::Salt { fields, .. } | Self::HashPrefix { fields, .. } => fields,
        }
    }

    /// Returns whether it is computed from `field`, among others.
    #[doc(hidden)]
    pub fn hashes(&self, field: &Field) -> bool {
        self.fields().iter().any(|name| name == field.name())
    }
}

/// A hash function of a salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaltFunction {
    /// 32-bit FNV-1a.
    Fnv1a,
    /// CRC-32.
    Crc32,
    /// 32-bit Murmur3.
    Murmur3,
    /// `Arrays.hashCode` of Java, which Phoenix uses.
    JavaArraysHash,
    /// The number itself, modulo the number of buckets.
    Modulo,
}

impl SaltFunction {
    /// All hash functions.
    #[doc(hidden)]
    pub const ALL: [Self; 5] =
        [Self::Fnv1a, Self::Crc32, Self::Murmur3, Self::JavaArraysHash, Self::Modulo];

    /// Returns its name in an attribute and in a schema.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::SaltFunction::JavaArraysHash.word(), "java_arrays_hash");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fnv1a => "fnv1a",
            Self::Crc32 => "crc32",
            Self::Murmur3 => "murmur3",
            Self::JavaArraysHash => "java_arrays_hash",
            Self::Modulo => "modulo",
        }
    }
}
