//! Private keys of which only some generated parts are used, which must not warn.
#![deny(warnings)]

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Log<'a> {
    #[key(md5)]
    host: &'a str,
    at: i64,
}

#[derive(RowKey)]
#[row_key(shared(customer), salt(buckets = 4, fields = (customer)))]
enum Rows {
    #[key(tag = 1)]
    Customer { customer: u64 },
    #[key(tag = 2)]
    Note { customer: u64, note: u32, line: u8 },
}

#[test]
fn unused_parts_do_not_warn() {
    let log = Log { host: "h", at: 1 };
    assert!(Log::view(&log.encode()).unwrap().host_is("h"));
    let rows = [Rows::Customer { customer: 1 }, Rows::Note { customer: 1, note: 2, line: 3 }];
    assert_eq!(rows.map(|row| row.encode().len()), [10, 15]);
}
