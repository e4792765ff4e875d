//! How the order of encoded bytes relates to the order of the values.

/// How the order of the encoded bytes relates to the order of the values.
///
/// ```
/// use tallrow_layout::OrderClass;
///
/// assert_eq!(OrderClass::Natural.inverse(), OrderClass::Reversed);
/// assert_eq!(OrderClass::Natural.then(OrderClass::Reversed), OrderClass::Grouped);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderClass {
    /// Bytes sort as the values do.
    Natural,
    /// Bytes sort as the values do, largest first.
    Reversed,
    /// Rows of one value are next to each other, but not in the order of the values.
    Grouped,
    /// Rows of one value are next to each other, and the values are spread over the table.
    Hashed,
}

impl OrderClass {
    /// Returns the class of the same bytes inverted.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Natural => Self::Reversed,
            Self::Reversed => Self::Natural,
            other => other,
        }
    }

    /// Returns the class of two values one after the other, this one first.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Natural, Self::Natural) => Self::Natural,
            (Self::Reversed, Self::Reversed) => Self::Reversed,
            _ => Self::Grouped,
        }
    }
}
