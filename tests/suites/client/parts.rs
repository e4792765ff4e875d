//! What Bigtable has and HBase has not: what of it the mock and Google's emulator do as the
//! service.

use std::pin::Pin;
use std::time::{Duration, SystemTime};

use tallrow::admin::{
    Aggregate, AuthorizedViewDescriptor, BackupDescriptor, BackupName, BigtableAdmin, SchemaBundle,
};
use tallrow::changes::ChangeRecord;
use tallrow::filter::{Comparator, CompareOperator};
use tallrow::key::RowRange;
use tallrow::op::{AddToCells, BatchResults};
use tallrow::query::SqlType;
use tallrow::{
    ErrorKind, FamilyDescriptor, Filter, Put, RawTable, Result, RowKey, Scan, Table,
    TableDescriptor, TableRef,
};
use tallrow_mock::{MockQuery, MockSqlType, MockSqlValue};
use tallrow_tests::Place;

/// Whether what was tried has the result that it has in the service.
type Tried = Pin<Box<dyn Future<Output = Result<bool>>>>;

/// What a store does with a part.
#[derive(Clone, Copy)]
enum Found {
    /// The same as the service.
    Same,
    /// Something else.
    Other(&'static str),
    /// It refuses a call, with this status code.
    Refused(ErrorKind, &'static str),
}

/// The store lacks the methods.
const LACKS: Found = Found::Refused(ErrorKind::Unsupported, "UNIMPLEMENTED");

impl Found {
    /// What the page says.
    fn text(self) -> String {
        match self {
            Self::Same => "yes".to_owned(),
            Self::Other(what) => what.to_owned(),
            Self::Refused(kind, code) => format!("`{kind:?}` (`{code}`)"),
        }
    }

    /// Checks what was found.
    fn check(self, part: &str, found: Result<bool>) {
        let is_as_listed = match (self, &found) {
            (Self::Same, Ok(is_same)) => *is_same,
            (Self::Other(_), Ok(is_same)) => !is_same,
            (Self::Refused(kind, code), Err(error)) => {
                error.kind() == kind && error.exception() == Some(code)
            }
            _ => false,
        };
        assert!(is_as_listed, "{part} is listed as {:?}, and found is {found:?}", self.text());
    }
}

/// A part, and what the stores do with it.
struct Part {
    name: &'static str,
    what: &'static str,
    on_mock: Found,
    on_emulator: Found,
}

macro_rules! parts {
    ($($name:ident: $what:literal, $on_mock:expr, $on_emulator:expr;)*) => {
        const PARTS: &[Part] = &[$(Part {
            name: stringify!($name),
            what: $what,
            on_mock: $on_mock,
            on_emulator: $on_emulator,
        },)*];

        /// By Bigtable's protocol, on the mock.
        mod on_bigtable {
            $(#[test]
            fn $name() {
                super::run_on_mock(stringify!($name), |place| Box::pin(super::$name(place)));
            })*
        }

        /// On Google's emulator if the environment names one.
        mod on_emulator {
            $(#[test]
            fn $name() {
                super::run_on_emulator(stringify!($name), |place| Box::pin(super::$name(place)));
            })*
        }
    };
}

parts! {
    sums: "families of sums, additions", Found::Same, Found::Same;
    extremes: "families of minima and maxima", Found::Same, Found::Other("keeps the last value");
    sketches: "families of sketches (HyperLogLog++)", LACKS, Found::Other("keeps the last value");
    authorized_views: "authorized views: create, read, write, change, list, delete", Found::Same, LACKS;
    materialized_views: "materialized views: read",
        Found::Refused(ErrorKind::TableNotFound, "NOT_FOUND"),
        Found::Refused(ErrorKind::TableNotFound, "NOT_FOUND");
    backups: "backups: create, copy, restore, change, list, delete", Found::Same, LACKS;
    deleted_tables: "deleted tables come back", Found::Same, LACKS;
    deletion_protection: "tables are protected from deletion", Found::Same, Found::Same;
    change_streams: "change streams", Found::Same, LACKS;
    queries: "queries in SQL", Found::Same, LACKS;
    schema_bundles: "schema bundles: create, read, change, list, delete", Found::Same, LACKS;
    row_key_schemas: "row key schemas", Found::Same, Found::Other("are not kept");
    samples_of_a_range: "samples of a range of row keys", Found::Same,
        Found::Other("those of the whole table");
    bitmasks: "`value_bitmask_filter`", Found::Same, Found::Other("lets all cells through");
    read_statistics: "the statistics of a read", Found::Same, Found::Same;
}

fn listed(name: &str) -> &'static Part {
    PARTS.iter().find(|part| part.name == name).unwrap()
}

fn run_on_mock(name: &str, tried: impl FnOnce(Place) -> Tried) {
    crate::wait_for(async {
        let found = tried(Place::bigtable().await).await;
        listed(name).on_mock.check(name, found);
    });
}

fn run_on_emulator(name: &str, tried: impl FnOnce(Place) -> Tried) {
    crate::wait_for(async {
        if let Some(place) = Place::emulator(&format!("part {name}")).await {
            listed(name).on_emulator.check(name, tried(place).await);
        }
    });
}

/// The table of the page.
pub(crate) fn table() -> String {
    let mut text =
        "| only with Bigtable | the mock | Google's emulator |\n|---|---|---|\n".to_owned();
    for part in PARTS {
        let (mock, emulator) = (part.on_mock.text(), part.on_emulator.text());
        text += &format!("| {} | {mock} | {emulator} |\n", part.what);
    }
    text
}

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

fn admin(place: &Place) -> BigtableAdmin {
    place.client.admin().bigtable().unwrap()
}

/// A new table with a family of this aggregate.
async fn of_aggregate(place: &Place, aggregate: Aggregate) -> Result<RawTable> {
    let family = FamilyDescriptor::new("a").aggregate(aggregate);
    let table = TableDescriptor::new(&place.table_name().await)?.family(family);
    place.client.admin().create_table(&table).await?;
    place.client.raw_table(table.name())
}

/// What is in a cell to which 5, -7 and 3 were added.
async fn combined(place: &Place, aggregate: Aggregate) -> Result<Vec<u8>> {
    let table = of_aggregate(place, aggregate).await?;
    for number in [5, -7, 3] {
        table.add_to_cells(AddToCells::new("r").add("a", "n", number)).await?;
    }
    let row = table.get("r").await?.unwrap();
    Ok(row.value("a", "n").unwrap().to_vec())
}

async fn sums(place: Place) -> Result<bool> {
    Ok(combined(&place, Aggregate::Sum).await? == 1_i64.to_be_bytes())
}

async fn extremes(place: Place) -> Result<bool> {
    let least = combined(&place, Aggregate::Min).await? == (-7_i64).to_be_bytes();
    Ok(least && combined(&place, Aggregate::Max).await? == 5_i64.to_be_bytes())
}

async fn sketches(place: Place) -> Result<bool> {
    Ok(combined(&place, Aggregate::Hll).await? != 3_i64.to_be_bytes())
}

async fn authorized_views(place: Place) -> Result<bool> {
    let (table, admin) = (place.table(&[]).await, admin(&place));
    let view = AuthorizedViewDescriptor::new("v").rows_with_prefix("b").family("f");
    admin.create_authorized_view(table.name(), &view).await?;
    let of_view = place.client.raw_table(TableRef::authorized_view(table.name(), "v"))?;
    table.put(Put::new("a").cell("f", "q", "1")).await?;
    of_view.put(Put::new("b").cell("f", "q", "2")).await?;
    let refused = of_view.put(Put::new("a").cell("f", "q", "3")).await;
    let kinds: Vec<_> = [refused, of_view.put(Put::new("b").cell("g", "q", "3")).await]
        .into_iter()
        .map(|outcome| outcome.map_err(|error| error.kind()))
        .collect();
    let seen = of_view.count(Scan::all()).await?;
    let wider = view.rows_with_prefix("");
    admin.set_authorized_view(table.name(), &wider).await?;
    let all = of_view.count(Scan::all()).await?;
    let listed = admin.list_authorized_views(table.name()).await?;
    admin.delete_authorized_view(table.name(), "v").await?;
    let gone = of_view.get("a").await.map_err(|error| error.kind());
    Ok(kinds == [Err(ErrorKind::PermissionDenied); 2]
        && (seen, all, listed) == (1, 2, vec![wider])
        && gone == Err(ErrorKind::TableNotFound))
}

async fn materialized_views(place: Place) -> Result<bool> {
    let view = place.client.raw_table(TableRef::materialized_view("v"))?;
    Ok(view.get("r").await?.is_some())
}

async fn backups(place: Place) -> Result<bool> {
    let (table, admin) = (place.table(&[]).await, admin(&place));
    table.put(Put::new("a").cell("f", "q", "1")).await?;
    let (name, copy) = (BackupName::new("c", "b"), BackupName::new("c", "copy"));
    let week = SystemTime::now() + 7 * DAY;
    let description = BackupDescriptor::new(name.clone(), week);
    let made = admin.create_backup(table.name(), &description).await?.wait(MINUTE).await?;
    admin.copy_backup(&name, &copy, week).await?.wait(MINUTE).await?;
    let later = admin.set_backup_expiry(&name, week + DAY).await?;
    let listed = admin.list_backups(None).await?.len();
    let to = place.table_name().await;
    let restored = admin.restore_table(&copy, to.as_str()).await?.wait(MINUTE).await?;
    let count = place.client.raw_table(&restored)?.count(Scan::all()).await?;
    admin.delete_backup(&name).await?;
    admin.delete_backup(&copy).await?;
    let left = admin.list_backups(None).await?.len();
    Ok(later.expires_at > made.expires_at && (listed, count, left) == (2, 1, 0))
}

async fn deleted_tables(place: Place) -> Result<bool> {
    let table = place.table(&[]).await;
    table.put(Put::new("a").cell("f", "q", "1")).await?;
    place.client.admin().delete_table(table.name()).await?;
    admin(&place).undelete_table(table.name()).await?.wait(MINUTE).await?;
    Ok(table.count(Scan::all()).await? == 1)
}

async fn deletion_protection(place: Place) -> Result<bool> {
    let (table, admin) = (place.table(&[]).await, admin(&place));
    admin.set_deletion_protection(table.name(), true).await?;
    let is_protected = admin.is_deletion_protected(table.name()).await?;
    let refused = place.client.admin().delete_table(table.name()).await;
    admin.set_deletion_protection(table.name(), false).await?;
    place.client.admin().delete_table(table.name()).await?;
    Ok(is_protected && refused.map_err(|error| error.kind()) == Err(ErrorKind::DoNotRetry))
}

async fn change_streams(place: Place) -> Result<bool> {
    let family = FamilyDescriptor::new("f");
    let table = TableDescriptor::new(&place.table_name().await)?.family(family);
    let table = table.change_stream_retention(DAY);
    place.client.admin().create_table(&table).await?;
    let table = place.client.raw_table(table.name())?;
    let begin = SystemTime::now() - MINUTE;
    table.put(Put::new("a").cell("f", "q", "1")).await?;
    let mut changes = table.changes().since(begin).open()?;
    loop {
        if let Some(ChangeRecord::Change(change)) = changes.next_record().await? {
            return Ok(change.row == "a");
        }
    }
}

async fn queries(place: Place) -> Result<bool> {
    let text = "SELECT n FROM t WHERE n > @least";
    if let Some(mock) = place.bigtable_mock() {
        // The mock has no SQL, and answers what it was given.
        let query = MockQuery::new(text)
            .parameter("least", MockSqlType::Int64, MockSqlValue::Int64(1))
            .column("n", MockSqlType::Int64)
            .row([MockSqlValue::Int64(2)]);
        mock.answer_query(query);
    }
    let query = place.client.prepare(text, [("least", SqlType::Int64)]).await?;
    let found: Vec<(i64,)> = query.bind("least", 1).execute::<(i64,)>()?.try_collect().await?;
    Ok(found == [(2,)])
}

async fn schema_bundles(place: Place) -> Result<bool> {
    let (table, admin) = (place.table(&[]).await, admin(&place));
    // The file `visit.proto` with a message `Visit`, and with an enum `Browser` too.
    let first = &b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit"[..];
    let second = &b"\x0a\x28\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit\
        \x2a\x10\x0a\x07Browser\x12\x05\x0a\x01A\x10\0"[..];
    let bundle = SchemaBundle::new("b", first);
    let created = admin.create_schema_bundle(table.name(), &bundle).await?;
    let read = admin.schema_bundle(table.name(), "b").await?;
    let next = read.clone().with_proto_descriptors(second);
    let changed = admin.set_schema_bundle(table.name(), &next).await?;
    let late = admin.set_schema_bundle(table.name(), &next).await.map_err(|e| e.kind());
    let listed = admin.list_schema_bundles(table.name()).await?;
    let old = admin.delete_schema_bundle(table.name(), "b", created.etag()).await;
    admin.delete_schema_bundle(table.name(), "b", changed.etag()).await?;
    let left = admin.list_schema_bundles(table.name()).await?;
    Ok(created == read
        && (&created.proto_descriptors()[..], &changed.proto_descriptors()[..]) == (first, second)
        && (late, old.map_err(|e| e.kind()))
            == (Err(ErrorKind::Conflict), Err(ErrorKind::Conflict))
        && (listed, left) == (vec![changed], Vec::new()))
}

#[derive(RowKey)]
#[row_key(compat = "bigtable")]
struct VisitKey {
    user: String,
    at: i64,
}

#[derive(Table)]
#[table(name = "t_visits")]
#[family("v")]
struct Visit {
    #[key]
    key: VisitKey,
    #[cell("v:p")]
    page: String,
}

async fn row_key_schemas(place: Place) -> Result<bool> {
    let table = place.typed::<Visit>().await.raw()?.name().clone();
    let admin = admin(&place);
    let is_set = admin.row_key_schema(&table).await?.is_some();
    if is_set {
        admin.remove_row_key_schema(&table).await?;
    }
    Ok(is_set && admin.row_key_schema(&table).await?.is_none())
}

async fn samples_of_a_range(place: Place) -> Result<bool> {
    let table = place.table(&["c", "m", "t"]).await;
    let rows = ["a", "d", "n", "z"].map(|row| Put::new(row).cell("f", "q", "1"));
    BatchResults::into_result(table.put_all(rows).await)?;
    let range = RowRange::prefix(b"m");
    let samples = admin(&place).sample_row_keys(table.name(), &range).await?;
    let last = samples.last().unwrap();
    Ok(samples.iter().all(|sample| sample.key <= "n") && last.key == "n")
}

async fn bitmasks(place: Place) -> Result<bool> {
    let table = place.table(&[]).await;
    for (row, flags) in [("a", 0b001_u8), ("b", 0b111), ("c", 0b100)] {
        table.put(Put::new(row).cell("f", "q", [flags])).await?;
    }
    let filter = Filter::value(CompareOperator::Equal, Comparator::all_bits([0b101]));
    Ok(table.count(Scan::all().filter(filter)).await? == 1)
}

async fn read_statistics(place: Place) -> Result<bool> {
    let table = place.table(&[]).await;
    for (row, state) in [("a", "old"), ("b", "new"), ("c", "old")] {
        table.put(Put::new(row).cell("f", "q", state)).await?;
    }
    let new = Filter::value(CompareOperator::Equal, "new");
    let mut rows = table.scan(Scan::all().filter(new).server_metrics())?;
    while rows.next_row().await?.is_some() {}
    let stats = rows.metrics().request_stats;
    Ok(stats.is_some_and(|stats| (stats.rows_seen, stats.rows_returned) == (3, 1)))
}
