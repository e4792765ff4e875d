//! Additions to aggregate families: on HBase, to counters.

use std::time::Duration;

use tallrow::admin::Aggregate;
use tallrow::op::{AddToCells, RowOperation};
use tallrow::{
    Aggregated, Counter, ErrorKind, FamilyDescriptor, Put, RawTable, RowKey, Table,
    TableDescriptor, Update,
};
use tallrow_tests::Place;

#[derive(RowKey)]
struct Url {
    url: String,
}

#[derive(Table)]
#[table(name = "t_aggregates")]
#[family("c", aggregate = "sum")]
#[family("d")]
struct Page {
    #[key]
    url: Url,
    #[cell("c:h")]
    hits: Counter,
    #[cell("c:b")]
    bytes: Aggregated<i64>,
    #[cell("d:t")]
    title: Option<String>,
}

fn url(url: &str) -> Url {
    Url { url: url.to_owned() }
}

pub(crate) async fn additions_become_sums(place: Place) {
    let pages = place.typed::<Page>().await;
    let (home, other) = (url("/"), url("/other"));
    let page = Page { url: url("/"), hits: Counter(9), bytes: Aggregated(Some(9)), title: None };
    // What is only added to is not written with its row.
    pages.put(&Page { title: Some("Home".into()), ..page }).await.unwrap();
    for by in [5, -2] {
        pages.update(&home, Update::new().add(Page::HITS, by)).await.unwrap();
    }
    let both = Update::new().add(Page::HITS, 1).add(Page::BYTES, 40).add(Page::BYTES, 2);
    pages.update(&home, both).await.unwrap();
    pages.increment(&other, Page::HITS, 7).await.unwrap();
    let page = pages.get(&home).await.unwrap().unwrap();
    assert_eq!((page.hits, page.bytes), (Counter(4), Aggregated(Some(42))));
    assert_eq!(page.title.as_deref(), Some("Home"));
    let page = pages.get(&other).await.unwrap().unwrap();
    assert_eq!((page.hits, page.bytes), (Counter(7), Aggregated(None)));
}

/// A table with a family of sums, `c`, and an ordinary one, `d`.
async fn raw(place: &Place) -> RawTable {
    let sums = FamilyDescriptor::new("c").aggregate(Aggregate::Sum);
    let table = TableDescriptor::new(&place.table_name().await).unwrap().family(sums);
    place.create(&table.family(FamilyDescriptor::new("d"))).await
}

pub(crate) async fn batches_and_writers_add(place: Place) {
    let table = raw(&place).await;
    let add = |row: usize| AddToCells::new(format!("r{row}")).add("c", "n", 1).add("c", "m", 2);
    let mut all: Vec<RowOperation> = (0..60).map(|n| add(n % 20).into()).collect();
    all.push(Put::new("r3").cell("d", "q", "v").into());
    table.batch(all).await.into_result().unwrap();
    let writer = table.writer().start().unwrap();
    for n in 0..40 {
        writer.write(add(n % 20)).await.unwrap();
    }
    let report = writer.close(Duration::from_secs(60)).await;
    assert!(report.is_complete(), "{report:?}");
    for row in table.get_all((0..20).map(|n| format!("r{n}"))).await.into_result().unwrap() {
        let row = row.unwrap();
        let sums = ["n", "m"].map(|column| row.counter("c", column).unwrap());
        assert_eq!(sums, [Some(5), Some(10)]);
    }
}

pub(crate) async fn additions_of_many_tasks_are_all_counted(place: Place) {
    let table = raw(&place).await;
    let mut tasks = Vec::new();
    for task in 0..16 {
        let table = table.clone();
        tasks.push(tokio::spawn(async move {
            for n in 0..20 {
                let row = format!("r{}", (task + n) % 4);
                table.add_to_cells(AddToCells::new(row).add("c", "n", 1)).await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let rows = table.get_all((0..4).map(|n| format!("r{n}"))).await.into_result().unwrap();
    let sums = rows.iter().flatten().map(|row| row.counter("c", "n").unwrap().unwrap());
    assert_eq!(sums.sum::<i64>(), 320);
}

/// On HBase, a family of sums is one like others.
pub(crate) async fn a_family_stays_the_aggregate_that_it_is(place: Place) {
    place.drop_table(Page::TABLE).await;
    let admin = place.client.admin();
    admin.create::<Page>().await.unwrap();
    assert!(admin.diff::<Page>().await.unwrap().is_empty());
    place.client.open::<Page>().await.unwrap();
    let plain = TableDescriptor::new(Page::TABLE).unwrap().family(FamilyDescriptor::new("c"));
    let diff = admin.diff_table(&plain).await.unwrap();
    if place.has_delete_markers() {
        assert!(diff.is_empty(), "{diff}");
    } else {
        let error = admin.alter(&diff).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
        assert!(error.to_string().contains("family c: AGGREGATE is SUM"), "{error}");
    }
    // Families are added with their aggregate, or refused.
    let sum = FamilyDescriptor::new("n").aggregate(Aggregate::Sum);
    let more = TableDescriptor::of::<Page>().unwrap().family(sum);
    admin.alter(&admin.diff_table(&more).await.unwrap()).await.unwrap();
    assert!(admin.diff_table(&more).await.unwrap().is_empty());
    let table = place.client.raw_table(Page::TABLE).unwrap();
    table.add_to_cells(AddToCells::new("r").add("n", "n", 1)).await.unwrap();
}

pub(crate) async fn an_addition_to_an_ordinary_family_is_a_counter_or_refused(place: Place) {
    let table = raw(&place).await;
    let added = table.add_to_cells(AddToCells::new("r").add("d", "n", 3)).await;
    if place.has_delete_markers() {
        added.unwrap();
        let row = table.get("r").await.unwrap().unwrap();
        assert_eq!(row.counter("d", "n").unwrap(), Some(3));
        return;
    }
    let error = added.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("created with an `aggregate`"), "{error}");
    assert_eq!(table.get("r").await.unwrap(), None);
}
