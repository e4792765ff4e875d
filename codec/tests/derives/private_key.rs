//! A private key with private field types, which must not leak and must not warn.
#![deny(warnings)]

mod outer {
    use tallrow_codec::RowKey;

    #[derive(RowKey, Clone, Copy, PartialEq, Debug)]
    struct Place {
        shop: u16,
        shelf: [u8; LEN],
    }

    const LEN: usize = 3;

    #[derive(RowKey, PartialEq, Debug)]
    struct Key {
        place: Place,
        at: u64,
    }

    pub fn works() {
        let key = Key { place: Place { shop: 1, shelf: *b"abc" }, at: 2 };
        let row: [u8; 13] = key.encode();
        assert_eq!(Key::decode(&row), Ok(key));
        let prefix = Key::prefix().place(Place { shop: 1, shelf: *b"abc" });
        assert_eq!(prefix.at(2), row);
        let _ = Key::scan().place(Place { shop: 1, shelf: *b"abc" }).at(..3);
        let _ = Place::scan().shop(1).shelf(*b"abc");
        let _ = Place::prefix();
    }
}

#[test]
fn a_private_key_works() {
    outer::works();
}
