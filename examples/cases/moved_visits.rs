//! The migration of a table of visits to new keys, while visits are written and counted. The old
//! keys begin with the time, so all writes go to the last region; the new keys are salted and begin
//! with the user. A row key cannot be changed, so the rows are copied to a second table.
//!
//! `cargo run -p tallrow-cases --example moved_visits` prints what each step did, and the cells of
//! both tables:
//! ```text
//! check keys: 5 rows, 0 without a key of their own
//! backfill: 5 rows, 1 of 1 ranges
//! verify: 6 rows, 0 different
//! tallrow_visits
//!   \x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x07  d:p = /
//!   \x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x07  d:n = \x00\x00\x00\x00\x00\x00\x00\x01
//!   \x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x07  d:p = /
//!   \x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x07  d:p = /
//!   \x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x08  d:p = /
//!   \x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x08  d:p = /
//!   \x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00\x08  d:p = /
//! tallrow_visits_by_user
//!   \x00\x00\x00\x00\x07\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE  d:p = /
//!   \x01\x00\x00\x00\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF9  d:p = /
//!   \x02\x00\x00\x00\x07\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFC  d:p = /
//!   \x03\x00\x00\x00\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFB  d:p = /
//!   \x04\x00\x00\x00\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFA  d:p = /
//!   \x05\x00\x00\x00\x07\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFD  d:n = \x00\x00\x00\x00\x00\x00\x00\x01
//!   \x05\x00\x00\x00\x07\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFD  d:p = /
//! phase: read new
//! user 7 at 3: /, 0 times
//! user 7 at 2: /, 1 times
//! user 7 at 1: /, 0 times
//! phase: new
//! old rows 6, new rows 6
//! visit 2 is of user 9, 2 times
//! ```

use std::time::Duration;

use tallrow::key_migration::{KeyMapping, KeyMigration, KeyMigrationState, MoveOutcome};
use tallrow::{Counter, FamilyDescriptor, RowKey, Table, TableDescriptor};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(allow(hotspot))]
struct ByTime {
    #[key(monotonic)]
    at: u64,
    user: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_visits")]
#[family("d")]
struct OldVisit {
    #[key]
    key: ByTime,
    #[cell("d:p")]
    page: String,
    #[cell("d:n")]
    count: Counter,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 8))]
struct ByUser {
    user: u32,
    #[key(desc)]
    at: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_visits_by_user")]
#[family("d")]
struct Visit {
    #[key]
    key: ByUser,
    #[cell("d:p")]
    page: String,
    #[cell("d:n")]
    count: Counter,
}

const STATE: &str = "tallrow_rekey";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;
    let old = place::empty::<OldVisit>(&client).await?;
    let new = place::empty::<Visit>(&client).await?;
    let state = TableDescriptor::new(STATE)?.family(FamilyDescriptor::new("s"));
    place::create(&client, &state).await?;
    let visit = |at: u64| {
        let key = ByTime { at, user: if at < 4 { 7 } else { 8 } };
        OldVisit { key, page: "/".into(), count: Counter(0) }
    };
    let visits: Vec<_> = (1..=5).map(visit).collect();
    old.put_all(&visits).await.into_result()?;

    // Every writer opens the migration, and writes with it from now on.
    let keys = KeyMapping::typed(
        |old: ByTime| ByUser { user: old.user, at: old.at },
        |new: ByUser| ByTime { at: new.at, user: new.user },
    );
    let state = KeyMigrationState::table(client.raw_table(STATE)?, "visits", "s");
    // Short times, so that the switch at the end does not take long.
    let old_rows = old.raw()?.clone().with_timeout(Duration::from_secs(3));
    let rekey = KeyMigration::builder(&client, old_rows, new.raw()?.clone(), keys, state);
    let rekey = rekey.lease(Duration::from_millis(500)).open().await?;
    let checked = rekey.check_keys().await?;
    println!("check keys: {} rows, {} without a key of their own", checked.rows, checked.different);
    assert_eq!((checked.rows, checked.different), (5, 0));

    // The existing rows are copied, and a counter is incremented concurrently.
    let (by_time, by_user) = (ByTime { at: 2, user: 7 }, ByUser { user: 7, at: 2 });
    let count = async || {
        let on_old = old.increment(&by_time, OldVisit::COUNT, 1);
        let on_new = new.increment(&by_user, Visit::COUNT, 1);
        rekey.write(by_time.encode(), on_old, on_new).await
    };
    let (copied, counted) = tokio::join!(rekey.backfill().page_rows(2).run(), count());
    let (copied, counted) = (copied?, counted?);
    println!("backfill: {} rows, {} of {} ranges", copied.rows, copied.ranges_done, copied.ranges);
    assert_eq!((copied.rows, counted), (5, Some(1)));
    let late = visit(6);
    let key = ByUser { user: late.key.user, at: late.key.at };
    let late_copy = Visit { key, page: late.page.clone(), count: late.count };
    rekey.write(late.key.encode(), old.put(&late), new.put(&late_copy)).await?;

    let verified = rekey.verify().run().await?;
    println!("verify: {} rows, {} different", verified.rows, verified.different);
    assert_eq!((verified.rows, verified.different), (6, 0));
    place::print_cells(&client, OldVisit::TABLE).await?;
    place::print_cells(&client, Visit::TABLE).await?;
    rekey.switch_reads().await?;
    println!("phase: {}", rekey.phase().await?);
    let mut visits = new.scan(ByUser::scan().user(7)).rows();
    while let Some(Visit { key, page, count }) = visits.next_row().await? {
        println!("user {} at {}: {page}, {} times", key.user, key.at, count.0);
    }

    rekey.switch_writes().await?;
    println!("phase: {}", rekey.phase().await?);
    assert_eq!(count().await?, Some(2));
    let (old_count, new_count) = rekey.count_rows().await?;
    println!("old rows {old_count}, new rows {new_count}");

    // A single row is moved, because this visit was of another user.
    let other = ByUser { user: 9, at: 2 };
    assert_eq!(new.move_row(&by_user, &other).await?, MoveOutcome::Moved);
    let visit = new.get(&other).await?.ok_or("the visit is lost")?;
    assert_eq!((visit.count, new.exists(&by_user).await?), (Counter(2), false));
    println!("visit 2 is of user {}, {} times", visit.key.user, visit.count.0);
    Ok(())
}
