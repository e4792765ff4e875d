//! The method `options` of each operation, which sets how the operation is sent.

use std::sync::Arc;

use super::{
    AddToCells, Append, CheckAndMutate, Delete, Get, Increment, MergeToCells, Put, RowMutations,
};
use crate::request::call_options::CallOptions;

macro_rules! options_method {
    ($($name:ident: $($field:ident).+,)*) => {
        $(impl $name {
            /// Sets how the operation is sent; these options take precedence over those of its
            /// table.
            ///
            /// See [`CallOptions`] for an example.
            pub fn options(mut self, options: CallOptions) -> Self {
                self.$($field).+ = Some(Arc::new(options));
                self
            }
        })*
    };
}
options_method! {
    Get: options,
    Put: cells.options,
    Delete: cells.options,
    Increment: cells.options,
    Append: cells.options,
    AddToCells: cells.options,
    MergeToCells: cells.options,
    RowMutations: options,
    CheckAndMutate: options,
}
