//! A default and a constraint have the type of their field.

use tallrow::value::{CellValue, ValueError};
use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

struct Colour(u8);

impl CellValue for Colour {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        u8::from_cell(bytes).map(Self)
    }
}

fn is_small(n: &u32) -> bool {
    *n < 9
}

fn is_odd(n: &u32) -> Option<()> {
    (n % 2 == 1).then_some(())
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", default = "x")]
    a: u32,
    #[cell("d:b", default = "en")]
    b: String,
    #[cell("d:c", default)]
    c: Colour,
    #[cell("d:d", validate = is_small)]
    d: u32,
    #[cell("d:e", validate = is_odd)]
    e: u32,
    #[cell("d:f", validate = missing)]
    f: u32,
}

fn main() {}
