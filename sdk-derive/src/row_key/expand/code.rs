//! Generated code by where it is placed.

use proc_macro2::TokenStream;

/// The code of one concern, by where it is placed.
#[derive(Default)]
pub(super) struct Code {
    /// Types that users name, next to the key.
    pub(super) types: TokenStream,
    /// Members of the `impl` of the key.
    pub(super) members: TokenStream,
    /// All else, in a block that has the names of the library.
    pub(super) items: TokenStream,
}

impl Code {
    pub(super) fn items(items: TokenStream) -> Self {
        Self { items, ..Self::default() }
    }
}

impl Extend<Self> for Code {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, more: T) {
        for one in more {
            self.types.extend(one.types);
            self.members.extend(one.members);
            self.items.extend(one.items);
        }
    }
}
