//! A field of a row key: its type and its form.

use alloc::string::String;

use super::model::DigestPart;
use super::ty::Type;
use crate::order::OrderClass;

/// One field of a row key.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) form: FieldForm,
}

/// The form of a field, as the attributes say it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldForm {
    pub(super) world: Option<World>,
    pub(super) md5: Option<DigestPart>,
    pub(super) stamp: Option<ReverseTime>,
    pub(super) end: End,
    pub(super) chars: Option<u128>,
    pub(super) digits: Option<usize>,
    pub(super) twos_complement: bool,
    pub(super) floor: Option<u32>,
    pub(super) reversed: bool,
    pub(super) marked: bool,
    pub(super) descending: bool,
    pub(super) time: Option<Unit>,
}

/// Whose bytes a field has, where they are not ours; see [`compat`](crate::compat).
///
/// The schema says them and the type alone reads and writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum World {
    /// HBase's `Bytes`.
    Bytes,
    /// HBase's `OrderedBytes`.
    OrderedBytes,
    /// Phoenix's columns.
    Phoenix,
    /// Bigtable's key schemas.
    Bigtable,
}

impl World {
    pub(super) const ALL: [Self; 4] =
        [Self::Bytes, Self::OrderedBytes, Self::Phoenix, Self::Bigtable];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Bytes => "Bytes",
            Self::OrderedBytes => "OrderedBytes",
            Self::Phoenix => "Phoenix",
            Self::Bigtable => "Bigtable",
        }
    }
}

/// How a reverse timestamp is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReverseTime {
    /// `i64::MAX - time`.
    Reverse,
    /// `!time`.
    Inverted,
}

/// How a text or bytes field ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// With the row key, or as numbers do, by its width.
    #[default]
    Native,
    /// With 00 01; an inner 00 is 00 FF.
    Escaped,
    /// With this byte, which it may not hold.
    Byte(u8),
    /// Filled up to a width.
    Width {
        /// How many bytes.
        width: usize,
        /// With what.
        pad: u8,
    },
}

/// What a time counts since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

impl Unit {
    pub(super) const ALL: [Self; 3] = [Self::Seconds, Self::Millis, Self::Micros];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "us",
        }
    }
}

impl Field {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the values.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns how a text ends.
    pub fn end(&self) -> End {
        self.form.end
    }

    /// Returns the characters a text may hold, one bit for each ASCII character; see
    /// [`char_set`](crate::char_set).
    pub fn chars(&self) -> Option<u128> {
        self.form.chars
    }

    /// Returns what the row holds of the MD5 of the value, instead of the value.
    pub fn md5(&self) -> Option<DigestPart> {
        self.form.md5
    }

    /// Returns how many decimal digits the number is written in.
    pub fn digits(&self) -> Option<usize> {
        self.form.digits
    }

    /// Returns the period whose start the row holds.
    pub fn floor(&self) -> Option<u32> {
        self.form.floor
    }

    /// Says whether negative numbers are refused, because the row holds plain two's complement.
    pub fn is_raw(&self) -> bool {
        self.form.twos_complement
    }

    /// Returns whose bytes it has, where they are not ours: such a field is not decoded or encoded by
    /// the schema, and its width, order and end are not known to it.
    pub fn world(&self) -> Option<World> {
        self.form.world
    }

    /// Says whether characters or digits stand last to first.
    pub fn is_reversed(&self) -> bool {
        self.form.reversed
    }

    /// Says whether a list has 01 in front of each item and 00 behind the last.
    pub fn is_marked(&self) -> bool {
        self.form.marked
    }

    /// Says whether every byte is inverted.
    pub fn is_descending(&self) -> bool {
        self.form.descending
    }

    /// Says whether the row holds `i64::MAX - time` or `!time`.
    pub fn is_reverse_timestamp(&self) -> bool {
        self.form.stamp.is_some()
    }

    /// Returns what the number counts since 1970, if it is a time.
    pub fn time(&self) -> Option<Unit> {
        self.form.time
    }

    /// Returns how many bytes each value takes, when it is the same for all.
    pub fn width(&self) -> Option<usize> {
        let form = &self.form;
        if form.world.is_some() {
            return None;
        }
        if let Some(md5) = form.md5 {
            return Some(md5.len);
        }
        if form.stamp.is_some() {
            return Some(8);
        }
        if matches!(self.ty, Type::Optional(_) | Type::List(_)) {
            return None;
        }
        match (form.digits, form.end) {
            (Some(digits), _) => Some(digits),
            (None, End::Width { width, .. }) => Some(width),
            (None, End::Native) => self.ty.width(),
            (None, End::Escaped | End::Byte(_)) => None,
        }
    }

    /// Says whether no encoding begins another, so that a field may follow.
    pub fn is_prefix_free(&self) -> bool {
        match &self.ty {
            // The type would not compile otherwise.
            _ if self.form.world.is_some() => true,
            Type::List(_) => self.form.marked,
            ty => self.form.md5.is_some() || self.form.end != End::Native || ty.is_prefix_free(),
        }
    }

    /// Returns what the order of the bytes says about the order of the values.
    pub fn order(&self) -> OrderClass {
        let form = &self.form;
        if form.world.is_some() {
            return OrderClass::Grouped;
        }
        if form.md5.is_some() {
            return OrderClass::Hashed;
        }
        if form.stamp.is_some() {
            return OrderClass::Reversed;
        }
        match (self.order_ascending(), form.descending) {
            (OrderClass::Natural, true) => OrderClass::Reversed,
            (OrderClass::Reversed, true) => OrderClass::Natural,
            (order, _) => order,
        }
    }

    /// Returns the order without `descending`, for a field that is neither hashed nor a reverse
    /// timestamp.
    pub(super) fn order_ascending(&self) -> OrderClass {
        let form = &self.form;
        let order = if form.reversed { OrderClass::Grouped } else { self.plain_order() };
        match (&self.ty, order) {
            (Type::List(_), OrderClass::Natural) => OrderClass::Natural,
            (Type::List(_), _) => OrderClass::Grouped,
            (_, order) => order,
        }
    }

    /// Returns the order without `reversed` and `descending`.
    fn plain_order(&self) -> OrderClass {
        match self.form.end {
            End::Byte(sep) => {
                let below = (1_u128 << (sep & 0x7f)) | ((1 << (sep & 0x7f)) - 1);
                let sorted = sep == 0 || self.form.chars.is_some_and(|set| set & below == 0);
                if sorted { OrderClass::Natural } else { OrderClass::Grouped }
            }
            _ => self.ty.order(),
        }
    }
}
