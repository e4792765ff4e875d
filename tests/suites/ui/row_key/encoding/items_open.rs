use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Place {
    shop: u32,
    shelf: String,
}

#[derive(RowKey)]
struct Key {
    places: Vec<Place>,
}

fn main() {}
