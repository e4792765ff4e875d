//! Scans that name the columns that they read: what filters and clients notice of the way in which a
//! real server seeks columns.

use tallrow_wire::proto::*;

use crate::filters::named;
use crate::frames::{Fixture, short};

/// A column `f:a`, as a scan names it.
fn column_a() -> Vec<Column> {
    vec![Column { family: "f".into(), qualifier: vec!["a".into()] }]
}

/// A filter that leaves the last column that a read names makes the read seek the end of the
/// column, so that a part of a row ends before the rest of the row, of which nothing is returned.
#[tokio::test]
async fn after_the_last_named_column_a_row_may_continue() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    for (qualifier, at) in [("a", 1), ("a", 2), ("b", 1)] {
        t.put("r", qualifier, at, "v").await;
    }
    let page = ColumnPaginationFilter { limit: 2, offset: Some(0), column_offset: None };
    for max_versions in [3, 1] {
        let scan = Scan {
            column: column_a(),
            filter: Some(named("ColumnPaginationFilter", &page)),
            batch_size: Some(1),
            max_versions: Some(max_versions),
            ..Default::default()
        };
        let (answer, cells) = t.scan(scan, 1).await.unwrap();
        assert_eq!(short(&cells), "a2");
        assert_eq!(answer.partial_flag_per_result, [true], "{max_versions}");
    }
}
