use tallrow::{Table, TypedTable};

async fn save<R: Table>(table: &TypedTable<R>, row: &R) {
    let _ = table.put(row).await;
}

fn main() {}
