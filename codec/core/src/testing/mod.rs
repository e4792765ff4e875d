//! Tests of the properties that every row key must have; feature `testing`.
//!
//! # Invariants
//!
//! - The tests of a user's key find a violated property, and report where it is violated. Tests:
//!   `codec/tests/properties/broken_keys.rs`.

mod bytes;
mod failure;
mod fields;
mod keys;
mod model;
mod rows;
mod sample;

#[doc(hidden)]
pub use assert_no_alloc::AllocDisabler;
pub use failure::Failure;
pub use fields::VisitFields;
#[doc(hidden)]
pub use fields::Visitor;
pub use keys::Keys;

/// Installs a global allocator that counts allocations, which the test
/// [`no_allocation`](Keys::no_allocation) needs.
///
/// Use it once, in the root file of the test program. A program has one global allocator, so there
/// cannot be another `#[global_allocator]`. Without it `no_allocation` fails with a message that
/// says so.
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
