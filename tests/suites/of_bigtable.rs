//! A program that uses what only Bigtable has, all at once and as its users write it: functions for
//! any row type, tasks that are spawned, and errors with `?`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use tallrow::admin::{AuthorizedViewDescriptor, SchemaBundle};
use tallrow::changes::{ChangeRecord, ColumnChange};
use tallrow::key::{DecodeRowKey, RowRanges};
use tallrow::query::SqlType;
use tallrow::{
    Client, Config, Counter, ErrorKind, FromSqlRow, Result, RowKey, Table, TableDescriptor,
    TableRef, TypedTable, Update,
};
use tallrow_mock::{MockCluster, MockQuery, MockSqlType, MockSqlValue};
use tallrow_tests::in_memory;
use tokio::task::JoinSet;

const DAY: Duration = Duration::from_secs(86_400);

#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PageKey {
    team: u32,
    page: String,
}

#[derive(Table, Debug)]
#[table(name = "pages")]
#[family("c", aggregate = "sum")]
#[family("p")]
struct Page {
    #[key]
    key: PageKey,
    #[cell("c:hits")]
    hits: Counter,
    #[cell("p:last")]
    last: Option<String>,
}

/// The keys in a range of a table, or of a view of it.
async fn keys_of<T, R>(table: &TypedTable<T>, range: R) -> Result<Vec<T::Key>>
where
    T: Table,
    T::Key: DecodeRowKey,
    R: RowRanges<Key = T::Key>,
{
    let mut rows = table.scan(range).keys();
    let mut keys = Vec::new();
    while let Some(key) = rows.next_key().await? {
        keys.push(key);
    }
    Ok(keys)
}

/// Counts hits of every page of every team, by a task for each team.
async fn count_hits(pages: &TypedTable<Page>, teams: u32, hits: usize) -> Result<()> {
    let mut tasks = JoinSet::new();
    for team in 0..teams {
        let pages = pages.clone();
        tasks.spawn(async move {
            for hit in 0..hits {
                let key = PageKey { team, page: format!("/{}", hit % 3) };
                let seen = Update::new().add(Page::HITS, 1).set(Page::LAST, hit.to_string());
                pages.update(&key, seen).await?;
            }
            Ok(())
        });
    }
    tasks.join_all().await.into_iter().collect()
}

/// Adds up the hits in the change stream, until there are as many as this.
async fn hits_of_changes(
    pages: TypedTable<Page>,
    since: SystemTime,
    all: i64,
) -> Result<BTreeMap<PageKey, i64>> {
    let mut changes = pages.changes()?.since(since).open()?;
    let mut found = BTreeMap::new();
    while found.values().sum::<i64>() < all {
        if let Some(ChangeRecord::Change(change)) = changes.next_record().await?
            && let ColumnChange::Added(hits) = change.column(Page::HITS)?
        {
            *found.entry(change.key.clone()).or_default() += hits;
        }
    }
    Ok(found)
}

#[derive(FromSqlRow, Debug, PartialEq)]
struct Visit {
    visit: Vec<u8>,
    browser: i32,
}

#[tokio::test(start_paused = true)]
async fn a_program_uses_all_of_it_at_once() -> Result<()> {
    let mock = MockCluster::builder().in_memory().bigtable_port(0).start().await.unwrap();
    let config = Config::new().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.bigtable_url().unwrap(), config).await?;
    let (admin, bigtable) = (client.admin(), client.admin().bigtable()?);
    let table = TableDescriptor::of::<Page>()?.change_stream_retention(DAY);
    admin.create_table(&table).await?;
    let pages = client.open::<Page>().await?;
    let of_team = AuthorizedViewDescriptor::new("of-3").rows_with_prefix(3_u32.to_be_bytes());
    bigtable.create_authorized_view("pages", &of_team.family("c").family("p")).await?;
    let definitions = &b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit"[..];
    let bundle = SchemaBundle::new("web", definitions);
    let bundle = bigtable.create_schema_bundle("pages", &bundle).await?;

    let begin = SystemTime::UNIX_EPOCH + Duration::from_millis(mock.clock_ms());
    let changes = tokio::spawn(hits_of_changes(pages.clone(), begin, 8 * 30));
    count_hits(&pages, 8, 30).await?;
    mock.split_region("pages", &4_u32.to_be_bytes()).unwrap();
    let changed = changes.await.unwrap()?;

    // The stream, the table and the view agree.
    let keys = keys_of(&pages, PageKey::scan()).await?;
    assert_eq!((keys.len(), changed.keys().cloned().collect::<Vec<_>>()), (24, keys));
    assert!(changed.values().all(|hits| *hits == 10), "{changed:?}");
    let page = pages.get(&PageKey { team: 7, page: "/2".into() }).await?.unwrap();
    assert_eq!((page.hits, page.last.as_deref()), (Counter(10), Some("29")));
    let view = client.table_named::<Page>(TableRef::authorized_view("pages", "of-3"))?;
    let of_view = keys_of(&view, PageKey::scan()).await?;
    assert_eq!(of_view.len(), 3);
    assert!(of_view.iter().all(|key| key.team == 3));
    let other = PageKey { team: 4, page: "/0".into() };
    let refused = view.update(&other, Update::new().add(Page::HITS, 1)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);

    // Queries, from several tasks, by the definitions of the bundle.
    let text = "SELECT visit, browser FROM pages WHERE n > @least";
    let (schema_bundle, name) = (|| bundle.id().to_owned(), "Browser".to_owned());
    let of_visit = MockSqlType::Proto { schema_bundle: schema_bundle(), message: "Visit".into() };
    mock.answer_query(
        MockQuery::new(text)
            .parameter("least", MockSqlType::Int64, MockSqlValue::Int64(1))
            .column("visit", of_visit)
            .column("browser", MockSqlType::Enum { schema_bundle: schema_bundle(), name })
            .row([MockSqlValue::Bytes(b"\x08\x01".to_vec()), MockSqlValue::Int64(2)]),
    );
    let query = client.prepare(text, [("least", SqlType::Int64)]).await?;
    let mut tasks = JoinSet::new();
    for _ in 0..4 {
        let bound = query.bind("least", 1);
        tasks.spawn(async move { bound.execute::<Visit>()?.try_collect::<Vec<_>>().await });
    }
    for found in tasks.join_all().await {
        assert_eq!(found?, [Visit { visit: b"\x08\x01".to_vec(), browser: 2 }]);
    }

    // What is of the table goes with it, and comes back with it.
    admin.delete_table("pages").await?;
    let gone = bigtable.list_schema_bundles("pages").await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::TableNotFound);
    bigtable.undelete_table("pages").await?.wait(DAY).await?;
    assert_eq!(bigtable.list_schema_bundles("pages").await?, [bundle]);
    assert_eq!(keys_of(&view, PageKey::scan()).await?.len(), 3);
    Ok(())
}
