//! Messages and enums, as a `.proto` file would declare them.

use std::collections::BTreeSet;

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) number: u32,
    pub(crate) name: String,
    /// `required`, `optional` or `repeated`.
    pub(crate) label: String,
    /// `uint32`, `bytes`, `message Get`, `enum Durability`, ..
    pub(crate) kind: String,
    pub(crate) default: Option<String>,
    pub(crate) packed: bool,
    /// The versions of HBase that have it; empty for a field of this crate.
    pub(crate) versions: Versions,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) number: i32,
    pub(crate) name: String,
    /// The versions of HBase that have it; empty for a value of this crate.
    pub(crate) versions: Versions,
}

/// What is declared.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    Message(Vec<Field>),
    Enum(Vec<Value>),
}

impl Parts {
    /// `message` or `enum`.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Message(_) => "message",
            Self::Enum(_) => "enum",
        }
    }
}

/// Versions of HBase, as `2.6`.
pub(crate) type Versions = BTreeSet<String>;

/// The name in a form that is the same for `read_type`, `readType` and `READ_TYPE`.
pub(crate) fn folded(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}
