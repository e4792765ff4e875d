//! The fields of a row key, and the types of fields; a type may be a nested key, which has fields
//! of its own.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::{Attributes, End};
use crate::order::OrderClass;
use crate::tags::Tags;

/// One field of a row key.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    name: String,
    ty: Type,
    attributes: Attributes,
    tags: Tags,
}

impl Field {
    /// Returns a field with this name, type and attributes, without checking them.
    #[doc(hidden)]
    pub fn new(name: String, ty: Type, attributes: Attributes) -> Self {
        Self { name, ty, attributes, tags: Tags::default() }
    }

    /// Returns this field with `tags`, the tags of an enum whose variants are the values of the
    /// field.
    #[doc(hidden)]
    pub fn with_tags(self, tags: Tags) -> Self {
        Self { tags, ..self }
    }

    /// Returns the name of the field.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the values.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the attributes of the field, which describe how it is encoded.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Returns the variants of the enum and the tags that are written for them, or `None` if the
    /// type of the field is not an enum.
    pub fn tags(&self) -> Option<&Tags> {
        Some(&self.tags).filter(|tags| !tags.is_empty())
    }

    pub(crate) fn attributes_mut(&mut self) -> &mut Attributes {
        &mut self.attributes
    }

    /// Returns the number of bytes of each value, if it is the same for all values.
    ///
    /// Returns `None` for a compatibility encoding, because only the type that implements the
    /// encoding has the width.
    pub fn width(&self) -> Option<usize> {
        if self.attributes.compat.is_some() { None } else { self.width_without_compat() }
    }

    /// Returns the number of bytes of each value in this library's own encoding, if it is the same
    /// for all values.
    pub(crate) fn width_without_compat(&self) -> Option<usize> {
        let attributes = &self.attributes;
        if let Some(md5) = attributes.md5 {
            return Some(md5.len);
        }
        if attributes.rev_ts.is_some() {
            return Some(8);
        }
        if matches!(self.ty, Type::Optional(_) | Type::List(_)) {
            return None;
        }
        match (attributes.digits, attributes.end()) {
            (Some(digits), _) => Some(digits),
            (None, End::Width { width, .. }) => Some(width),
            (None, End::Native) => self.ty.width(),
            (None, End::Escaped | End::Byte(_)) => None,
        }
    }

    /// Returns whether no encoded value is a prefix of another, so that another field may follow.
    pub fn is_prefix_free(&self) -> bool {
        let attributes = &self.attributes;
        match &self.ty {
            // If the encoding were not prefix-free, the type of the key would not compile.
            _ if attributes.compat.is_some() => true,
            Type::List(_) => attributes.terminated,
            ty => {
                attributes.md5.is_some() || attributes.end() != End::Native || ty.is_prefix_free()
            }
        }
    }

    /// Returns how the order of the encoded bytes relates to the order of the values.
    pub fn order(&self) -> OrderClass {
        let attributes = &self.attributes;
        if attributes.compat.is_some() {
            return OrderClass::Grouped;
        }
        if attributes.md5.is_some() {
            return OrderClass::Hashed;
        }
        if attributes.rev_ts.is_some() {
            return OrderClass::Reversed;
        }
        let order = self.ascending_order();
        if attributes.desc { order.inverse() } else { order }
    }

    /// Returns the order that the field would have without `desc`. The field must be neither hashed
    /// nor a reverse timestamp.
    #[doc(hidden)]
    pub fn ascending_order(&self) -> OrderClass {
        let order =
            if self.attributes.reverse { OrderClass::Grouped } else { self.forward_order() };
        match (&self.ty, order) {
            (Type::List(_), OrderClass::Natural) => OrderClass::Natural,
            (Type::List(_), _) => OrderClass::Grouped,
            (_, order) => order,
        }
    }

    /// Returns the order that the field would have without `reverse` and `desc`.
    fn forward_order(&self) -> OrderClass {
        match self.attributes.end() {
            End::Byte(_) if !self.sorts_above_end() => OrderClass::Grouped,
            End::Byte(_) => OrderClass::Natural,
            _ => self.tags().map_or_else(|| self.ty.order(), Tags::order),
        }
    }

    /// Returns whether all characters of a text sort above the byte that ends the text; true if no
    /// single byte ends it.
    pub(crate) fn sorts_above_end(&self) -> bool {
        let End::Byte(sep) = self.attributes.end() else { return true };
        let up_to = u128::MAX >> (127 - (sep & 0x7f));
        sep == 0 || self.attributes.chars.is_some_and(|set| set & up_to == 0)
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `u8` to `u128` and `i8` to `i128`.
    Int(Int),
    /// `f32` or `f64`, as the number of bytes: 4 or 8.
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
    /// `Vec<T>`; the encoding of the field applies to each item.
    List(Box<Type>),
    /// `TagPairs<K, V, N>`.
    TagPairs {
        /// The maximum number of pairs.
        max: usize,
        /// The type of the first half of a pair; the pairs are sorted by their first halves.
        key: Box<Type>,
        /// The type of the second half of a pair.
        value: Box<Type>,
    },
    /// A type that only compatibility encodings support, as its word in a schema: `decimal`,
    /// `number` or `timestamp`.
    Foreign(&'static str),
    /// A nested key.
    Key(Vec<Field>),
    /// A type that only the compiler can resolve: an alias, a type parameter, or a type of the
    /// user's own. No schema contains such a type.
    #[doc(hidden)]
    Unknown(Guess),
}

/// The kind of type that the syntax of an unknown type suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Guess {
    /// Nothing.
    Nothing,
    /// An array of bytes whose length is given by the name of a constant.
    Array,
    /// `NonNeg<T>`.
    NonNeg,
    /// `Decimal`.
    Decimal,
    /// `Number`.
    Number,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// The number of bytes.
    pub bytes: usize,
    /// Whether the Rust type is signed.
    pub signed: bool,
    /// The numbers that the type excludes.
    pub limit: Limit,
}

/// The numbers that an integer type excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// None.
    Any,
    /// Zero, for `NonZero<T>`.
    NonZero,
    /// Numbers below zero, for `NonNeg<T>`.
    NonNeg,
}

impl Type {
    /// The words for the types that only compatibility encodings support.
    pub(crate) const FOREIGN: [&str; 3] = ["decimal", "number", "timestamp"];

    /// Returns the number of bytes of each value, if it is the same for all values.
    pub(crate) fn width(&self) -> Option<usize> {
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
            Self::Unknown(_) => None,
        }
    }

    /// Returns whether no encoded value is a prefix of another. Returns true for unknown types,
    /// because the compiler checks them.
    pub(crate) fn is_prefix_free(&self) -> bool {
        match self {
            Self::Text | Self::Bytes | Self::List(_) | Self::TagPairs { .. } => false,
            Self::Optional(some) => some.is_prefix_free(),
            Self::Key(fields) => fields.iter().all(Field::is_prefix_free),
            _ => true,
        }
    }

    pub(crate) fn order(&self) -> OrderClass {
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
                let orders = fields.iter().map(Field::order);
                orders.reduce(OrderClass::then).unwrap_or(OrderClass::Natural)
            }
            _ => OrderClass::Natural,
        }
    }

    /// Returns the type of the value in an `Option` or of the items of a list; any other type is
    /// returned unchanged.
    ///
    /// ```
    /// use tallrow_layout::Type;
    ///
    /// assert_eq!(*Type::Optional(Box::new(Type::Text)).innermost(), Type::Text);
    /// ```
    pub fn innermost(&self) -> &Self {
        match self {
            Self::Optional(some) | Self::List(some) => some.innermost(),
            other => other,
        }
    }

    /// Returns the fields of a nested key, of a nested key in an `Option`, or of the nested keys in
    /// a list; empty for any other type.
    pub(crate) fn inner_fields(&self) -> &[Field] {
        match self.innermost() {
            Self::Key(fields) => fields,
            _ => &[],
        }
    }

    /// Returns the fields of a nested key, of a nested key in an `Option`, or of the nested keys in
    /// a list, to be changed.
    #[doc(hidden)]
    pub fn inner_fields_mut(&mut self) -> Option<&mut Vec<Field>> {
        match self {
            Self::Key(fields) => Some(fields),
            Self::Optional(some) | Self::List(some) => some.inner_fields_mut(),
            _ => None,
        }
    }

    /// Returns whether only the compiler can resolve the type or, for an `Option` or a list, the
    /// type of the values in it. An array of bytes whose length is a constant is not unknown in
    /// this sense.
    #[doc(hidden)]
    pub fn is_unknown(&self) -> bool {
        matches!(self.innermost(), Self::Unknown(guess) if *guess != Guess::Array)
    }

    pub(crate) fn is_text_or_bytes(&self) -> bool {
        matches!(self, Self::Text | Self::Bytes)
    }

    /// Returns whether a value ends only where the row key ends.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Optional(some) => some.is_open(),
            other => other.is_text_or_bytes(),
        }
    }

    /// Returns whether a value has plain bytes that can be hashed and are the same in every client.
    pub(crate) fn is_hashable(&self) -> bool {
        match self {
            Self::Int(int) => !(int.signed && int.limit == Limit::NonZero),
            Self::Array(_) | Self::Uid(_) | Self::Uuid | Self::Text | Self::Bytes => true,
            Self::Unknown(_) => true,
            _ => false,
        }
    }
}
