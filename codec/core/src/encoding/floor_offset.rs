//! The remainder of a number, for a field that stores only the start of the number's period.

use super::FieldWrapper;
use super::number::floor_to;

/// The distance of a number from the start of its period of `STEP`. The attribute `floor = STEP`
/// omits this distance from the row key; store it in the column.
///
/// ```
/// use tallrow_codec::{FloorOffset, RowKey};
///
/// #[derive(RowKey)]
/// struct Hour {
///     metric: u16,
///     #[key(floor = 3600)]
///     at: u32,
/// }
///
/// let (row, offset) = Hour { metric: 5, at: 7300 }.locate();
/// assert_eq!(row, [0, 5, 0, 0, 0x1c, 0x20]);
/// assert_eq!(offset.get(), 100);
/// // Reading: the hour of the row, and the offset of the column.
/// assert_eq!(FloorOffset::<3600>::new(100).and_then(|offset| offset.join(7200_u32)), Some(7300));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloorOffset<const STEP: u32>(u32);

impl<const STEP: u32> FloorOffset<STEP> {
    /// Returns the offset if it is below `STEP`.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::FloorOffset::<60>::new(60), None);
    /// ```
    pub const fn new(offset: u32) -> Option<Self> {
        if offset < STEP { Some(Self(offset)) } else { None }
    }

    /// Returns the offset.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the start of the period of `number`, and the distance from it.
    ///
    /// ```
    /// use tallrow_codec::FloorOffset;
    ///
    /// assert_eq!(FloorOffset::<60>::split(125_u32), (120, FloorOffset::new(5).unwrap()));
    /// assert_eq!(FloorOffset::<60>::split(-1_i64), (-60, FloorOffset::new(59).unwrap()));
    /// ```
    pub fn split<T: Floorable>(number: T) -> (T, Self) {
        let (start, offset) = number.split::<STEP>();
        (start, Self(offset))
    }

    /// Returns the distance of `number` from the start of its period.
    #[doc(hidden)]
    pub fn of<T: Floorable>(number: &T) -> Self {
        Self(number.offset::<STEP>())
    }

    /// Returns the number at this distance from the start of a period, or `None` if the type cannot
    /// hold that number.
    ///
    /// ```
    /// use tallrow_codec::FloorOffset;
    ///
    /// let offset = FloorOffset::<60>::new(5).unwrap();
    /// assert_eq!((offset.join(120_u8), offset.join(255_u8)), (Some(125), None));
    /// ```
    pub fn join<T: Floorable>(self, start: T) -> Option<T> {
        start.join(self.0)
    }
}

/// A type of number that can be divided into periods: `u8` to `u64`, `i32`, `i64`. See
/// [`FloorOffset`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no periods",
    label = "expected u8 to u64, i32 or i64"
)]
pub trait Floorable: Sized + sealed::Sealed {
    #[doc(hidden)]
    fn offset<const STEP: u32>(&self) -> u32;
    #[doc(hidden)]
    fn split<const STEP: u32>(self) -> (Self, u32);
    #[doc(hidden)]
    fn join(self, offset: u32) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! period {
    ($($int:ty)*) => {$(
        impl sealed::Sealed for $int {}

        impl Floorable for $int {
            #[inline]
            fn offset<const STEP: u32>(&self) -> u32 {
                self.split::<STEP>().1
            }

            #[inline]
            fn split<const STEP: u32>(self) -> (Self, u32) {
                let number = i128::from(self);
                let start = floor_to(STEP, number, <$int>::MIN.into()).unwrap_or(number);
                (start as $int, (number - start) as u32)
            }

            #[inline]
            fn join(self, offset: u32) -> Option<Self> {
                (i128::from(self) + i128::from(offset)).try_into().ok()
            }
        }
    )*};
}

period! { u8 u16 u32 u64 i32 i64 }

#[diagnostic::do_not_recommend]
impl<T: FieldWrapper<Inner: Floorable + Copy>> sealed::Sealed for T {}

#[diagnostic::do_not_recommend]
impl<T: FieldWrapper<Inner: Floorable + Copy>> Floorable for T {
    fn offset<const STEP: u32>(&self) -> u32 {
        self.inner().offset::<STEP>()
    }

    fn split<const STEP: u32>(self) -> (Self, u32) {
        let (start, offset) = self.inner().split::<STEP>();
        (T::from_inner(start).unwrap_or(self), offset)
    }

    fn join(self, offset: u32) -> Option<Self> {
        T::from_inner(self.inner().join(offset)?).ok()
    }
}
