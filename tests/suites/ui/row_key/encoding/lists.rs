use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Middle {
    numbers: Vec<u32>,
    id: u64,
}

#[derive(RowKey)]
struct OpenItems {
    id: u64,
    names: Vec<String>,
}

#[derive(RowKey)]
struct Descending {
    #[key(desc)]
    numbers: Vec<u32>,
}

#[derive(RowKey)]
struct Lists {
    numbers: Vec<Vec<u32>>,
}

#[derive(RowKey)]
struct Maybe {
    numbers: Option<Vec<u32>>,
}

#[derive(RowKey)]
struct Marked {
    #[key(terminated_list)]
    number: u32,
    #[key(terminated_list)]
    bytes: Vec<u8>,
}

#[derive(RowKey)]
struct Floors {
    #[key(floor = 60)]
    times: Vec<u32>,
}

#[derive(RowKey)]
struct Hashed {
    #[key(md5)]
    numbers: Vec<u32>,
}

fn main() {}
