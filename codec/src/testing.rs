//! Tests that check, for your own key types, the properties that every row key must have; feature
//! `testing`.
//!
//! [`test_row_key!`](crate::test_row_key) generates the tests. Keys are sampled from the schema of
//! the type: the limits of every field, and many keys with common prefixes, so that field
//! separators are tested too.
//!
//! | test | passes if |
//! |---|---|
//! | [`order`](Keys::order) | rows sort as the values do, each field in its order class |
//! | [`prefix_freedom`](Keys::prefix_freedom) | no encoded value of a field is a prefix of another, so that the rows of a value are one range |
//! | [`round_trip`](Keys::round_trip) | an encoded key decodes to the same key |
//! | [`canonical_decode`](Keys::canonical_decode) | a changed row is refused with its position, or encodes to itself again |
//! | [`ranges_equal_the_model`](Keys::ranges_equal_the_model) | a scan returns exactly the rows that a model returns |
//! | [`splits_spread_rows`](Keys::splits_spread_rows) | there is a split key between any two buckets |
//! | [`no_allocation`](Keys::no_allocation) | encoding a key allocates nothing |
//!
//! The model works from the schema: it decodes rows and compares their values, so that the order of
//! the bytes is checked without comparing bytes. It cannot know the order of a field with a custom
//! [`Encoding`](crate::Encoding) that the schema describes as another type; pass the order of the
//! keys as well in that case.

#[doc(inline)]
pub use tallrow_codec_core::testing::*;
#[doc(hidden)]
pub use tallrow_derive::test_row_key as __test_row_key;

/// Generates a module with a test for each [property](crate::testing) of a row key:
/// `login_key_tests` for `LoginKey`.
///
/// ```
/// # mod key {
/// use tallrow_codec::{RowKey, test_row_key};
///
/// #[derive(RowKey, Debug)]
/// pub struct LoginKey {
///     #[key(escaped)]
///     pub user: String,
///     #[key(rev_ts)]
///     pub at: i64,
/// }
///
/// test_row_key!(LoginKey);
///
/// /// A key that cannot be decoded: pass the keys to test.
/// #[derive(RowKey, Debug)]
/// pub struct LogKey {
///     #[key(md5)]
///     pub host: &'static str,
///     pub at: u64,
/// }
///
/// test_row_key!(
///     LogKey,
///     ["a", "b"].into_iter().flat_map(|host| [0, 1, u64::MAX].map(|at| LogKey { host, at }))
/// );
/// # }
/// # tallrow_codec::testing::Keys::<key::LoginKey>::sample()?.order()?;
/// # Ok::<(), tallrow_codec::testing::Failure>(())
/// ```
///
/// The type needs `Debug`. The keys can come from any iterator; the order of the keys may follow,
/// as in [`Keys::ordered_by`].
#[macro_export]
macro_rules! test_row_key {
    ($($key:tt)+) => {
        $crate::testing::__test_row_key! { [$crate] $($key)+ }
    };
}
