//! The data that a cluster keeps in a directory.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::cluster::MockCluster;
use super::error::MockClusterError;
use crate::journal::{self, DataError, Journal};
use crate::recovery::{self, Image};
use crate::state::Cluster;

/// A directory that was locked and read.
#[derive(Debug)]
pub(super) struct OpenedData {
    /// The log of the directory.
    pub(super) journal: Arc<Journal>,
    /// What was dropped at its end.
    pub(super) dropped: Option<String>,
    /// What it has.
    pub(super) image: Image,
    needs_checkpoint: bool,
}

impl OpenedData {
    /// Locks and reads a directory.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let mut image = Image::default();
        let opened = journal::open(folder, |record| image.apply(record)).map_err(to_io)?;
        let journal::OpenedFile { journal, needs_checkpoint, dropped } = opened;
        Ok(Self { journal: Arc::new(journal), dropped, needs_checkpoint, image })
    }

    /// Gives the cluster what was read.
    pub(super) fn install(self, cluster: &Cluster) -> io::Result<()> {
        recovery::install(cluster, self.image);
        match self.needs_checkpoint {
            true => recovery::write_checkpoint(cluster).map_err(to_io),
            false => Ok(()),
        }
    }
}

fn to_io(error: DataError) -> io::Error {
    io::Error::other(error)
}

impl MockCluster {
    /// What was dropped at the end of the data file when the cluster started, for people: a last
    /// record that was not written to its end, because the process ended meanwhile. Nobody was told
    /// that its changes were made. None if nothing was dropped.
    ///
    /// See [`MockClusterBuilder::data`](crate::MockClusterBuilder::data) for an example.
    pub fn dropped_data(&self) -> Option<&str> {
        self.cluster().dropped_data.as_deref()
    }

    /// Waits until the cluster cannot write its data any more, for example because the disk is
    /// full, and returns why; it waits forever if that never happens. From then on, the cluster
    /// closes the connections of HBase instead of answering, and answers calls of Bigtable's
    /// services with `UNAVAILABLE`: a program should end.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use std::time::Duration;
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// let failure = cluster.wait_for_data_failure();
    /// assert!(tokio::time::timeout(Duration::from_millis(1), failure).await.is_err());
    /// # });
    /// ```
    pub async fn wait_for_data_failure(&self) -> MockClusterError {
        let journal = self.cluster().journal.clone();
        let failure = match &journal {
            Some(journal) => journal.wait_for_failure().await,
            None => None,
        };
        match failure {
            Some(error) => MockClusterError::new("keep the data", &error.to_string()),
            None => std::future::pending().await,
        }
    }
}
