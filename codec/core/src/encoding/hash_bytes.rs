//! The plain bytes of a value, from which hashes are computed.

use core::num::NonZero;

/// A value that can be hashed, as its plain bytes before any encoding: text as UTF-8, bytes as they
/// are, integers big-endian in their own width (two's complement when signed, as `Bytes.toBytes` of
/// HBase).
///
/// ```
/// use tallrow_codec::HashBytes;
///
/// assert_eq!("bob".hash_bytes(|bytes| bytes.to_vec()), b"bob");
/// assert_eq!((-1_i16).hash_bytes(|bytes| bytes.to_vec()), [0xff, 0xff]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be hashed into a row key",
    label = "no plain bytes to hash",
    note = "text, bytes, integers and byte arrays can"
)]
pub trait HashBytes {
    /// Calls `read` with the plain bytes of the value.
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R;
}

#[diagnostic::do_not_recommend]
impl HashBytes for str {
    #[inline]
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        read(self.as_bytes())
    }
}

#[diagnostic::do_not_recommend]
impl HashBytes for [u8] {
    #[inline]
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        read(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> HashBytes for [u8; N] {
    #[inline]
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        read(self)
    }
}

macro_rules! int {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl HashBytes for $int {
            #[inline]
            fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
                read(&self.to_be_bytes())
            }
        }
    )*};
}

int! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

macro_rules! non_zero {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl HashBytes for NonZero<$int> {
            #[inline]
            fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
                self.get().hash_bytes(read)
            }
        }
    )*};
}

non_zero! { u8 u16 u32 u64 u128 }
