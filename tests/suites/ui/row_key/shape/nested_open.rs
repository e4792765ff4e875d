use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Place {
    shelf: String,
}

#[derive(RowKey)]
struct Key {
    place: Place,
    at: u64,
}

fn main() {}
