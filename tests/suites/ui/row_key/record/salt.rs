use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(shared(customer), salt(buckets = 4))]
enum Whole {
    #[key(tag = 1)]
    A { customer: u64, order: u64 },
}

#[derive(RowKey)]
#[row_key(shared(customer), salt(buckets = 4, fields = (order)))]
enum Own {
    #[key(tag = 1)]
    A { customer: u64, order: u64 },
}

fn main() {}
