//! Split keys of a table: computed byte for byte as HBase's own algorithms compute them, or by
//! dividing samples of row keys into equal parts.
//!
//! A salted key has its split keys as a constant, `MyKey::SPLITS`. For other keys, the split keys
//! have to match the first bytes that the row keys can have, or regions stay empty: use
//! [`hex_string_splits`] for hex digits, [`decimal_string_splits`] for decimal digits, [`uniform`] for any bytes,
//! as in digests, and [`from_samples`] for unhashed text.

use alloc::vec::Vec;
use core::fmt;

/// The reason why split keys cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitError {
    /// Too few or too many regions were requested.
    RegionCount {
        /// The number of regions requested.
        found: usize,
        /// The maximum number of regions.
        max: u64,
    },
    /// The first row is not before the last.
    NotAscending,
    /// An end of the range is not 1 to 16 hex digits.
    InvalidHex,
    /// The buckets of a salt cannot be divided evenly among the requested regions.
    UnevenBuckets {
        /// The number of regions requested.
        found: usize,
        /// The number of buckets.
        buckets: u32,
    },
    /// More regions than buckets were requested, but no bucket can be divided, because its rows
    /// start with unhashed values of unknown distribution.
    MoreRegionsThanBuckets {
        /// The number of regions requested.
        found: usize,
        /// The number of buckets.
        buckets: u32,
    },
    /// The row keys start with unhashed values of unknown distribution.
    UnhashedValues,
    /// The name of the table is needed, but the schema does not contain it.
    NoTable,
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RegionCount { found, max } => {
                write!(f, "split a table: {found} regions, where 2 to {max} can be made")
            }
            Self::NotAscending => {
                f.write_str("split a table: the last row must sort after the first")
            }
            Self::InvalidHex => f.write_str("split a table: the ends must be 1 to 16 hex digits"),
            Self::UnevenBuckets { found, buckets } => {
                write!(
                    f,
                    "split a table: {found} regions do not share {buckets} buckets evenly; take one of "
                )?;
                let fits = (2..=*buckets).filter(|regions| buckets.is_multiple_of(*regions));
                for regions in fits {
                    write!(f, "{regions}, ")?;
                }
                write!(f, "or a multiple of {buckets}")
            }
            Self::MoreRegionsThanBuckets { found, buckets } => write!(
                f,
                "split a table: {found} regions cut through {buckets} buckets, whose rows start with unhashed \
                 values of unknown distribution; take {buckets}, or cut samples with split::sampled"
            ),
            Self::UnhashedValues => f.write_str(
                "split a table: its rows start with unhashed values of unknown distribution; \
                 cut samples of them with split::sampled",
            ),
            Self::NoTable => f.write_str(
                "split a table: the schema names no table; add `schema_table = \"..\"` to the key, \
                 or `table ..` to the schema",
            ),
        }
    }
}

impl core::error::Error for SplitError {}

/// Returns split keys for row keys that start with eight lower-case hex digits, as the
/// `HexStringSplit` of HBase's `RegionSplitter` does.
///
/// # Errors
/// For fewer than 2 regions.
///
/// ```
/// let splits = tallrow_codec::split::hex_string_splits(4)?;
/// assert_eq!(splits, [*b"40000000", *b"80000000", *b"c0000000"]);
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn hex_string_splits(regions: usize) -> Result<Vec<[u8; 8]>, SplitError> {
    even(regions, 1 << 32, |key| digits(key, 16))
}

/// Returns split keys for row keys that start with eight decimal digits, as the
/// `DecimalStringSplit` of HBase's `RegionSplitter` does.
///
/// # Errors
/// For fewer than 2 regions.
///
/// ```
/// let splits = tallrow_codec::split::decimal_string_splits(3)?;
/// assert_eq!(splits, [*b"33333333", *b"66666666"]);
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn decimal_string_splits(regions: usize) -> Result<Vec<[u8; 8]>, SplitError> {
    even(regions, 100_000_000, |key| digits(key, 10))
}

/// Cuts `0..space` into equal parts; the last part includes the remainder.
fn even<T>(regions: usize, space: u64, key: impl Fn(u64) -> T) -> Result<Vec<T>, SplitError> {
    let count = u64::try_from(regions).unwrap_or(u64::MAX);
    if count < 2 || count > space {
        return Err(SplitError::RegionCount { found: regions, max: space });
    }
    let size = space / count;
    Ok((1..count).map(|i| key(size * i)).collect())
}

/// Returns `number` as `N` digits.
fn digits<const N: usize>(mut number: u64, radix: u64) -> [u8; N] {
    let mut text = [b'0'; N];
    for place in text.iter_mut().rev() {
        let digit = (number % radix) as u8;
        *place = if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
        number /= radix;
    }
    text
}

/// Divides the range between two hex numbers evenly and returns the split keys, 16 hex digits each,
/// like `getHexSplits` in the HBase book. HBase's `Bytes.split` is no substitute, because it also
/// returns keys with bytes that are not hex digits.
///
/// # Errors
/// When an end is not 1 to 16 hex digits, or for fewer than 2 regions or more regions than there
/// are numbers.
///
/// ```
/// let splits = tallrow_codec::split::hex_between("0", "ffffffffffffffff", 16)?;
/// assert_eq!(splits[0], *b"0fffffffffffffff");
/// assert_eq!(splits[14], *b"effffffffffffff1");
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn hex_between(first: &str, last: &str, regions: usize) -> Result<Vec<[u8; 16]>, SplitError> {
    let number = |text: &str| {
        let plain = text.bytes().all(|b| b.is_ascii_hexdigit());
        u64::from_str_radix(text, 16).ok().filter(|_| plain).ok_or(SplitError::InvalidHex)
    };
    let (first, last) = (number(first)?, number(last)?);
    let range = last.checked_sub(first).ok_or(SplitError::NotAscending)?;
    even(regions, range, |offset| digits(first + offset, 16))
}

/// Returns split keys for row keys whose first bytes can be anything, such as digests: eight bytes
/// each, as the `UniformSplit` of HBase's `RegionSplitter` does.
///
/// # Errors
/// For fewer than 2 regions.
///
/// ```
/// let splits = tallrow_codec::split::uniform(2)?;
/// assert_eq!(splits, [[0x80, 0, 0, 0, 0, 0, 0, 0]]);
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn uniform(regions: usize) -> Result<Vec<Vec<u8>>, SplitError> {
    if regions < 2 {
        return Err(SplitError::RegionCount { found: regions, max: u64::MAX });
    }
    between(&[], &[0xff; 8], true, regions - 1)
}

/// Returns `count` row keys spaced evenly between `first` and `last`, without these two: the rows
/// that HBase's `Bytes.split(first, last, inclusive, count)` returns between its ends.
///
/// # Errors
/// When `last` does not sort after `first`; for a count of 0, or of `u32::MAX` and above.
///
/// ```
/// let splits = tallrow_codec::split::between(b"a", b"c", false, 1)?;
/// assert_eq!(splits, [b"b"]);
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn between(
    first: &[u8],
    last: &[u8],
    inclusive: bool,
    count: usize,
) -> Result<Vec<Vec<u8>>, SplitError> {
    let parts = match u32::try_from(count) {
        Ok(count) if count != 0 && count != u32::MAX => count + 1,
        _ => {
            return Err(SplitError::RegionCount {
                found: count.saturating_add(1),
                max: u32::MAX.into(),
            });
        }
    };
    let mut len = first.len().max(last.len());
    loop {
        let pad = |row: &[u8]| {
            let mut padded = row.to_vec();
            padded.resize(len, 0);
            padded
        };
        let (from, to) = (pad(first), pad(last));
        if from >= to {
            return Err(SplitError::NotAscending);
        }
        let mut gap = subtract(&to, &from);
        if inclusive {
            // One more byte at the start for the carry.
            gap.insert(0, 0);
            add_small(&mut gap, 1);
        }
        let step = divide(&gap, parts);
        if step.iter().all(|b| *b == 0) {
            // The gap is smaller than the number of rows: HBase adds a byte.
            len += 1;
            continue;
        }
        let row = |i: u32| {
            let mut row = multiply(&step, i);
            let mut carry = 0;
            for (to, from) in
                row.iter_mut().rev().zip(from.iter().rev().chain(core::iter::repeat(&0)))
            {
                let sum = u16::from(*to) + u16::from(*from) + carry;
                *to = (sum & 0xff) as u8;
                carry = sum >> 8;
            }
            row.split_off(row.len().saturating_sub(len))
        };
        return Ok((1..parts).map(row).collect());
    }
}

/// Returns `a - b`; both have the same length, and `a` is not smaller than `b`.
fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = a.to_vec();
    let mut borrow = 0;
    for (to, from) in out.iter_mut().rev().zip(b.iter().rev()) {
        let difference = i16::from(*to) - i16::from(*from) - borrow;
        borrow = i16::from(difference < 0);
        *to = difference.rem_euclid(256) as u8;
    }
    out
}

/// Adds `add` to `number` in place.
fn add_small(number: &mut [u8], mut add: u8) {
    for byte in number.iter_mut().rev() {
        let (sum, carry) = byte.overflowing_add(add);
        *byte = sum;
        add = u8::from(carry);
    }
}

/// Returns `number / by`.
fn divide(number: &[u8], by: u32) -> Vec<u8> {
    let by = u64::from(by);
    let mut rest = 0_u64;
    let digit = |byte: &u8| {
        rest = rest << 8 | u64::from(*byte);
        let quotient = rest / by;
        rest %= by;
        quotient as u8
    };
    number.iter().map(digit).collect()
}

/// Returns `number * by`, with four more bytes at its start for the carry.
fn multiply(number: &[u8], by: u32) -> Vec<u8> {
    let mut out = alloc::vec![0; 4];
    out.extend_from_slice(number);
    let mut carry = 0_u64;
    for byte in out.iter_mut().rev() {
        let product = u64::from(*byte) * u64::from(by) + carry;
        *byte = (product & 0xff) as u8;
        carry = product >> 8;
    }
    out
}

/// Returns split keys that divide samples of the row keys into equal parts. Use it for unhashed
/// text, whose first characters are not evenly distributed.
///
/// Returns fewer than `regions - 1` split keys if the samples contain too few different rows.
///
/// # Errors
/// For fewer than 2 regions.
///
/// ```
/// use tallrow_codec::split;
///
/// let users = ["amy", "bob", "ann", "cid", "bea", "al"];
/// assert_eq!(split::from_samples(users, 3)?, [b"ann", b"bob"]);
/// # Ok::<(), tallrow_codec::split::SplitError>(())
/// ```
pub fn from_samples(
    samples: impl IntoIterator<Item: AsRef<[u8]>>,
    regions: usize,
) -> Result<Vec<Vec<u8>>, SplitError> {
    if regions < 2 {
        return Err(SplitError::RegionCount { found: regions, max: u64::MAX });
    }
    let mut rows: Vec<Vec<u8>> = samples.into_iter().map(|row| row.as_ref().to_vec()).collect();
    rows.sort_unstable();
    let mut splits: Vec<Vec<u8>> = Vec::new();
    let least = rows.first().cloned();
    for i in 1..regions {
        // In u128, because a count of samples times a count of regions may not fit a usize.
        let at = rows.len() as u128 * i as u128 / regions as u128;
        let row = usize::try_from(at).ok().and_then(|at| rows.get(at));
        if let Some(row) = row
            && Some(row) > splits.last()
            && Some(row) != least.as_ref()
        {
            splits.push(row.clone());
        }
    }
    Ok(splits)
}
