//! Who used which system when, and for how long: text keys after a hash of the user, counters, and
//! the months of a user's activity as qualifiers.
//!
//! `cargo run --example access_logs` prints the cells of both tables as HBase's shell writes bytes:
//! ```text
//! tallrow_access_logs
//!   16108|jericho|dave|201510  t:s = \x00\x00\x00\x00\x00\x00\x00x
//!   570a9|jericho|fred|201510  t:s = \x00\x00\x00\x00\x00\x00\x00\x07
//!   d5fe7|discus|elton|201511  t:s = \x00\x00\x00\x00\x00\x00\x00\x01
//!   d5fe7|jericho|elton|201510  t:s = \x00\x00\x00\x00\x00\x00\x00\x01
//! tallrow_social_usage
//!   elton  fb:201510 = \x00\x00\x00\x00\x00\x00\x00<
//!   elton  fb:201511 = \x00\x00\x00\x00\x00\x00\x00\x1E
//!   elton  fb:id = 1234567890
//!   elton  fb:t = \x00\x00\x00\x00\x00\x00\x00Z
//!   elton  tw:201511 = \x00\x00\x00\x00\x00\x00\x00\x05
//! ```

use std::collections::BTreeMap;

use tallrow::{Counter, RowKey, Table};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(
    text_sep = '|',
    hash_prefix(md5, hex = 5, fields = (user), sep = '|'),
    allow(unsorted_text)
)]
struct AccessKey {
    #[key(chars = "a-z")]
    system: String,
    #[key(chars = "a-zA-Z0-9_")]
    user: String,
    #[key(width = 6, chars = "0-9")]
    period: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_access_logs")]
#[family("t")]
struct Access {
    #[key]
    key: AccessKey,
    /// Seconds on the system.
    #[cell("t:s")]
    seconds: Counter,
    #[cell("t:l")]
    last_page: Option<String>,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserKey {
    user: String,
}

/// The activity of a user on two sites: the identifier, the total, and a cell for each month.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_social_usage")]
#[family("fb")]
#[family("tw")]
struct Usage {
    #[key]
    user: UserKey,
    #[cell("fb:id")]
    facebook_id: Option<String>,
    #[cell("fb:t")]
    facebook_total: Counter,
    #[cells("fb:*")]
    facebook: BTreeMap<String, i64>,
    #[cell("tw:id")]
    twitter_id: Option<String>,
    #[cell("tw:t")]
    twitter_total: Counter,
    #[cells("tw:*")]
    twitter: BTreeMap<String, i64>,
}

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    let client = place::connect().await?;
    let logs = place::empty::<Access>(&client).await?;
    let key = |system: &str, user: &str, period: &str| AccessKey {
        system: system.into(),
        user: user.into(),
        period: period.into(),
    };
    for (system, user, period, seconds) in [
        ("jericho", "dave", "201510", 100),
        ("jericho", "elton", "201510", 1),
        ("discus", "elton", "201511", 1),
        ("jericho", "fred", "201510", 7),
        ("jericho", "dave", "201510", 20),
    ] {
        logs.increment(&key(system, user, period), Access::SECONDS, seconds).await?;
    }
    place::print_cells(&client, Access::TABLE).await?;
    let dave = logs.get(&key("jericho", "dave", "201510")).await?;
    assert_eq!(dave.map(|row| row.seconds), Some(Counter(120)));

    let usage = place::empty::<Usage>(&client).await?;
    let elton = Usage {
        user: UserKey { user: "elton".into() },
        facebook_id: Some("1234567890".into()),
        facebook_total: Counter(0),
        facebook: [("201510".into(), 60), ("201511".into(), 30)].into(),
        twitter_id: None,
        twitter_total: Counter(0),
        twitter: [("201511".into(), 5)].into(),
    };
    usage.put(&elton).await?;
    usage.increment(&elton.user, Usage::FACEBOOK_TOTAL, 90).await?;
    place::print_cells(&client, Usage::TABLE).await?;
    let read = usage.get(&elton.user).await?;
    assert_eq!(read, Some(Usage { facebook_total: Counter(90), ..elton }));
    Ok(())
}
