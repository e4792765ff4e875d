//! The attributes that choose the encoding of a field.
//!
//! An attribute has the same name in the derive, in the text of a schema and in the JSON of a
//! schema. The one exception is `terminated`, which is called `terminated_list` in the derive:
//! schemas keep the shorter word, because they are stored in tables.

use alloc::vec::Vec;

/// The attributes of a field, which describe how the field is encoded.
///
/// ```
/// use tallrow_layout::{Attributes, End};
///
/// let attributes = Attributes { width: Some(6), ..Attributes::default() };
/// assert_eq!(attributes.end(), End::Width { width: 6, pad: 0 });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The compatibility target, if the encoding is not this library's own.
    pub compat: Option<CompatTarget>,
    /// The part of the MD5 that is stored instead of the value, if the value is hashed.
    pub md5: Option<DigestPart>,
    /// How a reverse timestamp is computed.
    pub rev_ts: Option<RevTsKind>,
    /// Whether a text ends with the bytes 00 01, and a 00 byte inside the text is written as 00 FF.
    pub escaped: bool,
    /// Whether a text ends with a 00 byte, which the text itself may not contain.
    pub nul_terminated: bool,
    /// The byte that ends a text; the text itself may not contain this byte.
    pub sep: Option<u8>,
    /// The number of bytes to which a text is padded.
    pub width: Option<usize>,
    /// The padding byte; 00 if none is given.
    pub pad: Option<u8>,
    /// The ASCII characters that a text may contain: bit `c` is set if the character with the code
    /// `c` is allowed.
    pub chars: Option<u128>,
    /// The number of decimal digits with which a number is written.
    pub digits: Option<usize>,
    /// Whether a signed number is written as plain two's complement; negative numbers are refused.
    pub raw_be: bool,
    /// The period of a number: the row key contains the start of the period in which the number
    /// lies.
    pub floor: Option<u64>,
    /// Whether the characters of a text, or the digits of a number, are written in reverse order.
    pub reverse: bool,
    /// Whether a list has a 01 byte before each item and a 00 byte after the last item.
    pub terminated: bool,
    /// Whether every byte of the encoded value is inverted.
    pub desc: bool,
    /// The unit of a number that is shown as a time since 1970.
    pub display_time: Option<Unit>,
}

/// Defines [`Attribute`] with one variant for each field of [`Attributes`]; the name of that field
/// is the word for the attribute.
macro_rules! attributes {
    ($($name:ident $member:ident)*) => {
        /// The name of an attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is the attribute of its name")]
        pub enum Attribute {
            $($name,)*
        }

        impl Attribute {
            /// All attributes, in the order in which a schema writes them.
            pub const ALL: [Self; 16] = [$(Self::$name),*];

            /// Returns the name of the attribute in a schema. The derive uses the same name, except
            /// for `terminated`.
            ///
            /// ```
            /// assert_eq!(tallrow_layout::Attribute::RevTs.word(), "rev_ts");
            /// ```
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($member),)*
                }
            }

            /// Returns whether this attribute is set in `attributes`.
            fn is_given(self, attributes: &Attributes) -> bool {
                match self {
                    $(Self::$name => attributes.$member != Default::default(),)*
                }
            }
        }
    };
}

attributes! {
    Compat compat
    Md5 md5
    RevTs rev_ts
    Escaped escaped
    NulTerminated nul_terminated
    Sep sep
    Width width
    Pad pad
    Chars chars
    Digits digits
    RawBe raw_be
    Floor floor
    Reverse reverse
    Terminated terminated
    Desc desc
    DisplayTime display_time
}

impl Attributes {
    /// Returns the first name in `names` whose attribute is set.
    pub(crate) fn first_of(&self, names: &[Attribute]) -> Option<Attribute> {
        names.iter().copied().find(|name| name.is_given(self))
    }

    /// Returns the names of the attributes that are set.
    pub(crate) fn given(&self) -> impl Iterator<Item = Attribute> {
        Attribute::ALL.into_iter().filter(|name| name.is_given(self))
    }

    /// Returns the period of `floor` as a `u32`, or `None` if there is none or it does not fit. In
    /// a checked layout, the period always fits.
    #[doc(hidden)]
    pub fn floor_period(&self) -> Option<u32> {
        self.floor.and_then(|step| u32::try_from(step).ok())
    }

    /// Sets the padding byte to its default if a width is set without a padding byte, so that equal
    /// encodings compare equal.
    #[doc(hidden)]
    pub fn fill_in_default_pad(&mut self) {
        if self.width.is_some() {
            self.pad.get_or_insert(0);
        }
    }

    /// Returns how a text or bytes field ends.
    ///
    /// See [`Attributes`] for an example.
    pub fn end(&self) -> End {
        if self.escaped {
            End::Escaped
        } else if self.nul_terminated {
            End::Byte(0)
        } else if let Some(width) = self.width {
            End::Width { width, pad: self.pad.unwrap_or(0) }
        } else if let Some(sep) = self.sep {
            End::Byte(sep)
        } else {
            End::Native
        }
    }
}

/// How a text or bytes field ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// At the end of the row key. A value of a type with a fixed width, such as a number, ends
    /// after that width.
    #[default]
    Native,
    /// With the bytes 00 01; a 00 byte inside the value is written as 00 FF.
    Escaped,
    /// With this byte, which the value may not contain.
    Byte(u8),
    /// After a fixed width, to which the value is padded.
    Width {
        /// The width in bytes.
        width: usize,
        /// The padding byte.
        pad: u8,
    },
}

/// The part of an MD5 that is stored in a row key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestPart {
    /// Whether the part is written as lower-case hex digits.
    pub hex: bool,
    /// The number of bytes or, if `hex` is set, of hex digits.
    pub len: usize,
}

/// How a reverse timestamp is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevTsKind {
    /// `i64::MAX - time`.
    Max,
    /// `!time`.
    Inverted,
}

impl RevTsKind {
    /// Both kinds.
    #[doc(hidden)]
    pub const ALL: [Self; 2] = [Self::Max, Self::Inverted];

    /// Returns the word for this kind in an attribute and in a schema.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::RevTsKind::Inverted.word(), "inverted");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Inverted => "inverted",
        }
    }
}

/// The unit of a time since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Days.
    Days,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

impl Unit {
    /// All units.
    #[doc(hidden)]
    pub const ALL: [Self; 4] = [Self::Days, Self::Seconds, Self::Millis, Self::Micros];

    /// Returns the word for this unit in an attribute and in a schema.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::Unit::Millis.word(), "ms");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Days => "d",
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "us",
        }
    }

    /// Returns the length of the unit in nanoseconds.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::Unit::Millis.nanos(), 1_000_000);
    /// ```
    pub const fn nanos(self) -> u64 {
        match self {
            Self::Days => 86_400_000_000_000,
            Self::Seconds => 1_000_000_000,
            Self::Millis => 1_000_000,
            Self::Micros => 1_000,
        }
    }
}

/// A system whose encodings a key can use instead of this library's own encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompatTarget {
    /// The encodings of HBase's class `Bytes`.
    Hbase,
    /// The encodings of HBase's class `OrderedBytes`.
    HbaseOrdered,
    /// The encodings of Phoenix's columns.
    Phoenix,
    /// The encodings of Bigtable's key schemas.
    Bigtable,
}

impl CompatTarget {
    /// All compatibility targets.
    #[doc(hidden)]
    pub const ALL: [Self; 4] = [Self::Hbase, Self::HbaseOrdered, Self::Phoenix, Self::Bigtable];

    /// Returns the word for this target in an attribute and in a schema.
    ///
    /// ```
    /// assert_eq!(tallrow_layout::CompatTarget::HbaseOrdered.word(), "hbase_ordered");
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hbase => "hbase",
            Self::HbaseOrdered => "hbase_ordered",
            Self::Phoenix => "phoenix",
            Self::Bigtable => "bigtable",
        }
    }

    /// Returns the name of the target in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hbase => "HBase's `Bytes`",
            Self::HbaseOrdered => "HBase's `OrderedBytes`",
            Self::Phoenix => "Phoenix",
            Self::Bigtable => "a key schema of Bigtable",
        }
    }
}

/// Returns the ASCII characters of `set` in ascending order: bit `c` of `set` is for the character
/// with the code `c`.
///
/// ```
/// assert_eq!(tallrow_layout::chars(1 << b'a' | 1 << b'0'), b"0a");
/// ```
pub fn chars(set: u128) -> Vec<u8> {
    (0..128).filter(|c| set >> c & 1 == 1).collect()
}
