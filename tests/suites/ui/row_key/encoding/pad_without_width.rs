use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(pad = ' ', escaped)]
    user: String,
    #[key(pad = 'x', width = 4, chars = "a-z")]
    name: String,
}

fn main() {}
