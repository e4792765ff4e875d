use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Host {
    #[key(md5)]
    name: String,
}

#[derive(RowKey)]
struct Line {
    host: Host,
    at: u64,
}

fn main() {}
