//! Java classes of filters: what holds of each whatever its arguments are, as a table for each
//! family of filters.

use super::Filter;
use super::arguments::Arguments;
use super::text::Fault;

/// A Java class of filters.
pub(crate) struct Class {
    /// The name without its package, as filter strings have it.
    pub(crate) name: &'static str,
    /// Whether it decides about whole rows (`Filter.hasFilterRow`).
    pub(super) of_whole_rows: bool,
    /// Reads the arguments in a filter string; `None` if filter strings have no such filter.
    pub(super) parse: Option<Parse>,
}

/// Reads the arguments of a filter.
pub(super) type Parse = fn(&mut Arguments<'_>) -> Result<Filter, Fault>;

/// Makes a constant of each class, and the list of them in which the name in a filter string is
/// looked up.
macro_rules! classes {
    ($(
        $class:ident: $name:literal, of_whole_rows: $of_whole_rows:literal, parse: $parse:expr;
    )*) => {
        $(
            const $class: Class =
                Class { name: $name, of_whole_rows: $of_whole_rows, parse: $parse };
        )*

        /// All classes of this file.
        pub(super) const CLASSES: &[Class] = &[$($class),*];
    };
}
pub(super) use classes;
