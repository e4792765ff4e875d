use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(layout = 2, lock_file = "schema/event.key")]
struct Key {
    tenant: u32,
    #[key(escaped)]
    user: String,
}

fn main() {}
