//! Rows as values of a type.

use tallrow::{
    Counter, ErrorKind, Put, RowKey, Table, TypedTable,
    key::{RandomSalted, random_salt, text_prefix},
};
use tallrow_tests::Place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4, fields = (user)))]
struct EventKey {
    user: u32,
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_typed_events")]
#[family("d", versions = 2)]
#[family("c")]
struct Event {
    #[key]
    key: EventKey,
    #[cell("d:w")]
    what: String,
    #[cell("d:p")]
    price: Option<f64>,
    #[cell("c:s")]
    seen: Counter,
}

fn event(user: u32, at: i64) -> Event {
    let key = EventKey { user, at };
    Event {
        key,
        what: format!("{user}@{at}"),
        price: (at % 2 == 0).then_some(0.5),
        seen: Counter(0),
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(random, buckets = 3))]
struct Click {
    page: u32,
    at: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_typed_clicks")]
#[family("d")]
struct ClickRow {
    #[key]
    click: RandomSalted<Click>,
    #[cell("d:w")]
    who: String,
}

pub(super) async fn table<T: Table>(place: &Place, splits: &[impl AsRef<[u8]>]) -> TypedTable<T> {
    place.typed_split(splits).await
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct StepKey {
    user: u32,
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_typed_steps")]
#[family("d")]
struct Step {
    #[key]
    key: StepKey,
    #[cell("d:n")]
    number: i64,
}

pub(crate) async fn the_first_row_of_each_range_comes_in_the_order_of_the_ranges(place: Place) {
    let steps = table::<Step>(&place, &[[0, 0, 0, 9], [0, 0, 0, 30]]).await;
    let users = if place.is_thorough() { 400 } else { 60 };
    let step = |user, at| Step { key: StepKey { user, at }, number: at };
    // Every third user has no steps, the others as many as their number, at most five.
    let ats = |user: u32| (1..=i64::from(user % 3 * user).min(5)).rev();
    let all: Vec<_> = (0..users).flat_map(|user| ats(user).map(move |at| step(user, at))).collect();
    steps.put_all(&all).await.into_result().unwrap();

    let ranges = || (0..users).rev().map(|user| StepKey::scan().user(user));
    let expected = |at: fn(i64) -> Option<i64>| -> Vec<Option<Step>> {
        let last = |user: u32| ats(user).next().and_then(at);
        (0..users).rev().map(|user| last(user).map(|at| step(user, at))).collect()
    };
    for width in [1, 7, 1_000] {
        let newest = steps.first_of_each(ranges()).concurrency(width);
        let newest: Vec<_> = newest.try_collect().await.unwrap();
        assert_eq!(newest, expected(Some), "{width} at a time");
    }
    let oldest: Vec<_> = steps.first_of_each(ranges()).reversed().try_collect().await.unwrap();
    assert_eq!(oldest, expected(|_| Some(1)));
    let early = steps.first_of_each(ranges()).filter(Step::NUMBER.lt(4));
    let early: Vec<_> = early.try_collect().await.unwrap();
    assert_eq!(early, expected(|last| Some(last.min(3))));
    let none = steps.first_of_each(ranges().take(0)).next_row().await.unwrap();
    assert_eq!(none, None);

    // Of bytes.
    let raw = steps.raw().unwrap();
    let scans = (0..users).rev().map(|user| tallrow::Scan::prefix(user.to_be_bytes()));
    let found: Vec<_> = raw.first_of_each(scans).try_collect().await.unwrap();
    let found: Vec<_> =
        found.iter().map(|row| row.as_ref().map(|row| row.key().to_vec())).collect();
    let keys: Vec<_> =
        expected(Some).into_iter().map(|row| row.map(|row| row.key.encode().to_vec())).collect();
    assert_eq!(found, keys);
}

pub(crate) async fn the_first_row_of_a_range_is_that_of_all_buckets(place: Place) {
    let clicks = table::<Hit>(&place, &HitKey::SPLITS).await;
    let hit = |user, at| Hit { key: HitKey { user, at }, what: format!("{user}@{at}") };
    let all: Vec<_> = (0..5).flat_map(|user| (1..40).map(move |at| hit(user, at))).collect();
    clicks.put_all(&all).await.into_result().unwrap();
    let ranges = [4, 9, 0, 2].map(|user| HitKey::scan().user(user));
    let first: Vec<_> = clicks.first_of_each(ranges.clone()).try_collect().await.unwrap();
    assert_eq!(first, [Some(hit(4, 1)), None, Some(hit(0, 1)), Some(hit(2, 1))]);
    let last: Vec<_> = clicks.first_of_each(ranges).reversed().try_collect().await.unwrap();
    assert_eq!(last, [Some(hit(4, 39)), None, Some(hit(0, 39)), Some(hit(2, 39))]);
}

/// Salted by the whole key, so that the rows of a user are in all buckets.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4))]
struct HitKey {
    user: u32,
    at: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_typed_hits")]
#[family("d")]
struct Hit {
    #[key]
    key: HitKey,
    #[cell("d:w")]
    what: String,
}

pub(crate) async fn a_row_is_a_value(place: Place) {
    let events = table::<Event>(&place, &EventKey::SPLITS).await;
    let first = event(7, 2);
    events.put(&first).await.unwrap();
    assert_eq!(events.get(&first.key).await.unwrap(), Some(first.clone()));
    assert_eq!(events.get(&EventKey { user: 8, at: 2 }).await.unwrap(), None);
    assert!(events.exists(&first.key).await.unwrap());

    assert_eq!(events.increment(&first.key, Event::SEEN, 3).await.unwrap(), Some(3));
    assert_eq!(events.increment(&first.key, Event::SEEN, -1).await.unwrap(), Some(2));
    events.put(&first).await.unwrap();
    assert_eq!(
        events.get(&first.key).await.unwrap().unwrap().seen,
        Counter(2),
        "a put does not change counters"
    );
    let what = events.append(&first.key, Event::WHAT, "!").await.unwrap();
    assert_eq!(what.as_deref(), Some("7@2!"));
    events.delete_cell(&first.key, Event::PRICE).await.unwrap();
    assert_eq!(events.get(&first.key).await.unwrap().unwrap().price, None);

    let second = event(9, 1);
    assert!(events.check_and_put(Event::WHAT, None, &second).await.unwrap().is_applied());
    assert!(!events.check_and_put(Event::WHAT, None, &second).await.unwrap().is_applied());
    assert!(
        !events
            .check_and_delete(&second.key, Event::WHAT, Some(&"other".to_owned()))
            .await
            .unwrap()
            .is_applied()
    );
    assert!(
        events
            .check_and_delete(&second.key, Event::WHAT, Some(&"9@1".to_owned()))
            .await
            .unwrap()
            .is_applied()
    );
    assert!(!events.exists(&second.key).await.unwrap());
}

pub(crate) async fn buckets_of_a_salted_key_are_merged_in_order(place: Place) {
    let events = table::<Event>(&place, &EventKey::SPLITS).await;
    let all: Vec<_> = (0..20).flat_map(|user| (1..=5).map(move |at| event(user, at))).collect();
    events.put_all(&all).await.into_iter().for_each(|w| w.unwrap());

    let read = async |scan: tallrow::table::TableScan<Event>| {
        let mut rows = scan.rows();
        let mut found = Vec::new();
        while let Some(event) = rows.next_row().await.unwrap() {
            found.push((event.key.user, event.key.at));
        }
        found
    };
    let newest_first = |user: u32| (1..=5).rev().map(move |at| (user, at));
    let expected: Vec<_> = (0..20).flat_map(newest_first).collect();
    assert_eq!(read(events.scan(EventKey::scan())).await, expected);
    assert_eq!(read(events.scan(EventKey::scan()).limit(12)).await, expected[..12]);
    let mut backwards = expected.clone();
    backwards.reverse();
    assert_eq!(read(events.scan(EventKey::scan()).reversed()).await, backwards);
    assert_eq!(read(events.scan(EventKey::scan()).reversed().limit(7)).await, backwards[..7]);

    assert_eq!(
        read(events.scan(EventKey::scan().user(7))).await,
        newest_first(7).collect::<Vec<_>>()
    );
    assert_eq!(read(events.scan(EventKey::scan().user(7).at(2..4))).await, [(7, 3), (7, 2)]);
    assert_eq!(read(events.scan(EventKey::scan().user(7).at(..=2))).await, [(7, 2), (7, 1)]);
    assert_eq!(read(events.scan(EventKey::scan().user(99))).await, []);
}

pub(crate) async fn buckets_of_a_salted_key_are_read_in_any_order(place: Place) {
    let events = table::<Event>(&place, &EventKey::SPLITS).await;
    let all: Vec<_> = (0..20).flat_map(|user| (1..=5).map(move |at| event(user, at))).collect();
    events.put_all(&all).await.into_iter().for_each(|w| w.unwrap());
    let mut expected: Vec<_> = all.iter().map(|event| (event.key.user, event.key.at)).collect();
    expected.sort_unstable();
    for width in [None, Some(1), Some(3), Some(100)] {
        let scan = || {
            let scan = events.scan(EventKey::scan()).unordered();
            width.into_iter().fold(scan, |scan, width| scan.parallel(width))
        };
        let mut rows = scan().bytes_per_call(500).rows();
        let mut found = Vec::new();
        while let Some(event) = rows.next_row().await.unwrap() {
            found.push((event.key.user, event.key.at));
        }
        found.sort_unstable();
        assert_eq!(found, expected, "{width:?} at a time");
        assert_eq!(rows.metrics().rows, 100);
        let mut keys = scan().limit(33).keys();
        let mut count = 0;
        while keys.next_key().await.unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 33);
        assert_eq!(scan().count().await.unwrap(), 100);
    }
    let error = events.scan(EventKey::scan()).unordered().page(3).await.unwrap_err();
    assert!(error.to_string().contains("read it in order"), "{error}");
    let plan = events.scan(EventKey::scan()).explain().await.unwrap();
    let buckets = EventKey::SPLITS.len() + 1;
    assert_eq!(plan.ranges.len(), buckets);
    // The emulator's samples are rows, by chance, and the end of each table.
    assert!(!place.keeps_splits() || plan.region_count() == buckets, "{plan}");
    assert!(plan.on_client[0].starts_with(&format!("merge of {buckets} ranges")), "{plan}");
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct NameKey {
    #[key(escaped)]
    name: String,
    number: u8,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_typed_names")]
#[family("d")]
struct Name {
    #[key]
    key: NameKey,
    #[cell("d:n")]
    length: i32,
}

pub(crate) async fn a_leading_text_is_complete_or_a_prefix(place: Place) {
    let names = table::<Name>(&place, &["m"]).await;
    let keys = ["", "a", "a\0", "a\0b", "ab", "b", "\u{7f}"];
    for (name, number) in keys.iter().flat_map(|name| [(name, 1), (name, 255)]) {
        let key = NameKey { name: (*name).to_owned(), number };
        names.put(&Name { key, length: name.len() as i32 }).await.unwrap();
    }
    let read = async |scan: tallrow::table::TableScan<Name>| {
        let mut rows = scan.rows();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push((row.key.name, row.key.number));
        }
        found
    };
    let of = |names: &[&str]| -> Vec<_> {
        names.iter().flat_map(|n| [1, 255].map(|number| ((*n).to_owned(), number))).collect()
    };
    assert_eq!(read(names.scan(NameKey::scan())).await, of(&keys));
    assert_eq!(read(names.scan(NameKey::scan().name("a"))).await, of(&["a"]));
    assert_eq!(
        read(names.scan(NameKey::scan().name(text_prefix("a")))).await,
        of(&["a", "a\0", "a\0b", "ab"])
    );
    assert_eq!(
        read(names.scan(NameKey::scan().name("a".."b"))).await,
        of(&["a", "a\0", "a\0b", "ab"])
    );
    assert_eq!(
        read(names.scan(NameKey::scan().name("a\0").number(2..))).await,
        [("a\0".to_owned(), 255)]
    );
}

pub(crate) async fn a_row_that_does_not_match_the_type_is_reported(place: Place) {
    let names = table::<Name>(&place, &["m"]).await;
    let raw = names.raw().unwrap();
    raw.put(Put::new("not a key").cell("d", "n", 7i32.to_be_bytes())).await.unwrap();
    let error = names.scan(NameKey::scan()).rows().next_row().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.row()),
        (ErrorKind::Decode, Some(&b"not a key"[..])),
        "{error:?}"
    );
    raw.delete("not a key").await.unwrap();

    let key = NameKey { name: "n".into(), number: 1 };
    raw.put(Put::new(key.encode()).cell("d", "n", "seven")).await.unwrap();
    let error = names.get(&key).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "{error:?}");
    assert!(
        error
            .to_string()
            .contains("column d:n: expected 4 bytes, found 5; the cell holds \"seven\""),
        "{error}"
    );

    raw.put(Put::new(key.encode()).cell("d", "n", 7i32.to_be_bytes())).await.unwrap();
    assert_eq!(names.get(&key).await.unwrap().unwrap().length, 7);
}

pub(crate) async fn rows_with_a_random_salt_are_found_in_any_bucket(place: Place) {
    let clicks = table::<ClickRow>(&place, &Click::SPLITS).await;
    let click = |page, at| Click { page, at };
    let row = |click: RandomSalted<Click>| ClickRow { click, who: "bob".into() };
    // The same page in every bucket, and one row in a random bucket.
    for pick in 0..6 {
        clicks.put(&row(click(7, pick.into()).salted(pick))).await.unwrap();
    }
    let other = row(random_salt(click(8, 0)));
    clicks.put(&other).await.unwrap();

    let mut found = Vec::new();
    let mut rows = clicks.scan(Click::scan().page(7).at(1..5)).rows();
    while let Some(ClickRow { click, .. }) = rows.next_row().await.unwrap() {
        found.push((click.at, click.bucket()));
    }
    assert_eq!(found, [(1, 1), (2, 2), (3, 0), (4, 1)], "in key order across the buckets");

    let mut rows = clicks.scan(Click::scan().page(8)).rows();
    let read = rows.next_row().await.unwrap().unwrap();
    assert_eq!(read, other);
    assert_eq!(rows.next_row().await.unwrap(), None);
    // Once the bucket is known, the row can be got and deleted.
    assert_eq!(clicks.get(&read.click).await.unwrap().as_ref(), Some(&other));
    clicks.delete(&read.click).await.unwrap();
    assert_eq!(clicks.get(&read.click).await.unwrap(), None);
}
