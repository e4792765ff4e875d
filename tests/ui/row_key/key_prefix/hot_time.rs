use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Log {
    #[key(time = "s")]
    at: u32,
    host: u32,
}

#[derive(RowKey)]
struct Rising(#[key(rising)] u64, u32);

fn main() {}
