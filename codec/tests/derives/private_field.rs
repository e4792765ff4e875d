//! Public keys with private fields of private types.
#![deny(warnings)]

pub mod outer {
    use tallrow_codec::{RandomSalted, RowKey};

    #[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Inner {
        shop: u16,
        shelf: u8,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Text {
        shop: u16,
        name: String,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(ord)]
    pub struct Fixed {
        inner: Inner,
        pub at: u64,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(salt(buckets = 4, fields = (inner)), ord)]
    pub struct Varying {
        inner: Inner,
        some: Option<Inner>,
        all: Vec<Inner>,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    pub struct Last {
        at: u32,
        text: Text,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(salt(random, buckets = 4))]
    pub struct Random {
        inner: Inner,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(hash_prefix(md5, hex = 4, fields = (id)))]
    pub struct Hashed {
        id: u32,
        #[key(desc)]
        inner: Inner,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(shared(inner))]
    enum Record {
        #[key(tag = 1)]
        One { inner: Inner, other: Inner },
        #[key(tag = 2)]
        Two { inner: Inner },
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    struct Old {
        id: u16,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    pub struct New {
        pub id: u32,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    #[row_key(layouts)]
    enum Either {
        Old(Old),
        New(New),
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    pub struct Nested {
        fixed: Fixed,
        last: Last,
    }

    #[derive(RowKey, Clone, Debug, PartialEq, Eq)]
    pub struct Generic<T> {
        inner: Inner,
        pub of: T,
    }

    pub fn work() {
        let inner = Inner { shop: 1, shelf: 2 };
        let fixed = Fixed { inner: inner.clone(), at: 3 };
        let row: [u8; 11] = fixed.encode();
        assert_eq!(Fixed::decode(&row).unwrap(), fixed);
        assert_eq!(Fixed::view(&row).unwrap().inner(), &inner);
        assert_eq!(Fixed::prefix().inner(&inner).at(3), row);
        let _ = Fixed::scan().inner(&inner).at(..3);
        let all = vec![inner.clone()];
        let varying = Varying { inner: inner.clone(), some: Some(inner.clone()), all };
        assert_eq!(Varying::decode(&varying.encode()).unwrap(), varying);
        let last = Last { at: 1, text: Text { shop: 1, name: "a".into() } };
        assert_eq!(Last::decode(&last.encode()).unwrap(), last);
        let random: RandomSalted<Random> = Random { inner: inner.clone() }.salted(1);
        assert_eq!(*random, Random { inner: inner.clone() });
        let hashed = Hashed { id: 1, inner: inner.clone() };
        assert_eq!(Hashed::decode(&hashed.encode()).unwrap(), hashed);
        let two = Record::Two { inner: inner.clone() };
        assert_eq!(Record::decode(&two.encode()).unwrap(), two);
        let _ = Record::scan().inner(&inner).one_rows().other(&inner);
        let _ = Record::One { inner: inner.clone(), other: inner };
        assert_eq!(Either::decode(&[0, 7]).unwrap(), Either::Old(Old { id: 7 }));
        let _ = Either::New(New { id: 1 });
        let generic = Generic { inner: Inner { shop: 1, shelf: 2 }, of: 3_u8 };
        assert_eq!(Generic::decode(&generic.encode().unwrap()).unwrap(), generic);
        let nested = Nested { fixed, last };
        assert_eq!(Nested::decode(&nested.encode()).unwrap(), nested);
    }
}

#[test]
fn private_fields_stay_private() {
    outer::work();
}
