//! The size of the file, and the use of the directory.

use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use super::Folder;
use crate::frames::{Fixture, mutation};

fn table(value: usize) -> String {
    let value = "v".repeat(value);
    format!("tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"{value}\"\n")
}

#[tokio::test]
async fn the_file_is_replaced_when_it_is_mostly_history() {
    let folder = Folder::new();
    let mut f = Fixture::with(folder.builder(), &[], &[]).await;
    let value = "v".repeat(2 << 20);
    let t = parse_table_name(b"t");
    let mut largest = 0;
    for _ in 0..20 {
        let put = mutation(MutationType::Put, "r", &[("q", 7, &value)]);
        f.mutate(put).await.unwrap();
        let request = DisableTableRequest { table_name: t.clone(), ..Default::default() };
        f.master.call::<DisableTableResponse>("DisableTable", &request).await.unwrap();
        let request = TruncateTableRequest { table_name: t.clone(), ..Default::default() };
        f.master.call::<TruncateTableResponse>("truncateTable", &request).await.unwrap();
        largest = largest.max(folder.bytes().len());
    }
    assert!((12 << 20..20 << 20).contains(&largest), "{largest}");
    assert!(folder.bytes().len() < 16 << 20, "40 MiB are kept in {}", folder.bytes().len());
    let copy = Folder::with(&folder.bytes());
    assert_eq!(copy.start().await.unwrap().dump_tables(), f.cluster.dump_tables());
}

#[tokio::test]
async fn a_directory_belongs_to_one_cluster_at_a_time() {
    let folder = Folder::new();
    let cluster = folder.start().await.unwrap();
    cluster.load_tables(&table(1)).unwrap();
    let error = folder.start().await.unwrap_err().to_string();
    let expected = format!(
        "lock the data directory {}: another process, or another cluster of this one, uses it; end \
         that one, or choose another directory",
        folder.0.display()
    );
    assert_eq!(error, expected);
    cluster.shutdown().await;
    let again = folder.start().await.unwrap();
    assert_eq!(again.dump_tables(), table(1));
}

#[tokio::test]
async fn a_large_table_is_kept_in_records_of_a_checkpoint() {
    let folder = Folder::new();
    let cluster = folder.start().await.unwrap();
    let mut text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nsplit \"5\"\n".to_owned();
    for row in 10..60 {
        text.push_str(&format!("put \"{row}\" \"f:q\" 7 \"{}\"\n", "v".repeat(100_000)));
    }
    cluster.load_tables(&text).unwrap();
    cluster.shutdown().await;
    // The second start replaces the file, and the third reads the checkpoint.
    for _ in 0..2 {
        let again = folder.start().await.unwrap();
        assert_eq!(again.dump_tables(), text);
        again.shutdown().await;
    }
}
