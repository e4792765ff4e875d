//! What the versions of HBase lack, as the book says it.

use tallrow::ErrorKind;
use tallrow_tests::Place;

const PAGE: &str = include_str!("../../../docs/administration.md");

/// What the table of versions says about the first row that starts so, for the version of this
/// cluster.
async fn said(place: &Place, row: &str) -> &'static str {
    let version = place.client.admin().hbase().unwrap().version().await.unwrap().unwrap();
    let columns = |line: &'static str| line.split('|').map(str::trim).collect::<Vec<_>>();
    let (_, table) = PAGE.split_once("## What a version of HBase lacks").unwrap();
    let mut lines = table.lines().filter(|line| line.starts_with('|')).map(columns);
    let head = lines.next().unwrap();
    let own = |cell: &&str| !cell.is_empty() && version.starts_with(&format!("{cell}."));
    let column = head.iter().position(own).unwrap_or_else(|| panic!("{version}"));
    lines.find(|line| line[1].starts_with(row)).unwrap()[column]
}

pub(crate) async fn a_region_is_emptied_where_the_book_says_so(place: Place) {
    let table = place.table(&["m"]).await;
    let hbase = place.client.admin().hbase().unwrap();
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    let found = match hbase.truncate_region(&region).await {
        Ok(()) => "yes",
        Err(error) if error.kind() == ErrorKind::Unsupported => "`Unsupported`",
        Err(error) => panic!("{error:?}"),
    };
    assert_eq!(said(&place, "`truncate_region`").await, found);
}
