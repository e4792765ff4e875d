//! The mock in a process of its own, so that its allocations are not counted.

use tallrow_mock::MockCluster;
use tallrow_tests::{Process, task, tell};

/// The mock in a process of its own.
pub(crate) struct MockProcess {
    _process: Process,
    pub(crate) url: String,
}

impl MockProcess {
    pub(crate) fn start() -> Self {
        let mut process = Process::start("mock_process::serve_as_mock_process", "");
        let url = process.told().expect("the mock is running");
        Self { _process: process, url }
    }
}

/// The process of the mock, until its input ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn serve_as_mock_process() {
    if task().is_none() {
        return;
    }
    let mock = MockCluster::builder().start().await.unwrap();
    tell(mock.url());
    std::io::stdin().lines().for_each(drop);
}
