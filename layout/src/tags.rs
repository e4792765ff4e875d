//! The tags of an enum whose variants have no fields, each of which is written as its tag.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::field::{Limit, Type};
use crate::model::is_name;
use crate::order::OrderClass;

/// The most bytes that a tag of bytes has.
const MAX_LEN: usize = 8;

/// The variants of an enum and their tags, in the order of the values.
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
    /// Bytes, as many as all tags of the enum have.
    Bytes(Vec<u8>),
}

impl Tags {
    /// Returns these tags, without checking them.
    #[doc(hidden)]
    pub fn new(list: Vec<(Tag, String)>) -> Self {
        Self(list)
    }

    /// Returns whether the field has no enum.
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

    /// Returns how the order of the tags relates to that of the values.
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

    /// Returns what is wrong with the tags of an enum that is written as `ty`, each with the index of its variant.
    #[doc(hidden)]
    pub fn check(&self, ty: &Type) -> Vec<(usize, String)> {
        let mut wrong = Vec::new();
        for (index, (tag, name)) in self.0.iter().enumerate() {
            let before = self.0.get(..index).unwrap_or_default();
            if let Some(message) = misfit(tag, ty.innermost()) {
                wrong.push((index, message));
            } else if let Some((_, other)) = before.iter().find(|(other, _)| other == tag) {
                let message = format!(
                    "tag {tag} is already used by `{other}`, so their rows could not be distinguished"
                );
                wrong.push((index, message));
            }
            if !is_name(name) || before.iter().any(|(_, other)| other == name) {
                wrong.push((index, format!("{name:?} is not a name, or that of two variants")));
            }
        }
        wrong
    }
}

/// Returns why a tag cannot be written as `ty`.
fn misfit(tag: &Tag, ty: &Type) -> Option<String> {
    match (tag, ty) {
        (Tag::Number(number), Type::Int(int)) if !int.signed && int.limit == Limit::Any => {
            let wider = match int.bytes {
                1 | 2 | 4 if *number >> (8 * int.bytes) == 0 => return None,
                1 => "u16",
                2 => "u32",
                _ => return Some(format!("tag {number} is too large: the maximum is 4294967295")),
            };
            Some(format!(
                "tag {number} does not fit a u{}; use `tag_type = {wider}`",
                8 * int.bytes
            ))
        }
        (Tag::Bytes(bytes), Type::Array(len)) => match bytes.len() {
            0 => Some("a tag needs at least one byte".to_string()),
            found if found > MAX_LEN => Some(format!("a tag has at most {MAX_LEN} bytes")),
            found if found == *len => None,
            found => Some(format!(
                "all tags of an enum have the same length: this one has {found} bytes, not {len}"
            )),
        },
        (Tag::Number(_), Type::Array(_)) | (Tag::Bytes(_), Type::Int(_)) => {
            Some("the tags of an enum are all numbers or all texts".to_string())
        }
        _ => Some("only u8, u16, u32 and [u8; N] hold the tags of an enum".to_string()),
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
            format!("{text:?} are not tags with their variants, as in \"1:Open 2:Closed\" or \"0x4f50:Open\"")
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
