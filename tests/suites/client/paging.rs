//! Scans that continue after a row, in pages.

use std::collections::BTreeSet;
use std::time::Duration;

use tallrow::scan::PageEnd;
use tallrow::{
    ErrorKind, Page, PageToken, Put, RowKey, Scan, Table, TypedTable,
    key::{RandomSalted, RowRanges},
    table::TableScan,
};
use tallrow_tests::Place;

use crate::typed::table;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Plain {
    user: u8,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 3, fields = (user)))]
struct Salted {
    user: u8,
    #[key(escaped)]
    city: String,
    at: i32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 300, width = 2, bucket_offset = 100))]
struct Wide {
    at: u16,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)))]
struct Hashed {
    user: u8,
    at: u16,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(random, buckets = 3))]
struct Random {
    at: u16,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4))]
struct Old {
    user: u32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 5, bucket_offset = 4), layout = 2)]
struct New {
    user: u64,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(layouts)]
enum Layouts {
    Old(Old),
    New(New),
}

macro_rules! rows {
    ($($name:ident: $key:ty = $table:literal;)*) => {
        $(
            #[derive(Table, Clone, Debug, PartialEq)]
            #[table(name = $table)]
            #[family("d")]
            struct $name {
                #[key]
                key: $key,
                #[cell("d:q")]
                value: u8,
            }

            impl Row for $name {
                fn new(key: $key) -> Self {
                    Self { key, value: 1 }
                }
            }
        )*
    };
}

/// A row that is only its key.
trait Row: tallrow::table::WriteRow<Key: Clone + PartialEq + std::fmt::Debug> {
    fn new(key: Self::Key) -> Self;
}

rows! {
    PlainRow: Plain = "t_paging_plain";
    SaltedRow: Salted = "t_paging_salted";
    WideRow: Wide = "t_paging_wide";
    HashedRow: Hashed = "t_paging_hashed";
    RandomRow: RandomSalted<Random> = "t_paging_random";
    LayoutsRow: Layouts = "t_paging_layouts";
}

/// A table with rows of these keys.
async fn filled<R: Row>(place: &Place, keys: impl IntoIterator<Item = R::Key>) -> TypedTable<R> {
    let table = table::<R>(place, &[[0, 1], [4, 0]]).await;
    let rows: Vec<_> = keys.into_iter().map(R::new).collect();
    table.put_all(&rows).await.into_iter().for_each(|put| put.unwrap());
    table
}

async fn read<R: Row>(scan: TableScan<R>) -> Vec<R::Key> {
    let mut rows = scan.rows();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        keys.push((*row.key()).clone());
    }
    keys
}

/// The scans of these ranges, forward and reversed, with the keys of all their rows.
async fn both_ways<'t, R: Row, G: RowRanges<Key = R::Key>>(
    table: &'t TypedTable<R>,
    ranges: impl Fn() -> G + Copy + 't,
    count: usize,
) -> [(impl Fn() -> TableScan<R> + 't, Vec<R::Key>); 2] {
    let scan = move |reversed| {
        let scan = table.scan(ranges());
        if reversed { scan.reversed() } else { scan }
    };
    let forward = read(scan(false)).await;
    let mut backward = read(scan(true)).await;
    backward.reverse();
    assert_eq!(forward, backward, "a reversed scan returns the same rows backwards");
    assert_eq!(forward.len(), count);
    backward.reverse();
    [false, true].map(|reversed| {
        let keys = if reversed { backward.clone() } else { forward.clone() };
        (move || scan(reversed), keys)
    })
}

/// After each of its rows, a scan returns those that follow; and pages of all sizes together are
/// the scan.
async fn continues<R: Row, G: RowRanges<Key = R::Key>>(
    table: &TypedTable<R>,
    ranges: impl Fn() -> G + Copy,
    count: usize,
) {
    for (scan, keys) in both_ways(table, ranges, count).await {
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(read(scan().after(key)).await, keys[at + 1..], "after {key:?}");
        }
        let middle = &keys[count / 2];
        let two = keys[count / 2 + 1..].iter().take(2).cloned().collect::<Vec<_>>();
        assert_eq!(read(scan().limit(2).after(middle)).await, two);

        let sizes = BTreeSet::from([1, 2, 3, count - 1, count, count + 1]);
        for size in sizes.iter().copied() {
            assert_eq!(in_pages(&scan, size).await, keys, "in pages of {size}");
        }
        for limit in sizes {
            let limited = || scan().limit(limit as u64);
            let expected = &keys[..limit.min(count)];
            assert_eq!(in_pages(&limited, 2).await, expected, "{limit} rows in pages of 2");
        }
    }
}

/// The rows of all pages, each read with the text of a token.
async fn in_pages<R: Row>(scan: &impl Fn() -> TableScan<R>, size: usize) -> Vec<R::Key> {
    let mut keys = Vec::new();
    let mut text: Option<String> = None;
    loop {
        let token: Option<PageToken> = text.as_deref().map(|text| text.parse().unwrap());
        let page: Page<R> = scan().resume(token.as_ref()).page(size).await.unwrap();
        keys.extend(page.rows.iter().map(|row| (*row.key()).clone()));
        let Some(next) = page.next else { return keys };
        assert_eq!(page.rows.len(), size, "only the last page has fewer rows");
        text = Some(next.to_string());
    }
}

pub(crate) async fn a_plain_key_is_a_position(place: Place) {
    let keys = [1, 4, 0xff].map(|user| [-5, 0, 3, i64::MAX].map(|at| Plain { user, at }));
    let table = filled::<PlainRow>(&place, keys.concat()).await;
    continues(&table, Plain::scan, 12).await;
    continues(&table, || Plain::scan().user(4), 4).await;
    continues(&table, || Plain::scan().user(0xff).at(..=3), 3).await;
    // The row need not exist.
    let between = Plain { user: 1, at: 1 };
    let [next, previous] = [Plain { user: 1, at: 0 }, Plain { user: 1, at: 3 }];
    assert_eq!(read(table.scan(Plain::scan()).limit(1).after(&between)).await, [next]);
    assert_eq!(
        read(table.scan(Plain::scan()).reversed().limit(1).after(&between)).await,
        [previous]
    );
}

pub(crate) async fn a_salted_key_is_a_position_in_every_bucket(place: Place) {
    let cities = ["", "a", "a\0", "b"];
    let keys =
        (0..4).flat_map(|user| cities.map(|city| Salted { user, city: city.into(), at: -1 }));
    let table = filled::<SaltedRow>(&place, keys).await;
    continues(&table, Salted::scan, 16).await;
    continues(&table, || Salted::scan().user(1..3), 8).await;
    continues(&table, || Salted::scan().user(2), 4).await;
    continues(&table, || Salted::scan().user(2).city("a"..), 3).await;

    // Each scan reads 300 buckets.
    let rows = if place.is_thorough() { 20 } else { 2 };
    let table = filled::<WideRow>(&place, (0..rows).map(|at| Wide { at: at * 3_000 })).await;
    continues(&table, Wide::scan, rows.into()).await;
}

pub(crate) async fn a_hash_prefixed_key_is_a_position(place: Place) {
    let keys = [1, 2, 3].map(|user| [0, 1, 0xff, 0xffff].map(|at| Hashed { user, at }));
    let table = filled::<HashedRow>(&place, keys.concat()).await;
    continues(&table, || Hashed::scan().user(2), 4).await;
    continues(&table, || Hashed::scan().user(3).at(1..), 3).await;
}

pub(crate) async fn a_key_is_a_position_among_its_equals_in_other_buckets(place: Place) {
    let keys = [5, 6].map(|at| [0, 1, 2].map(|bucket| Random { at }.salted(bucket)));
    let table = filled::<RandomRow>(&place, keys.concat()).await;
    continues(&table, Random::scan, 6).await;
    continues(&table, || Random::scan().at(5), 3).await;
}

pub(crate) async fn a_key_of_any_layout_is_a_position(place: Place) {
    let old = (0..6).map(|user| Layouts::Old(Old { user }));
    let new = (0..6).map(|user| Layouts::New(New { user }));
    let table = filled::<LayoutsRow>(&place, old.chain(new)).await;
    continues(&table, Layouts::scan, 12).await;
    continues(&table, || Layouts::old_rows(Old::scan()), 6).await;
    continues(&table, || Layouts::new_rows(New::scan().user(1..5)), 4).await;
    // A row of another layout has no place in the order.
    let scan = table.scan(Layouts::new_rows(New::scan()));
    let error = scan.after(&Layouts::Old(Old { user: 1 })).rows().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
}

pub(crate) async fn rows_of_bytes_are_read_in_pages(place: Place) {
    let table = place.table(&["r3"]).await;
    let puts = (0..7).map(|i| Put::new(format!("r{i}")).cell("f", "q", "v"));
    table.put_all(puts).await.into_iter().for_each(|put| put.unwrap());
    assert_eq!(Place::keys(&table, Scan::all().after("r4")).await, ["r5", "r6"]);
    assert_eq!(Place::keys(&table, Scan::all().reversed().after("r1")).await, ["r0"]);
    assert_eq!(Place::keys(&table, Scan::all().after("r6")).await, [""; 0]);
    assert_eq!(Place::keys(&table, Scan::all().after("")).await.len(), 7);

    for (scan, expected) in [
        (Scan::all(), vec!["r0 r1 r2", "r3 r4 r5", "r6"]),
        (Scan::all().reversed(), vec!["r6 r5 r4", "r3 r2 r1", "r0"]),
        (Scan::range("r1".."r4"), vec!["r1 r2 r3"]),
        (Scan::all().limit(5), vec!["r0 r1 r2", "r3 r4"]),
        (Scan::range("s"..), vec![""]),
    ] {
        let mut pages = Vec::new();
        let mut token = None;
        loop {
            let page = table.scan_page(scan.clone().resume(token.as_ref()), 3).await.unwrap();
            let keys: Vec<_> =
                page.rows.iter().map(|r| r.key().escape_ascii().to_string()).collect();
            pages.push(keys.join(" "));
            token = page.next;
            if token.is_none() {
                break;
            }
        }
        assert_eq!(pages, expected, "{scan:?}");
    }

    // A row that is added or deleted moves no other to another page.
    let first = table.scan_page(Scan::all(), 3).await.unwrap();
    table.put(Put::new("r00").cell("f", "q", "v")).await.unwrap();
    table.delete("r2").await.unwrap();
    let second = table.scan_page(Scan::all().resume(first.next.as_ref()), 3).await.unwrap();
    assert_eq!(second.rows[0].key(), b"r3");
}

pub(crate) async fn a_token_of_another_scan_is_refused(place: Place) {
    let keys = || [1, 2].map(|user| [1, 2].map(|at| Plain { user, at })).concat();
    let table = filled::<PlainRow>(&place, keys()).await;
    let token = table.scan(Plain::scan()).page(1).await.unwrap().next.unwrap();
    let of_user = table.scan(Plain::scan().user(1)).page(1).await.unwrap().next.unwrap();

    let hashed = filled::<HashedRow>(&place, [1, 2].map(|at| Hashed { user: 1, at })).await;
    let raw = table.raw().unwrap();
    let other_table = place.table(&[]).await;
    let errors = [
        table.scan(Plain::scan()).reversed().resume(&token).page(1).await.unwrap_err(),
        table.scan(Plain::scan().user(1)).resume(&token).page(1).await.unwrap_err(),
        table.scan(Plain::scan().user(2)).resume(&of_user).page(1).await.unwrap_err(),
        table.scan(Plain::scan()).resume(&of_user).rows().next_row().await.unwrap_err(),
        hashed.scan(Hashed::scan().user(1)).resume(&of_user).count().await.unwrap_err(),
        raw.scan_page(Scan::all().resume(&token), 1).await.unwrap_err(),
        raw.scan_page(Scan::prefix([1]).resume(&of_user), 1).await.unwrap_err(),
        other_table.scan_page(Scan::all().resume(&token), 1).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.operation() == "scan" && error.table().is_some(), "{error:?}");
        assert!(error.to_string().contains(": the page token is of another scan"), "{error}");
    }
    // Filters, limits and columns may differ.
    let more = table.scan(Plain::scan()).filter(PlainRow::VALUE.eq(1)).resume(&token).limit(2);
    assert_eq!(more.page(5).await.unwrap().rows, [PlainRow::new(keys()[0].clone())]);

    let outside = table.scan(Plain::scan().user(1)).after(&Plain { user: 2, at: 1 });
    let error = outside.rows().next_row().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "scan {}: it cannot start after \"\\x02\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFE\", \
             which is in none of its ranges",
            raw.name()
        )
    );
    let error = table.scan(Plain::scan()).page(0).await.unwrap_err();
    assert!(error.to_string().ends_with("a page of 0 rows; it needs at least one"), "{error}");
}

pub(crate) async fn a_page_says_why_it_ended(place: Place) {
    let table = place.table(&["r3", "r6"]).await;
    let puts = (0..10).map(|n| Put::new(format!("r{n}")).cell("f", "q", vec![7; 1_000]));
    table.put_all(puts).await.into_result().unwrap();
    let mut found = Vec::new();
    let mut next: Option<PageToken> = None;
    let mut ends = Vec::new();
    for scan in [
        Scan::all().end_page_at_bytes(3_000),
        Scan::all().end_page_after(Duration::ZERO),
        Scan::all(),
        Scan::all().end_page_at_bytes(0),
        Scan::all().limit(9),
        Scan::all(),
    ] {
        let page = table.scan_page(scan.resume(next.as_ref()), 3).await.unwrap();
        ends.push((page.rows.len(), page.ended_by));
        found.extend(page.rows.iter().map(|row| String::from_utf8_lossy(row.key()).into_owned()));
        next = page.next.or(next);
    }
    let expected = [
        (3, PageEnd::Size),
        (1, PageEnd::Time),
        (3, PageEnd::Size),
        (1, PageEnd::Bytes),
        (1, PageEnd::Limit),
        // Of what was left after the last token.
        (2, PageEnd::End),
    ];
    assert_eq!(ends, expected);
    let keys = (0..10).map(|n| format!("r{n}")).collect::<Vec<_>>();
    assert_eq!(found, [&keys[..9], &keys[8..]].concat());
    let page = table.scan_page(Scan::all().end_page_at_bytes(2_000), 3).await.unwrap();
    assert_eq!((page.rows.len(), page.ended_by), (2, PageEnd::Bytes));
    let backwards = Scan::all().reversed().end_page_at_bytes(2_000);
    let page = table.scan_page(backwards, 3).await.unwrap();
    assert_eq!((page.rows[1].key(), page.ended_by), (&b"r8"[..], PageEnd::Bytes));
}
