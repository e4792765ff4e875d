//! The types of fields.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::field::Field;
use crate::order::OrderClass;

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Type {
    /// `u8` to `u128` and `i8` to `i128`.
    Int(Int),
    /// `f32`, `f64`: 4 or 8 bytes.
    Float(usize),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `[u8; N]`.
    Array(usize),
    /// `Uid<T, N>`.
    Uid(usize),
    /// `Digest<N>`.
    Digest(usize),
    /// `uuid::Uuid`.
    Uuid,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// `Option<T>`.
    Optional(Box<Type>),
    /// `Vec<T>`; the form of the field is that of each item.
    List(Box<Type>),
    /// `TagPairs<K, V, N>`.
    TagPairs {
        /// How many pairs there may be.
        most: usize,
        /// The type of what they sort by.
        key: Box<Type>,
        /// The type of what stands beside it.
        value: Box<Type>,
    },
    /// A number of another world: `decimal`, `number`, `timestamp`; see [`compat`](crate::compat).
    Foreign(&'static str),
    /// A nested key.
    Key(Vec<Field>),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// How many bytes.
    pub bytes: usize,
    /// Whether the Rust type is signed.
    pub signed: bool,
    /// Which of its numbers are left out.
    pub limit: Limit,
}

/// Which numbers an integer type leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// None.
    Any,
    /// Zero: `NonZero<T>`.
    NonZero,
    /// Those below zero: `NonNeg<T>`.
    NonNeg,
}

impl Type {
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Self::Int(int) => Some(int.bytes),
            Self::Float(bytes) => Some(*bytes),
            Self::Bool => Some(1),
            Self::Char => Some(4),
            Self::Uuid => Some(16),
            Self::Array(len) | Self::Uid(len) | Self::Digest(len) => Some(*len),
            Self::Text | Self::Bytes => None,
            Self::Optional(_) | Self::List(_) | Self::TagPairs { .. } | Self::Foreign(_) => None,
            Self::Key(fields) => {
                fields.iter().try_fold(0_usize, |sum, field| sum.checked_add(field.width()?))
            }
        }
    }

    pub(super) fn is_prefix_free(&self) -> bool {
        match self {
            Self::Text | Self::Bytes | Self::List(_) | Self::TagPairs { .. } => false,
            Self::Optional(some) => some.is_prefix_free(),
            Self::Key(fields) => fields.iter().all(Field::is_prefix_free),
            _ => true,
        }
    }

    pub(super) fn order(&self) -> OrderClass {
        match self {
            Self::Uid(_) => OrderClass::Grouped,
            Self::Digest(_) => OrderClass::Hashed,
            Self::Optional(some) | Self::List(some) => some.order(),
            Self::TagPairs { key, value, .. } => {
                let natural = |ty: &Self| ty.order() == OrderClass::Natural;
                if natural(key) && natural(value) {
                    OrderClass::Natural
                } else {
                    OrderClass::Grouped
                }
            }
            Self::Key(fields) => {
                let mut orders = fields.iter().map(Field::order);
                let first = orders.next().unwrap_or(OrderClass::Natural);
                orders.fold(first, |all, one| match (all, one) {
                    (OrderClass::Natural, OrderClass::Natural) => OrderClass::Natural,
                    (OrderClass::Reversed, OrderClass::Reversed) => OrderClass::Reversed,
                    _ => OrderClass::Grouped,
                })
            }
            _ => OrderClass::Natural,
        }
    }

    /// Returns the type of the one value, or of each item, when there is one.
    pub(super) fn innermost(&self) -> &Self {
        match self {
            Self::Optional(some) | Self::List(some) => some.innermost(),
            other => other,
        }
    }

    /// Lends the fields of a nested key.
    pub(super) fn inner_fields(&mut self) -> Option<&mut Vec<Field>> {
        match self {
            Self::Key(fields) => Some(fields),
            Self::Optional(some) | Self::List(some) => some.inner_fields(),
            _ => None,
        }
    }
}
