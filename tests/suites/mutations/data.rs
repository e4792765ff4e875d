//! The data file of a mock that has a bit of everything, for the readers of `tallrow_mock::fuzz`.

use std::time::{Duration, SystemTime};

use tallrow::admin::{BackupDescriptor, BackupName, NamespaceDescriptor};
use tallrow::{Client, Config, FamilyDescriptor, Increment, Put, TableDescriptor};
use tallrow_mock::MockCluster;
use tallrow_tests::{Store, in_memory, scratch_dir};

/// The bytes before the records of a file.
const TITLE_BYTES: usize = b"tallrow-mock data 1\n".len();

/// The bytes before each record, which begin with its length.
const HEADER_BYTES: usize = 16;

/// A file.
pub(crate) fn file() -> Vec<u8> {
    let folder = scratch_dir();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let builder = MockCluster::builder().in_memory().bigtable_port(0).data(folder.join("d"));
        fill(&builder.start().await.unwrap()).await;
    });
    let bytes = std::fs::read(folder.join("d").join("tables.log")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    bytes
}

async fn fill(mock: &MockCluster) {
    let connect = async |store: Store| {
        let config = Config::new().connector(in_memory(mock));
        Client::connect_with(&store.url(mock), config).await.unwrap()
    };
    let (hbase, bigtable) = (connect(Store::HBase).await, connect(Store::Bigtable).await);
    let day = Duration::from_secs(86_400);
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    let table = table.change_stream_retention(day);
    bigtable.admin().create_table(&table).await.unwrap();
    for client in [&hbase, &bigtable] {
        let rows = client.raw_table("t").unwrap();
        rows.put(Put::new("a").cell("f", "q", "value")).await.unwrap();
        rows.put(Put::new("x").cell("f", "q", "value")).await.unwrap();
        rows.increment(Increment::new("n").add("f", "n", 1)).await.unwrap();
    }
    let admin = hbase.admin();
    admin.hbase().unwrap().take_snapshot("t", "s").await.unwrap();
    mock.split_region("t", b"m").unwrap();
    admin.hbase().unwrap().create_namespace(&NamespaceDescriptor::new("n")).await.unwrap();
    let backup = BackupDescriptor::new(BackupName::new("c", "b"), SystemTime::now() + 7 * day);
    let backups = bigtable.admin();
    let operation = backups.bigtable().unwrap().create_backup("t", &backup).await.unwrap();
    operation.wait(day).await.unwrap();
    bigtable.admin().delete_table("t").await.unwrap();
    let operation = backups.bigtable().unwrap().undelete_table("t").await.unwrap();
    operation.wait(day).await.unwrap();
}

/// The records of a file, each after its length as four bytes.
pub(crate) fn records() -> Vec<u8> {
    let file = file();
    let (mut rest, mut records) = (&file[TITLE_BYTES..], Vec::new());
    while let Some((header, after)) = rest.split_at_checked(HEADER_BYTES) {
        let len = u64::from_le_bytes(header[..8].try_into().unwrap());
        let (payload, after) = after.split_at(usize::try_from(len).unwrap());
        records.extend(u32::try_from(len).unwrap().to_le_bytes());
        records.extend(payload);
        rest = after;
    }
    records
}
