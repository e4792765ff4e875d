//! `[MD5 of the host][MD5 of the event][time]`: 40 bytes for names of any length, evenly
//! distributed; the names themselves are stored in cells.

use tallrow::{RowKey, key::EncodeError};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug)]
#[row_key(schema_table = "log_data")]
pub(crate) struct LogKey<'a> {
    #[key(md5)]
    pub(crate) host: &'a str,
    #[key(md5)]
    pub(crate) event: &'a str,
    #[key(monotonic)]
    pub(crate) ts: i64,
}

pub(crate) fn show() -> Result<(), EncodeError> {
    // The hashes are computed once for all rows of a series.
    let logins = LogKey::prefix().host("host1").event("login");
    let [first, second]: [[u8; 40]; 2] = [logins.ts(5), logins.ts(9)];
    assert_eq!(first, LogKey { host: "host1", event: "login", ts: 5 }.encode());
    assert_eq!(first[..32], second[..32]);

    let log = |event, ts| LogKey { host: "host1", event, ts };
    let rows = Rows::of(
        "log data, hashed",
        [
            (log("login", 5), "login at 5"),
            (log("login", 9), "login at 9"),
            (log("logout", 7), "logout at 7"),
        ],
    )?;
    let login = rows.scan("a series", LogKey::scan().host("host1").event("login").ts(6..))?;
    assert_eq!(login, ["login at 9"]);
    assert_eq!(rows.scan("a host", LogKey::scan().host("host1"))?.len(), 3);
    Ok(())
}
