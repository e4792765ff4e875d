//! A schema and its parts.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::Field;

/// The layout of a row key as a value: what decodes, encodes, splits and describes rows without the
/// type they were written with.
///
/// ```
/// use tallrow_codec::RowKey;
/// use tallrow_codec::schema::Schema;
///
/// #[derive(RowKey)]
/// struct Login {
///     user: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let schema = Schema::parse(Login::SCHEMA)?;
/// let row = Login { user: 7, at: 1_700_000_000_000 }.encode();
/// let fields = schema.decode(&row)?;
/// assert_eq!(fields.to_string(), "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)");
/// assert_eq!(schema.encode_text("user=7, at=2023-11-14T22:13:20Z")?, row);
/// assert_eq!(schema.to_string(), Login::SCHEMA);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub(super) name: String,
    pub(super) table: Option<String>,
    pub(super) version: Option<u64>,
    pub(super) lead: KeyPrefix,
    pub(super) fields: Vec<Field>,
    pub(super) records: Vec<Record>,
    /// How many bytes the tag of a kind of rows takes.
    pub(super) tag_width: usize,
}

impl Schema {
    /// Returns the name of the key type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the table the keys are for, if the key names one.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns the version of the layout, if the key has one.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// Returns what stands in front of the fields.
    pub fn lead(&self) -> &KeyPrefix {
        &self.lead
    }

    /// Returns the fields every row starts with: all of a struct's, those an enum's kinds share.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the kinds of rows of an enum; none for a struct.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns how many bytes tell the kind of rows of an enum.
    pub fn tag_width(&self) -> usize {
        self.tag_width
    }

    /// Returns the kind of rows of this name.
    pub(super) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == name)
    }
}

/// One kind of rows of an enum: behind the shared fields a tag that tells it, then its own fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub(super) name: String,
    pub(super) tag: u32,
    pub(super) fields: Vec<Field>,
}

impl Record {
    /// Returns the name of the kind.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number that tells it.
    pub fn tag(&self) -> u32 {
        self.tag
    }

    /// Returns its own fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

/// What stands in front of the fields of a row key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyPrefix {
    /// Nothing.
    None,
    /// A bucket number.
    Salt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        first: u32,
        /// How many bytes the number takes.
        width: usize,
        /// The hash function.
        hash: SaltFunction,
        /// The fields whose encoded bytes are hashed.
        of: Vec<String>,
    },
    /// A bucket number the writer chooses.
    RandomSalt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        first: u32,
        /// How many bytes the number takes.
        width: usize,
    },
    /// A piece of an MD5.
    HashPrefix {
        /// How much of it.
        digest: DigestPart,
        /// What follows it.
        sep: Option<u8>,
        /// The fields whose plain values are hashed.
        of: Vec<String>,
    },
}

impl KeyPrefix {
    /// Returns how many bytes stand in front.
    pub fn width(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Salt { width, .. } | Self::RandomSalt { width, .. } => *width,
            Self::HashPrefix { digest, sep, .. } => digest.len + usize::from(sep.is_some()),
        }
    }

    /// Returns the names of the fields it is computed from.
    pub fn of(&self) -> &[String] {
        match self {
            Self::None | Self::RandomSalt { .. } => &[],
            Self::Salt { of, .. } | Self::HashPrefix { of, .. } => of,
        }
    }

    pub(super) fn feeds(&self, field: &Field) -> bool {
        self.of().contains(&field.name)
    }
}

/// A hash function of a salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaltFunction {
    /// [`Fnv1a`](crate::Fnv1a).
    Fnv1a,
    /// [`Crc32`](crate::Crc32).
    Crc32,
    /// [`Murmur3`](crate::Murmur3).
    Murmur3,
    /// [`JavaArraysHash`](crate::JavaArraysHash).
    JavaArraysHash,
    /// [`Modulo`](crate::Modulo).
    Modulo,
}

impl SaltFunction {
    pub(super) const ALL: [Self; 5] =
        [Self::Fnv1a, Self::Crc32, Self::Murmur3, Self::JavaArraysHash, Self::Modulo];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Fnv1a => "fnv1a",
            Self::Crc32 => "crc32",
            Self::Murmur3 => "murmur3",
            Self::JavaArraysHash => "java_arrays_hash",
            Self::Modulo => "modulo",
        }
    }
}

/// How much of an MD5 a row key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestPart {
    /// Whether it is written as lower-case hex digits.
    pub hex: bool,
    /// How many bytes or digits.
    pub len: usize,
}
