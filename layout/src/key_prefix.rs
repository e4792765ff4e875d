//! The key prefix: the bytes before the fields of a row key.

use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::DigestPart;
use crate::field::Field;

/// The key prefix: the bytes before the fields of a row key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaltOrHash {
    /// No key prefix.
    #[default]
    None,
    /// The number of a bucket, computed from a hash of fields.
    Salt {
        /// The number of buckets.
        buckets: u32,
        /// The number of the first bucket.
        bucket_offset: u32,
        /// The number of bytes of a bucket number.
        width: usize,
        /// The hash function.
        hash: SaltFunction,
        /// The fields whose encoded bytes are hashed.
        fields: Vec<String>,
    },
    /// The number of a bucket, chosen by the writer.
    RandomSalt {
        /// The number of buckets.
        buckets: u32,
        /// The number of the first bucket.
        bucket_offset: u32,
        /// The number of bytes of a bucket number.
        width: usize,
    },
    /// A part of the MD5 of fields.
    HashPrefix {
        /// The part of the MD5.
        digest: DigestPart,
        /// The byte after the part of the MD5, if there is one.
        sep: Option<u8>,
        /// The fields whose plain values are hashed.
        fields: Vec<String>,
    },
}

impl SaltOrHash {
    /// Returns the number of bytes of the key prefix.
    pub fn width(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Salt { width, .. } | Self::RandomSalt { width, .. } => *width,
            Self::HashPrefix { digest, sep, .. } => digest.len + usize::from(sep.is_some()),
        }
    }

    /// Returns the names of the fields from which the key prefix is computed.
    pub fn fields(&self) -> &[String] {
        match self {
            Self::None | Self::RandomSalt { .. } => &[],
            Self::Salt { fields, .. } | Self::HashPrefix { fields, .. } => fields,
        }
    }

    /// Returns whether `field` is one of the fields from which the key prefix is computed.
    #[doc(hidden)]
    pub fn hashes(&self, field: &Field) -> bool {
        self.fields().iter().any(|name| name == field.name())
    }
}

/// A hash function that computes a salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaltFunction {
    /// 64-bit FNV-1a, folded to 32 bits.
    Fnv1a,
    /// CRC-32.
    Crc32,
    /// 32-bit Murmur3.
    Murmur3,
    /// `Arrays.hashCode` of Java, which Phoenix uses.
    JavaArraysHash,
    /// No hash: the number in the field, modulo the number of buckets.
    Modulo,
}

impl SaltFunction {
    /// All hash functions.
    #[doc(hidden)]
    pub const ALL: [Self; 5] =
        [Self::Fnv1a, Self::Crc32, Self::Murmur3, Self::JavaArraysHash, Self::Modulo];

    /// Returns the word for this function in an attribute and in a schema.
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
