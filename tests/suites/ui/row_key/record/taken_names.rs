use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(shared(shop), salt(buckets = 4, fields = (shop)))]
enum Key {
    #[key(tag = 1)]
    SPLITS { shop: u32, part: u8 },
    #[key(tag = 2)]
    SCHEMA { shop: u32 },
}

#[derive(RowKey)]
struct Old {
    id: u32,
}

#[derive(RowKey)]
#[row_key(layouts)]
enum Versions {
    FINGERPRINT(Old),
}

fn main() {}
