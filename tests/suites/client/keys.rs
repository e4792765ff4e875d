//! Row keys of the well-known designs: rows written in random order are returned in the order that
//! the key types specify, in the regions of their split keys, and each range returns the rows of a
//! model.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ops::Bound;

use tallrow::key::{Digest, Md5, NonNeg, TagPairs, Uid};
use tallrow::{
    FamilyDescriptor, Put, RawTable, RowKey, Scan, Table, TableDescriptor,
    key::{RowRange, RowRanges, text_prefix},
};
use tallrow_tests::Place;

/// A table with the rows of these keys.
struct Filled<K> {
    table: RawTable,
    rows: Vec<(Vec<u8>, K)>,
}

impl<K: RowKey + Debug> Filled<K> {
    /// Writes rows in random order, flushes half of them, and reads them all: they must be sorted
    /// by their first `front` bytes, the salt or hash prefix, then in `order`.
    async fn new(
        place: &Place,
        splits: &[impl AsRef<[u8]>],
        keys: impl IntoIterator<Item = K>,
        front: usize,
        order: fn(&K, &K) -> Ordering,
    ) -> Self {
        let row = |key: K| (key.encode_key().unwrap().as_ref().to_vec(), key);
        let mut rows: Vec<_> = keys.into_iter().map(row).collect();
        let different: BTreeSet<_> = rows.iter().map(|(row, _)| row.clone()).collect();
        assert_eq!(different.len(), rows.len(), "two keys have the same row");

        let descriptor = TableDescriptor::new(&place.table_name().await).unwrap();
        let descriptor = descriptor.family(FamilyDescriptor::new("f")).splits(splits);
        let table = place.create(&descriptor).await;
        if place.keeps_splits() {
            let regions = table.region_locator().all_regions().await.unwrap();
            let starts: Vec<_> = regions.iter().skip(1).map(|region| region.start_key()).collect();
            assert_eq!(starts, splits.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        }

        shuffle(&mut rows);
        let (files, memory) = rows.split_at(rows.len() / 2);
        for half in [files, memory] {
            let puts = half.iter().map(|(row, _)| Put::new(row).cell("f", "q", "v"));
            table.put_all(puts).await.into_iter().for_each(|written| written.unwrap());
            if let Ok(hbase) = place.client.admin().hbase() {
                hbase.flush(table.name()).await.unwrap();
            }
        }
        rows.sort_by(|(x, a), (y, b)| x[..front].cmp(&y[..front]).then_with(|| order(a, b)));
        let filled = Self { table, rows };
        assert_eq!(filled.read(&RowRange::all()).await, filled.wanted(|_| true));
        filled
    }

    async fn read(&self, range: &RowRange) -> Vec<Vec<u8>> {
        let stop = range.stop().map_or(Bound::Unbounded, Bound::Excluded);
        let scan = Scan::range::<&[u8]>((Bound::Included(range.start()), stop));
        let mut rows = self.table.scan(scan).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push(row.key().to_vec());
        }
        found
    }

    fn wanted(&self, wanted: impl Fn(&K) -> bool) -> Vec<Vec<u8>> {
        let rows = self.rows.iter().filter(|(_, key)| wanted(key));
        rows.map(|(row, _)| row.clone()).collect()
    }

    /// Checks that `ranges`, `count` of them, return exactly the expected rows, in order.
    async fn holds<R>(&self, count: usize, ranges: R, wanted: impl Fn(&K) -> bool)
    where
        R: RowRanges<Key: RowKey>,
    {
        let (mut found, mut ranges_read) = (Vec::new(), 0);
        for range in ranges.row_ranges().unwrap() {
            found.extend(self.read(&range).await);
            ranges_read += 1;
        }
        assert_eq!(found, self.wanted(wanted));
        assert_eq!(ranges_read, count);
    }
}

/// The same random order in every run.
fn shuffle<T>(items: &mut [T]) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for i in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

const NO_SPLITS: [&[u8]; 0] = [];

/// Extreme times.
const TIMES: [i64; 9] = [
    i64::MIN,
    i64::MIN + 1,
    -1,
    0,
    1,
    1_700_000_000_000,
    1_700_000_000_001,
    i64::MAX - 1,
    i64::MAX,
];

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserEvent {
    #[key(reverse, width = 11, chars = "0-9")]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

fn back(text: &str) -> String {
    text.chars().rev().collect()
}

pub(crate) async fn user_events_are_newest_first(place: Place) {
    let users = ["", "1", "13800138000", "13800138001", "23800138000", "0"];
    let keys = users.iter().flat_map(|user| TIMES.map(|at| UserEvent { user: (*user).into(), at }));
    let order = |a: &UserEvent, b: &UserEvent| {
        (back(&a.user), Reverse(a.at)).cmp(&(back(&b.user), Reverse(b.at)))
    };
    let rows = Filled::new(&place, &["1", "\u{7f}"], keys, 0, order).await;
    for user in users {
        let scan = || UserEvent::scan().user(user);
        rows.holds(1, scan(), |k| k.user == user).await;
        for at in [0, -1, i64::MIN, i64::MAX, 1_700_000_000_000] {
            rows.holds(1, scan().at(at..), |k| k.user == user && k.at >= at).await;
            rows.holds(1, scan().at(..at), |k| k.user == user && k.at < at).await;
            rows.holds(1, scan().at(at), |k| k.user == user && k.at == at).await;
        }
        rows.holds(1, scan().at(-1..=i64::MAX), |k| k.user == user && k.at >= -1).await;
    }
}

#[derive(RowKey, Clone, Debug)]
struct LogKey {
    #[key(md5)]
    host: &'static str,
    #[key(md5)]
    event: &'static str,
    #[key(monotonic)]
    ts: i64,
}

pub(crate) async fn hashed_logs_are_adjacent(place: Place) {
    let keys = ["host1", "host10", "host2", ""].into_iter().flat_map(|host| {
        ["login", "log", ""]
            .into_iter()
            .flat_map(move |event| TIMES.map(|ts| LogKey { host, event, ts }))
    });
    let order = |a: &LogKey, b: &LogKey| {
        let digests = |k: &LogKey| [k.host, k.event].map(Digest::<16>::of::<Md5<16>, _>);
        (digests(a), a.ts).cmp(&(digests(b), b.ts))
    };
    let rows = Filled::new(&place, &[[0x40], [0x80], [0xc0]], keys, 0, order).await;
    for host in ["host1", "host10", "nobody"] {
        rows.holds(1, LogKey::scan().host(host), |k| k.host == host).await;
        let events = || LogKey::scan().host(host).event("log");
        rows.holds(1, events(), |k| k.host == host && k.event == "log").await;
        rows.holds(1, events().ts(..=0), |k| k.host == host && k.event == "log" && k.ts <= 0).await;
        rows.holds(1, events().ts(0..i64::MAX), |k| {
            k.host == host && k.event == "log" && (0..i64::MAX).contains(&k.ts)
        })
        .await;
    }
}

#[derive(Debug)]
enum Hosts {}
#[derive(Debug)]
enum LogTypes {}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct LogNum {
    host: Uid<Hosts>,
    kind: Uid<LogTypes>,
    #[key(monotonic)]
    ts: NonNeg<i64>,
}

pub(crate) async fn logs_by_number_are_in_order_of_the_numbers(place: Place) {
    let numbers = [0, 1, 255, 256, u64::MAX - 1, u64::MAX];
    let times: Vec<NonNeg<i64>> = TIMES.into_iter().filter_map(|t| t.try_into().ok()).collect();
    let ids = numbers.iter().flat_map(|host| numbers.map(|kind| (*host, kind)));
    let keys = ids.flat_map(|(host, kind)| {
        let key = move |ts| Some(LogNum { host: Uid::new(host)?, kind: Uid::new(kind)?, ts });
        times.clone().into_iter().filter_map(key)
    });
    let order = |a: &LogNum, b: &LogNum| (a.host, a.kind, a.ts).cmp(&(b.host, b.kind, b.ts));
    let splits = [1_u64, 256, u64::MAX].map(u64::to_be_bytes);
    let rows = Filled::new(&place, &splits, keys, 0, order).await;
    for number in numbers {
        let host = Uid::new(number).unwrap();
        rows.holds(1, LogNum::scan().host(host), |k| k.host == host).await;
        for kind in numbers.map(|kind| Uid::new(kind).unwrap()) {
            let one = move |k: &LogNum| k.host == host && k.kind == kind;
            let scan = || LogNum::scan().host(host).kind(kind);
            rows.holds(1, scan(), one).await;
            let now = NonNeg::try_from(1_700_000_000_000).unwrap();
            rows.holds(1, scan().ts(now..), |k| one(k) && k.ts >= now).await;
            rows.holds(1, scan().ts(..now), |k| one(k) && k.ts < now).await;
        }
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 16, fields = (tenant, user)))]
struct Event {
    tenant: u32,
    #[key(escaped)]
    user: String,
    #[key(monotonic)]
    ts: u64,
}

pub(crate) async fn salted_events_are_in_order_inside_a_bucket(place: Place) {
    let users = ["", "\0", "\0\u{1}", "a", "bo", "bob", "bobby", "zoe", "\u{10ffff}"];
    let tenants = [0, 7, u32::MAX];
    let keys = tenants.into_iter().flat_map(|tenant| {
        users.into_iter().flat_map(move |user| {
            [0, 1, 255, 256, u64::MAX].map(|ts| Event { tenant, user: user.into(), ts })
        })
    });
    let order = |a: &Event, b: &Event| (a.tenant, &a.user, a.ts).cmp(&(b.tenant, &b.user, b.ts));
    let rows = Filled::new(&place, &Event::SPLITS, keys, 1, order).await;
    assert!(rows.rows.iter().any(|(row, _)| row[0] == 15), "the last bucket has a row");
    rows.holds(16, Event::scan(), |_| true).await;
    for tenant in tenants {
        rows.holds(16, Event::scan().tenant(tenant), |k| k.tenant == tenant).await;
        rows.holds(16, Event::scan().tenant(..=tenant), |k| k.tenant <= tenant).await;
        let begun = Event::scan().tenant(tenant).user(text_prefix("bo"));
        rows.holds(16, begun, |k| k.tenant == tenant && k.user.starts_with("bo")).await;
        for user in users {
            let one = |k: &Event| k.tenant == tenant && k.user == user;
            let scan = || Event::scan().tenant(tenant).user(user);
            rows.holds(1, scan(), one).await;
            rows.holds(1, scan().ts(1..=255), |k| one(k) && (1..=255).contains(&k.ts)).await;
            rows.holds(1, scan().ts(256..), |k| one(k) && k.ts >= 256).await;
        }
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(
    text_sep = '|',
    hash_prefix(md5, hex = 5, fields = (user), sep = '|'),
    allow(unsorted_text)
)]
struct Access {
    #[key(chars = "a-z")]
    system: String,
    #[key(chars = "a-zA-Z0-9_")]
    user: String,
    #[key(width = 6, chars = "0-9")]
    period: String,
}

pub(crate) async fn hash_prefixed_text_is_adjacent(place: Place) {
    let systems = ["", "disc", "discus", "jericho"];
    let users = ["", "dave", "dave_2", "dave2", "elton", "1", "10"];
    let keys = systems.into_iter().flat_map(|system| {
        users.into_iter().flat_map(move |user| {
            let key = |period: &str| Access {
                system: system.into(),
                user: user.into(),
                period: period.into(),
            };
            ["", "2015", "201510", "201511", "201601"].map(key)
        })
    });
    let order = |a: &Access, b: &Access| {
        let ended = |text: &String| format!("{text}|");
        (ended(&a.system), ended(&a.user), &a.period).cmp(&(
            ended(&b.system),
            ended(&b.user),
            &b.period,
        ))
    };
    let rows = Filled::new(&place, &["4", "8", "c"], keys, "12345|".len(), order).await;
    for system in systems {
        for user in users {
            let one = |k: &Access| k.system == system && k.user == user;
            let scan = || Access::scan().system(system).user(user);
            rows.holds(1, scan(), one).await;
            rows.holds(1, scan().period("201510".."2016"), |k| {
                one(k) && ("201510".."2016").contains(&k.period.as_str())
            })
            .await;
            let year = scan().period(text_prefix("2015"));
            rows.holds(1, year, |k| one(k) && k.period.starts_with("2015")).await;
        }
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(shared(customer))]
enum CustomerRow {
    #[key(tag = 1)]
    Customer { customer: Digest<16> },
    #[key(tag = 2)]
    Order { customer: Digest<16>, order: Digest<16> },
    #[key(tag = 3)]
    Ship { customer: Digest<16>, order: Digest<16>, place: u16 },
    #[key(tag = 4)]
    Line { customer: Digest<16>, order: Digest<16>, line: u32 },
}

impl CustomerRow {
    fn parts(&self) -> (Digest<16>, u8, Option<Digest<16>>, u32) {
        match *self {
            Self::Customer { customer } => (customer, 1, None, 0),
            Self::Order { customer, order } => (customer, 2, Some(order), 0),
            Self::Ship { customer, order, place } => (customer, 3, Some(order), place.into()),
            Self::Line { customer, order, line } => (customer, 4, Some(order), line),
        }
    }
}

pub(crate) async fn a_customer_comes_before_its_orders(place: Place) {
    let digests = [[0; 16], [0x7f; 16], [0xff; 16]].map(Digest::from);
    let keys = digests.into_iter().flat_map(|customer| {
        let orders = digests.into_iter().flat_map(move |order| {
            let ships = [0, 1, u16::MAX].map(|place| CustomerRow::Ship { customer, order, place });
            let lines = [0, 1, u32::MAX].map(|line| CustomerRow::Line { customer, order, line });
            [CustomerRow::Order { customer, order }].into_iter().chain(ships).chain(lines)
        });
        [CustomerRow::Customer { customer }].into_iter().chain(orders)
    });
    let order = |a: &CustomerRow, b: &CustomerRow| a.parts().cmp(&b.parts());
    let rows = Filled::new(&place, &[[0x7f; 16], [0xff; 16]], keys, 0, order).await;
    for customer in digests {
        let scan = || CustomerRow::scan().customer(&customer);
        let own = |k: &CustomerRow| k.parts().0 == customer;
        rows.holds(1, scan(), own).await;
        rows.holds(1, scan().customer_rows(), |k| own(k) && k.parts().1 == 1).await;
        rows.holds(1, scan().order_rows(), |k| own(k) && k.parts().1 == 2).await;
        for order in digests {
            let lines = |k: &CustomerRow| own(k) && k.parts().1 == 4 && k.parts().2 == Some(order);
            rows.holds(1, scan().line_rows().order(&order), lines).await;
            rows.holds(1, scan().line_rows().order(&order).line(1..), |k| {
                lines(k) && k.parts().3 >= 1
            })
            .await;
        }
    }
}

#[derive(Debug)]
enum Metrics {}
#[derive(Debug)]
enum TagNames {}
#[derive(Debug)]
enum TagValues {}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
struct MetricRow {
    metric: Uid<Metrics, 3>,
    #[key(floor = 3600)]
    at: u32,
    tags: TagPairs<Uid<TagNames, 3>, Uid<TagValues, 3>, 8>,
}

pub(crate) async fn hours_of_a_metric_are_in_order(place: Place) {
    let metrics = [0, 1, 0xff_ffff].map(|metric| Uid::new(metric).unwrap());
    let hours = [0, 3600, 7200, 1_356_998_400, u32::MAX / 3600 * 3600];
    let lists: [&[(u64, u64)]; 5] =
        [&[], &[(1, 1)], &[(1, 1), (2, 7)], &[(1, 2)], &[(0xff_ffff, 0xff_ffff)]];
    let tags = lists.map(|list| {
        let pair = |&(name, value)| (Uid::new(name).unwrap(), Uid::new(value).unwrap());
        TagPairs::new(list.iter().map(pair)).unwrap()
    });
    let keys = metrics.into_iter().flat_map(|metric| {
        hours.into_iter().flat_map(move |at| tags.map(|tags| MetricRow { metric, at, tags }))
    });
    let order =
        |a: &MetricRow, b: &MetricRow| (a.metric, a.at, &a.tags).cmp(&(b.metric, b.at, &b.tags));
    let rows = Filled::new(&place, &MetricRow::SPLITS, keys, 1, order).await;
    for metric in metrics {
        let scan = || MetricRow::scan().metric(metric);
        rows.holds(20, scan(), |k| k.metric == metric).await;
        rows.holds(20, scan().at(3599..7201), |k| k.metric == metric && k.at <= 7200).await;
        rows.holds(20, scan().at(3600..7200), |k| k.metric == metric && k.at == 3600).await;
        rows.holds(20, scan().at(u32::MAX..), |k| k.metric == metric && k.at == hours[4]).await;
        for tags in tags {
            let one = scan().at(1_356_998_400).tags(tags);
            rows.holds(1, one, |k| k.metric == metric && k.at == hours[3] && k.tags == tags).await;
        }
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct ListItem {
    #[key(width = 16)]
    user: String,
    id: u64,
}

pub(crate) async fn a_list_is_read_page_by_page(place: Place) {
    let users = ["", "bo", "bob", "bobby", "sixteen bytes...", "é"];
    let ids = [0, 1, 2, 255, 256, u64::MAX - 1, u64::MAX];
    let keys = users.into_iter().flat_map(|user| ids.map(|id| ListItem { user: user.into(), id }));
    let order = |a: &ListItem, b: &ListItem| (&a.user, a.id).cmp(&(&b.user, b.id));
    let rows = Filled::new(&place, &["bob", "c"], keys, 0, order).await;
    rows.holds(1, ListItem::scan().user(text_prefix("bob")), |k| k.user.starts_with("bob")).await;
    rows.holds(1, ListItem::scan().user("bo".."bobby"), |k| matches!(&*k.user, "bo" | "bob")).await;
    for user in users {
        rows.holds(1, ListItem::scan().user(user), |k| k.user == user).await;
        for last in ids {
            let next = (Bound::Excluded(last), Bound::Unbounded);
            rows.holds(1, ListItem::scan().user(user).id(next), |k| k.user == user && k.id > last)
                .await;
        }
    }
    let rows =
        Filled::new(&place, &NO_SPLITS, [ListItem { user: "a".into(), id: 1 }], 0, order).await;
    rows.holds(1, ListItem::scan().user("a").id(2..), |_| false).await;
}

/// `[at % 8][at]`: the newest rows are spread over all buckets.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 8, fields = (at), hash = modulo))]
struct Tick {
    at: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "ticks")]
#[family("f")]
struct TickRow {
    #[key]
    key: Tick,
    #[cell("f:q")]
    value: u64,
}

pub(crate) async fn buckets_of_a_timestamp_are_merged_in_order_of_time(place: Place) {
    let keys = (0..100).chain(1_000_000..1_000_100).chain([u64::MAX]).map(|at| Tick { at });
    let rows = Filled::new(&place, &Tick::SPLITS, keys, 1, |a, b| a.at.cmp(&b.at)).await;
    let mut filled = [0; 8];
    for (row, key) in &rows.rows {
        assert_eq!(row[..], [&[(key.at % 8) as u8][..], &key.at.to_be_bytes()].concat());
        filled[usize::from(row[0])] += 1;
    }
    assert!(filled.iter().all(|count| (24..=27).contains(count)), "{filled:?}");
    // One scan for each bucket.
    rows.holds(8, Tick::scan(), |_| true).await;
    rows.holds(8, Tick::scan().at(50..1_000_050), |k| (50..1_000_050).contains(&k.at)).await;

    // Read as one, in order of time.
    let ticks = place.typed::<TickRow>().await;
    let ticks = place.client.open_named::<TickRow>(ticks.raw().unwrap().name()).await.unwrap();
    let all: Vec<_> = (0..100).chain(1_000_000..1_000_100).collect();
    let ticked = |at: &u64| TickRow { key: Tick { at: *at }, value: *at };
    let written: Vec<_> = all.iter().rev().map(ticked).collect();
    ticks.put_all(&written).await.into_result().unwrap();
    for range in [0..u64::MAX, 50..1_000_050, 99..1_000_001, 7..8, 200..300] {
        let mut rows = ticks.scan(Tick::scan().at(range.clone())).rows();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push(row.value);
        }
        let expected: Vec<_> = all.iter().copied().filter(|at| range.contains(at)).collect();
        assert_eq!(found, expected, "{range:?}");
    }
    let newest = ticks.scan(Tick::scan()).reversed().limit(3);
    let mut rows = newest.rows();
    for at in [1_000_099, 1_000_098, 1_000_097] {
        assert_eq!(rows.next_row().await.unwrap().unwrap().key, Tick { at });
    }
    assert_eq!(rows.next_row().await.unwrap(), None);
}
