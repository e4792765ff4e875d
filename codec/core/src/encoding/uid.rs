//! Ids of names in a lookup table, and numbers that are not negative.

use core::cmp::Ordering;
use core::convert::Infallible;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::{Decoding, Encoding, Field, HashBytes, ListItem, Native};
use crate::const_schema::TypeName;
use crate::encoding::{GroupedOrder, NaturalOrder};
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

/// The id of a name in the lookup table `T`, `BYTES` bytes wide in a row key.
///
/// The application looks up the id of a name; the row key only stores the number. Ids of different
/// tables are different types. Rows of one id are next to each other, but ids do not sort as the
/// names do.
///
/// ```
/// use tallrow_codec::{Uid, RowKey};
///
/// enum Hosts {}
/// enum Metrics {}
///
/// #[derive(RowKey)]
/// struct Log {
///     host: Uid<Hosts>,
///     metric: Uid<Metrics, 3>,
///     at: u64,
/// }
///
/// let (Some(host), Some(metric)) = (Uid::new(7), Uid::new(0x0102)) else { unreachable!() };
/// let row: [u8; 19] = Log { host, metric, at: 1 }.encode();
/// assert_eq!(row[..11], [0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 2]);
/// assert_eq!(Uid::<Metrics, 3>::new(1 << 24), None);
/// ```
pub struct Uid<T, const BYTES: usize = 8> {
    number: u64,
    table: PhantomData<fn() -> T>,
}

impl<T, const BYTES: usize> Uid<T, BYTES> {
    /// Returns the id with this number, or `None` if the number takes more than `BYTES` bytes.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::Uid::<(), 1>::new(255).map(|id| id.number()), Some(255));
    /// ```
    pub const fn new(number: u64) -> Option<Self> {
        if BYTES == 0 || (BYTES < 8 && number >> (8 * BYTES) != 0) {
            return None;
        }
        Some(Self { number, table: PhantomData })
    }

    /// Returns the number.
    pub const fn number(self) -> u64 {
        self.number
    }
}

impl<T, const BYTES: usize> Clone for Uid<T, BYTES> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const BYTES: usize> Copy for Uid<T, BYTES> {}

impl<T, const BYTES: usize> PartialEq for Uid<T, BYTES> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T, const BYTES: usize> Eq for Uid<T, BYTES> {}

impl<T, const BYTES: usize> PartialOrd for Uid<T, BYTES> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T, const BYTES: usize> Ord for Uid<T, BYTES> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T, const BYTES: usize> Hash for Uid<T, BYTES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T, const BYTES: usize> fmt::Debug for Uid<T, BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uid({})", self.number)
    }
}

#[diagnostic::do_not_recommend]
impl<T, const BYTES: usize> ListItem for Uid<T, BYTES> {}

#[diagnostic::do_not_recommend]
impl<T, const BYTES: usize> Field for Uid<T, BYTES> {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::sized("uid ", BYTES, "");

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}

impl<T, const BYTES: usize> Encoding<Uid<T, BYTES>> for Native {
    type Order = GroupedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(BYTES);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &Uid<T, BYTES>, out: &mut S) -> Result<(), Infallible> {
        let mut bytes = [0; BYTES];
        put_id(value.number, &mut bytes);
        out.put(&bytes);
        Ok(())
    }
}

/// Fills `bytes` with the low bytes of `number`, big-endian.
#[inline]
pub(crate) fn put_id(number: u64, bytes: &mut [u8]) {
    for (to, from) in bytes.iter_mut().rev().zip(number.to_le_bytes()) {
        *to = from;
    }
}

/// Returns the number in `bytes`.
#[inline]
pub(crate) fn read_id(bytes: &[u8], input: &mut Input<'_>) -> Result<u64, Failed> {
    let number = bytes.iter().try_fold(0_u64, |number, byte| {
        (number >> 56 == 0).then_some(number << 8 | u64::from(*byte))
    });
    number.ok_or_else(|| input.fail(NOT_AN_ID))
}

const NOT_AN_ID: FieldErrorKind = FieldErrorKind::NotCanonical { expected: "an id of 64 bits" };

impl<T, const BYTES: usize> Decoding<'_, Uid<T, BYTES>> for Native {
    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<Uid<T, BYTES>, Failed> {
        let bytes = input.read_array::<BYTES>()?;
        let number = read_id(&bytes, input)?;
        Uid::new(number).ok_or_else(|| input.fail(NOT_AN_ID))
    }
}

#[diagnostic::do_not_recommend]
impl<T, const BYTES: usize> HashBytes for Uid<T, BYTES> {
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        self.number.hash_bytes(read)
    }
}

/// A signed number that is not negative, written as plain big-endian two's complement: the bytes of
/// `Bytes.toBytes(long)` of HBase. They sort as the numbers do, and encoding cannot fail.
///
/// ```
/// use tallrow_codec::{NonNeg, RowKey};
///
/// #[derive(RowKey)]
/// struct Log {
///     host: u32,
///     at: NonNeg<i64>,
/// }
///
/// let at = NonNeg::try_from(258_i64)?;
/// assert_eq!(Log { host: 1, at }.encode(), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2]);
/// assert!(NonNeg::try_from(-1_i64).is_err());
/// # Ok::<(), tallrow_codec::FieldErrorKind>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonNeg<T>(T);

macro_rules! non_neg {
    ($($int:ty)*) => {$(
        impl NonNeg<$int> {
            /// Returns the number, or `None` if it is negative.
            ///
            /// ```
            /// use tallrow_codec::NonNeg;
            ///
            #[doc = concat!("const SEVEN: NonNeg<", stringify!($int), "> = NonNeg::<", stringify!($int), ">::new(7).unwrap();")]
            /// assert_eq!(SEVEN.get(), 7);
            #[doc = concat!("assert_eq!(NonNeg::<", stringify!($int), ">::new(-1), None);")]
            /// ```
            pub const fn new(number: $int) -> Option<Self> {
                if number < 0 { None } else { Some(Self(number)) }
            }

            /// Returns the number.
            pub const fn get(self) -> $int {
                self.0
            }
        }

        impl TryFrom<$int> for NonNeg<$int> {
            type Error = FieldErrorKind;

            fn try_from(number: $int) -> Result<Self, FieldErrorKind> {
                if number < 0 {
                    return Err(FieldErrorKind::OutOfRange { allowed: "at least 0" });
                }
                Ok(Self(number))
            }
        }

        #[diagnostic::do_not_recommend]
        impl ListItem for NonNeg<$int> {}

        #[diagnostic::do_not_recommend]
        impl Field for NonNeg<$int> {
            type Arg = Self;
            const TYPE_NAME: TypeName = TypeName::word(concat!("nonneg ", stringify!($int)));

            #[inline(always)]
            fn as_arg(&self) -> &Self {
                self
            }
        }

        impl Encoding<NonNeg<$int>> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline(always)]
            fn encode<S: Sink>(value: &NonNeg<$int>, out: &mut S) -> Result<(), Infallible> {
                out.put(&value.0.to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, NonNeg<$int>> for Native {
            #[inline(always)]
            fn decode(input: &mut Input<'_>) -> Result<NonNeg<$int>, Failed> {
                let number = <$int>::from_be_bytes(input.read_array()?);
                NonNeg::try_from(number).map_err(|_| {
                    input.fail(FieldErrorKind::NotCanonical { expected: "a number of at least 0" })
                })
            }
        }

        #[diagnostic::do_not_recommend]
        impl HashBytes for NonNeg<$int> {
            fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
                self.0.hash_bytes(read)
            }
        }
    )*};
}

non_neg! { i8 i16 i32 i64 i128 }
