use tallrow_codec::RowKey;

// Any file that is there and holds no layout does as a lock of another layout.
#[derive(RowKey)]
#[row_key(lock_file = "Cargo.toml")]
struct Key {
    tenant: u32,
}

fn main() {}
