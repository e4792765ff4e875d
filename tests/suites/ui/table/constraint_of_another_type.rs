//! A constraint must have the type of its field.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

fn is_short(text: &str) -> Result<(), String> {
    (text.len() < 9).then_some(()).ok_or("it is long".to_owned())
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", range = 0..9)]
    a: String,
    #[cell("d:b", validate = is_short)]
    b: u8,
}

fn main() {}
