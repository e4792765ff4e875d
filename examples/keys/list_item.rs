//! `<user, 16 bytes><id>`: a list for each user as adjacent rows, read page by page.

use std::ops::Bound;

use tallrow::{RowKey, key::EncodeError};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "lists")]
pub(crate) struct ListItem {
    #[key(width = 16)]
    pub(crate) user: String,
    pub(crate) id: u64,
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let item = |user: &str, id| ListItem { user: user.into(), id };
    let rows = Rows::of(
        "lists",
        [
            (item("bob", 1), "1 of bob"),
            (item("bob", 2), "2 of bob"),
            (item("bob", 300), "300 of bob"),
            (item("bobby", 1), "1 of bobby"),
        ],
    )?;
    assert_eq!(rows.scan("a list", ListItem::scan().user("bob"))?.len(), 3);
    let after = (Bound::Excluded(1), Bound::Unbounded);
    let next = rows.scan("the next page", ListItem::scan().user("bob").id(after))?;
    assert_eq!(next, ["2 of bob", "300 of bob"]);
    Ok(())
}
