//! Describes backups in the service's messages.

use tallrow_wire::bigtable::{
    Backup as BackupMessage, BackupState, BackupType, EncryptionInfo, EncryptionType, Timestamp,
};

use crate::state::Backup;

/// Describes a backup.
pub(super) fn backup_message(name: &str, backup: &Backup, now: u64) -> BackupMessage {
    let state = match backup.ended_ms {
        Some(_) => BackupState::Ready,
        None => BackupState::Creating,
    };
    let kind = match backup.is_hot_at(now) {
        true => BackupType::Hot,
        false => BackupType::Standard,
    };
    let size = backup.ended_ms.map_or(0, |_| backup.content.bytes());
    BackupMessage {
        name: name.to_owned(),
        source_table: backup.source_table.clone(),
        source_backup: backup.source_backup.clone(),
        expire_time: Some(time(backup.expires_ms)),
        start_time: Some(time(backup.started_ms)),
        end_time: backup.ended_ms.map(time),
        size_bytes: i64::try_from(size).unwrap_or(i64::MAX),
        state: state as i32,
        // Google's client for Go does not read a backup without it.
        encryption_info: Some(EncryptionInfo {
            encryption_type: EncryptionType::GoogleDefaultEncryption as i32,
        }),
        backup_type: kind as i32,
        hot_to_standard_time: backup.hot_until_ms.map(time),
    }
}

/// Converts a time in ms to a message.
pub(super) fn time(ms: u64) -> Timestamp {
    let nanos = i32::try_from(ms % 1_000 * 1_000_000).unwrap_or(0);
    Timestamp { seconds: i64::try_from(ms / 1_000).unwrap_or(i64::MAX), nanos }
}
