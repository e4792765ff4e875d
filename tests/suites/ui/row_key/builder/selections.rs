//! What a field of a scan is not selected by.

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(RowKey)]
struct Login {
    #[key(escaped)]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

fn main() {
    let _ = Login::scan().user(5);
    let _ = Login::scan().user("ada").at("now");
    let _ = Login::scan().user(Some("ada"));
    let _ = Login::scan().user();
    let _ = Login::scan().user("ada", 5);
    let _ = Id::scan().id(1_i64..5);
    let _ = Id::scan().id(&[1, 2, 3]);
}
