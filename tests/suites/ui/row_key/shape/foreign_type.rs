use std::collections::HashMap;

use tallrow_codec::{RowKey, RowRanges};

type Counts = HashMap<String, u32>;

struct Phone(String);

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (phone)), ord)]
struct Key {
    phone: Phone,
    #[key(desc)]
    counts: Counts,
    at: u64,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

#[derive(RowKey)]
struct Borrowed<'a> {
    #[key(escaped)]
    user: &'a str,
    #[key(md5)]
    hashed: Phone,
    some: Option<Phone>,
    list: Vec<Phone>,
}

#[derive(RowKey)]
struct Open<T> {
    part: T,
    phone: Phone,
}

#[derive(RowKey)]
#[row_key(shared(user))]
enum Record {
    #[key(tag = 1)]
    One { user: u32, phone: Phone },
    #[key(tag = 2)]
    Two { user: u32 },
}

fn main() {
    let key = Key { phone: Phone("1".into()), counts: Counts::new(), at: 1 };
    let _ = key.encode();
    let _ = Key::decode(b"").map(|key| key.at + 1);
    let _ = Key::view(b"");
    let _ = Key::scan().phone(Phone("1".into())).row_ranges();
    let _ = Key::prefix().phone(Phone("1".into())).counts(Counts::new()).at(1);
    let _ = Open { part: 1_u8, phone: Phone("1".into()) }.encode();
    let _ = Record::scan().user(1).row_ranges();
}
