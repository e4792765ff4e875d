//! Fields named like constants of the traits, where no constant is generated for them or the trait
//! has none of that name.

use tallrow::{CellGroup, RowKey, Table, Timestamp, value::Versions};

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(CellGroup)]
struct Place {
    #[cell("d:t")]
    table: u32,
}

#[derive(Table)]
#[table(name = "guests")]
#[family("d")]
struct Guest {
    #[key]
    table: Id,
    #[flatten]
    place: Place,
    #[cell("d:n", versions)]
    versions: Versions<String>,
    #[cell("d:n", read_timestamp)]
    ranges: Timestamp,
}

#[test]
fn fields_may_have_names_of_constants() {
    assert_eq!((Guest::TABLE, Guest::VERSIONS), ("guests", 2_147_483_647));
    assert_eq!(Place::COLUMNS, [("d", &b"t"[..])]);
    assert_eq!(Place::TABLE.qualifier(), b"t");
    assert_eq!(Guest::PLACE.column(Place::TABLE).qualifier(), b"t");
    let _ = |guest: Guest| (guest.table.id, guest.versions, guest.ranges, guest.place.table);
}
