//! Clusters that keep their tables in a directory.

mod administration;
mod damaged;
mod folder;
mod nonces;
mod ports;
mod restarts;
mod sizes;

use tallrow_mock::MockCluster;

pub(crate) use folder::Folder;

/// Starts a cluster with a copy of a data file, as after the process of the file was killed.
pub(crate) async fn restarted(bytes: &[u8]) -> (Folder, MockCluster) {
    let folder = Folder::with(bytes);
    let cluster = folder.start().await.unwrap_or_else(|error| panic!("{error}"));
    (folder, cluster)
}
