//! `[id of the host][id of the type][time]`: a key of 24 bytes with numbers instead of names,
//! which, unlike hashes, can be decoded. The bytes are those of `Bytes.toBytes(long)`.

use tallrow::key::{NonNeg, Uid};
use tallrow::{
    RowKey,
    key::{DecodeRowKey, EncodeError},
};

use crate::shown::Rows;

/// The table that assigns numbers to hosts.
#[derive(Debug)]
pub(crate) enum Hosts {}
/// The table that assigns numbers to types of log entries.
#[derive(Debug)]
pub(crate) enum LogTypes {}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "log_data_num")]
pub(crate) struct LogNum {
    pub(crate) host: Uid<Hosts>,
    pub(crate) kind: Uid<LogTypes>,
    #[key(monotonic)]
    pub(crate) ts: NonNeg<i64>,
}

impl LogNum {
    pub(crate) fn new(host: u64, kind: u64, ts: i64) -> Option<Self> {
        Some(Self { host: Uid::new(host)?, kind: Uid::new(kind)?, ts: ts.try_into().ok()? })
    }
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let logs = [LogNum::new(7, 1, 5), LogNum::new(7, 1, 9), LogNum::new(7, 2, 7)];
    let words = ["type 1 at 5", "type 1 at 9", "type 2 at 7"];
    let rows = Rows::of("log data, by number", logs.iter().flatten().cloned().zip(words))?;
    for log in logs.iter().flatten() {
        assert_eq!(LogNum::decode_key(&log.encode()).as_ref(), Ok(log));
    }
    if let (Some(host), Some(kind)) = (Uid::new(7), Uid::new(1)) {
        let found = rows.scan("a series", LogNum::scan().host(host).kind(kind))?;
        assert_eq!(found, ["type 1 at 5", "type 1 at 9"]);
    }
    Ok(())
}
