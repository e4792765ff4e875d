//! What a condition compares a stored value with.

use std::cmp::Ordering;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, ByteArrayComparable, CompareType};

use crate::thrown::thrown;

/// The package of every comparator.
const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

/// A comparator with its operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Comparator {
    /// Bytes against bytes.
    Binary(Bytes),
    /// Bytes against as many bytes of the value.
    Prefix(Bytes),
    /// A signed 8-byte number against the value as one.
    Long(i64),
    /// Nothing: an absent or empty value.
    Null,
    /// Text somewhere in the value, whatever its case.
    Substring(String),
    /// Bytes against the value from an offset on.
    Component(Bytes, usize),
}

#[derive(Clone, PartialEq, prost::Message)]
struct SubstringMessage {
    #[prost(string, required, tag = "1")]
    substr: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct ComponentMessage {
    #[prost(bytes = "bytes", required, tag = "1")]
    value: Bytes,
    #[prost(uint32, required, tag = "2")]
    offset: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct BytesMessage {
    #[prost(message, required, tag = "1")]
    comparable: ByteArrayComparable,
}

impl Comparator {
    /// Reads a comparator.
    pub(crate) fn decode(message: &proto::Comparator) -> Result<Self, RemoteException> {
        let bytes = message.serialized_comparator.clone().unwrap_or_default();
        let bad = |e: prost::DecodeError| {
            let text = format!("{}: {e}", message.name);
            thrown(exception::DO_NOT_RETRY, text)
        };
        let operand = || {
            let comparable = BytesMessage::decode(bytes.clone()).map_err(bad)?.comparable;
            Ok::<_, RemoteException>(comparable.value.unwrap_or_default())
        };
        match message.name.strip_prefix(PACKAGE).unwrap_or_default() {
            "BinaryComparator" => Ok(Self::Binary(operand()?)),
            "BinaryPrefixComparator" => Ok(Self::Prefix(operand()?)),
            "LongComparator" => {
                let operand = operand()?;
                let number = operand[..].try_into().map(i64::from_be_bytes).map_err(|_| {
                    let text = format!("LongComparator with {} bytes, expected 8", operand.len());
                    thrown(exception::IO, text)
                })?;
                Ok(Self::Long(number))
            }
            "NullComparator" => Ok(Self::Null),
            "SubstringComparator" => {
                let message = SubstringMessage::decode(bytes.clone()).map_err(bad)?;
                Ok(Self::Substring(message.substr.to_lowercase()))
            }
            "BinaryComponentComparator" => {
                let message = ComponentMessage::decode(bytes.clone()).map_err(bad)?;
                Ok(Self::Component(message.value, message.offset as usize))
            }
            _ => Err(thrown(
                exception::IO,
                format!("java.lang.ClassNotFoundException: {}", message.name),
            )),
        }
    }

    /// Whether it stands for "absent".
    pub(crate) fn is_null(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Binary(bytes) | Self::Prefix(bytes) | Self::Component(bytes, _) => {
                bytes.is_empty()
            }
            Self::Substring(text) => text.is_empty(),
            Self::Long(_) => false,
        }
    }

    /// How the operand compares with a stored value.
    pub(crate) fn compare(&self, value: &[u8]) -> Ordering {
        match self {
            Self::Binary(operand) => operand[..].cmp(value),
            Self::Prefix(operand) => operand[..].cmp(value.get(..operand.len()).unwrap_or(value)),
            Self::Long(operand) => match value.try_into() {
                Ok(bytes) => operand.cmp(&i64::from_be_bytes(bytes)),
                Err(_) => operand.to_be_bytes()[..].cmp(value),
            },
            Self::Null => Ordering::Greater,
            Self::Substring(operand) => {
                let found =
                    String::from_utf8_lossy(value).to_lowercase().contains(operand.as_str());
                if found { Ordering::Equal } else { Ordering::Greater }
            }
            Self::Component(operand, offset) => {
                let part = value.get(*offset..).unwrap_or_default();
                operand[..].cmp(part.get(..operand.len()).unwrap_or(part))
            }
        }
    }
}

/// Whether "operand `compare_type` value" holds, when the two compare so.
pub(crate) fn holds(compare_type: CompareType, ordering: Ordering) -> bool {
    match compare_type {
        CompareType::Less => ordering.is_lt(),
        CompareType::LessOrEqual => ordering.is_le(),
        CompareType::Equal => ordering.is_eq(),
        CompareType::NotEqual => ordering.is_ne(),
        CompareType::GreaterOrEqual => ordering.is_ge(),
        CompareType::Greater => ordering.is_gt(),
        CompareType::NoOp => false,
    }
}
