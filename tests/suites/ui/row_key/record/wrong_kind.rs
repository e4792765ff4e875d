use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
#[row_key(shared(customer))]
enum Key {
    #[key(tag = 1)]
    A { customer: u64, order: u64 },
    #[key(tag = 2)]
    B { customer: u64, note: u64 },
}

fn main() {
    let _ = Key::scan().customer(1).a_rows().note(1).row_ranges();
}
