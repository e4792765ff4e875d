use tallrow_codec::RowKey;

type Id = u32;
type Name = String;

#[derive(RowKey)]
struct Key {
    #[key(escaped)]
    id: Id,
    #[key(digits = 4)]
    name: Name,
}

fn main() {}
