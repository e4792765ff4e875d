//! The place where a key migration keeps its phase and progress: cells of a row, or files in a
//! directory.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::op::Check;
use crate::{DeliveryGuarantee, Error, ErrorKind, Get, Put, RawTable, Result};

/// The place where a [`KeyMigration`](super::KeyMigration) keeps its phase and progress: a row of a
/// table, or a directory.
///
/// All processes that write to the tables must use the same place. A directory can be used only if
/// all these processes run on one host, or if all their hosts share the directory.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = tallrow::Client::connect("mock:").await?;
/// use tallrow::key_migration::KeyMigrationState;
///
/// // Cells s:tables, s:phase, s:progress, s:verified of the row orders.
/// let table = KeyMigrationState::table(client.raw_table("rekey")?, "orders", "s");
/// // Files of these names.
/// let directory = KeyMigrationState::directory("/var/lib/rekey/orders");
/// # let _ = (table, directory);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct KeyMigrationState(Place);

#[derive(Clone, Debug)]
enum Place {
    Table { table: RawTable, row: Bytes, family: Bytes },
    Directory(PathBuf),
}

/// A part of the state. Each part is written separately, because different processes write some of
/// the parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Tables,
    Phase,
    Progress,
    Verified,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Phase => "phase",
            Self::Progress => "progress",
            Self::Verified => "verified",
        }
    }
}

impl KeyMigrationState {
    /// Keeps the state in cells of the row `row` of `table`, in the family `family`.
    ///
    /// See [`KeyMigrationState`] for an example.
    pub fn table(table: RawTable, row: impl AsRef<[u8]>, family: impl AsRef<[u8]>) -> Self {
        let row = Bytes::copy_from_slice(row.as_ref());
        let family = Bytes::copy_from_slice(family.as_ref());
        // The same text may be written twice.
        let table = table.with_delivery(DeliveryGuarantee::AtLeastOnce);
        Self(Place::Table { table, row, family })
    }

    /// Keeps the state in files of the directory `path`, which is created if it is missing.
    ///
    /// See [`KeyMigrationState`] for an example.
    pub fn directory(path: impl AsRef<Path>) -> Self {
        Self(Place::Directory(path.as_ref().to_owned()))
    }

    pub(super) async fn read(&self, part: Part) -> Result<Option<String>> {
        match &self.0 {
            Place::Table { table, row, family } => {
                let found = table.get(Get::new(row).column(family, part.name())).await?;
                let value = found.as_ref().and_then(|row| row.value(family, part.name()));
                Ok(value.map(|value| String::from_utf8_lossy(value).into_owned()))
            }
            Place::Directory(path) => {
                let path = path.join(part.name());
                in_files(path.clone(), move || match fs::read_to_string(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    read => read.map(Some),
                })
                .await
            }
        }
    }

    /// Replaces a part like [`write`](Self::write), but only if its text is `from`; returns whether
    /// the part was replaced. In a directory, another process may change the part after it was
    /// read.
    pub(super) async fn replace(&self, part: Part, from: &str, text: String) -> Result<bool> {
        if let Place::Table { table, row, family } = &self.0 {
            let put = Put::new(row).cell(family, part.name(), text);
            let check = Check::new(row, family, part.name()).if_equals(from).then(put);
            return Ok(table.check_and_mutate(check).await?.is_applied());
        }
        let is_from = self.read(part).await?.as_deref() == Some(from);
        if is_from {
            self.write(part, text).await?;
        }
        Ok(is_from)
    }

    /// Replaces a part as a whole: after an error, the part has either its old text or the new one.
    pub(super) async fn write(&self, part: Part, text: String) -> Result<()> {
        match &self.0 {
            Place::Table { table, row, family } => {
                table.put(Put::new(row).cell(family, part.name(), text)).await
            }
            Place::Directory(path) => {
                let (directory, path) = (path.clone(), path.join(part.name()));
                in_files(path.clone(), move || {
                    fs::create_dir_all(&directory)?;
                    let new = directory.join(format!(".{}.{}", part.name(), std::process::id()));
                    let mut file = fs::File::create(&new)?;
                    file.write_all(text.as_bytes())?;
                    file.sync_all()?;
                    fs::rename(&new, &path)
                })
                .await
            }
        }
    }

    /// Returns an error for a part that cannot be decoded.
    pub(super) fn unreadable(&self, part: Part, text: &str) -> Error {
        let place = match &self.0 {
            Place::Table { table, .. } => table.name().to_string(),
            Place::Directory(path) => path.display().to_string(),
        };
        let text = format!("{:?} is not the {} of a change of row keys", text, part.name());
        Error::new(ErrorKind::Decode, format!("{text}, in {place}"))
    }
}

/// Runs an operation on a file without blocking other tasks.
async fn in_files<T: Send + 'static>(
    path: PathBuf,
    run: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(run).await;
    let done = done.unwrap_or_else(|ended| Err(io::Error::other(ended)));
    done.map_err(|error| {
        let text = format!("{} could not be read or written", path.display());
        Error::invalid(text).caused_by(error)
    })
}
