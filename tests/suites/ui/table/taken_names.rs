use tallrow::{CellGroup, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table(name = "reservations")]
#[family("d")]
struct Reservation {
    #[key]
    id: Id,
    #[cell("d:t")]
    table: u32,
    #[cells("d:c/*")]
    columns: Vec<(String, u32)>,
    #[cell("d:g")]
    guest: String,
    #[cell("d:G")]
    #[allow(non_snake_case)]
    Guest: String,
}

#[derive(CellGroup)]
struct Limits {
    #[cell("d:r")]
    ranges: u32,
    #[cell("d:v")]
    versions: u32,
}

fn main() {
    assert_eq!(<Reservation as tallrow::Table>::TABLE, "reservations");
    assert_eq!(Reservation::GUEST.qualifier(), b"g");
}
