//! Fields without names are named by their numbers.
#![deny(warnings)]

use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (1, 0)))]
struct Key(u64, u32, u8);

#[test]
fn fields_are_named_by_number() {
    let key = Key(1, 2, 3);
    let [one] = Key::scan().field_0(1).field_1(2).row_ranges().unwrap();
    assert!(one.contains(&key.encode()));
}
