//! Traits for the compile errors about fields whose type has the same name as a type of another
//! crate.
//!
//! The derive sees only the name of a type, and the compiler sees the type itself; only this crate
//! can see whether a feature is off.

use super::{Encoding, Field};

macro_rules! of_crate {
    ($($trait_name:ident: $feature:literal, $off:literal, $add:literal, $types:literal;)*) => {$(
        #[cfg_attr(
            not(feature = $feature),
            diagnostic::on_unimplemented(
                message = "`{Self}` is a field of a row key only with a feature",
                label = $off,
                note = $add,
                note = "a type of your own with this name implements `Field` and `Encoding`, or \
                     derives `RowKey`"
            )
        )]
        #[cfg_attr(
            feature = $feature,
            diagnostic::on_unimplemented(
                message = "`{Self}` cannot be a field of a row key",
                label = "no encoding",
                note = $types,
                note = "a type of your own with this name implements `Field` and `Encoding`, or \
                     derives `RowKey`"
            )
        )]
        /// A type that has the name of a type of the other crate, and is a field.
        pub trait $trait_name {
            /// True, for a check that needs the trait.
            const IS: bool = true;
        }

        #[diagnostic::do_not_recommend]
        impl<T: Field> $trait_name for T {}
    )*};
}

of_crate! {
    UuidField: "uuid", "the feature `uuid` is off", "enable it: `cargo add tallrow --features uuid`",
        "the `Uuid` of the crate uuid 1 is a field; convert the value to it";
    ChronoField: "chrono", "the feature `chrono` is off",
        "enable it: `cargo add tallrow --features chrono`; then `DateTime<Utc>` and `NaiveDate` \
         are fields",
        "of the crate chrono, `DateTime<Utc>` and `NaiveDate` are fields; convert the value to one \
         of them";
    JiffField: "jiff", "the feature `jiff` is off",
        "enable it: `cargo add tallrow --features jiff`; then `Timestamp` and `civil::Date` are \
         fields",
        "of the crate jiff, `Timestamp` and `civil::Date` are fields; convert the value to one of \
         them";
    TimeField: "time", "the feature `time` is off",
        "enable it: `cargo add tallrow --features time`; then `OffsetDateTime`, `UtcDateTime` and \
         `Date` are fields",
        "of the crate time, `OffsetDateTime`, `UtcDateTime` and `Date` are fields; convert the \
         value to one of them";
}

/// A date of jiff or time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a field of a row key only with a feature",
    label = "the feature `jiff` or `time` is off, whichever it is a type of",
    note = "enable it, as by `cargo add tallrow --features jiff`"
)]
pub trait DateField {
    /// True, for a check that needs the trait.
    const IS: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Field> DateField for T {}

/// A point in time of the standard library.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a row key",
    label = "a point in time without a number",
    note = "use one of `chrono`, `jiff` or `time` with the feature of this name, or a newtype around it that implements `UnixTime`, \
            with `#[key(unit = \"ms\")]` on the field"
)]
pub trait SystemTimeField {
    /// True, for a check that needs the trait.
    const IS: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Field> SystemTimeField for T {}

/// An encoding of a point in time.
#[diagnostic::on_unimplemented(
    message = "`{A}` is written as a number, and the field does not say of what",
    label = "a point in time needs a unit",
    note = "add `#[key(unit = \"ms\")]`, for a date `#[key(unit = \"d\")]`, or `#[key(rev_ts)]` \
         for the newest first, in milliseconds"
)]
pub trait EncodesTime<A: ?Sized> {
    /// True, for a check that needs the trait.
    const IS: bool = true;
}

#[diagnostic::do_not_recommend]
impl<A: ?Sized, F: Encoding<A>> EncodesTime<A> for F {}
