use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(transparent)]
struct Two(u8, u8);

#[derive(RowKey)]
#[row_key(transparent)]
enum Either {
    One(u8),
}

#[derive(RowKey)]
#[row_key(transparent, salt(buckets = 4), tag_type = u16)]
struct Salted(u8);

#[derive(RowKey)]
#[row_key(transparent)]
struct Escaped(#[key(escaped)] String);

#[derive(RowKey)]
#[row_key(transparent)]
struct NoEncoding(std::time::Duration);

#[derive(RowKey)]
#[row_key(transparent)]
struct Name(String);

#[derive(RowKey)]
#[row_key(transparent)]
struct Count(u32);

#[derive(RowKey)]
struct Open {
    name: Name,
    id: u8,
}

#[derive(RowKey)]
struct NotText {
    #[key(escaped)]
    count: Count,
}

// The errors of the types are the only ones of what they are in.
#[derive(RowKey)]
struct Outer {
    two: Two,
    either: Either,
}

#[derive(RowKey)]
struct Named {
    #[key(escaped)]
    name: Name,
}

fn main() {
    Named::scan().name("bob");
}
