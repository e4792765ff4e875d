//! The Java classes of filters: the properties of each class that do not depend on the arguments of
//! a filter. Each group of filters has a table of its classes.

use super::Filter;
use super::arguments::Arguments;
use super::text::ParseErrorText;

/// A Java class of filters.
pub(crate) struct Class {
    /// The name of the class without its package, as in filter strings.
    pub(crate) name: &'static str,
    /// Whether its filters decide about whole rows (`Filter.hasFilterRow`).
    pub(super) of_whole_rows: bool,
    /// The function that reads the arguments of the filter in a filter string; `None` if filter
    /// strings cannot contain filters of this class.
    pub(super) parse: Option<Parse>,
}

/// A function that reads the arguments of a filter.
pub(super) type Parse = fn(&mut Arguments<'_>) -> Result<Filter, ParseErrorText>;

/// Makes a constant for each class, and a list of all classes for looking up the names in filter
/// strings.
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
