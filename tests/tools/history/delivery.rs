//! The delivery guarantees that runs are made with, and how a client is configured for each.

use std::fmt;
use std::str::FromStr;

use tallrow::{Config, Increment, RawTable};

/// How a put or delete without a timestamp is delivered if its reply is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryGuarantee {
    /// It is never sent again, and its outcome is unknown.
    AtMostOnce,
    /// It is sent again, and may be applied again.
    AtLeastOnce,
    /// It is sent again with the same timestamp, chosen by the client.
    Idempotent,
}

impl DeliveryGuarantee {
    /// All of them, by their names in logs.
    pub(crate) const NAMES: [(Self, &str); 3] = [
        (Self::AtMostOnce, "at_most_once"),
        (Self::AtLeastOnce, "at_least_once"),
        (Self::Idempotent, "idempotent"),
    ];

    /// Configures a client for this delivery.
    pub(crate) fn configure(self, config: Config) -> Config {
        let delivery = match self {
            Self::AtMostOnce => tallrow::DeliveryGuarantee::AtMostOnce,
            Self::AtLeastOnce => tallrow::DeliveryGuarantee::AtLeastOnce,
            Self::Idempotent => tallrow::DeliveryGuarantee::Idempotent,
        };
        config.delivery(delivery)
    }

    /// The number of clients. The timestamps of one client are in order, those of several are not.
    pub(crate) fn clients(self) -> usize {
        if self == Self::Idempotent { 1 } else { 3 }
    }
}

/// Adds to a counter, and returns its new value if that is known.
pub(crate) async fn add(
    table: &RawTable,
    row: &str,
    column: (&str, &str),
    by: i64,
) -> tallrow::Result<Option<i64>> {
    match table.increment(Increment::new(row).add(column.0, column.1, by)).await? {
        Some(row) => row.counter(column.0, column.1),
        None => Ok(None),
    }
}

impl fmt::Display for DeliveryGuarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(delivery, _)| delivery == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

impl FromStr for DeliveryGuarantee {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(_, name)| *name == text);
        let names = Self::NAMES.map(|(_, name)| name).join(", ");
        found
            .map(|(delivery, _)| *delivery)
            .ok_or(format!("no delivery {text:?}; there are {names}"))
    }
}
