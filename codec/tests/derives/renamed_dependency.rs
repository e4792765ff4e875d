//! A user who renamed the dependency.

mod inner {
    pub mod keys_of_rows {
        #[doc(hidden)]
        pub use tallrow_codec::__private;
        pub use tallrow_codec::*;
    }
}

#[derive(inner::keys_of_rows::RowKey)]
#[row_key(crate = "crate::renamed_dependency::inner::keys_of_rows")]
struct Key {
    id: u64,
}

#[test]
fn the_dependency_may_have_another_name() {
    assert_eq!(Key { id: 1 }.encode(), [0, 0, 0, 0, 0, 0, 0, 1]);
}
