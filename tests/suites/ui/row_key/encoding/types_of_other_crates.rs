//! Types of other crates whose feature is off, or that are written only with an attribute.

use std::time::SystemTime;

use tallrow_codec::schema::TypeName;
use tallrow_codec::{Field, RowKey};

macro_rules! other {
    ($($name:ident)*) => {
        $(struct $name;)*
    };
}
other! { Uuid NaiveDate Timestamp OffsetDateTime Date }
struct DateTime<Zone>(Zone);
struct Utc;

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct Off {
    uuid: Uuid,
    optional: Option<Uuid>,
    chrono: DateTime<Utc>,
    #[key(rev_ts)]
    day: NaiveDate,
    jiff: Timestamp,
    time: OffsetDateTime,
    date: Date,
    std: SystemTime,
}

#[derive(RowKey)]
struct Unit {
    id: u8,
    #[key(unit = "ms")]
    chrono: DateTime<Utc>,
    #[key(unit = "ms")]
    std: SystemTime,
    #[key(unit = "ms")]
    number: i64,
}

/// As with the feature.
struct PrimitiveDateTime;

impl Field for PrimitiveDateTime {
    type Arg = Self;
    const TYPE_NAME: TypeName = <i64 as Field>::TYPE_NAME;

    fn as_arg(&self) -> &Self {
        self
    }
}

#[derive(RowKey)]
struct NoUnit {
    id: u8,
    at: PrimitiveDateTime,
}

fn main() {}
