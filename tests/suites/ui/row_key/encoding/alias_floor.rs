use tallrow_codec::RowKey;

type Celsius = f32;

#[derive(RowKey)]
struct Key {
    host: u32,
    #[key(floor = 10)]
    degrees: Celsius,
}

fn main() {}
