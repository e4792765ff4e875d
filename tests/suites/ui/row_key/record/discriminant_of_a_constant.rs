use tallrow_codec::RowKey;

const OPEN: isize = 1;

#[derive(RowKey, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    #[key(tag = 1)]
    Open = OPEN,
}

#[derive(RowKey, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    #[key(tag = "BU")]
    Buy = -1,
}

fn main() {}
