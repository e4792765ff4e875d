//! Files with the progress of a command, so that the command can be resumed however it ended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Result};
use crate::files::with_suffix;

/// A file with the state of a command. Only one process at a time can hold the file.
///
/// The file is replaced as a whole: a reader finds either the state before a change or the state
/// after it, whenever the process ends.
#[derive(Debug)]
pub(crate) struct StateFile {
    path: PathBuf,
    /// The file at this path, locked; none before the first state is saved.
    held: Option<File>,
}

impl StateFile {
    /// Opens and locks the file, and reads the state in it; without a file, the state is none.
    pub(crate) fn open<S: DeserializeOwned>(path: PathBuf) -> Result<(Self, Option<S>)> {
        let failed = |error: io::Error| failure("read the state", &path, error);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((Self { path, held: None }, None));
            }
            Err(error) => return Err(failed(error)),
        };
        lock(&file, &path)?;
        // The file is read by its path after it was locked: another process may have replaced the
        // opened file, and ended.
        let text = fs::read(&path).map_err(failed)?;
        let state = serde_json::from_slice(&text).map_err(|error| {
            Failure::new(format!("{} is not a state of this command", path.display()))
                .caused_by(error)
                .advise("remove the file, or restore it from a copy")
        })?;
        Ok((Self { path, held: Some(file) }, Some(state)))
    }

    /// Replaces the state. The new state is on the disk when this returns.
    pub(crate) fn save(&mut self, state: &impl Serialize) -> Result<()> {
        let new = with_suffix(&self.path, ".new");
        let failed = |error: io::Error| failure("write the state", &self.path, error);
        if self.held.is_some() {
            // A killed process may have left this file, as a second name of the file that is held.
            match fs::remove_file(&new) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&new);
        let mut file = file.map_err(failed)?;
        lock(&file, &new)?;
        let written = (|| {
            let text = serde_json::to_vec_pretty(state)?;
            file.set_len(0)?;
            file.write_all(&text)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            match &self.held {
                Some(_) => fs::rename(&new, &self.path),
                // This fails if another process made the file in the meantime.
                None => fs::hard_link(&new, &self.path).and_then(|()| fs::remove_file(&new)),
            }?;
            sync_folder(&self.path)
        })();
        written.map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => busy(&self.path),
            _ => failed(error),
        })?;
        self.held = Some(file);
        Ok(())
    }

    /// Removes the file, because there is nothing to resume.
    pub(crate) fn remove(self) -> Result<()> {
        let removed = match self.held {
            Some(_) => fs::remove_file(&self.path),
            None => Ok(()),
        };
        removed.map_err(|error| failure("remove the state", &self.path, error))
    }
}

fn lock(file: &File, path: &Path) -> Result<()> {
    FileExt::try_lock(file).map_err(|error| match error {
        TryLockError::WouldBlock => busy(path),
        TryLockError::Error(error) => failure("lock the state", path, error),
    })
}

fn busy(path: &Path) -> Failure {
    Failure::new(format!("another process is at work with the state {}", path.display()))
        .advise("wait until it ends, or end it; then the same command goes on")
}

fn failure(what: &str, path: &Path, error: io::Error) -> Failure {
    Failure::new(format!("{what} {}", path.display()))
        .caused_by(error)
        .advise("what was acknowledged is done; the same command goes on when the file can be used")
}

/// Makes the new name of a file durable, by syncing the folder of the file.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tallrow-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn a_state_is_read_back_and_removed() {
        let path = path("state");
        let (mut file, state) = StateFile::open::<u32>(path.clone()).unwrap();
        assert_eq!(state, None);
        file.save(&7).unwrap();
        file.save(&8).unwrap();
        drop(file);
        let (file, state) = StateFile::open::<u32>(path.clone()).unwrap();
        assert_eq!(state, Some(8));
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn only_one_process_holds_a_state() {
        let path = path("held");
        let (mut first, _) = StateFile::open::<u32>(path.clone()).unwrap();
        let (mut second, _) = StateFile::open::<u32>(path.clone()).unwrap();
        first.save(&1).unwrap();
        assert!(second.save(&2).unwrap_err().to_string().contains("another process is at work"));
        let third = StateFile::open::<u32>(path.clone()).unwrap_err().to_string();
        assert!(third.contains("another process is at work"), "{third}");
        first.save(&3).unwrap();
        assert!(StateFile::open::<u32>(path.clone()).is_err(), "the new file is locked too");
        drop(first);
        assert_eq!(StateFile::open::<u32>(path.clone()).unwrap().1, Some(3));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_process_that_was_killed_leaves_nothing_in_the_way() {
        let path = path("killed");
        let new = with_suffix(&path, ".new");
        let (mut file, _) = StateFile::open::<u32>(path.clone()).unwrap();
        file.save(&1).unwrap();
        drop(file);
        for is_link in [true, false] {
            if is_link {
                fs::hard_link(&path, &new).unwrap();
            } else {
                fs::write(&new, "{").unwrap();
            }
            let (mut file, state) = StateFile::open::<u32>(path.clone()).unwrap();
            assert!(state.is_some());
            file.save(&2).unwrap();
            drop(file);
            assert_eq!(StateFile::open::<u32>(path.clone()).unwrap().1, Some(2));
        }
        fs::remove_file(&path).unwrap();
        fs::write(&new, "{").unwrap();
        let (mut file, _) = StateFile::open::<u32>(path.clone()).unwrap();
        file.save(&3).unwrap();
        file.remove().unwrap();
    }

    #[test]
    fn another_file_is_not_taken_for_a_state() {
        let path = path("other");
        fs::write(&path, "user,at\n").unwrap();
        let error = StateFile::open::<u32>(path.clone()).unwrap_err().to_string();
        assert!(error.contains("is not a state of this command"), "{error}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_state_that_cannot_be_written_names_the_cause() {
        let path = path("no_such_folder").join("state");
        let (mut file, _) = StateFile::open::<u32>(path).unwrap();
        let error = file.save(&1).unwrap_err().to_string();
        assert!(error.contains("caused by: No such file or directory (os error 2)"), "{error}");
    }
}
