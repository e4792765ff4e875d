//! The directory of a data file: it is locked, and the file is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use super::error::DataError;
use super::frame::{FrameError, FrameReader, Next};
use super::log::Journal;
use super::record::Record;

/// The name of the data file.
const NAME: &str = "tables.log";

/// The name of the file that is locked.
const LOCK: &str = "lock";

/// A data file that was read.
#[derive(Debug)]
pub(crate) struct OpenedFile {
    /// The log, to which changes are appended.
    pub(crate) journal: Journal,
    /// Whether a checkpoint should be written before anything is appended: the file is new, or
    /// most of it is history.
    pub(crate) needs_checkpoint: bool,
    /// What was dropped at the end of the file, for people.
    pub(crate) dropped: Option<String>,
}

/// Locks a directory, which is made if it is missing, and reads its data file, if there is one.
pub(crate) fn open(
    folder: &Path,
    mut take: impl FnMut(Record) -> Result<(), String>,
) -> Result<OpenedFile, DataError> {
    fs::create_dir_all(folder)
        .map_err(|error| DataError::new("make the data directory", folder, error))?;
    let lock_file = locked(folder)?;
    let path = folder.join(NAME);
    let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let journal = Journal::new(path, lock_file, None, 0);
            return Ok(OpenedFile { journal, needs_checkpoint: true, dropped: None });
        }
        Err(error) => return Err(DataError::new("open the data file", &path, error)),
    };
    let len = file.metadata().map_err(|error| unreadable(&path, error))?.len();
    let read = read(BufReader::with_capacity(1 << 16, &file), len, &path, &mut take)?;
    let failed = |error| DataError::new("open the data file", &path, error);
    let dropped = match read.torn {
        None => None,
        Some((why, bytes)) => {
            file.set_len(read.end).map_err(failed)?;
            Some(format!(
                "{}: the last record, at byte {}, was not written to its end ({why}); its {bytes} \
                 bytes are dropped",
                path.display(),
                read.end
            ))
        }
    };
    file.seek(SeekFrom::Start(read.end)).map_err(failed)?;
    let needs_checkpoint = read.end > read.checkpoint.saturating_mul(2);
    let journal = Journal::new(path, lock_file, Some(file), read.end);
    Ok(OpenedFile { journal, needs_checkpoint, dropped })
}

/// Locks a directory for this process.
fn locked(folder: &Path) -> Result<File, DataError> {
    let path: PathBuf = folder.join(LOCK);
    let failed = |error| DataError::new("lock the data directory", folder, error);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(failed)?;
    match FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DataError::new(
            "lock the data directory",
            folder,
            "another process, or another cluster of this one, uses it; end that one, or choose \
             another directory",
        )),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// What was read of a file.
#[derive(Debug)]
struct FileEnd {
    /// The end of the checkpoint.
    checkpoint: u64,
    /// The end of the last whole record.
    end: u64,
    /// Why a last record is not whole, and the number of its bytes.
    torn: Option<(&'static str, u64)>,
}

/// Reads the bytes of a data file, as those of the file of a path, which is not opened.
pub(crate) fn read_bytes(
    bytes: &[u8],
    path: &Path,
    mut take: impl FnMut(Record) -> Result<(), String>,
) -> Result<(), DataError> {
    read(bytes, bytes.len() as u64, path, &mut take).map(drop)
}

fn unreadable(path: &Path, error: io::Error) -> DataError {
    DataError::new("read the data file", path, error)
}

fn read(
    input: impl Read,
    len: u64,
    path: &Path,
    take: &mut impl FnMut(Record) -> Result<(), String>,
) -> Result<FileEnd, DataError> {
    let failed = |at: u64, reason: String| {
        let advice = "restore the file from a copy, or choose another directory";
        DataError::new("read the data file", path, format!("at byte {at}: {reason}; {advice}"))
    };
    let broken = |at: u64, error: FrameError| match error {
        FrameError::Io(error) => unreadable(path, error),
        FrameError::Damaged(reason) => failed(at, reason),
    };
    let mut frames = FrameReader::new(input, len).map_err(|error| broken(0, error))?;
    let (mut checkpoint, mut records) = (None, 0);
    loop {
        let at = frames.position();
        match frames.next_record().map_err(|error| broken(at, error))? {
            Next::Record(record) => {
                if let Some(end) = &record.checkpoint_end {
                    if checkpoint.is_some() || end.records != records {
                        let reason = format!("a checkpoint ends after {records} records");
                        return Err(failed(at, reason));
                    }
                    checkpoint = Some(frames.position());
                }
                records += 1;
                take(*record).map_err(|reason| failed(at, reason))?;
            }
            end => {
                let Some(checkpoint) = checkpoint else {
                    return Err(failed(at, "the file ends within its checkpoint".into()));
                };
                let torn = match end {
                    Next::Torn(why) => Some((why, len.saturating_sub(at))),
                    _ => None,
                };
                return Ok(FileEnd { checkpoint, end: at, torn });
            }
        }
    }
}
