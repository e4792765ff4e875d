//! What is not the key of a row.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

struct Plain {
    id: u64,
}

macro_rules! row {
    ($name:ident, $($key:tt)*) => {
        #[derive(Table)]
        #[table(name = "t")]
        #[family("d")]
        struct $name {
            $($key)*
            #[cell("d:n")]
            n: u32,
        }
    };
}

row!(Tuple, #[key] id: (u32, u64),);
row!(Reference, #[key] id: &'static Id,);
row!(Bytes, #[key] id: Vec<u8>,);
row!(Two, #[key] user: String, #[key] at: i64,);
row!(TwoKeys, #[key] first: Id, #[key] second: Id,);
row!(NoDerive, #[key] id: Plain,);

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Borrowed<'a> {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: &'a str,
}

fn main() {}
