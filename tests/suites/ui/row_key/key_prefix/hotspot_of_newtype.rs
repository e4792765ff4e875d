use tallrow_codec::RowKey;

// A newtype may be meant as a field that is not the first.
#[derive(RowKey)]
struct Newest(#[key(rev_ts)] i64);

#[derive(RowKey)]
#[row_key(transparent)]
struct Inside(Newest);

#[derive(RowKey)]
struct Last {
    host: u32,
    at: Newest,
}

#[derive(RowKey)]
struct First {
    at: Newest,
    host: u32,
}

#[derive(RowKey)]
struct FirstInside {
    at: Inside,
    host: u32,
}

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct Allowed {
    at: Newest,
    host: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4))]
struct Salted {
    at: Newest,
    host: u32,
}

// The key is known where it is used, so this is its only error.
#[derive(RowKey)]
struct Event {
    #[key(rev_ts)]
    at: i64,
    user: u32,
}

#[derive(RowKey)]
struct Nested {
    host: u32,
    event: Event,
}

fn main() {
    let _ = Nested::scan().host(1).event(Event { at: 1, user: 2 });
    let _ = Event { at: 1, user: 2 }.encode().len();
}
