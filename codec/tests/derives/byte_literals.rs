//! A byte is a number, wherever an attribute takes one.

use tallrow_codec::RowKey;

#[derive(RowKey, Debug, PartialEq)]
#[row_key(shared(shop))]
#[repr(u8)]
enum Row {
    #[key(tag = b'1')]
    Order {
        #[key(nul_terminated)]
        shop: String,
        id: u32,
    } = b'1',
    #[key(tag = b'i')]
    Item {
        #[key(nul_terminated)]
        shop: String,
    } = 0x69,
}

macro_rules! tagged {
    ($name:ident, $tag:literal) => {
        #[derive(RowKey)]
        #[row_key(tag_type = u16)]
        enum $name {
            #[key(tag = $tag)]
            Only {
                #[key(width = 4, pad = b'-')]
                id: String,
            },
        }
    };
}

tagged!(Wide, b'w');

#[test]
fn a_byte_is_a_number() {
    let order = Row::Order { shop: "a".into(), id: 2 };
    assert_eq!(order.encode().unwrap()[..], *b"a\x001\0\0\0\x02");
    assert_eq!(Row::decode(b"a\0i"), Ok(Row::Item { shop: "a".into() }));
    assert_eq!(Wide::Only { id: "1".into() }.encode().unwrap()[..], *b"\0w1---");
}
