//! The comparison operators of filters and conditions, with the inverse and the mirror image of
//! each.

/// A comparison of a stored value with a given value, both as unsigned bytes.
///
/// ```
/// use tallrow::{Put, filter::CompareOperator, op::Check};
///
/// // Writes the new price only if the stored one is greater.
/// let put = Put::new("book1").cell("d", "price", [9]);
/// let lower = Check::new("book1", "d", "price").if_matches(CompareOperator::Greater, [9]).then(put);
/// # let _ = lower;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareOperator {
    /// The stored value is less than the given one.
    Less,
    /// The stored value is less than or equal to the given one.
    LessOrEqual,
    /// The stored value is equal to the given one.
    Equal,
    /// The stored value is not equal to the given one; false for an absent cell.
    NotEqual,
    /// The stored value is greater than or equal to the given one.
    GreaterOrEqual,
    /// The stored value is greater than the given one.
    Greater,
}

impl CompareOperator {
    /// All comparisons.
    ///
    /// ```
    /// use tallrow::filter::CompareOperator;
    /// assert!(CompareOperator::ALL.contains(&CompareOperator::Less));
    /// ```
    pub const ALL: [Self; 6] = [
        Self::Less,
        Self::LessOrEqual,
        Self::Equal,
        Self::NotEqual,
        Self::GreaterOrEqual,
        Self::Greater,
    ];

    /// Returns the comparison that holds exactly when this comparison does not hold.
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

    /// Returns the comparison that has the same result if the two operands are swapped.
    pub(crate) fn swap_operands(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
        }
    }

    /// Returns the comparison as an operator.
    pub(crate) fn symbol(self) -> &'static str {
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
