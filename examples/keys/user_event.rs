//! `[reversed user][Long.MAX - time]`: increasing user numbers are distributed by their last digit,
//! and the newest event of a user is the first row of a scan.

use tallrow::{RowKey, key::EncodeError};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "user_events")]
pub(crate) struct UserEvent {
    #[key(reverse, width = 11, chars = "0-9")]
    pub(crate) user: String,
    #[key(rev_ts)]
    pub(crate) at: i64,
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let event = |user: &str, at| UserEvent { user: user.into(), at };
    let rows = Rows::of(
        "user events",
        [
            (event("13800138000", 1_000), "..000 at 1000"),
            (event("13800138000", 2_000), "..000 at 2000"),
            (event("13800138000", 3_000), "..000 at 3000"),
            (event("13800138001", 1_500), "..001 at 1500"),
        ],
    )?;
    let all = rows.scan("all of a user, newest first", UserEvent::scan().user("13800138000"))?;
    assert_eq!(all, ["..000 at 3000", "..000 at 2000", "..000 at 1000"]);
    let some =
        rows.scan("a span of time", UserEvent::scan().user("13800138000").at(1_000..3_000))?;
    assert_eq!(some, ["..000 at 2000", "..000 at 1000"]);
    Ok(())
}
