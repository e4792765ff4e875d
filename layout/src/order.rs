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
    /// The bytes sort in ascending order of the values.
    Natural,
    /// The bytes sort in descending order of the values.
    Reversed,
    /// Rows with equal values are adjacent, but rows do not sort in the order of the values.
    Grouped,
    /// Rows with equal values are adjacent, and different values are spread over the table.
    Hashed,
}

impl OrderClass {
    /// Returns the class of the encoding in which every byte is inverted.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Natural => Self::Reversed,
            Self::Reversed => Self::Natural,
            other => other,
        }
    }

    /// Returns the class of two consecutive values: the first has this class, and the second has
    /// the class `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Natural, Self::Natural) => Self::Natural,
            (Self::Reversed, Self::Reversed) => Self::Reversed,
            _ => Self::Grouped,
        }
    }
}
