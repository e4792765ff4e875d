//! Comparators, with which a filter compares a row key, a family, a qualifier or a value.

use std::fmt;

use bytes::Bytes;

use super::{CompareOperator, RegexPattern};
use crate::key::compat::{Decimal, hbase};
use crate::model::value::{EncodeCell, KeyEncoded};

/// The operand with which a filter compares a row key, a family, a qualifier or a value, and the
/// way in which it compares them.
///
/// Bytes can be passed wherever a comparator is expected: they are converted into a
/// [`binary`](Comparator::binary) comparator.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{Comparator, CompareOperator},
/// };
///
/// let from_m = Filter::row(CompareOperator::GreaterOrEqual, "m");
/// let errors = Filter::value(CompareOperator::Equal, Comparator::substring("error"));
/// assert_eq!(
///     format!("{:?}", from_m.and(errors)),
///     r#"(RowFilter(>= "m") AND ValueFilter(= substring "error"))"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct Comparator(pub(crate) Operand);

/// The operand of a comparison, and how it is compared.
#[derive(Clone, PartialEq)]
pub(crate) enum Operand {
    Binary(Bytes),
    BinaryPrefix(Bytes),
    BinaryComponent(Bytes, u32),
    Bit(Bytes, BitwiseOp),
    AllBits(Bytes),
    Long(i64),
    BigDecimal(Decimal),
    Null,
    Regex(RegexPattern),
    Substring(String),
    /// The name of a class that only the servers know, and the bytes for its `parseFrom`.
    Custom(String, Bytes),
}

/// How [`Comparator::bit`] combines its bytes with those of a cell.
///
/// See [`Comparator::bit`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "HBase's BitComparator.BitwiseOp, complete")]
pub enum BitwiseOp {
    /// Bits that are set in both.
    And,
    /// Bits that are set in either.
    Or,
    /// Bits that are set in one of them only.
    Xor,
}

impl Comparator {
    /// Compares unsigned bytes, from the first byte on. If one value is a prefix of the other, it
    /// is the lesser one (`BinaryComparator`).
    ///
    /// See [`Comparator`] for an example of this and `substring`.
    pub fn binary(bytes: impl AsRef<[u8]>) -> Self {
        Self(Operand::Binary(Bytes::copy_from_slice(bytes.as_ref())))
    }

    /// Compares `bytes` with the same number of stored bytes, beginning with the first; the stored
    /// bytes after them do not matter (`BinaryPrefixComparator`).
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator}};
    /// let drafts = Filter::qualifier(CompareOperator::Equal, Comparator::binary_prefix("draft:"));
    /// assert_eq!(format!("{drafts:?}"), r#"QualifierFilter(= prefix "draft:")"#);
    /// ```
    pub fn binary_prefix(bytes: impl AsRef<[u8]>) -> Self {
        Self(Operand::BinaryPrefix(Bytes::copy_from_slice(bytes.as_ref())))
    }

    /// Compares `bytes` with the same number of stored bytes, beginning at `offset`
    /// (`BinaryComponentComparator`, HBase 2.3 and later).
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator}};
    /// let day_7 = Filter::row(CompareOperator::Equal, Comparator::binary_component([0, 7], 4));
    /// assert_eq!(format!("{day_7:?}"), r#"RowFilter(= "\x00\x07" at 4)"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::{Comparator, CompareOperator}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// // A device in 4 bytes, a day in 2.
    /// for (device, day) in [(1_u32, 6_u16), (1, 7), (2, 7)] {
    ///     let row = [&device.to_be_bytes()[..], &day.to_be_bytes()].concat();
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// let day_7 =
    ///     Filter::row(CompareOperator::Equal, Comparator::binary_component(7_u16.to_be_bytes(), 4));
    /// assert_eq!(table.count(Scan::all().filter(day_7)).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn binary_component(bytes: impl AsRef<[u8]>, offset: u32) -> Self {
        Self(Operand::BinaryComponent(Bytes::copy_from_slice(bytes.as_ref()), offset))
    }

    /// Is equal to stored bytes that have the length of `bytes` and for which `operation`, applied
    /// to both, yields any bit that is set (`BitComparator`). This comparator can be used only with
    /// `Equal` and `NotEqual`.
    ///
    /// ```
    /// use tallrow::{Filter, filter::{BitwiseOp, Comparator, CompareOperator}};
    /// let flagged = Filter::value(CompareOperator::Equal, Comparator::bit(BitwiseOp::And, [0, 0b100]));
    /// assert_eq!(format!("{flagged:?}"), r#"ValueFilter(= And bits "\x00\x04")"#);
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::{BitwiseOp, Comparator, CompareOperator}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, flags) in [("a", 0b001_u16), ("b", 0b110), ("c", 0b100)] {
    ///     table.put(Put::new(row).cell("d", "flags", flags.to_be_bytes())).await?;
    /// }
    /// let third = Comparator::bit(BitwiseOp::And, 0b100_u16.to_be_bytes());
    /// assert_eq!(table.count(Scan::all().filter(Filter::value(CompareOperator::Equal, third))).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn bit(operation: BitwiseOp, bytes: impl AsRef<[u8]>) -> Self {
        Self(Operand::Bit(Bytes::copy_from_slice(bytes.as_ref()), operation))
    }

    /// Is equal to stored bytes that have the length of `mask` and in which every bit of `mask` is
    /// set. This comparator can be used only with `Equal` and `NotEqual`.
    ///
    /// Bigtable has such a filter for values, `value_bitmask_filter`. HBase has none: it gets a
    /// `RegexStringComparator` with a pattern for each byte.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// use tallrow::{Filter, filter::{BitwiseOp, Comparator, CompareOperator}};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, flags) in [("a", 0b001_u16), ("b", 0b111), ("c", 0b100)] {
    ///     table.put(Put::new(row).cell("d", "flags", flags.to_be_bytes())).await?;
    /// }
    /// let mask = 0b101_u16.to_be_bytes();
    /// let with = |bits| Scan::all().filter(Filter::value(CompareOperator::Equal, bits));
    /// assert_eq!(table.count(with(Comparator::all_bits(mask))).await?, 1);
    /// // Any bit of the mask is enough for `bit`.
    /// assert_eq!(table.count(with(Comparator::bit(BitwiseOp::And, mask))).await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn all_bits(mask: impl AsRef<[u8]>) -> Self {
        Self(Operand::AllBits(Bytes::copy_from_slice(mask.as_ref())))
    }

    /// Compares signed numbers of 8 bytes (`LongComparator`). The result is undefined if the stored
    /// bytes are not 8 bytes long.
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator}};
    /// let below_zero = Filter::value(CompareOperator::Less, Comparator::long(0));
    /// assert_eq!(format!("{below_zero:?}"), "ValueFilter(< long 0)");
    /// ```
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::{Comparator, CompareOperator}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, balance) in [("a", -5_i64), ("b", 0), ("c", 7)] {
    ///     table.put(Put::new(row).cell("d", "balance", balance.to_be_bytes())).await?;
    /// }
    /// let negative = |with: Comparator| Scan::all().filter(Filter::value(CompareOperator::Less, with));
    /// assert_eq!(table.count(negative(Comparator::long(0))).await?, 1);
    /// // As bytes, negative numbers are the largest.
    /// assert_eq!(table.count(negative(Comparator::binary(0_i64.to_be_bytes()))).await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn long(number: i64) -> Self {
        Self(Operand::Long(number))
    }

    /// Compares decimal numbers in the encoding of [`Bytes`](crate::key::compat::hbase::Bytes)
    /// (`BigDecimalComparator`): 1.5 and 1.50 are equal. A read fails on the server if a stored
    /// value is shorter than 5 bytes, the shortest encoding of a number.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor};
    /// use tallrow::filter::{Comparator, CompareOperator};
    /// use tallrow::key::compat::{Decimal, hbase};
    /// use tallrow::value::{EncodeCell, KeyEncoded};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for price in ["-3", "9.99", "12.50", "120"] {
    ///     let mut cell = Vec::new();
    ///     KeyEncoded::<hbase::Bytes>::encode(&price.parse::<Decimal>()?, &mut cell)?;
    ///     table.put(Put::new(price).cell("d", "price", cell)).await?;
    /// }
    /// let from = Filter::value(CompareOperator::GreaterOrEqual, Comparator::big_decimal("12.5".parse()?));
    /// assert_eq!(table.count(Scan::all().filter(from)).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn big_decimal(number: Decimal) -> Self {
        Self(Operand::BigDecimal(number))
    }

    /// Makes a comparator that a Java class on the servers implements: `class` is the full name of
    /// the class with its package, and `bytes` are passed to `parseFrom` of the class. A read fails
    /// on a server that does not have the class.
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator}};
    /// let near = Filter::value(CompareOperator::Equal, Comparator::custom("org.example.Near", [7]));
    /// assert_eq!(format!("{near:?}"), r#"ValueFilter(= org.example.Near "\x07")"#);
    /// ```
    pub fn custom(class: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self(Operand::Custom(class.into(), Bytes::copy_from_slice(bytes.as_ref())))
    }

    /// Is not equal to any stored bytes, not even to an empty value (`NullComparator`). This
    /// comparator can be used only with `Equal` and `NotEqual`.
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator}};
    /// let there = Filter::column_value("d", "q", CompareOperator::NotEqual, Comparator::null());
    /// assert_eq!(format!("{there:?}"), "ColumnValueFilter(d:q != null)");
    /// ```
    pub fn null() -> Self {
        Self(Operand::Null)
    }

    /// Is equal to stored text in which this pattern matches anywhere (`RegexStringComparator`,
    /// with the patterns of `java.util.regex`). This comparator can be used only with `Equal` and
    /// `NotEqual`.
    ///
    /// See [`RegexPattern`] for an example, and for patterns on text that is not UTF-8.
    pub fn regex(pattern: impl Into<RegexPattern>) -> Self {
        Self(Operand::Regex(pattern.into()))
    }

    /// Is equal to stored text that contains `text`, ignoring case (`SubstringComparator`). This
    /// comparator can be used only with `Equal` and `NotEqual`.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, filter::{Comparator, CompareOperator}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for (row, line) in [("1", "ERROR: disk"), ("2", "no errors"), ("3", "started")] {
    ///     table.put(Put::new(row).cell("d", "line", line)).await?;
    /// }
    /// let lines = |with: Comparator| Scan::all().filter(Filter::value(CompareOperator::Equal, with));
    /// assert_eq!(table.count(lines(Comparator::substring("error"))).await?, 2);
    /// assert_eq!(table.count(lines(Comparator::regex("^ERROR"))).await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn substring(text: impl Into<String>) -> Self {
        Self(Operand::Substring(text.into()))
    }

    /// Returns the bytes of a binary comparator; `None` for other comparators.
    pub(crate) fn binary_operand(&self) -> Option<&[u8]> {
        match &self.0 {
            Operand::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns what is wrong with the use of this comparator with `compare`, if anything.
    pub(super) fn problem(&self, compare: CompareOperator) -> Option<String> {
        let name = match &self.0 {
            Operand::Binary(_)
            | Operand::BinaryPrefix(_)
            | Operand::BinaryComponent(..)
            | Operand::Long(_) => {
                return None;
            }
            Operand::BigDecimal(number) => {
                let encoded = KeyEncoded::<hbase::Bytes>::encode(number, &mut Vec::new());
                return encoded.err().map(|e| format!("a comparator of a decimal number: {e}"));
            }
            Operand::Custom(class, _) => {
                return class.is_empty().then(|| "a comparator has an empty class name".into());
            }
            Operand::Regex(_) => "a regular expression",
            Operand::AllBits(mask) if mask.is_empty() => {
                return Some("a mask of bits is empty; it has the length of the values".into());
            }
            Operand::Bit(..) => "a bit comparator",
            Operand::AllBits(_) => "a mask of bits",
            Operand::Null => "a null comparator",
            Operand::Substring(_) => "a substring",
        };
        (!matches!(compare, CompareOperator::Equal | CompareOperator::NotEqual)).then(|| {
            format!("{compare:?} does not apply to {name}, which is equal or not equal only")
        })
    }
}

impl<B: AsRef<[u8]>> From<B> for Comparator {
    fn from(bytes: B) -> Self {
        Self::binary(bytes)
    }
}

/// Returns the pattern that matches bytes with the length of a mask and all of its bits. It is
/// valid in Java, on Latin-1 text, and in RE2.
pub(crate) fn pattern_of_bits(mask: &[u8]) -> String {
    let class = |mask: &u8| class_of_bits(*mask, true).map(|class| format!("[{class}]"));
    mask.iter().filter_map(class).collect()
}

/// Returns a character class, without its brackets, of the bytes in which every bit of a mask is
/// set. If `has` is false, it is the class of all other bytes. `None` if there are no such bytes.
pub(crate) fn class_of_bits(mask: u8, has: bool) -> Option<String> {
    let mut class = String::new();
    let mut first = None;
    for byte in 0..=0xFF_u8 {
        let inside = (byte & mask == mask) == has;
        let is_last = byte == 0xFF;
        match (inside, first) {
            (true, None) => first = Some(byte),
            (false, Some(from)) => {
                class.push_str(&format!("\\x{from:02x}-\\x{:02x}", byte - 1));
                first = None;
            }
            _ => {}
        }
        if let Some(from) = first.filter(|_| is_last) {
            class.push_str(&format!("\\x{from:02x}-\\xff"));
        }
    }
    (!class.is_empty()).then_some(class)
}

/// How many bytes of an operand `Debug` shows.
const MAX_SHOWN: usize = 64;

impl fmt::Debug for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |bytes: &Bytes| match bytes.get(..MAX_SHOWN) {
            Some(head) => format!("\"{}\"... ({} bytes)", head.escape_ascii(), bytes.len()),
            None => format!("\"{}\"", bytes.escape_ascii()),
        };
        match &self.0 {
            Operand::Binary(bytes) => f.write_str(&shown(bytes)),
            Operand::BinaryPrefix(bytes) => write!(f, "prefix {}", shown(bytes)),
            Operand::BinaryComponent(bytes, offset) => write!(f, "{} at {offset}", shown(bytes)),
            Operand::Bit(bytes, bits) => write!(f, "{bits:?} bits {}", shown(bytes)),
            Operand::AllBits(mask) => write!(f, "all bits of {}", shown(mask)),
            Operand::Long(number) => write!(f, "long {number}"),
            Operand::BigDecimal(number) => write!(f, "decimal {number}"),
            Operand::Custom(class, bytes) => write!(f, "{class} {}", shown(bytes)),
            Operand::Null => f.write_str("null"),
            Operand::Regex(regex) => write!(f, "{regex:?}"),
            Operand::Substring(text) => write!(f, "substring {text:?}"),
        }
    }
}
