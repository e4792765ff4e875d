//! The comparison operators of filters and conditions, with the inverse and the mirror image of
//! each.

/// How a stored value is compared with a given one, as unsigned bytes.
///
/// ```
/// use tallrow::{Put, filter::Compare, op::Check};
///
/// // Writes the new price only if the stored one is greater.
/// let put = Put::new("book1").cell("d", "price", [9]);
/// let lower = Check::new("book1", "d", "price").if_matches(Compare::Greater, [9]).then(put);
/// # let _ = lower;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compare {
    /// The stored value is less than the given one.
    Less,
    /// The stored value is the given one or less.
    LessOrEqual,
    /// The stored value is the given one.
    Equal,
    /// The stored value is another one; false for an absent cell.
    NotEqual,
    /// The stored value is the given one or greater.
    GreaterOrEqual,
    /// The stored value is greater than the given one.
    Greater,
}

impl Compare {
    /// Each of them.
    ///
    /// ```
    /// use tallrow::filter::Compare;
    /// assert!(Compare::ALL.contains(&Compare::Less));
    /// ```
    pub const ALL: [Self; 6] = [
        Self::Less,
        Self::LessOrEqual,
        Self::Equal,
        Self::NotEqual,
        Self::GreaterOrEqual,
        Self::Greater,
    ];

    /// The comparison that holds exactly where this does not.
    pub(crate) fn inverse(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }

    /// The comparison that has the same result if its two operands are swapped.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
        }
    }

    /// The comparison as an operator.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
}
