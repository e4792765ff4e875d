//! Whether encoding can fail, as a type: the error of an encoding is [`Infallible`] or
//! [`FieldError`], and the return type of a derived key's `encode()` follows from the errors of its
//! fields.

use core::convert::Infallible;

use crate::error::{EncodeError, FieldError};

/// The error type of an encoding: [`Infallible`] when every value fits, [`FieldError`] when some
/// may not.
///
/// A key whose fields are all `Infallible` encodes to the bytes themselves; any other key encodes
/// to a `Result`.
///
/// ```
/// use core::convert::Infallible;
/// use tallrow_codec::{FieldError, Fallibility};
///
/// fn bytes() -> <Infallible as Fallibility>::Of<[u8; 2]> { [0, 1] }
/// fn maybe() -> <FieldError as Fallibility>::Of<[u8; 2]> { Ok([0, 1]) }
/// assert_eq!(Ok(bytes()), maybe());
/// ```
pub trait Fallibility: Sized + sealed::Sealed {
    /// `V` if encoding cannot fail, otherwise `Result<V, EncodeError>`.
    type Of<V>;
    /// The first failure so far; a unit type if encoding cannot fail.
    type Slot: Clone + Default + core::fmt::Debug;
    /// Whether encoding cannot fail.
    #[doc(hidden)]
    const IS_INFALLIBLE: bool;

    #[doc(hidden)]
    fn keep_first_error(slot: &mut Self::Slot, fault: Self, key: &'static str, field: &'static str);
    #[doc(hidden)]
    fn finish<V>(slot: Self::Slot, value: V) -> Self::Of<V>;
    #[doc(hidden)]
    fn in_field(self, field: &'static str) -> Self;
    #[doc(hidden)]
    fn into_result<V>(of: Self::Of<V>) -> Result<V, EncodeError>;
}

mod sealed {
    use super::{FieldError, Infallible};

    pub trait Sealed {}
    impl Sealed for Infallible {}
    impl Sealed for FieldError {}
}

impl Fallibility for Infallible {
    type Of<V> = V;
    type Slot = ();
    const IS_INFALLIBLE: bool = true;

    #[inline]
    fn keep_first_error(_: &mut (), fault: Self, _: &'static str, _: &'static str) {
        match fault {}
    }

    #[inline]
    fn finish<V>((): (), value: V) -> V {
        value
    }

    fn in_field(self, _: &'static str) -> Self {
        match self {}
    }

    #[inline]
    fn into_result<V>(of: V) -> Result<V, EncodeError> {
        Ok(of)
    }
}

impl Fallibility for FieldError {
    type Of<V> = Result<V, EncodeError>;
    type Slot = Option<EncodeError>;
    const IS_INFALLIBLE: bool = false;

    #[inline]
    fn keep_first_error(
        slot: &mut Option<EncodeError>,
        fault: Self,
        key: &'static str,
        field: &'static str,
    ) {
        slot.get_or_insert_with(|| EncodeError::new(key, field, fault));
    }

    #[inline]
    fn finish<V>(slot: Option<EncodeError>, value: V) -> Result<V, EncodeError> {
        match slot {
            None => Ok(value),
            Some(error) => Err(error),
        }
    }

    #[cold]
    fn in_field(self, field: &'static str) -> Self {
        FieldError::in_field(self, field)
    }

    #[inline]
    fn into_result<V>(of: Result<V, EncodeError>) -> Result<V, EncodeError> {
        of
    }
}
