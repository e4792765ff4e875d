//! The file that keeps the tables of a cluster over restarts: what it holds, and how it is written.
//!
//! The mock has all its data in memory and reads a file only when it starts, so what it needs is a
//! log, not a store with an index: redb and fjall would keep a second copy of every cell in the
//! form of their trees, and redb reads pages of a closed file without their checksums, so that a
//! damaged file can make it panic. The log is a file of frames (`frame`), each with a checksum
//! (`crc32fast`), in a directory that one process at a time has locked (`fs4`). Both crates are
//! small, in pure Rust, and in the dependencies of the workspace anyway.
//!
//! A frame has one record: what was changed while one region, the catalog or another part of the
//! state was locked. It says which cells were added and removed, not why, so that a file can be read
//! after the rules of flushes and compactions have changed. It is written before the lock is
//! released, so the records are in the order of the changes, and a client is answered after
//! the record is written. The bytes are then in the system's memory: they survive any end of the
//! process, but not a power cut, for which each write would have to wait for the disk.
//!
//! The file begins with the whole state, its checkpoint. When the log after it has grown larger
//! than the checkpoint, a new file with a new checkpoint replaces the old one. If a write fails,
//! no later one is made, and nothing is acknowledged any more.
//!
//! # Invariants
//!
//! - What was acknowledged is found after SIGKILL, what was never sent is not, and a repeated
//!   increment counts once. Tests: `tests/suites/kills`, `mock-server/tests/suite/data`.
//! - No content of a file makes the reader panic or allocate more than the file is long; only a
//!   last record that was not written to its end is dropped, and that is said. Tests:
//!   `mock-server/tests/suite/data/damaged.rs`, `tests/suites/mutations`.

mod attached;
mod bigtable_record;
mod error;
mod file;
mod frame;
mod log;
mod record;
mod region_record;
mod state_record;
mod stream_record;

pub(crate) use attached::Attached;
#[cfg(feature = "bigtable")]
pub(crate) use bigtable_record::{
    BackupRecord, DeletedTableRecord, DeletedTablesRecord, TableCopyRecord, WorkKind,
};
pub(crate) use bigtable_record::{BackupsChange, OperationRecord};
pub(crate) use error::DataError;
pub(crate) use file::{OpenedFile, open, read_bytes};
pub(crate) use log::Journal;
pub(crate) use record::{
    AppliedNonce, CatalogChange, Record, RegionChange, RowToken, SnapshotRecord, TableRecord,
};
pub(crate) use region_record::{CellRecord, FamilyNumber, RegionRecord, StoreState};
pub(crate) use state_record::{
    GrantRecord, GrantsRecord, IdentityRecord, PeersRecord, PortRecord, ProcedureRecord,
    QuotaRecord, QuotasRecord, StateChange, SwitchesRecord,
};
#[cfg(feature = "bigtable")]
pub(crate) use stream_record::SpanRecord;
pub(crate) use stream_record::{StreamEntryRecord, StreamRecord};
