//! The function of each operation that sets how it is sent.

use std::sync::Arc;

use super::{Append, CheckAndMutate, Delete, Get, Increment, Put, RowMutations};
use crate::request::call_options::CallOptions;

macro_rules! options_method {
    ($($name:ident: $($field:ident).+,)*) => {
        $(impl $name {
            /// How it is sent, over what its table says.
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
    RowMutations: options,
    CheckAndMutate: options,
}
