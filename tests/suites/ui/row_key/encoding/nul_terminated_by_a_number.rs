use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(nul_terminated = 1)]
    user: String,
}

fn main() {}
