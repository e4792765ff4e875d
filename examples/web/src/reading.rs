//! The table of the readings.

use serde::{Deserialize, Serialize};
use tallrow::{Counter, RowKey, Table};

/// The readings of a device, newest first; the devices are distributed over 16 regions.
#[derive(RowKey, Clone, Debug)]
#[row_key(salt(buckets = 16, fields = (device)))]
pub struct ReadingKey {
    pub device: u32,
    #[key(rev_ts, display_time)]
    pub at: i64,
}

#[derive(Table, Debug)]
#[table(name = "readings")]
#[family("r", ttl = "90d")]
pub struct Reading {
    #[key]
    pub key: ReadingKey,
    #[cell("r:c", range = -273.15..=1e6)]
    pub celsius: f64,
    #[cell("r:n")]
    pub seen: Counter,
}

/// A reading in the form that a client sends and receives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadingBody {
    /// Milliseconds since 1970.
    pub at: i64,
    pub celsius: f64,
}
