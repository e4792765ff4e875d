use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(version = 2, lock = "schema/event.key")]
struct Key {
    tenant: u32,
    #[key(escaped)]
    user: String,
}

fn main() {}
