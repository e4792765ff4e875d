//! The log to which a cluster appends its changes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

use super::error::DataError;
use super::frame;
use super::record::{CheckpointEnd, Record};
use crate::base::lock;

/// The log grows at least by this number of bytes before it is replaced by a new checkpoint.
const MIN_GROWTH: u64 = 16 << 20;

/// The log of a cluster.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    /// The file that is locked as long as the log is open; none after it was closed.
    lock_file: Mutex<Option<File>>,
    log: Mutex<Log>,
    /// Whether the log has grown so much that it is to be replaced.
    is_large: AtomicBool,
    /// Why a write failed.
    failure: watch::Sender<Option<DataError>>,
}

/// The file, which is none after it was closed or after a write has failed.
#[derive(Debug)]
struct Log {
    file: Option<File>,
    bytes: u64,
    /// The size at which a new checkpoint is due.
    due: u64,
}

/// A new file, while its checkpoint is written.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    file: io::BufWriter<File>,
    bytes: u64,
    records: u64,
}

impl Checkpoint {
    /// Writes a record.
    pub(crate) fn write(&mut self, record: &Record) -> io::Result<()> {
        self.records += 1;
        self.write_bytes(&frame::encode(record))
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

impl Journal {
    /// Makes the log of a file, which ends where the next record is to be written. Without a
    /// file, nothing can be appended before the first checkpoint.
    pub(super) fn new(path: PathBuf, lock_file: File, file: Option<File>, bytes: u64) -> Self {
        Self {
            path,
            lock_file: Mutex::new(Some(lock_file)),
            log: Mutex::new(Log { file, bytes, due: bytes.saturating_add(MIN_GROWTH) }),
            is_large: AtomicBool::new(false),
            failure: watch::Sender::new(None),
        }
    }

    /// Writes a record. After a failure, nothing is written any more.
    pub(crate) fn append(&self, record: &Record) {
        let mut log = lock(&self.log);
        let Some(file) = &mut log.file else { return };
        let frame = frame::encode(record);
        if let Err(error) = file.write_all(&frame) {
            log.file = None;
            let error = DataError::new("write to", &self.path, error);
            self.failure.send_replace(Some(error));
            return;
        }
        log.bytes += frame.len() as u64;
        if log.bytes >= log.due {
            self.is_large.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the log is so large that a new checkpoint is due.
    pub(crate) fn is_large(&self) -> bool {
        self.is_large.load(Ordering::Relaxed)
    }

    /// Replaces the file by a new one with these records, which are the whole state. Nobody may
    /// change anything meanwhile. If this fails, the old file remains in use.
    pub(crate) fn replace(
        &self,
        records: impl FnOnce(&mut Checkpoint) -> io::Result<()>,
    ) -> Result<(), DataError> {
        let mut log = lock(&self.log);
        self.is_large.store(false, Ordering::Relaxed);
        if self.failure().is_some() || lock(&self.lock_file).is_none() {
            let reason = "a write has failed, or the directory was left to others";
            return Err(DataError::new("replace", &self.path, reason));
        }
        match self.write_checkpoint(records) {
            Ok((file, bytes)) => {
                let due = bytes.saturating_mul(2).max(bytes.saturating_add(MIN_GROWTH));
                *log = Log { file: Some(file), bytes, due };
                Ok(())
            }
            Err(error) => {
                log.due = log.bytes.saturating_mul(2);
                Err(DataError::new("replace", &self.path, error))
            }
        }
    }

    fn write_checkpoint(
        &self,
        records: impl FnOnce(&mut Checkpoint) -> io::Result<()>,
    ) -> io::Result<(File, u64)> {
        let new = self.path.with_extension("new");
        let file = io::BufWriter::with_capacity(1 << 20, File::create(&new)?);
        let mut checkpoint = Checkpoint { file, bytes: 0, records: 0 };
        checkpoint.write_bytes(&frame::title())?;
        records(&mut checkpoint)?;
        let end = CheckpointEnd { records: checkpoint.records };
        checkpoint.write(&Record { checkpoint_end: Some(end), ..Record::default() })?;
        let Checkpoint { file, bytes, .. } = checkpoint;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        // Whatever happens to the machine, one of the two files is there as a whole.
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        if let Some(folder) = self.path.parent() {
            // The new file is in place. If this fails, a power cut may bring back the old one.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok((file, bytes))
    }

    /// Why a write failed, if one has.
    pub(crate) fn failure(&self) -> Option<DataError> {
        self.failure.borrow().clone()
    }

    /// Waits until a write fails.
    pub(crate) async fn wait_for_failure(&self) -> Option<DataError> {
        let mut failure = self.failure.subscribe();
        failure.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// Ends the log: waits until the disk has everything, and leaves the directory to others.
    /// Nothing is written any more.
    pub(crate) fn close(&self) {
        if let Some(file) = lock(&self.log).file.take() {
            // Whatever the disk says, the system has everything.
            let _ = file.sync_all();
        }
        drop(lock(&self.lock_file).take());
    }
}
