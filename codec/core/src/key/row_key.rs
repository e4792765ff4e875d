//! The traits of row keys, and what the derive implements for each key.

use core::marker::PhantomData;

use crate::const_schema::{SchemaLine, schema_fingerprint, schema_len, schema_str, schema_text};
use crate::encoding::Fallibility;
use crate::error::{DecodeError, EncodeError};
use crate::key_prefix::SaltOrHash;
use crate::row::RowKeyStorage;

/// An order-preserving row key; see `#[derive(RowKey)]`.
///
/// ```
/// use tallrow_codec::RowKey;
///
/// #[derive(RowKey)]
/// struct Reading {
///     device: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let key = Reading { device: 7, at: 0 };
/// assert_eq!(key.encode_key()?.as_ref() as &[u8], b"\0\0\0\x07\x7f\xff\xff\xff\xff\xff\xff\xff");
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
///
/// # `encode` and `encode_key`
/// The derive also adds a method `encode` to the type, which needs no import. It returns the bytes
/// themselves if every value of the key can be encoded, and a `Result` if one of its fields holds
/// values that do not fit its encoding: a text with a maximum length, or one that must not contain
/// its separator. The compiler therefore points out every place that must handle an error, and no
/// others. `encode_key`, of this trait, returns a `Result` for every key: call it in generic code,
/// or where the fields of the key may still change.
///
/// ```
/// use tallrow_codec::RowKey;
///
/// #[derive(RowKey)]
/// struct Order {
///     shop: u16,
///     number: u16,
/// }
///
/// #[derive(RowKey)]
/// struct Country {
///     #[key(width = 2)]
///     code: String,
/// }
///
/// let order = Order { shop: 1, number: 7 };
/// assert_eq!(order.encode(), [0, 1, 0, 7]);
/// assert_eq!(order.encode_key()?, [0, 1, 0, 7]);
///
/// let country = Country { code: "DEU".into() };
/// assert!(country.encode().is_err());
/// assert!(country.encode_key().is_err());
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row key",
    label = "not a row key",
    note = "add #[derive(RowKey)] to it; a key with a random salt is one in a bucket: \
         `RandomSalted<{Self}>`"
)]
pub trait RowKey: Sized {
    /// The type of the encoded row key: `[u8; N]` for a key of fixed width, otherwise a
    /// [`RowBuf`](crate::RowBuf) on the stack.
    type Encoded: AsRef<[u8]> + Clone;

    /// The layout of the row key as text, a line for each part; see [`schema`](crate::schema).
    const SCHEMA: &'static str;

    /// A hash of the layout of the row key: the types and encodings of its fields in order and the
    /// key prefix, without names.
    const FINGERPRINT: u64 = schema_fingerprint(Self::SCHEMA);

    /// Whether the key is a newtype whose values grow with time, so that all new rows go to one
    /// region.
    #[doc(hidden)]
    const GROWS: bool = false;

    /// Returns the bytes of the row key.
    ///
    /// # Errors
    /// When a value does not fit the encoding of its field: too long for its width, characters
    /// outside `chars`, a separator inside.
    fn encode_key(&self) -> Result<Self::Encoded, EncodeError>;
}

/// A row key that can be decoded: no field is hashed, and no field borrows a text that is stored in
/// changed form.
///
/// ```
/// use tallrow_codec::{DecodeRowKey, RowKey};
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct Reading {
///     device: u32,
///     at: u16,
/// }
///
/// assert_eq!(Reading::decode_key(&[0, 0, 0, 7, 1, 0])?, Reading { device: 7, at: 256 });
/// let error = Reading::decode_key(&[0, 0, 0, 7, 1]).unwrap_err();
/// assert_eq!(error.to_string(), "decode Reading: field at at byte 4: need 2 bytes, found 1");
/// # Ok::<(), tallrow_codec::DecodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the row key `{Self}` cannot be read back whole",
    label = "no decode for this key",
    note = "a hashed field does not hold its value, and a key with borrowed fields is read with its \
            own `decode`, which keeps the lifetime"
)]
pub trait DecodeRowKey: RowKey {
    /// Decodes a row key, and accepts it only if encoding the result gives exactly the same bytes.
    ///
    /// # Errors
    /// When the bytes are not those of an encoded key; the error names the field and the byte.
    fn decode_key(bytes: &[u8]) -> Result<Self, DecodeError>;
}

/// The types and constants of a derived key that this library uses.
#[doc(hidden)]
pub trait DerivedKey: 'static {
    /// The row key: the type itself or, with a random salt, the type in a bucket.
    type Key: RowKey;
    /// The key prefix: the bytes before the fields.
    type SaltOrHash: SaltOrHash + core::fmt::Debug;
    /// The encoded row key.
    type Row: RowKeyStorage;
    /// The error type of encoding, which says whether encoding can fail.
    type Error: Fallibility;
    /// The type that makes the compiler report a field that is not the next field of a scan or
    /// prefix.
    type FieldOrder: 'static;
    /// The name of the type.
    const TYPE_IDENT: &'static str;
    /// The only value of `FieldOrder`.
    const FIELD_ORDER: &'static Self::FieldOrder;
    /// The lines of the schema, if the derive does not know its text.
    const LINES: &'static [SchemaLine] = &[];
    /// The schema.
    const SCHEMA: &'static str;
}

/// Returns the schema of a key, which has at most `N` bytes.
///
/// A constant that calls this function is evaluated only where the constant is used; a constant
/// with the text would always be evaluated.
#[doc(hidden)]
pub const fn schema_of<K: DerivedKey, const N: usize>() -> &'static str {
    SchemaOf::<K, N>::TEXT
}

/// The schema of a key in `N` bytes.
struct SchemaOf<K, const N: usize>(PhantomData<K>);

impl<K: DerivedKey, const N: usize> SchemaOf<K, N> {
    const TEXT: &'static str = {
        let bytes: &'static [u8] = &Self::BYTES;
        schema_str(bytes.split_at(schema_len(K::LINES)).0)
    };

    const BYTES: [u8; N] = {
        assert!(
            schema_len(K::LINES) <= N,
            "the schema of a key with parameters is longer than 4096 bytes"
        );
        schema_text(K::LINES)
    };
}

/// A key whose fields can all be decoded. This trait is a bound of a derived `decode` that cannot
/// be called, so that the compiler reports the error message of this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the row key `{Self}` cannot be read back whole",
    label = "no decode for this key",
    note = "a field of it is hashed, so the row does not hold its value, or borrows a text that is \
            stored changed (escaped, descending, reversed): use Cow<str> or String there"
)]
pub trait DecodableKey<'row> {}
