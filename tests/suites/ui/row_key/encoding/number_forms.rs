use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(digits = 5)]
    a: i32,
    #[key(digits = 40)]
    b: u128,
    #[key(raw_be)]
    c: u64,
    #[key(floor = 0)]
    d: u32,
    #[key(floor = 10)]
    e: f64,
    #[key(floor = 10)]
    f: u128,
}

fn main() {}
