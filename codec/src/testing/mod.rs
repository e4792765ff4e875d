//! The laws of row keys, put to a key type of one's own; feature `laws`.
//!
//! [`test_row_key!`](crate::test_row_key) writes the tests. Keys are sampled from the schema of the type:
//! edges of every field, and many that begin alike, so that what separates fields is met in every way.
//!
//! | law | says |
//! |---|---|
//! | [`order`](Keys::order) | rows sort as the values do, each field in its order class |
//! | [`prefix_freedom`](Keys::prefix_freedom) | no value of a field begins another, so that a value is one range |
//! | [`round_trip`](Keys::round_trip) | what is written is read back |
//! | [`canonical_decode`](Keys::canonical_decode) | what is read was written so; all else is refused, at a place in the row |
//! | [`ranges_equal_the_model`](Keys::ranges_equal_the_model) | a scan reads the rows a model says, and no other |
//! | [`splits_cover`](Keys::splits_cover) | split keys cut between all buckets |
//! | [`no_allocation`](Keys::no_allocation) | writing a key allocates nothing |
//!
//! The model is the schema: what it tells of a row is compared as values, so that bytes are held
//! against something that is not bytes. What it cannot tell is the order of a field whose type, with a
//! [`Encoding`](crate::Encoding) of its own, is described as another; give the order of the keys as well then.

mod broken;
mod bytes;
mod fields;
mod keys;
mod model;
mod rows;
mod sample;

#[doc(hidden)]
pub use assert_no_alloc::AllocDisabler;
pub use broken::Broken;
pub use fields::TestFields;
#[doc(hidden)]
pub use fields::Visitor;
pub use keys::Keys;
#[doc(hidden)]
pub use tallrow_derive::test_row_key as __test_row_key;

/// Writes a module of tests that put the [laws](crate::testing) to a key type: `login_key_laws` for
/// `LoginKey`, with a test for each law.
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
/// /// A key that cannot be read back: the keys to try are given.
/// #[derive(RowKey, Debug)]
/// pub struct LogKey {
///     #[key(md5)]
///     pub host: &'static str,
///     pub at: u64,
/// }
///
/// test_row_key!(LogKey, ["a", "b"].into_iter().flat_map(|host| [0, 1, u64::MAX].map(|at| LogKey { host, at })));
/// # }
/// # tallrow_codec::testing::Keys::<key::LoginKey>::sampled()?.order()?;
/// # Ok::<(), tallrow_codec::testing::Broken>(())
/// ```
///
/// The type needs `Debug`. After the keys, which are anything that gives them one by one, may come
/// an order of them, as in [`Keys::ordered_by`].
#[macro_export]
macro_rules! test_row_key {
    ($($key:tt)+) => {
        $crate::testing::__test_row_key! { [$crate] $($key)+ }
    };
}

/// Has the test program count its allocations, which the law [`no_allocation`](Keys::no_allocation)
/// needs: once, in its main file. It installs a global allocator, the system's with a counter.
///
/// A program has one global allocator, so this cannot stand beside another `#[global_allocator]`, nor
/// twice; without it nothing is installed, and `no_allocation` fails and says what is missing.
///
/// ```standalone_crate
/// tallrow_codec::install_counting_allocator!();
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! install_counting_allocator {
    () => {
        #[global_allocator]
        static COUNTED: $crate::testing::AllocDisabler = $crate::testing::AllocDisabler;
    };
}
