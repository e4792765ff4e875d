//! The names, descriptions and states of backups.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::wire::bigtable::{self as wire, BackupState, BackupType};
use crate::{Error, ErrorKind, Result, TableName};

/// The maximum length of the id of a backup in bytes.
const MAX_ID: usize = 50;

/// The name of a backup: the cluster in which it is stored, and its id there. A name without an
/// instance is one in the instance of the client.
///
/// ```
/// use tallrow::admin::BackupName;
///
/// let weekly = BackupName::new("shop-eu", "weekly");
/// assert_eq!((weekly.cluster(), weekly.id()), ("shop-eu", "weekly"));
/// assert_eq!(weekly.instance(), None);
///
/// let elsewhere = BackupName::new("archive-eu", "weekly").in_instance("my-project", "archive");
/// let text = "projects/my-project/instances/archive/clusters/archive-eu/backups/weekly";
/// assert_eq!(elsewhere.to_string(), text);
/// assert_eq!(text.parse::<BackupName>()?, elsewhere);
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackupName {
    cluster: String,
    id: String,
    /// The project and the instance.
    instance: Option<(String, String)>,
}

impl BackupName {
    /// Returns the name of a backup in a cluster of the client's instance. An id has at most 50 of
    /// the characters `_`, `-`, `.`, letters and digits, and does not begin with `-` or `.`.
    ///
    /// See [`BackupName`] for an example.
    pub fn new(cluster: impl Into<String>, id: impl Into<String>) -> Self {
        Self { cluster: cluster.into(), id: id.into(), instance: None }
    }

    /// Sets the instance of the cluster.
    ///
    /// See [`BackupName`] for an example.
    pub fn in_instance(mut self, project: impl Into<String>, instance: impl Into<String>) -> Self {
        self.instance = Some((project.into(), instance.into()));
        self
    }

    /// The id of the cluster.
    ///
    /// See [`BackupName`] for an example.
    pub fn cluster(&self) -> &str {
        &self.cluster
    }

    /// The id of the backup.
    ///
    /// See [`BackupName`] for an example.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The project and the instance; `None` if they are those of the client.
    ///
    /// See [`BackupName`] for an example.
    pub fn instance(&self) -> Option<(&str, &str)> {
        self.instance.as_ref().map(|(project, instance)| (&**project, &**instance))
    }

    /// Returns the cluster, `projects/P/instances/I/clusters/C`, where `own` is the instance of the
    /// client. Fails if a part of the name cannot be one.
    pub(super) fn cluster_path(&self, own: &str) -> Result<String> {
        check_id("id of a backup", &self.id)?;
        let instance = match &self.instance {
            None => own.to_owned(),
            // Projects of domains have a colon.
            Some((project, instance)) if is_id(&project.replace(':', "_")) && is_id(instance) => {
                format!("projects/{project}/instances/{instance}")
            }
            Some((project, instance)) => {
                let text = format!("{project:?} and {instance:?} are no project and instance");
                return Err(Error::invalid(text));
            }
        };
        cluster_path(&instance, &self.cluster)
    }

    /// Returns the full name, where `own` is the instance of the client.
    pub(super) fn path(&self, own: &str) -> Result<String> {
        Ok(format!("{}/backups/{}", self.cluster_path(own)?, self.id))
    }

    /// Reads a full name, where `own` is the instance of the client.
    fn of_path(path: &str, own: &str) -> Result<Self> {
        let name = path.parse::<Self>()?;
        let is_own = path.strip_prefix(own).is_some_and(|rest| rest.starts_with("/clusters/"));
        Ok(if is_own { Self { instance: None, ..name } } else { name })
    }
}

/// Returns the full name of a cluster of an instance. Fails if the cluster cannot have this id.
pub(super) fn cluster_path(instance: &str, cluster: &str) -> Result<String> {
    check_id("id of a cluster", cluster)?;
    Ok(format!("{instance}/clusters/{cluster}"))
}

fn check_id(what: &str, id: &str) -> Result<()> {
    match is_id(id) {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "{id:?} is no {what}, which has at most {MAX_ID} letters, digits, \"_\", \"-\" and \".\", \
             and does not begin with \"-\" or \".\""
        ))),
    }
}

fn is_id(id: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut bytes = id.bytes();
    id.len() <= MAX_ID
        && bytes.next().is_some_and(is_word)
        && bytes.all(|b| is_word(b) || matches!(b, b'-' | b'.'))
}

impl FromStr for BackupName {
    type Err = Error;

    /// Reads a full name, `projects/P/instances/I/clusters/C/backups/B`.
    fn from_str(text: &str) -> Result<Self> {
        match text.split('/').collect::<Vec<_>>()[..] {
            ["projects", project, "instances", instance, "clusters", cluster, "backups", id]
                if ![project, instance, cluster, id].contains(&"") =>
            {
                Ok(Self::new(cluster, id).in_instance(project, instance))
            }
            _ => Err(Error::invalid(format!(
                "{text:?} is no name of a backup, which is projects/P/instances/I/clusters/C/backups/B"
            ))),
        }
    }
}

impl fmt::Display for BackupName {
    /// Shows the full name; without an instance, only the cluster and the backup.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((project, instance)) = &self.instance {
            write!(f, "projects/{project}/instances/{instance}/")?;
        }
        write!(f, "clusters/{}/backups/{}", self.cluster, self.id)
    }
}

/// The description of a new backup: its name, when the service deletes it, and whether it is a hot
/// one.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tallrow::admin::{BackupDescriptor, BackupName};
///
/// let in_a_week = SystemTime::now() + Duration::from_secs(7 * 86_400);
/// let weekly = BackupDescriptor::new(BackupName::new("shop-eu", "weekly"), in_a_week);
/// assert_eq!(weekly.name().id(), "weekly");
/// let hot = weekly.hot();
/// assert_eq!(hot.name().cluster(), "shop-eu");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupDescriptor {
    name: BackupName,
    expires_at: SystemTime,
    is_hot: bool,
    hot_until: Option<SystemTime>,
}

impl BackupDescriptor {
    /// Describes a standard backup that the service deletes at this time: 6 hours to 90 days from
    /// now.
    ///
    /// See [`BackupDescriptor`] for an example.
    pub fn new(name: BackupName, expires_at: SystemTime) -> Self {
        Self { name, expires_at, is_hot: false, hot_until: None }
    }

    /// Makes it a hot backup (`HOT`), which is restored faster, and costs more.
    ///
    /// See [`BackupDescriptor`] for an example.
    pub fn hot(mut self) -> Self {
        self.is_hot = true;
        self
    }

    /// Makes it a hot backup that becomes a standard one at this time (`hot_to_standard_time`), a
    /// day from now at the earliest.
    ///
    /// ```
    /// # use std::time::{Duration, SystemTime};
    /// # use tallrow::admin::{BackupDescriptor, BackupName};
    /// let day = Duration::from_secs(86_400);
    /// let (tomorrow, in_a_week) = (SystemTime::now() + day, SystemTime::now() + 7 * day);
    /// let hot = BackupDescriptor::new(BackupName::new("shop-eu", "weekly"), in_a_week);
    /// assert_ne!(hot.clone().hot_until(tomorrow), hot);
    /// ```
    pub fn hot_until(mut self, time: SystemTime) -> Self {
        self.is_hot = true;
        self.hot_until = Some(time);
        self
    }

    /// The name of the backup.
    ///
    /// See [`BackupDescriptor`] for an example.
    pub fn name(&self) -> &BackupName {
        &self.name
    }

    /// Returns the backup of a request, of the table with this full name.
    pub(super) fn to_message(&self, source_table: String) -> wire::Backup {
        let backup_type = match self.is_hot {
            true => BackupType::Hot,
            false => BackupType::Standard,
        };
        wire::Backup {
            source_table,
            expire_time: Some(message_of_time(self.expires_at)),
            backup_type: backup_type as i32,
            hot_to_standard_time: self.hot_until.map(message_of_time),
            ..wire::Backup::default()
        }
    }
}

/// A backup of a table.
///
/// See [`BigtableAdmin::create_backup`](super::BigtableAdmin::create_backup) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// The name, without an instance if it is that of the client.
    pub name: BackupName,
    /// The table that was backed up, which may have been deleted since.
    pub table: TableName,
    /// The backup that this one is a copy of.
    pub copied_from: Option<BackupName>,
    /// Whether the backup is complete; only then it can be restored and copied.
    pub is_ready: bool,
    /// When the service deletes the backup.
    pub expires_at: Option<SystemTime>,
    /// When the backup was begun: its rows are not older.
    pub started_at: Option<SystemTime>,
    /// When the backup was complete: its rows are not newer.
    pub ended_at: Option<SystemTime>,
    /// The size in bytes, 0 while the backup is not complete.
    pub size_bytes: u64,
    /// Whether it is a hot backup.
    pub is_hot: bool,
    /// When a hot backup becomes a standard one.
    pub hot_until: Option<SystemTime>,
}

impl Backup {
    /// Reads a message of the service, where `own` is the instance of the client.
    pub(super) fn of_message(message: &wire::Backup, own: &str) -> Result<Self> {
        let wrong = |error: Error| {
            let text = format!("the service has described a backup that cannot be: {error}");
            Error::new(ErrorKind::Protocol, text)
        };
        let table = message.source_table.rsplit('/').next().unwrap_or_default();
        let copied_from = match &*message.source_backup {
            "" => None,
            source => Some(BackupName::of_path(source, own).map_err(wrong)?),
        };
        Ok(Self {
            name: BackupName::of_path(&message.name, own).map_err(wrong)?,
            table: table.parse::<TableName>().map_err(wrong)?,
            copied_from,
            is_ready: message.state() == BackupState::Ready,
            expires_at: message.expire_time.and_then(time_of_message),
            started_at: message.start_time.and_then(time_of_message),
            ended_at: message.end_time.and_then(time_of_message),
            size_bytes: u64::try_from(message.size_bytes).unwrap_or(0),
            is_hot: message.backup_type() == BackupType::Hot,
            hot_until: message.hot_to_standard_time.and_then(time_of_message),
        })
    }
}

/// Converts a time to a message. The service refuses times before 1970, which become 1970.
pub(super) fn message_of_time(time: SystemTime) -> wire::Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    wire::Timestamp {
        seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(since.subsec_nanos()).unwrap_or(0),
    }
}

/// Reads the time of a message; `None` if it is none, or before 1970.
pub(super) fn time_of_message(time: wire::Timestamp) -> Option<SystemTime> {
    let nanos = u32::try_from(time.nanos).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    UNIX_EPOCH.checked_add(Duration::new(u64::try_from(time.seconds).ok()?, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "projects/p/instances/i";

    #[test]
    fn a_name_is_read_as_it_was_written() {
        let own = BackupName::new("c", "b-1");
        let path = own.path(OWN).unwrap();
        assert_eq!(path, "projects/p/instances/i/clusters/c/backups/b-1");
        assert_eq!(BackupName::of_path(&path, OWN).unwrap(), own);
        // An instance whose name begins as that of the client.
        let other = BackupName::new("c", "b").in_instance("p", "i2");
        let path = other.path(OWN).unwrap();
        assert_eq!(BackupName::of_path(&path, OWN).unwrap(), other);
        for bad in ["", "b", "projects/p/instances/i/clusters/c/backups/", &format!("{path}/x")] {
            assert!(bad.parse::<BackupName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_is_not_sent() {
        for bad in ["", "-b", ".", "a/b", "ä", &"b".repeat(51)] {
            let of_backup = BackupName::new("c", bad).path(OWN).unwrap_err();
            let of_cluster = BackupName::new(bad, "b").path(OWN).unwrap_err();
            let of_instance = BackupName::new("c", "b").in_instance("p", bad).path(OWN);
            for error in [of_backup, of_cluster, of_instance.unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
            }
        }
        let domain = BackupName::new("c", "b").in_instance("example.com:p", "i");
        assert!(domain.path(OWN).unwrap().starts_with("projects/example.com:p/instances/i/"));
    }

    #[test]
    fn times_are_read_as_they_were_written_and_others_are_none() {
        let time = UNIX_EPOCH + Duration::new(1_700_000_000, 5_000);
        assert_eq!(time_of_message(message_of_time(time)), Some(time));
        for (seconds, nanos) in [(-1, 0), (0, -1), (0, 1_000_000_000), (i64::MIN, 0)] {
            assert_eq!(time_of_message(wire::Timestamp { seconds, nanos }), None);
        }
        let _ = time_of_message(wire::Timestamp { seconds: i64::MAX, nanos: 0 });
    }
}
