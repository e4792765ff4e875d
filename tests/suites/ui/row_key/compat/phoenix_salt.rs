use tallrow_codec::RowKey;

// Phoenix hashes the whole row key.
#[derive(RowKey)]
#[row_key(compat = "phoenix", salt(buckets = 16, fields = (tenant)))]
struct Chosen {
    tenant: u32,
    user: String,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix", salt(buckets = 16, hash = crc32))]
struct OtherHash {
    tenant: u32,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix", salt(buckets = 16, width = 2))]
struct Wide {
    tenant: u32,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix", hash_prefix(md5, hex = 4, fields = (tenant)))]
struct Prefix {
    tenant: u32,
}

fn main() {}
