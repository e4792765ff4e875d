use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
#[row_key(shared(customer, region))]
enum Key {
    #[key(tag = 1)]
    A { customer: u64, region: u8 },
    #[key(tag = 2)]
    Missing { customer: u64 },
    #[key(tag = 3)]
    NotLeading { region: u8, customer: u64 },
    #[key(tag = 4)]
    OtherType { customer: u32, region: u8 },
    #[key(tag = 5)]
    OtherForm {
        #[key(desc)]
        customer: u64,
        region: u8,
    },
    #[key(tag = 6)]
    Unnamed(u64, u8),
}

#[derive(RowKey)]
#[row_key(shared(customer))]
struct Struct {
    customer: u64,
}

fn main() {
    let _ = Key::scan().customer(1).region(2).missing_rows().row_ranges();
}
