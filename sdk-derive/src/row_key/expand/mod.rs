//! The code that the derive generates for a row key; the modules here only assemble the tokens.

mod code;
mod decode;
pub(super) mod encoding;
pub(super) mod field;
mod foreign;
mod hints;
mod key;
mod layout;
mod locate;
mod lookup_key;
mod nested;
mod order;
mod prefix;
mod put;
mod read;
mod record;
mod scan;
mod schema;
#[cfg(feature = "testing")]
mod testing;
mod view;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Key, Lifetimes};
use code::Code;
use layout::Layout;

/// Returns all code that the derive generates for `key`.
///
/// The compiler processes every token and every item of this code for each key of a crate, so paths
/// are short, a type that is used often has an alias, and code that does not depend on the key is
/// generic code in the library.
pub(super) fn expand(key: &Key) -> TokenStream {
    let layout = Layout::new(key);
    let mut all = Code::default();
    all.extend([
        key::expand(&layout),
        decode::expand(&layout),
        nested::expand(&layout),
        scan::expand(&layout),
        prefix::expand(&layout),
        hints::field_order(&layout),
        record::expand(&layout),
        view::expand(&layout),
        order::expand(&layout),
        locate::expand(&layout),
        lookup_key::expand(&layout),
        hints::hotspot_warning(&layout),
        #[cfg(feature = "testing")]
        testing::expand(&layout),
    ]);
    let Code { types, members, items } = all;
    let (library, aliases) = (&layout.library, layout.aliases());
    let encoding_assertions = layout::encoding_assertions(&layout);
    let checks = layout::checks(&layout);
    let (generics, own, clause) = (key.generics(), key.path(Lifetimes::Own), layout.clause());
    quote! {
        #types

        const _: () = {
            use #library as __private;

            #aliases
            #encoding_assertions
            #checks

            // A lifetime of the key may be in none of the members.
            #[allow(single_use_lifetimes)]
            impl #generics #own #clause {
                #members
            }

            #items
        };
    }
}
