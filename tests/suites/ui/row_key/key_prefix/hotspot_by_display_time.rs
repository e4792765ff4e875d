use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Log {
    #[key(display_time = "s")]
    at: u32,
    host: u32,
}

#[derive(RowKey)]
struct Rising(#[key(monotonic)] u64, u32);

fn main() {}
