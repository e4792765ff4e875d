//! HBase and Bigtable as values, for tests that run on both and make calls of each fail.

use tallrow_mock::{CallFaultBuilder, Fault, MockCluster, StatusCode};

use crate::place::{emulator, real};

/// A store that the client works on, with what differs when its calls are disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// HBase.
    HBase,
    /// Bigtable.
    Bigtable,
}

impl Store {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::HBase, Self::Bigtable];

    /// The address of a mock cluster that was built with a port for Bigtable.
    ///
    /// # Panics
    /// If it was not.
    pub fn url(self, mock: &MockCluster) -> String {
        match self {
            Self::HBase => mock.url(),
            Self::Bigtable => mock.bigtable_url().unwrap(),
        }
    }

    /// The address of the real one: a cluster of HBase or Google's emulator, if the environment
    /// names it.
    pub fn real(self) -> Option<String> {
        match self {
            Self::HBase => real("TALLROW_REAL_ZK"),
            Self::Bigtable => emulator(),
        }
    }

    /// The methods that read and write rows.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            Self::HBase => &["Get", "Mutate", "Multi"],
            Self::Bigtable => {
                &["ReadRows", "MutateRow", "MutateRows", "CheckAndMutateRow", "ReadModifyWriteRow"]
            }
        }
    }

    /// The method of a single write, and that of a conditional one or of several changes in one
    /// step.
    pub fn writes(self) -> [&'static str; 2] {
        match self {
            Self::HBase => ["Mutate", "Multi"],
            Self::Bigtable => ["MutateRow", "CheckAndMutateRow"],
        }
    }

    /// The server refuses these calls for ever.
    pub fn refuse(self, calls: CallFaultBuilder) -> Fault {
        match self {
            Self::HBase => {
                let class = "org.apache.hadoop.hbase.security.AccessDeniedException";
                calls.throw_with_do_not_retry(class, "stop", true)
            }
            Self::Bigtable => calls.fail(StatusCode::PermissionDenied, "stop"),
        }
    }

    /// The ways in which a call fails at once, applied or not.
    pub(crate) fn failures(self) -> &'static [fn(CallFaultBuilder) -> Fault] {
        match self {
            Self::HBase => &[
                CallFaultBuilder::close_after,
                CallFaultBuilder::close_before,
                CallFaultBuilder::truncate_reply,
                CallFaultBuilder::not_serving,
            ],
            Self::Bigtable => &[
                CallFaultBuilder::close_after,
                CallFaultBuilder::close_before,
                CallFaultBuilder::truncate_reply,
                CallFaultBuilder::reset_stream,
                |calls| calls.fail(StatusCode::Aborted, "try again"),
            ],
        }
    }
}
