// The server cannot compare cells without an order, or values of another type.
use tallrow::{RowKey, Table, value::{CellValue, DecodeCell, EncodeCell, ValueError}};

#[derive(RowKey)]
struct Id {
    id: u64,
}

enum Decimal {}

impl EncodeCell<u64> for Decimal {
    fn encode(value: &u64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        out.extend_from_slice(value.to_string().as_bytes());
        Ok(())
    }
}

impl DecodeCell<u64> for Decimal {
    fn decode(_: &[u8]) -> Result<u64, ValueError> {
        Ok(0)
    }
}

#[derive(Debug, PartialEq, PartialOrd)]
struct Colour(u8);

impl CellValue for Colour {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        u8::from_cell(bytes).map(Self)
    }
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:p", codec = Decimal)]
    price: u64,
    #[cell("d:c")]
    colour: Colour,
    #[cell("d:n")]
    number: i32,
}

fn main() {
    let _ = Row::PRICE.gt(5u64);
    let _ = Row::COLOUR.eq(Colour(1));
    let _ = Row::NUMBER.lt("5");
    let _ = Row::NUMBER.starts_with("5");
    let _ = Row::PRICE.is_present() & Row::COLOUR.is_absent() & Row::NUMBER.gt(5);
}
