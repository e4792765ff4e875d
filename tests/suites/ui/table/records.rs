//! The attributes of record variants.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
#[row_key(shared(customer))]
enum Key {
    #[key(tag = 1)]
    Customer { customer: u32 },
    #[key(tag = 2)]
    Order { customer: u32, order: u32 },
}

#[derive(Table)]
#[table(name = "t", key_variant = Key::Order)]
#[family("d")]
enum Rows {
    Customer,
    Order { order: u32 },
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
enum Empty {}

#[derive(Table)]
#[table(variant_of = Rows)]
struct Which {
    #[key]
    customer: u32,
    #[cell("d:n")]
    name: String,
}

#[derive(Table)]
#[table(variant_of = Rows, key_variant = Order)]
#[family("d")]
struct Whose {
    #[key]
    customer: u32,
    #[cell("d:n")]
    name: String,
}

#[derive(Table)]
#[table(name = "t", variant_of = Rows, key_variant = Key::Order)]
struct Both {
    #[key]
    customer: u32,
    #[cell("d:n")]
    name: String,
}

fn main() {}
