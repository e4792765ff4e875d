//! How a server stalls, and at which step of a call.

use std::time::Duration;

use tallrow_mock::{CallFaultBuilder, ConnectionFaultBuilder, Fault};
use tallrow_tests::thorough;

use crate::stall::calls::{Call, Path};
use crate::stall::place::{META_SERVER, Place, ROW_SERVER};

/// A kind of stall at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stall {
    pub(crate) step: Step,
    pub(crate) how: How,
}

/// The steps of a call, each of which may stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Opening the connection of a new client.
    Connect,
    /// Looking up `hbase:meta` or the master.
    Registry,
    /// Opening a connection to the server of `hbase:meta`.
    ConnectToMeta,
    /// Reading regions or the state of a table from it.
    Meta,
    /// Opening a connection to the server of the rows.
    ConnectToRows,
    /// The operation, or opening a scanner.
    Operation,
    /// The next page of a scan.
    Page,
    /// Opening a connection to the master.
    ConnectToMaster,
    /// A call to the master.
    Master,
    /// Polling the master for a procedure.
    Procedure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    Silent,
    Trickling,
    Garbage,
    HugeFrame,
    UnknownCall,
    Closing,
}

const GARBAGE: &[u8] = b"HTTP/1.1 400 Bad Request\r\n\r\n";
const BYTE: Duration = Duration::from_secs(1);

const STEPS: [Step; 10] = [
    Step::Connect,
    Step::Registry,
    Step::ConnectToMeta,
    Step::Meta,
    Step::ConnectToRows,
    Step::Operation,
    Step::Page,
    Step::ConnectToMaster,
    Step::Master,
    Step::Procedure,
];

const HOWS: [How; 6] =
    [How::Silent, How::Trickling, How::Garbage, How::HugeFrame, How::UnknownCall, How::Closing];

/// Every kind of stall at every step. Without `TALLROW_THOROUGH`, two kinds at each step, and other
/// ones at the next: each kind is then among those of connections, and among those of calls.
pub(crate) fn to_try() -> impl Iterator<Item = Stall> {
    STEPS.into_iter().enumerate().flat_map(|(at, step)| {
        let hows = HOWS.into_iter().enumerate();
        let hows = hows.filter(move |(how, _)| thorough() || how % 3 == at % 3);
        hows.map(move |(_, how)| Stall { step, how })
    })
}

impl How {
    fn with_connections(self, point: ConnectionFaultBuilder) -> Fault {
        match self {
            Self::Silent => point.never_reply(),
            Self::Trickling => point.trickle(BYTE),
            Self::Garbage => point.garbage(GARBAGE),
            Self::HugeFrame => point.huge_frame(),
            Self::UnknownCall => point.unsolicited_reply(),
            Self::Closing => point.close(),
        }
    }

    fn with_calls(self, point: CallFaultBuilder) -> Fault {
        match self {
            Self::Silent => point.drop_request(),
            Self::Trickling => point.trickle(BYTE),
            Self::Garbage => point.garbage(GARBAGE),
            Self::HugeFrame => point.huge_frame(),
            Self::UnknownCall => point.wrong_call_id(),
            Self::Closing => point.close_before(),
        }
    }
}

impl Stall {
    /// Whether a call reaches the step.
    pub(crate) fn reaches(&self, call: &Call) -> bool {
        use Path::*;
        let asks_meta = matches!(call.path, Rows | Meta | Regions | RegionsThenMaster);
        match self.step {
            Step::Connect => call.path == Connect,
            Step::Registry => call.path != Server,
            Step::ConnectToMeta | Step::Meta => asks_meta,
            Step::ConnectToRows | Step::Operation => matches!(call.path, Rows | Regions | Server),
            Step::Page => false,
            Step::ConnectToMaster => {
                matches!(call.path, Master | Procedure | Poll | RegionsThenMaster)
            }
            Step::Master => matches!(call.path, Master | Procedure | RegionsThenMaster),
            Step::Procedure => matches!(call.path, Procedure | Poll | RegionsThenMaster),
        }
    }

    pub(crate) fn inject(&self, place: &Place) {
        let connect = Fault::on_connect();
        let connections = |point| place.mock.inject(self.how.with_connections(point));
        let calls = |methods: &[&str], narrow: fn(CallFaultBuilder) -> CallFaultBuilder| {
            methods
                .iter()
                .for_each(|m| place.mock.inject(self.how.with_calls(narrow(Fault::on(m)))));
        };
        let of_meta: fn(CallFaultBuilder) -> CallFaultBuilder = |point| point.table("hbase:meta");
        let of_rows: fn(CallFaultBuilder) -> CallFaultBuilder = |point| point.server(ROW_SERVER);
        match self.step {
            Step::Connect => connections(connect),
            Step::Registry => {
                calls(&["GetMetaRegionLocations", "GetActiveMaster", "GetClusterId"], |p| p)
            }
            Step::ConnectToMeta => connections(connect.server(META_SERVER)),
            Step::Meta => calls(&["Get", "Scan"], of_meta),
            Step::ConnectToRows => connections(connect.server(ROW_SERVER)),
            Step::Operation => calls(OPERATIONS, of_rows),
            Step::Page => calls(&["Scan"], of_rows),
            Step::ConnectToMaster => connections(connect.master()),
            Step::Master => calls(MASTER, |p| p),
            Step::Procedure => calls(&["getProcedureResult"], |p| p),
        }
    }
}

/// The methods of operations on rows and regions that the client uses.
const OPERATIONS: &[&str] = &[
    "Get",
    "Mutate",
    "Multi",
    "Scan",
    "CompactRegion",
    "ClearSlowLogsResponses",
    "ExecService",
    "GetLogEntries",
    "GetRegionInfo",
    "GetRegionLoad",
    "GetSpaceQuotaSnapshots",
];

/// The master's methods that the client uses.
const MASTER: &[&str] = &[
    "AbortProcedure",
    "AddReplicationPeer",
    "AssignRegion",
    "Balance",
    "CreateNamespace",
    "CreateTable",
    "DecommissionRegionServers",
    "DeleteNamespace",
    "DeleteSnapshot",
    "DeleteTable",
    "DisableReplicationPeer",
    "DisableTable",
    "EnableReplicationPeer",
    "EnableTable",
    "FlushTable",
    "GetClusterStatus",
    "GetCompletedSnapshots",
    "GetProcedures",
    "GetQuotaStates",
    "GetSpaceQuotaRegionSizes",
    "GetTableDescriptors",
    "GetNamespaceDescriptor",
    "GetTableNames",
    "IsBalancerEnabled",
    "IsSnapshotCleanupEnabled",
    "IsSplitOrMergeEnabled",
    "ListDecommissionedRegionServers",
    "ListNamespaces",
    "ListReplicationPeers",
    "MergeTableRegions",
    "ModifyTable",
    "MoveRegion",
    "RecommissionRegionServer",
    "RemoveReplicationPeer",
    "RestoreSnapshot",
    "SetBalancerRunning",
    "SetQuota",
    "SetSplitOrMergeEnabled",
    "Snapshot",
    "SplitRegion",
    "SwitchSnapshotCleanup",
    "TruncateRegion",
    "UnassignRegion",
    "UpdateReplicationPeerConfig",
    "truncateTable",
];
