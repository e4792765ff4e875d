use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<'a, 'b> {
    #[key(nul_terminated)]
    user: &'a str,
    item: &'b str,
}

fn main() {}
