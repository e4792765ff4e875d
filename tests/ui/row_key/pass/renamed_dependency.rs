//! A user whose dependency goes by another name.

mod inner {
    pub mod keys_of_rows {
        pub use tallrow_codec::*;
        #[doc(hidden)]
        pub use tallrow_codec::__private;
    }
}

#[derive(inner::keys_of_rows::RowKey)]
#[row_key(crate = "crate::inner::keys_of_rows")]
struct Key {
    id: u64,
}

fn main() {
    assert_eq!(Key { id: 1 }.encode(), [0, 0, 0, 0, 0, 0, 0, 1]);
}
