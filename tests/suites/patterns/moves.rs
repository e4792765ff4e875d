//! A row that moves is whole, under one key.

use tallrow::key_migration::MoveOutcome;
use tallrow::{FamilyDescriptor, Put, RawTable, TableDescriptor};
use tallrow_tests::read::{Cells, cells};
use tallrow_tests::{Random, drop_table, tell};

use super::{Pattern, done};

const TABLE: &str = "moves";
const ROWS: u64 = 120;

pub(super) const PATTERN: Pattern = Pattern {
    name: "key_migration",
    tables: &[TABLE],
    create: |client| {
        Box::pin(async move {
            drop_table(&client.admin(), TABLE).await;
            let table = TableDescriptor::new(TABLE).unwrap();
            let table = table.family(FamilyDescriptor::new("f")).family(FamilyDescriptor::new("g"));
            client.admin().create_table_with_splits(&table, ["new", "old"]).await.unwrap();
            let put = |row| {
                let put = Put::new(format!("old{row}")).cell("f", "q", format!("v{row}"));
                put.cell("f", "r", "").cell("g", "q", format!("w{row}"))
            };
            let table = client.raw_table(TABLE).unwrap();
            table.put_all((0..ROWS).map(put)).await.into_result().unwrap();
        })
    },
    work: |client, number| {
        Box::pin(async move {
            let (table, mut random) = (client.raw_table(TABLE).unwrap(), Random::new(6, number));
            loop {
                let row = random.below(ROWS);
                if let Some(outcome) = done(move_row(&table, row).await) {
                    assert!(is_moved(&outcome), "{outcome:?}");
                    tell(row);
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let table = client.raw_table(TABLE).unwrap();
            for [row] in told.numbers() {
                assert_eq!(values(&cells(&table, &format!("old{row}")).await).len(), 0);
            }
            for row in 0..ROWS {
                let whole = vec![format!("v{row}"), String::new(), format!("w{row}")];
                let [old, new] = ["old", "new"].map(|key| format!("{key}{row}"));
                let (old_cells, new_cells) = (cells(&table, &old).await, cells(&table, &new).await);
                let (was, is) = (values(&old_cells), values(&new_cells));
                assert!(was == whole || is == whole, "{was:?} and {is:?} of row {row}");
                assert!(is_moved(&move_row(&table, row).await.unwrap()));
                assert_eq!(values(&cells(&table, &new).await), whole);
                assert_eq!(cells(&table, &old).await, []);
            }
            drop_table(&client.admin(), TABLE).await;
        })
    },
};

async fn move_row(table: &RawTable, row: u64) -> tallrow::Result<MoveOutcome> {
    table.move_row(format!("old{row}"), format!("new{row}")).await
}

fn is_moved(outcome: &MoveOutcome) -> bool {
    matches!(outcome, MoveOutcome::Moved | MoveOutcome::AlreadyMoved)
}

fn values(cells: &Cells) -> Vec<String> {
    cells.iter().map(|(.., value)| String::from_utf8(value.clone()).unwrap()).collect()
}
