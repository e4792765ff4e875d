//! 85 to 88: row keys whose ranges have too many rows or too few, and rows that are none.

use std::collections::BTreeMap;

use tallrow::key::{RowRanges, text_prefix};
use tallrow::{Delete, ErrorKind, Put, RowKey, Scan, lookup, series};

use super::site;

/// Whether any of these ranges has the row of a key.
fn selects<K: RowKey>(ranges: impl RowRanges<Key = K>, key: &K) -> bool {
    let row = key.encode_key().unwrap();
    ranges.row_ranges().unwrap().into_iter().any(|range| range.contains(row.as_ref()))
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(salt(buckets = 16, fields = (id)))]
struct Related {
    #[key(escaped)]
    id: String,
    other: u32,
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(allow(unsorted_text))]
struct Separated {
    #[key(sep = ':')]
    id: String,
    other: String,
}

/// gbif/occurrence#292
#[test]
fn complaint_85_a_field_is_not_the_prefix_of_a_longer_one() {
    let ids = ["", "1", "12", "123", "1234", "123a", "124", "2"];
    for (wanted, id) in ids.iter().flat_map(|wanted| ids.map(|id| (*wanted, id))) {
        let key = Related { id: id.into(), other: 567 };
        assert_eq!(selects(Related::scan().id(wanted), &key), wanted == id, "{wanted} {id}");
        let key = Separated { id: id.into(), other: "567".into() };
        assert_eq!(selects(Separated::scan().id(wanted), &key), wanted == id, "{wanted} {id}");
        let all = Separated::scan().id(text_prefix(wanted));
        assert_eq!(selects(all, &key), id.starts_with(wanted), "{wanted} {id}");
    }
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(compat = "phoenix", salt(buckets = 256))]
struct Salted {
    tenant: u32,
    name: String,
}

/// apache/phoenix#2113 (PHOENIX-7580)
#[test]
fn complaint_86_the_last_of_all_buckets_is_read_too() {
    let mut in_buckets = BTreeMap::new();
    let names = (0..).map(|n| format!("n{n}"));
    let mut keys = names.map(|name| Salted { tenant: 7, name });
    while in_buckets.len() < 256 {
        let key = keys.next().unwrap();
        in_buckets.entry(key.encode_key().unwrap().as_ref()[0]).or_insert(key);
    }
    for key in in_buckets.into_values() {
        assert!(selects(Salted::scan().tenant(7), &key), "{key:?}");
        assert!(selects(Salted::scan().tenant(5..8), &key), "{key:?}");
        assert!(selects(Salted::scan().tenant(7..), &key), "{key:?}");
        assert!(selects(Salted::scan(), &key), "{key:?}");
        assert!(!selects(Salted::scan().tenant(..7), &key), "{key:?}");
        assert!(!selects(Salted::scan().tenant(8..), &key), "{key:?}");
    }
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(compat = "phoenix")]
struct Descending {
    #[key(desc)]
    name: String,
    #[key(desc)]
    city: String,
}

/// apache/phoenix#1668 (PHOENIX-6960)
#[test]
fn complaint_87_prefixes_of_descending_texts_have_all_their_rows() {
    let texts = ["a", "ab", "ab\u{1}", "abc", "ab\u{7f}", "abé", "ab\u{10ffff}", "ac", "b"];
    for (name, city) in texts.iter().flat_map(|name| texts.map(|city| (*name, city))) {
        let key = Descending { name: name.into(), city: city.into() };
        for wanted in texts {
            let by_name = Descending::scan().name(text_prefix(wanted));
            assert_eq!(selects(by_name, &key), name.starts_with(wanted), "{wanted:?} {key:?}");
            let by_city = Descending::scan().name(name).city(text_prefix(wanted));
            assert_eq!(selects(by_city, &key), city.starts_with(wanted), "{wanted:?} {key:?}");
            let range = Descending::scan().name(wanted..);
            assert_eq!(selects(range, &key), *name >= *wanted, "{wanted:?} {key:?}");
        }
    }
}

/// opentsdb#1134
#[tokio::test(start_paused = true)]
async fn complaint_88_rows_that_are_no_time_series_are_named() {
    let site = site().await;
    let admin = site.client.admin();
    admin.create_table(&series::table_descriptor("tsdb").unwrap()).await.unwrap();
    admin.create_table(&lookup::table_descriptor("uid").unwrap()).await.unwrap();
    let [points, names] = ["tsdb", "uid"].map(|name| site.client.raw_table(name).unwrap());
    let db = series::TimeSeriesTable::builder(points.clone(), names).build().unwrap();
    let series = db.get_or_create_series("m", [("host", "a")]).await.unwrap();
    series.write([series::Point::at_secs(419_610, 7)]).await.unwrap();
    let mut all = series.read(..).unwrap();
    let point = all.next_point().await.unwrap().unwrap();
    // Values that are shorter than their qualifiers say, and qualifiers that no point has.
    let bad: [(&[u8], &[u8]); 4] = [
        (&[0x10, 0x07], &[1, 2, 3]),
        (&[0x10, 0x07, 0x20, 0x07], &[1, 2, 3]),
        (&[0xF0, 0, 0, 0x07], &[1, 2, 3]),
        (&[0xFF; 6], &[0; 3]),
    ];
    let mut rows = points.scan(Scan::all()).unwrap();
    let row = rows.next_row().await.unwrap().unwrap();
    for (qualifier, value) in bad {
        points.put(Put::new(row.key()).cell("t", qualifier, value)).await.unwrap();
        let mut all = series.read(..).unwrap();
        let error = loop {
            match all.next_point().await {
                Ok(Some(found)) => assert_eq!(found, point),
                Ok(None) => panic!("{qualifier:?} is left out without a word"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        assert_eq!(error.row(), Some(row.key()), "{error}");
        points.delete(Delete::new(row.key()).column("t", qualifier)).await.unwrap();
    }
}
