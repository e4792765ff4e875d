//! The keys and rows in the pictures. The pages show the same keys.

use tallrow::RowKey;
use tallrow::key::schema::Schema;
use tallrow::key::{RowRanges, TagPairs, Uid, text_prefix};

use crate::order_picture::{self, Scan};
use crate::row_picture;

/// A file of docs/pictures.
#[derive(Clone)]
pub(crate) struct Picture {
    pub(crate) file: &'static str,
    pub(crate) svg: String,
}

/// A time: 2023-11-14 22:13:20 UTC, in milliseconds.
const NOVEMBER: i64 = 1_700_000_000_000;

#[derive(RowKey)]
struct PostKey {
    #[key(escaped)]
    author: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey)]
struct VisitKey {
    #[key(escaped)]
    site: String,
    #[key(escaped)]
    page: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey)]
struct OrderKey {
    customer: u32,
    #[key(escaped)]
    shop: String,
    #[key(desc)]
    number: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (user)))]
struct EventKey {
    user: u32,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (user)))]
struct ByUser {
    user: u64,
    at: i64,
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 5, fields = (user), sep = '|'))]
struct Profile {
    #[key(escaped)]
    user: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey)]
struct ItemKey {
    #[key(escaped)]
    name: String,
    number: i16,
}

#[derive(RowKey)]
#[row_key(shared(customer))]
enum Shop {
    #[key(tag = b'c')]
    Customer { customer: u32 },
    #[key(tag = b'o')]
    Order { customer: u32, order: u16 },
}

enum Metrics {}
enum TagNames {}
enum TagValues {}

#[derive(RowKey)]
struct Series {
    metric: Uid<Metrics, 3>,
    #[key(floor = 3600, display_time = "s")]
    hour: u32,
    tags: TagPairs<Uid<TagNames, 3>, Uid<TagValues, 3>, 8>,
}

/// Returns all pictures.
pub(crate) fn pictures() -> Vec<Picture> {
    vec![
        post_row(),
        visit_order(),
        order_order(),
        salted_row(),
        salted_order(),
        hash_prefix_row(),
        escaped_row(),
        record_order(),
        delimited_order(),
        metric_row(),
    ]
}

/// Returns a scan with its code.
macro_rules! scan {
    ($scan:expr) => {
        Scan {
            code: stringify!($scan),
            ranges: $scan.row_ranges().expect("values that fit").to_vec(),
        }
    };
}

fn schema<K: RowKey>() -> Schema {
    Schema::of::<K>().expect("a derived key")
}

fn row<K: RowKey>(file: &'static str, title: &str, key: &K) -> Picture {
    let row = encoded(key);
    Picture { file, svg: row_picture::draw(title, &schema::<K>(), &row) }
}

fn order<K: RowKey>(file: &'static str, title: &str, keys: &[K], scans: &[Scan]) -> Picture {
    let rows: Vec<_> = keys.iter().map(encoded).collect();
    Picture { file, svg: order_picture::draw(title, &schema::<K>(), &rows, scans) }
}

fn encoded<K: RowKey>(key: &K) -> Vec<u8> {
    key.encode_key().expect("values that fit").as_ref().to_vec()
}

fn post_row() -> Picture {
    row("post-row.svg", "A row key of PostKey", &PostKey { author: "ada".into(), at: NOVEMBER })
}

fn visit_order() -> Picture {
    let visit = |page: &str, at| VisitKey { site: "shop".into(), page: page.into(), at };
    let visits = [visit("/", 10), visit("/news", 20), visit("/", 30), visit("/news", 5)];
    let scans = [
        scan!(VisitKey::scan().site("shop")),
        scan!(VisitKey::scan().site("shop").page("/").at(15..)),
    ];
    order("visit-order.svg", "Pages of a site together, the newest visit first", &visits, &scans)
}

fn order_order() -> Picture {
    let order_key = |customer, shop: &str, number| OrderKey { customer, shop: shop.into(), number };
    let orders = [
        order_key(6, "tea", 1),
        order_key(7, "art", 3),
        order_key(7, "books", 1),
        order_key(7, "books", 2),
        order_key(7, "boots", 1),
        order_key(7, "tea", 4),
        order_key(8, "books", 1),
    ];
    let scans = [
        scan!(OrderKey::scan().customer(7)),
        scan!(OrderKey::scan().customer(7).shop(text_prefix("bo"))),
    ];
    order("order-order.svg", "Each scan of leading fields is one range", &orders, &scans)
}

fn salted_row() -> Picture {
    row("salted-row.svg", "A row key of EventKey", &EventKey { user: 7, at: NOVEMBER })
}

fn salted_order() -> Picture {
    let mut visits = Vec::new();
    for user in 1..=5 {
        visits.extend([10, 20].map(|at| ByUser { user, at }));
    }
    let scans = [scan!(ByUser::scan()), scan!(ByUser::scan().user(3))];
    order("salted-order.svg", "Four buckets: each user is in one of them", &visits, &scans)
}

fn hash_prefix_row() -> Picture {
    row(
        "hash-prefix-row.svg",
        "A row key of Profile",
        &Profile { user: "bob".into(), at: NOVEMBER },
    )
}

fn escaped_row() -> Picture {
    row("escaped-row.svg", "A row key of ItemKey", &ItemKey { name: "a\0b".into(), number: -2 })
}

fn record_order() -> Picture {
    let rows = [
        Shop::Customer { customer: 7 },
        Shop::Order { customer: 7, order: 2 },
        Shop::Order { customer: 7, order: 1 },
        Shop::Customer { customer: 8 },
        Shop::Order { customer: 8, order: 1 },
    ];
    let scans = [scan!(Shop::scan().customer(7)), scan!(Shop::scan().customer(7).order_rows())];
    order("record-order.svg", "A customer, followed by its orders", &rows, &scans)
}

fn delimited_order() -> Picture {
    #[derive(RowKey)]
    #[row_key(allow(unsorted_text))]
    struct OrderKey {
        #[key(sep = '|')]
        shop: String,
        order_id: u64,
    }

    let key = |shop: &str, order_id| OrderKey { shop: shop.into(), order_id };
    let rows = [key("ab", 1), key("ab", 2), key("abc", 1), key("abc", 2), key("b", 1)];
    let scans = [scan!(OrderKey::scan().shop("ab"))];
    order(
        "delimited-order.svg",
        "With the separator |, which is 7c, ab comes after abc",
        &rows,
        &scans,
    )
}

fn metric_row() -> Picture {
    let tag = |(name, value)| Some((Uid::new(name)?, Uid::new(value)?));
    let tags = [(1, 11), (2, 5)].into_iter().filter_map(tag);
    let key = Series {
        metric: Uid::new(7).expect("a number of 3 bytes"),
        hour: 1_763_799_432,
        tags: TagPairs::new(tags).expect("two pairs"),
    };
    row("metric-row.svg", "A row key of Series", &key)
}
