use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<'a, 'b> {
    #[key(end = 0)]
    user: &'a str,
    item: &'b str,
}

fn main() {}
