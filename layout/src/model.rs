//! A layout, its record variants, and the limits of layouts.

use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::CompatTarget;
use crate::field::Field;
use crate::key_prefix::SaltOrHash;

/// The length of the longest row key that HBase accepts, in bytes.
pub const MAX_ROW_LEN: usize = 32_767;
/// The maximum depth of nested keys.
pub const MAX_NESTING: usize = 16;
/// The number of decimal digits of the largest number of 128 bits.
pub const MAX_DIGITS: usize = 39;
/// The maximum width of a bucket number, in bytes.
pub(crate) const MAX_SALT_WIDTH: usize = 8;
/// The maximum number of buckets. It is limited because a scan that does not fix the salted fields
/// reads one range for each bucket.
pub(crate) const MAX_BUCKETS: u32 = 65_536;
/// The number of bytes of an MD5.
pub(crate) const MD5_BYTES: usize = 16;
/// The number of hex digits of an MD5.
pub(crate) const MD5_HEX: usize = 32;
/// The length in bytes above which a lint warns about a row key, because HBase stores the row key
/// again with every cell.
pub(crate) const LONG_ROW_LEN: usize = 100;

/// The layout of a row key; [`check`](crate::check) verifies it.
///
/// Fields are numbered in the order in which they are written: the fields that all rows share, then
/// the fields of each record variant. The fields of a nested key follow the field that contains the
/// key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The name of the key type.
    pub name: String,
    /// The name of the table that contains the keys, if it is given.
    pub table: Option<String>,
    /// The number of the layout, if the table has had other layouts.
    pub number: Option<u64>,
    /// The compatibility target of all fields. In the text of a schema, single fields give the
    /// target instead.
    pub compat: Option<CompatTarget>,
    /// The separator that is written after each text that has no end mark of its own and is not the
    /// last field.
    pub text_sep: Option<u8>,
    /// The key prefix: the bytes before the fields.
    pub prefix: SaltOrHash,
    /// The fields every row starts with: all fields of a struct, or the shared fields of an enum.
    pub fields: Vec<Field>,
    /// The record variants of an enum.
    pub records: Vec<RecordVariant>,
    /// The number of bytes of the tag of a record variant.
    pub tag_width: usize,
}

impl Layout {
    /// Returns all fields except those of nested keys, in the order in which they are written.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().chain(self.records.iter().flat_map(RecordVariant::fields))
    }

    /// Returns, for each field that [`all_fields`](Self::all_fields) returns, whether it is the
    /// last field of a row key.
    pub(crate) fn last_fields(&self) -> Vec<bool> {
        let last = |count: usize| (1..=count).map(move |index| index == count);
        match self.records.as_slice() {
            [] => last(self.fields.len()).collect(),
            // The tag follows the shared fields, so none of them is the last field.
            records => {
                let own = records.iter().flat_map(|record| last(record.fields.len()));
                core::iter::repeat_n(false, self.fields.len()).chain(own).collect()
            }
        }
    }

    pub(crate) fn all_fields_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        self.fields.iter_mut().chain(self.records.iter_mut().flat_map(|record| &mut record.fields))
    }
}

/// One record variant of an enum. In its rows, the shared fields are followed by a tag that
/// identifies the variant, and then by the variant's own fields.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordVariant {
    name: String,
    tag: u64,
    fields: Vec<Field>,
}

impl RecordVariant {
    /// Returns a record variant without checking it.
    #[doc(hidden)]
    pub fn new(name: String, tag: u64, fields: Vec<Field>) -> Self {
        Self { name, tag, fields }
    }

    /// Returns the name of the variant.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tag: the number that identifies the variant in a row.
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// Returns the variant's own fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

/// Returns whether `name` can be the name of a field: a word or, in a tuple, a number.
///
/// ```
/// assert!(tallrow_layout::is_field_name("r0w_key") && !tallrow_layout::is_field_name("row key"));
/// ```
pub fn is_field_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric())
}
