//! A directory of data, of which a test reads the file as a killed process leaves it.

use std::fs;
use std::io::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use tallrow_mock::{MockCluster, MockClusterBuilder};

/// A directory of data, which is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// A path that does not exist yet.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tallrow-mock-data-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// A directory with a data file of these bytes.
    pub(crate) fn with(bytes: &[u8]) -> Self {
        let folder = Self::new();
        fs::create_dir_all(&folder.0).unwrap();
        fs::write(folder.file(), bytes).unwrap();
        folder
    }

    /// The data file.
    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("tables.log")
    }

    /// What the data file has, as a process that is killed now leaves it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        fs::read(self.file()).unwrap()
    }

    /// Configures a cluster with this directory.
    pub(crate) fn builder(&self) -> MockClusterBuilder {
        let builder = MockCluster::builder().servers(1).in_memory();
        builder.clock_start_ms(1_700_000_000_000).data(&self.0)
    }

    /// Starts a cluster with this directory.
    pub(crate) async fn start(&self) -> Result<MockCluster> {
        self.builder().start().await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // At worst it stays in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
