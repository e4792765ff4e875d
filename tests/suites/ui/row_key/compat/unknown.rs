use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "phenix")]
struct Misspelt {
    user: u32,
}

#[derive(RowKey)]
#[row_key(compat = hbase)]
struct Bare {
    user: u32,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix", shared(user))]
enum Kinds {
    #[key(tag = 1)]
    One { user: u32 },
}

fn main() {}
