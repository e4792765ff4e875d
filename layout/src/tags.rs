//! The tags of an enum whose variants have no fields: each variant is written as its tag.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::order::OrderClass;

/// The variants of an enum and their tags, in the order in which the values of the enum are
/// compared.
///
/// ```
/// use tallrow_layout::{OrderClass, Tag, Tags};
///
/// let tags: Tags = "1:Open 112:Paid".parse()?;
/// assert_eq!(tags.name(&Tag::Number(112)), Some("Paid"));
/// assert_eq!(tags.tag("Open"), Some(&Tag::Number(1)));
/// assert_eq!((tags.to_string(), tags.order()), ("1:Open 112:Paid".into(), OrderClass::Natural));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tags(Vec<(Tag, String)>);

/// The tag of a variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// An unsigned number.
    Number(u64),
    /// Bytes; all tags of an enum have the same number of bytes.
    Bytes(Vec<u8>),
}

impl Tags {
    /// Returns the tags in `list`, without checking them.
    #[doc(hidden)]
    pub fn new(list: Vec<(Tag, String)>) -> Self {
        Self(list)
    }

    /// Returns whether there are no tags, because the field is not an enum.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name of the variant with this tag.
    pub fn name(&self, tag: &Tag) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == tag).map(|(_, name)| &**name)
    }

    /// Returns the tag of the variant with this name.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.0.iter().find(|(_, own)| own == name).map(|(tag, _)| tag)
    }

    /// Returns how the order of the tags relates to the order of the values.
    pub fn order(&self) -> OrderClass {
        let tags = || self.0.iter().map(|(tag, _)| tag);
        if tags().is_sorted() {
            OrderClass::Natural
        } else if tags().rev().is_sorted() {
            OrderClass::Reversed
        } else {
            OrderClass::Grouped
        }
    }

    /// Returns the tags with the names of their variants.
    pub(crate) fn list(&self) -> &[(Tag, String)] {
        &self.0
    }
}

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (tag, name)) in self.0.iter().enumerate() {
            write!(f, "{}{tag}:{name}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl FromStr for Tags {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = |word: &str| {
            let (tag, name) = word.split_once(':')?;
            Some((tag.parse().ok()?, name.to_string()))
        };
        let all = text.split(' ').map(one).collect::<Option<_>>();
        all.map(Self).ok_or_else(|| {
            format!(
                "{text:?} are not tags with their variants, as in \"1:Open 2:Closed\" or \
                 \"0x4f50:Open\""
            )
        })
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Bytes(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

impl FromStr for Tag {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let Some(hex) = text.strip_prefix("0x") else {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            return text.parse().ok().filter(|_| digits).map(Self::Number).ok_or(());
        };
        let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return Err(()) };
        let byte = |pair: &[u8; 2]| {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            u8::try_from(high? << 4 | low?).ok()
        };
        pairs.iter().map(byte).collect::<Option<_>>().map(Self::Bytes).ok_or(())
    }
}
