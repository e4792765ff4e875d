//! The errors of calls for backups, which name what is missing or there already.

use crate::{Error, ErrorKind};

/// Whether the service says of a cluster that it does not exist, and neither of a table nor of a
/// backup.
pub(super) fn is_of_cluster(error: &Error) -> bool {
    let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let text = format!("{} {source}", error.message()).to_ascii_lowercase();
    text.contains("cluster") && !text.contains("/tables/") && !text.contains("/backups/")
}

/// Says that a cluster does not exist.
pub(super) fn missing_cluster(error: Error, cluster: &str) -> Error {
    let text = format!("there is no cluster {cluster}; correct its id");
    error.into_kind(ErrorKind::InstanceNotFound, text).with_exception("NOT_FOUND")
}

/// Says of an error about something missing that it is about the backup.
pub(super) fn missing_backup(error: Error, path: &str) -> Error {
    match error.exception() {
        Some("NOT_FOUND") => no_backup(error, path),
        _ => error,
    }
}

/// Says that a backup does not exist.
pub(super) fn no_backup(error: Error, path: &str) -> Error {
    let text = format!(
        "there is no backup {path}; it may have expired: BigtableAdmin::list_backups returns those \
         that there are"
    );
    error.into_kind(ErrorKind::BackupNotFound, text).with_exception("NOT_FOUND")
}

/// Says that there is a backup of this name.
pub(super) fn backup_exists(error: Error, path: &str) -> Error {
    let text = format!("there is a backup {path} already; choose another id, or delete it first");
    error.into_kind(ErrorKind::BackupExists, text).with_exception("ALREADY_EXISTS")
}

/// Says of an error whose outcome is unknown how it is found out.
pub(super) fn may_be_there(error: Error, what: &str) -> Error {
    match error.kind() {
        ErrorKind::OutcomeUnknown => error
            .with_suffix_once(&format!("; look whether the {what} is there before you try again")),
        _ => error,
    }
}
