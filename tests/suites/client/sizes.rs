//! Sizes of cells and rows, compared with the bytes that servers send.

use std::time::Duration;

use tallrow::{
    Put, RowKey, Scan, Table,
    cell::Cell,
    sizes::{CellSize, RowSizes, SchemaAdvice},
    table::{WriteOptions, WriteRow},
};
use tallrow_tests::Place;

#[derive(RowKey, Clone)]
struct LogKey {
    /// A digest of the host.
    host: [u8; 16],
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table)]
#[table(name = "t_sizes_log")]
#[family("d")]
#[family("raw")]
struct Log {
    #[key]
    key: LogKey,
    #[cell("d:level")]
    level: i32,
    #[cell("d:myVeryImportantAttribute")]
    message: Option<String>,
    #[cell("raw:h")]
    host: String,
}

/// A server sends the length of each cell before the cell.
pub(crate) async fn sizes_of_cells_and_rows_are_those_of_the_server(place: Place) {
    let table = place.table(&[]).await;
    let cells = [("r", "q", ""), ("row key", "", "value"), ("\0", "qualifier", "v\0")];
    for (row, qualifier, value) in cells {
        table.put(Put::new(row).cell("f", qualifier, value)).await.unwrap();
        let put = Put::new(row).cell("g", qualifier, value).ttl(Duration::from_secs(1_000));
        table.put(put).await.unwrap();
    }
    let mut rows = table.scan(Scan::all()).unwrap();
    let mut seen = 0;
    while let Some(row) = rows.next_row().await.unwrap() {
        for cell in row.cells() {
            seen += 1;
            assert_eq!(CellSize::of(cell).total(), cell.size(), "{cell:?}");
        }
    }
    assert_eq!(seen, 6);

    place.drop_table("t_sizes_log").await;
    place.client.admin().create::<Log>().await.unwrap();
    let log = place.client.open::<Log>().await.unwrap();
    let row = |n: i64| Log {
        key: LogKey { host: [n as u8; 16], at: n },
        level: 7,
        message: (n % 2 == 0).then(|| "m".repeat(n as usize)),
        host: "h".repeat(n as usize),
    };
    let samples: Vec<_> = (1..=20).map(row).collect();
    for sample in &samples {
        log.put(sample).await.unwrap();
    }
    let mut rows = log.raw().unwrap().scan(Scan::all()).unwrap();
    let (mut bytes, mut count) = (0, 0);
    while let Some(row) = rows.next_row().await.unwrap() {
        bytes += row.cells().iter().map(|c: &Cell| c.size()).sum::<usize>();
        count += row.cells().len();
    }
    let sizes = RowSizes::of(&samples).unwrap();
    assert!((sizes.mean_row_bytes() * 20.0 - bytes as f64).abs() < 1e-6, "{sizes}");
    assert!((sizes.cells_per_row() * 20.0 - count as f64).abs() < 1e-6, "{sizes}");
    // d:level 4 bytes, half of the rows 23 bytes, raw:h 2 bytes.
    assert!((sizes.bytes_saved_by_short_names() - 17.5).abs() < 1e-6, "{sizes}");
    assert_eq!(
        sizes.advice(),
        [
            SchemaAdvice::LongFamilyName("raw".into()),
            SchemaAdvice::LongQualifier {
                family: "d".into(),
                qualifier: "myVeryImportantAttribute".into(),
            },
        ]
    );
    let put = samples[0].to_put(WriteOptions::new()).unwrap();
    assert_eq!(put.row().len(), 24);
}
