//! The numbers that bound a layout.

/// The length of the longest row key that HBase accepts.
pub const MAX_ROW_LEN: usize = 32_767;
/// How deep keys may nest.
pub const MAX_NESTING: usize = 16;
/// The digits of the largest number, which has 128 bits.
pub const MAX_DIGITS: usize = 39;
/// The maximum width of a bucket number, in bytes.
pub(crate) const MAX_SALT_WIDTH: usize = 8;
/// Each bucket is a range of every scan that does not fix the salted fields.
pub(crate) const MAX_BUCKETS: u32 = 65_536;
/// The bytes of an MD5.
pub(crate) const MD5_BYTES: usize = 16;
/// The hex digits of an MD5.
pub(crate) const MD5_HEX: usize = 32;
/// The length above which a lint warns, because HBase stores the row key again with every cell.
pub(crate) const LONG_ROW_LEN: usize = 100;
