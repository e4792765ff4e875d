//! Values of attributes that are of another kind.

use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt = 16)]
struct Short {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 1.5, fields = "tenant"))]
struct Strings {
    tenant: u64,
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (tenent)))]
struct Misspelt {
    tenant: u64,
    #[key(width = "16")]
    quoted: String,
    #[key(width(16))]
    listed: String,
    #[key(width = -1)]
    negative: String,
    #[key = "escaped"]
    assigned: String,
    #[key(desc = true)]
    number: u64,
}

fn main() {}
