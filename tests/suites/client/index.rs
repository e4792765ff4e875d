//! Indexed rows, summaries of them, and joins.

use futures_util::stream;
use tallrow::index::{self, Index, IndexedTable, Summary};
use tallrow::table::{ExtraMutations, RowChange, RowHook};
use tallrow::{Counter, Error, ErrorKind, Put, RawTable, RowKey, Scan, Table, Update};
use tallrow_tests::Place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4))]
struct DocId {
    id: u32,
}

/// Salted too, so that a scan merges buckets.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 3))]
struct ByTag {
    #[key(escaped)]
    tag: String,
    id: u32,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Tag {
    tag: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "docs")]
#[family("d")]
struct Doc {
    #[key]
    id: DocId,
    #[cell("d:t")]
    tags: String,
    #[cell("d:p")]
    pages: i64,
    #[cell("d:n")]
    note: Option<String>,
    #[cell("d:v", row_version)]
    version: u64,
    #[cell("d:r")]
    reads: Counter,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tags")]
#[family("t")]
struct TagTotal {
    #[key]
    tag: Tag,
    #[cell("t:d")]
    docs: Counter,
    #[cell("t:p")]
    pages: Counter,
}

fn doc(id: u32, tags: &str) -> Doc {
    let id = DocId { id };
    Doc { id, tags: tags.into(), pages: 10, note: None, version: 0, reads: Counter(0) }
}

fn tags(doc: &Doc) -> Vec<String> {
    doc.tags.split(' ').filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

fn by_tag(table: &RawTable) -> Index<Doc, ByTag> {
    Index::new("tag", table.clone(), |doc: &Doc| {
        tags(doc).into_iter().map(|tag| ByTag { tag, id: doc.id.id }).collect::<Vec<_>>()
    })
}

async fn entries(place: &Place) -> RawTable {
    place.create(&index::table_descriptor(&place.table_name().await).unwrap()).await
}

async fn found(docs: &IndexedTable<Doc>, index: &Index<Doc, ByTag>, tag: &str) -> Vec<u32> {
    let rows = docs.scan_by(index, ByTag::scan().tag(tag)).rows();
    let rows: Vec<_> = rows.try_collect().await.unwrap();
    rows.into_iter().map(|row| row.id.id).collect()
}

pub(crate) async fn a_row_is_found_by_each_of_its_keys(place: Place) {
    let table = entries(&place).await;
    let index = by_tag(&table);
    let docs = IndexedTable::builder(place.typed::<Doc>().await).index(&index).build().unwrap();
    let all = [doc(1, "a b"), doc(2, "b c a"), doc(3, ""), doc(4, "a a")];
    docs.put_all(&all).await.into_result().unwrap();
    assert_eq!(found(&docs, &index, "a").await, [1, 2, 4]);
    assert_eq!(found(&docs, &index, "b").await, [1, 2]);
    assert_eq!(found(&docs, &index, "d").await, [0; 0]);
    assert_eq!(docs.get_by(&index, &ByTag { tag: "c".into(), id: 2 }).await.unwrap().len(), 1);
    assert_eq!(docs.get_by(&index, &ByTag { tag: "c".into(), id: 1 }).await.unwrap(), []);

    let mut last = docs.scan_by(&index, ByTag::scan().tag("a")).reversed().limit(2).rows();
    assert_eq!(last.next_row().await.unwrap().unwrap().id.id, 4);
    assert_eq!(last.next_row().await.unwrap().unwrap().id.id, 2);
    assert_eq!(last.next_row().await.unwrap(), None);

    docs.update(&DocId { id: 2 }, Update::new().set(Doc::TAGS, "c d")).await.unwrap();
    docs.delete(&DocId { id: 4 }).await.unwrap();
    assert_eq!(found(&docs, &index, "a").await, [1]);
    assert_eq!(found(&docs, &index, "d").await, [2]);
    // Deleted and written again, also in the same millisecond.
    for _ in 0..20 {
        docs.put(&doc(4, "e")).await.unwrap();
        assert_eq!(found(&docs, &index, "e").await, [4]);
        docs.delete(&DocId { id: 4 }).await.unwrap();
        assert_eq!(found(&docs, &index, "e").await, [0; 0]);
    }
    for _ in 0..20 {
        let note = |note: Option<&str>| Update::new().set_option(Doc::NOTE, note);
        docs.update(&DocId { id: 1 }, note(Some("kept"))).await.unwrap();
        assert!(docs.table().get(&DocId { id: 1 }).await.unwrap().unwrap().note.is_some());
        docs.update(&DocId { id: 1 }, note(None)).await.unwrap();
        assert!(docs.table().get(&DocId { id: 1 }).await.unwrap().unwrap().note.is_none());
    }
    assert_eq!(docs.lag().await.unwrap().changes, 0);
    assert_eq!(table.count(Scan::all()).await.unwrap(), 4);
}

pub(crate) async fn a_put_leaves_what_it_does_not_write(place: Place) {
    let index = by_tag(&entries(&place).await);
    let docs = IndexedTable::builder(place.typed::<Doc>().await).index(&index).build().unwrap();
    let id = DocId { id: 1 };
    docs.put(&Doc { note: Some("kept".into()), ..doc(1, "a") }).await.unwrap();
    docs.table().increment(&id, Doc::READS, 5).await.unwrap();
    docs.put(&Doc { version: 1, ..doc(1, "b") }).await.unwrap();
    let row = docs.table().get(&id).await.unwrap().unwrap();
    assert_eq!((row.note.as_deref(), row.reads, row.version), (Some("kept"), Counter(5), 2));

    // Of another version.
    let error = docs.put(&Doc { version: 1, ..doc(1, "c") }).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Conflict, "put"));
    let error = docs.put(&doc(1, "c")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error:?}");
    assert_eq!(found(&docs, &index, "c").await, [0; 0]);

    let update = Update::new().set(Doc::TAGS, "d").unset(Doc::NOTE);
    docs.update(&id, update).await.unwrap();
    let row = docs.table().get(&id).await.unwrap().unwrap();
    assert_eq!((row.note, row.reads), (None, Counter(5)));
    assert_eq!(found(&docs, &index, "d").await, [1]);

    let error = docs.update(&DocId { id: 9 }, Update::new().set(Doc::TAGS, "d")).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Decode, "update"));
    assert!(!docs.table().exists(&DocId { id: 9 }).await.unwrap());
    docs.delete(&DocId { id: 9 }).await.unwrap();
    assert_eq!(docs.lag().await.unwrap().changes, 0);
}

/// In one step with the cells that have keys. A store that cannot do this leaves no trace of the
/// change.
pub(crate) async fn an_update_of_an_indexed_row_adds_to_a_counter(place: Place) {
    let table = entries(&place).await;
    let index = by_tag(&table);
    let docs = IndexedTable::builder(place.typed::<Doc>().await).index(&index).build().unwrap();
    let id = DocId { id: 1 };
    docs.put(&doc(1, "a")).await.unwrap();
    let update = Update::new().set(Doc::TAGS, "d").add(Doc::READS, 2);
    let updated = docs.update(&id, update).await;
    if updated.is_err() {
        assert_eq!(docs.lag().await.unwrap().changes, 0);
        assert_eq!(found(&docs, &index, "a").await, [1]);
        assert_eq!(table.count(Scan::all()).await.unwrap(), 1);
    }
    updated.unwrap();
    assert_eq!(docs.table().get(&id).await.unwrap().unwrap().reads, Counter(2));
    assert_eq!(found(&docs, &index, "d").await, [1]);
}

pub(crate) async fn what_rows_left_that_were_deleted_long_ago_is_purged(place: Place) {
    let docs = IndexedTable::builder(place.typed::<Doc>().await).build().unwrap();
    for id in 1..=3 {
        docs.put(&doc(id, "")).await.unwrap();
    }
    for id in 1..=2 {
        docs.delete(&DocId { id }).await.unwrap();
    }
    assert_eq!(docs.purge_deleted().await.unwrap(), 0, "they were deleted just now");
    let raw = docs.table().raw().unwrap();
    let left = async || raw.count(Scan::all()).await.unwrap();
    if place.has_delete_markers() {
        return;
    }
    assert_eq!(left().await, 3);
    // As if the first one had been deleted before.
    let key = DocId { id: 1 }.encode();
    let marker = raw.get(key).await.unwrap().unwrap().value("d", "_index").unwrap().to_vec();
    raw.delete(key).await.unwrap();
    let long_ago =
        tallrow::Timestamp::from_millis(tallrow::Timestamp::now().as_millis() - 3_700_000);
    raw.put(Put::new(key).cell_at("d", "_index", long_ago, marker)).await.unwrap();
    assert_eq!(docs.purge_deleted().await.unwrap(), 1);
    assert_eq!((left().await, docs.purge_deleted().await.unwrap()), (2, 0));
    assert!(docs.table().exists(&DocId { id: 3 }).await.unwrap());
}

struct ShortTags(RawTable);

impl RowHook<Doc> for ShortTags {
    async fn before_write(&self, change: &RowChange<'_, Doc>) -> tallrow::Result<ExtraMutations> {
        match change {
            RowChange::Put(doc) if doc.tags.len() > 20 => {
                Err(Error::invalid_argument("too many tags"))
            }
            RowChange::Put(doc) if doc.tags == "copied" => {
                Ok(ExtraMutations::new().after(&self.0, Put::new("copy").cell("f", "q", "v")))
            }
            _ => Ok(ExtraMutations::new()),
        }
    }

    fn after_read(&self, doc: &mut Doc) -> tallrow::Result<()> {
        doc.tags.push('!');
        Ok(())
    }
}

pub(crate) async fn hooks_are_called_for_indexed_rows(place: Place) {
    let entries = entries(&place).await;
    let index = by_tag(&entries);
    let table = place.typed::<Doc>().await.with_hook(ShortTags(entries));
    let docs = IndexedTable::builder(table).index(&index).build().unwrap();
    docs.put(&doc(1, "a")).await.unwrap();
    let error = docs.put(&doc(2, "a b c d e f g h i j k l m n")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let error = docs.put(&doc(3, "copied")).await.unwrap_err();
    assert!(error.to_string().contains("a hook adds a write to"), "{error}");
    let mut rows = docs.scan_by(&index, ByTag::scan()).rows();
    assert_eq!(rows.next_row().await.unwrap().unwrap().tags, "a!");
    assert_eq!(rows.next_row().await.unwrap(), None);
}

pub(crate) async fn settings_without_an_index_are_refused(place: Place) {
    let table = place.typed::<Doc>().await;
    let index = by_tag(&entries(&place).await);
    let other = by_tag(&entries(&place).await);
    let builder = || IndexedTable::builder(table.clone());
    let long = Index::new(&"x".repeat(256), entries(&place).await, |doc: &Doc| [doc.id.clone()]);
    let ttl = table.clone().with_ttl(std::time::Duration::from_secs(1));
    for built in [
        builder().index(&index).index(&other).build(),
        builder().index(&long).build(),
        builder().marker_column("d", "t").build(),
        builder().marker_column("x", "i").build(),
        IndexedTable::builder(ttl).build(),
        IndexedTable::builder(table.clone().as_of(tallrow::Timestamp::now())).build(),
    ] {
        let error = built.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert_eq!(error.operation(), "build indexed table");
    }
    // An index that the table was built without, and a row that another program has put into one.
    let (docs, plain) = (builder().index(&index).build().unwrap(), builder().build().unwrap());
    let error = plain.scan_by(&index, ByTag::scan()).rows().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    docs.put(&doc(1, "a")).await.unwrap();
    let error = plain.delete(&DocId { id: 1 }).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "delete"));
    assert!(error.to_string().contains("the index \"tag\""), "{error}");

    let timed = Update::new().set(Doc::TAGS, "b").timestamp(tallrow::Timestamp::now());
    let short = Update::new().set(Doc::TAGS, "b").ttl(std::time::Duration::from_secs(1));
    for update in [timed, short] {
        let error = docs.update(&DocId { id: 1 }, update).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(found(&docs, &index, "a").await, [1]);
}

pub(crate) async fn totals_follow_the_rows(place: Place) {
    let totals = place.typed::<TagTotal>().await;
    let per_tag = Summary::new(totals.clone(), [TagTotal::DOCS, TagTotal::PAGES], |doc: &Doc| {
        let total = |tag| (Tag { tag }, [1, doc.pages]);
        tags(doc).into_iter().map(total).collect::<Vec<_>>()
    });
    let table = place.typed::<Doc>().await;
    table.put(&doc(9, "a")).await.unwrap();
    let docs = IndexedTable::builder(table).summary(&per_tag).build().unwrap();
    assert_eq!(docs.correct_counters(&per_tag).await.unwrap(), 2);
    let total = async |tag: &str| {
        let total = totals.get(&Tag { tag: tag.into() }).await.unwrap();
        total.map(|total| (total.docs.0, total.pages.0))
    };
    docs.put(&doc(1, "a b")).await.unwrap();
    docs.put(&doc(2, "b")).await.unwrap();
    assert_eq!((total("a").await, total("b").await), (Some((2, 20)), Some((2, 20))));
    docs.put(&Doc { pages: 25, version: 1, ..doc(1, "b c") }).await.unwrap();
    assert_eq!((total("a").await, total("b").await), (Some((1, 10)), Some((2, 35))));
    docs.delete(&DocId { id: 2 }).await.unwrap();
    docs.delete(&DocId { id: 2 }).await.unwrap();
    assert_eq!((total("b").await, total("c").await), (Some((1, 25)), Some((1, 25))));
    assert_eq!(docs.correct_counters(&per_tag).await.unwrap(), 0);

    // Changed without the summary.
    docs.table().delete(&DocId { id: 1 }).await.unwrap();
    docs.table().put(&doc(3, "d")).await.unwrap();
    assert_eq!(docs.correct_counters(&per_tag).await.unwrap(), 6);
    assert_eq!((total("b").await, total("d").await), (Some((0, 0)), Some((1, 10))));
    assert_eq!(docs.correct_counters(&per_tag).await.unwrap(), 0);
}

pub(crate) async fn a_join_keeps_the_order_and_reads_each_row_once(place: Place) {
    let docs = place.typed::<Doc>().await;
    let all: Vec<_> = (0..250).map(|id| doc(id, "a")).collect();
    docs.put_all(&all).await.into_result().unwrap();
    let wanted: Vec<u32> = (0..600).map(|i| i * 7 % 300).collect();
    for batch_size in [0, 1, 100, 1_000] {
        let rows = stream::iter(wanted.iter().copied().map(Ok));
        let key = |id: &u32| id.is_multiple_of(2).then_some(DocId { id: *id });
        let mut joined = docs.join(rows, key).batch_size(batch_size);
        let mut found = Vec::new();
        while let Some((id, doc)) = joined.next_row().await.unwrap() {
            assert_eq!(doc.map(|doc| doc.id.id), (id.is_multiple_of(2) && id < 250).then_some(id));
            found.push(id);
        }
        assert_eq!(found, wanted);
    }

    // A row that cannot be read, and an error of the stream, are where they belong.
    let raw = docs.raw().unwrap();
    let key = DocId { id: 5 };
    raw.put(Put::new(key.encode()).cell("d", "p", "x")).await.unwrap();
    let rows = [Ok(4), Ok(5), Ok(6), Err(Error::invalid_argument("stop")), Ok(7)];
    let mut joined = docs.join(stream::iter(rows), |id: &u32| Some(DocId { id: *id }));
    assert_eq!(joined.next_row().await.unwrap().unwrap().0, 4);
    assert_eq!(joined.next_row().await.unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(joined.next_row().await.unwrap().unwrap().0, 6);
    assert_eq!(joined.next_row().await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(joined.next_row().await.unwrap().unwrap().0, 7);
    assert_eq!(joined.next_row().await.unwrap(), None);

    // A stream that must not be polled after its end.
    let rows = stream::unfold(4, async |id| (id < 7).then_some((Ok(id), id + 2)));
    let mut joined = docs.join(Box::pin(rows), |id: &u32| Some(DocId { id: *id }));
    for expected in [Some(4), Some(6), None, None] {
        assert_eq!(joined.next_row().await.unwrap().map(|(id, _)| id), expected);
    }
}
