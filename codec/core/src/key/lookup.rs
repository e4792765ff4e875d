//! Keys with ids in place of names, and the functions with which a client finds the ids and the
//! names.

use alloc::string::String;
use alloc::vec::Vec;

use crate::const_schema::bytes_equal;
use crate::encoding::Uid;

/// The id of a name: the type of a field with `lookup`.
///
/// ```
/// use tallrow_codec::{LookupId, Uid};
///
/// enum Hosts {}
///
/// let host: Option<Uid<Hosts, 3>> = LookupId::from_number(7);
/// assert_eq!(host.map(LookupId::to_number), Some(7));
/// assert_eq!(Uid::<Hosts, 3>::from_number(1 << 24), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the id of a name",
    label = "a field with `lookup` holds an id",
    note = "an id is a `Uid<T, BYTES>` or an unsigned integer of up to 64 bits"
)]
pub trait LookupId: Copy {
    /// The width of the ids in bytes, 1 to 8.
    const BYTES: usize;

    /// Returns the id with this number, or `None` if the number is too wide.
    fn from_number(number: u64) -> Option<Self>;

    /// Returns the number.
    fn to_number(self) -> u64;
}

impl<T, const BYTES: usize> LookupId for Uid<T, BYTES> {
    const BYTES: usize = BYTES;

    fn from_number(number: u64) -> Option<Self> {
        Self::new(number)
    }

    fn to_number(self) -> u64 {
        self.number()
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl LookupId for $int {
            const BYTES: usize = size_of::<$int>();

            fn from_number(number: u64) -> Option<Self> {
                number.try_into().ok()
            }

            fn to_number(self) -> u64 {
                self.into()
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

/// A row key with ids in place of names. The derive implements this trait for a key with
/// `#[key(lookup = "..")]` on a field.
///
/// The client replaces all names of a key at once; these functions are for programs that find ids
/// in another way.
///
/// ```
/// use tallrow_codec::{LookupKey, RowKey, Uid};
///
/// enum Hosts {}
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct LogKey {
///     #[key(lookup = "host")]
///     host: Uid<Hosts, 3>,
///     at: u64,
/// }
///
/// let names = LogKeyNames { host: "web01".into(), at: 5 };
/// assert_eq!(LogKey::LOOKUPS[0].kind(), "host");
/// assert_eq!(LogKey::names_in(&names), [(0, "web01")]);
///
/// let key = LogKey::from_names(&names, &[7]).ok_or("an id is missing or too large")?;
/// assert_eq!(key.encode(), [0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5]);
/// assert_eq!(key.ids(), [(0, 7)]);
/// assert_eq!(key.to_names(["web01".into()]), Some(names));
/// # Ok::<(), &str>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row key with names",
    label = "no field of it has a `lookup`",
    note = "add #[key(lookup = \"..\")] to the fields that hold the ids of names"
)]
pub trait LookupKey: Sized {
    /// The type of the key with names in place of ids: `LogKeyNames` for `LogKey`.
    type Names;

    /// The fields that hold ids; for an enum, those of all its variants.
    const LOOKUPS: &'static [LookupField];

    /// Returns the ids of the key, each with the index of its field in [`LOOKUPS`](Self::LOOKUPS).
    fn ids(&self) -> Vec<(usize, u64)>;

    /// Returns the names, each with the index of its field in [`LOOKUPS`](Self::LOOKUPS).
    fn names_in(names: &Self::Names) -> Vec<(usize, &str)>;

    /// Returns the key with these ids, which are in the order of [`names_in`](Self::names_in);
    /// `None` if an id is missing, or too large for its field.
    fn from_names(names: &Self::Names, ids: &[u64]) -> Option<Self>;

    /// Returns the key with these names, which are in the order of [`ids`](Self::ids); `None` if a
    /// name is missing.
    fn to_names(&self, names: impl IntoIterator<Item = String>) -> Option<Self::Names>;
}

/// A field that holds the id of a name.
///
/// See [`LookupKey`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupField {
    name: &'static str,
    kind: &'static str,
    bytes: usize,
}

impl LookupField {
    /// Returns a field with this name, this kind of names, and ids of `bytes` bytes.
    #[doc(hidden)]
    pub const fn new(name: &'static str, kind: &'static str, bytes: usize) -> Self {
        assert!(1 <= bytes && bytes <= 8, "the id of a name is 1 to 8 bytes wide");
        Self { name, kind, bytes }
    }

    /// Returns the name of the field.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the kind of the names, as the attribute `lookup` of the field states it.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns the width of the ids in bytes.
    pub const fn width(&self) -> usize {
        self.bytes
    }
}

/// Stops the build when two fields hold ids of the same kind with different widths.
pub(crate) const fn assert_same_widths(fields: &[LookupField]) {
    let mut rest = fields;
    while let [first, others @ ..] = rest {
        let mut left = others;
        while let [other, more @ ..] = left {
            if bytes_equal(first.kind.as_bytes(), other.kind.as_bytes()) {
                assert!(
                    first.bytes == other.bytes,
                    "fields with the same `lookup` have ids of different widths"
                );
            }
            left = more;
        }
        rest = others;
    }
}
