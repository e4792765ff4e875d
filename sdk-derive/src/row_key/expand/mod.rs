//! The code of a row key: quoting only.

mod decode;
mod hint;
mod key;
mod layout;
mod locate;
mod nested;
mod order;
mod prefix;
mod record;
mod scan;
mod schema;
#[cfg(feature = "testing")]
mod testing;
mod view;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Key;
use layout::Layout;

/// Returns everything the derive writes for `key`.
pub(super) fn expand(key: &Key) -> TokenStream {
    let layout = Layout::new(key);
    let parts = [
        layout::proofs(&layout),
        layout::checks(&layout),
        key::expand(&layout),
        decode::expand(&layout),
        nested::expand(&layout),
        scan::expand(&layout),
        prefix::expand(&layout),
        record::expand(&layout),
        view::expand(&layout),
        order::expand(&layout),
        locate::expand(&layout),
        hint::expand(&layout),
        #[cfg(feature = "testing")]
        testing::expand(&layout),
    ];
    quote!(#(#parts)*)
}
