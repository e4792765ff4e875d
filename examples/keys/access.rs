//! `{hash of the user}|{system}|{user}|{period}`: a text key, distributed by the first five hex
//! digits of the MD5 of the user. `|` sorts above letters and digits, so the rows of one system are
//! adjacent, but the systems are not in the order of their names.

use tallrow::{
    RowKey,
    key::{EncodeError, text_prefix},
};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(
    schema_table = "access_logs",
    text_sep = '|',
    hash_prefix(md5, hex = 5, fields = (user), sep = '|'),
    allow(unsorted_text)
)]
pub(crate) struct Access {
    #[key(chars = "a-z")]
    pub(crate) system: String,
    #[key(chars = "a-zA-Z0-9_")]
    pub(crate) user: String,
    #[key(width = 6, chars = "0-9")]
    pub(crate) period: String,
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let access = |system: &str, user: &str, period: &str| Access {
        system: system.into(),
        user: user.into(),
        period: period.into(),
    };
    let rows = Rows::of(
        "access logs",
        [
            (access("jericho", "dave", "201510"), "dave on jericho in 201510"),
            (access("jericho", "dave", "201511"), "dave on jericho in 201511"),
            (access("jericho", "elton", "201510"), "elton on jericho in 201510"),
            (access("discus", "elton", "201511"), "elton on discus in 201511"),
        ],
    )?;
    let dave = rows.scan("a user of a system", Access::scan().system("jericho").user("dave"))?;
    assert_eq!(dave, ["dave on jericho in 201510", "dave on jericho in 201511"]);
    let year = Access::scan().system("jericho").user("dave").period(text_prefix("2015"));
    assert_eq!(rows.scan("a year", year)?.len(), 2);
    Ok(())
}
