use tallrow_codec::RowKey;

// Any existing file that does not hold the layout acts as the lock of another one.
#[derive(RowKey)]
#[row_key(lock_file = "Cargo.toml")]
struct Key {
    tenant: u32,
}

fn main() {}
