//! `[salt][tenant][user][time]`: 16 buckets distribute rows whose time increases. The salt is
//! computed from tenant and user, so a scan that fixes both reads one bucket, and any other scan
//! reads all buckets; the type of a scan shows how many it reads.

use tallrow::{
    RowKey,
    key::{EncodeError, RowRange, RowRanges},
};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "events", salt(buckets = 16, fields = (tenant, user)))]
pub(crate) struct Event {
    pub(crate) tenant: u32,
    #[key(escaped)]
    pub(crate) user: String,
    #[key(monotonic)]
    pub(crate) ts: u64,
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let event = |user: &str, ts| Event { tenant: 7, user: user.into(), ts };
    let rows = Rows::of(
        "events, salted",
        [
            (event("ann", 1), "ann at 1"),
            (event("bob", 1), "bob at 1"),
            (event("bob", 2), "bob at 2"),
            (event("cyd", 1), "cyd at 1"),
        ],
    )?;
    assert_eq!(Event::SPLITS.len(), 15);

    let one: [RowRange; 1] = Event::scan().tenant(7).user("bob").row_ranges()?;
    assert!(one.iter().all(|range| range.contains(event("bob", 2).encode().as_ref())));
    let all: [RowRange; 16] = Event::scan().tenant(7).row_ranges()?;
    assert!(!all.iter().any(RowRange::is_empty));

    let bob = rows.scan("a user", Event::scan().tenant(7).user("bob"))?;
    assert_eq!(bob, ["bob at 1", "bob at 2"]);
    assert_eq!(rows.scan("a tenant", Event::scan().tenant(7))?.len(), 4);
    Ok(())
}
