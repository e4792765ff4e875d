use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Untagged {
    Open,
    #[key(tag = 2)]
    Closed,
}

#[derive(RowKey)]
enum Twice {
    #[key(tag = 1)]
    Open,
    #[key(tag = 1)]
    Closed,
}

#[derive(RowKey)]
enum Wide {
    #[key(tag = 256)]
    Open,
}

#[derive(RowKey)]
enum Mixed {
    #[key(tag = 1)]
    Open,
    #[key(tag = "CL")]
    Closed,
    #[key(tag = 'x')]
    Lost,
}

#[derive(RowKey)]
#[row_key(tag_type = u16, salt(buckets = 4))]
enum Lengths {
    #[key(tag = "O")]
    Open,
    #[key(tag = "CL")]
    Closed,
    #[key(tag = "much too long")]
    Lost,
}

#[derive(RowKey)]
enum Other {
    #[key(tag = 1)]
    Open = 2,
}

#[derive(RowKey)]
enum Unordered {
    #[key(tag = 2)]
    Two,
    #[key(tag = 1)]
    One,
    #[key(tag = 3)]
    Three,
}

#[derive(RowKey)]
struct Key {
    untagged: Untagged,
    unordered: Unordered,
}

fn main() {
    Key::scan().untagged(Untagged::Open).unordered(Unordered::Two..Unordered::One);
}
