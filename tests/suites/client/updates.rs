//! Atomic changes of single cells, with and without conditions.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tallrow::{
    Counter, Delete, Error, ErrorKind, Put, RawTable, RowKey, Scan, Table, Timestamp, Update,
    table::{Batch, ExtraMutations, RowChange, RowHook},
};
use tallrow_tests::{Place, patience};

use super::typed::table;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Isbn {
    number: u32,
}

fn is_trimmed(title: &str) -> Result<(), String> {
    match title == title.trim() {
        true => Ok(()),
        false => Err(format!("{title:?} starts or ends with a space")),
    }
}

fn is_sold_at_a_price(book: &Book) -> Result<(), &'static str> {
    match book.price.is_some() || book.series.is_none() {
        true => Ok(()),
        false => Err("a book of a series has a price"),
    }
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_updates_books", validate_put = is_sold_at_a_price)]
#[family("b", versions = 3)]
#[family("c")]
struct Book {
    #[key]
    isbn: Isbn,
    #[cell("b:t", validate = is_trimmed)]
    title: String,
    #[cell("b:p", range = 0.0..=1e6)]
    price: Option<f64>,
    #[cell("b:s")]
    series: Option<String>,
    #[cell("c:n")]
    seen: Counter,
    #[cell("c:m")]
    lent: Counter,
    #[cells("c:x/*")]
    marks: BTreeMap<u16, i16>,
}

fn book(number: u32) -> Book {
    Book {
        isbn: Isbn { number },
        title: "HBase".into(),
        price: Some(30.0),
        series: Some("Guides".into()),
        seen: Counter(0),
        lent: Counter(0),
        marks: [(1, 1), (2, -2)].into(),
    }
}

pub(crate) async fn an_update_is_atomic(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let first = book(1);
    books.put(&first).await.unwrap();
    let change = Update::new()
        .set(Book::TITLE, "HBase in Rust")
        .unset(Book::SERIES)
        .set(Book::MARKS.at(&7), -7)
        .unset(Book::MARKS.at(&1))
        .add(Book::SEEN, 2)
        .add(Book::LENT, -1);
    let changed = books.update(&first.isbn, change).await.unwrap();
    assert_eq!(changed.get(Book::SEEN).unwrap(), Some(Counter(2)));
    assert_eq!(changed.get(Book::LENT).unwrap(), Some(Counter(-1)));
    let expected = Book {
        title: "HBase in Rust".into(),
        series: None,
        seen: Counter(2),
        lent: Counter(-1),
        marks: [(2, -2), (7, -7)].into(),
        ..first.clone()
    };
    assert_eq!(books.get(&first.isbn).await.unwrap(), Some(expected.clone()));

    let sums =
        books.increment_columns(&first.isbn, [(Book::SEEN, 3), (Book::LENT, 1)]).await.unwrap();
    assert_eq!(sums, Some([5, 0]));
    let title = books.append(&first.isbn, Book::TITLE, "!").await.unwrap();
    assert_eq!(title.as_deref(), Some("HBase in Rust!"));

    // All or nothing: an error for one counter prevents all changes.
    let raw = books.raw().unwrap();
    raw.put(Put::new(Isbn { number: 2 }.encode()).cell("c", "n", "seven")).await.unwrap();
    let change = Update::new().set(Book::TITLE, "new").add(Book::SEEN, 1);
    let error = books.update(&Isbn { number: 2 }, change).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotACounter, "{error:?}");
    let row = raw.get(Isbn { number: 2 }.encode()).await.unwrap().unwrap();
    assert_eq!(row.value("b", "t"), None);

    let nothing = books.update(&first.isbn, Update::new()).await.unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::InvalidArgument);
    let both = Update::new().set(Book::TITLE, "new").unset(Book::TITLE);
    let both = books.update(&first.isbn, both).await.unwrap_err();
    assert!(both.to_string().contains("column b:t is written and deleted in one step"), "{both}");
}

pub(crate) async fn columns_versions_and_families_are_unset(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let (isbn, at) = (Isbn { number: 1 }, Timestamp::from_millis);
    for (time, price) in [(10, 1.0), (20, 2.0), (30, 3.0)] {
        let row = Book { price: Some(price), ..book(1) };
        books.clone().with_timestamp(at(time)).put(&row).await.unwrap();
    }
    let price = async || books.get(&isbn).await.unwrap().unwrap().price;
    books.update(&isbn, Update::new().unset_version(Book::PRICE, at(30))).await.unwrap();
    assert_eq!(price().await, Some(2.0));
    books.update(&isbn, Update::new().unset(Book::PRICE).timestamp(at(10))).await.unwrap();
    assert_eq!(price().await, Some(2.0), "newer versions stay");
    books.update(&isbn, Update::new().unset(Book::PRICE)).await.unwrap();
    assert_eq!(price().await, None);

    books.update(&isbn, Update::new().unset_family_of(Book::MARKS)).await.unwrap();
    let row = books.get(&isbn).await.unwrap().unwrap();
    assert_eq!((row.marks.len(), &row.title[..]), (0, "HBase"));
    books.update(&isbn, Update::new().unset_family(Book::TITLE)).await.unwrap();
    assert_eq!(books.get(&isbn).await.unwrap(), None);
}

pub(crate) async fn an_update_depends_on_a_condition(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let isbn = Isbn { number: 1 };
    let title = |title: &str| Update::new().set(Book::TITLE, title);
    let check = async |condition, update| {
        let done = books.check_and_update(&isbn, condition, update).await;
        done.unwrap().is_applied()
    };

    assert!(
        !check(Book::TITLE.eq("HBase"), title("x")).await,
        "nothing is equal to an absent cell"
    );
    assert!(!check(Book::TITLE.ne("HBase"), title("x")).await);
    assert!(check(Book::TITLE.is_absent(), title("HBase")).await);
    assert!(!check(Book::TITLE.is_absent(), title("x")).await);
    assert!(check(Book::TITLE.eq("HBase"), Update::new().set(Book::PRICE, 30.0)).await);
    assert!(!check(Book::TITLE.ne("HBase"), title("x")).await);

    // The bytes of floats do not sort as floats do, but conditions compare the values.
    assert!(!check(Book::PRICE.lt(-1.0), title("x")).await);
    assert!(check(Book::PRICE.gt(-1.0), title("y")).await);
    assert!(check(Book::PRICE.is_between(29.5..30.5) & Book::TITLE.eq("y"), title("z")).await);
    assert!(!check(Book::PRICE.lt(9.0) | Book::TITLE.eq("y"), title("x")).await);
    let step = Update::new().add(Book::SEEN, 1).unset(Book::PRICE);
    assert!(check(Book::TITLE.eq("z"), step).await);
    assert!(check(Book::PRICE.is_absent() & Book::SEEN.eq(1), title("end")).await);
    let row = books.get(&isbn).await.unwrap().unwrap();
    assert_eq!((&row.title[..], row.price, row.seen), ("end", None, Counter(1)));
}

pub(crate) async fn a_constraint_is_checked_before_sending(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let error_of = async |row: Book| {
        let error = books.put(&row).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0));
        error.to_string()
    };
    let table = books.raw().unwrap().name();
    let place = format!(r#"put {table}/{{number: 1}}: "#);
    assert_eq!(
        error_of(Book { price: Some(-1.0), ..book(1) }).await,
        format!("{place}column b:p: expected 0.0..=1000000.0, found -1.0")
    );
    assert_eq!(
        error_of(Book { price: Some(f64::NAN), ..book(1) }).await,
        format!("{place}column b:p: expected 0.0..=1000000.0, found NaN")
    );
    assert_eq!(
        error_of(Book { title: " HBase".into(), ..book(1) }).await,
        format!("{place}column b:t: \" HBase\" starts or ends with a space")
    );
    assert_eq!(
        error_of(Book { price: None, ..book(1) }).await,
        format!("{place}a book of a series has a price")
    );
    let change = Update::new().set(Book::TITLE, "good").set(Book::PRICE, 1e7);
    let error = books.update(&Isbn { number: 1 }, change).await.unwrap_err();
    assert!(error.to_string().contains("column b:p: expected 0.0..=1000000.0, found 10000000.0"));
    assert!(!books.exists(&Isbn { number: 1 }).await.unwrap(), "nothing was sent");
    let clash = Book { title: "x".repeat(11 << 20), ..book(1) };
    assert!(error_of(clash).await.contains("more than max_cell_bytes, 10485760"));
    books.put(&Book { price: None, series: None, ..book(1) }).await.unwrap();
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_updates_accounts")]
#[family("d")]
struct Account {
    #[key]
    id: Isbn,
    #[cell("d:o")]
    owner: String,
    #[cell("d:v", row_version)]
    version: u64,
}

pub(crate) async fn a_row_version_detects_concurrent_writers(place: Place) {
    let accounts = table::<Account>(&place, &[] as &[&str]).await;
    let id = Isbn { number: 1 };
    let mut mine = Account { id: id.clone(), owner: "ada".into(), version: 0 };
    accounts.save(&mut mine).await.unwrap();
    let mut yours = accounts.get(&id).await.unwrap().unwrap();
    assert_eq!((mine.version, yours.version), (1, 1));
    yours.owner = "bob".into();
    accounts.save(&mut yours).await.unwrap();

    mine.owner = "eve".into();
    let error = accounts.save(&mut mine).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(
        error.to_string(),
        format!(
            r#"put {}/{{number: 1}}: the row is not version 1 any more; read it again, and decide again"#,
            accounts.raw().unwrap().name()
        )
    );
    let fresh = Account { version: 0, ..mine.clone() };
    assert_eq!(accounts.put(&fresh).await.unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!(mine.version, 1);
    assert_eq!(accounts.get(&id).await.unwrap(), Some(yours.clone()));
    assert_eq!((yours.version, &yours.owner[..]), (2, "bob"));
}

/// Writes a row `author|isbn` for each title, as a secondary index would.
struct ByTitle {
    books: tallrow::TypedTable<Book>,
    index: RawTable,
}

fn entry(book: &Book) -> String {
    format!("{}|{}", book.title, book.isbn.number)
}

impl RowHook<Book> for ByTitle {
    async fn before_write(&self, change: &RowChange<'_, Book>) -> tallrow::Result<ExtraMutations> {
        let (key, new) = match change {
            RowChange::Put(book) => (&book.isbn, Some(entry(book))),
            RowChange::Delete(key) => (*key, None),
            RowChange::Update(_, update) if update.changes_column(Book::TITLE) => {
                return Err(Error::invalid_argument("put the whole book to change its title"));
            }
            _ => return Ok(ExtraMutations::new()),
        };
        let old = self.books.get(key).await?.map(|book| entry(&book));
        let mut writes = ExtraMutations::new();
        if let Some(new) = &new {
            writes = writes.before(&self.index, Put::new(new).cell("f", "", "x"));
        }
        if let Some(old) = old.filter(|old| new.as_ref() != Some(old)) {
            writes = writes.after(&self.index, Delete::new(old));
        }
        Ok(writes)
    }

    fn after_read(&self, book: &mut Book) -> tallrow::Result<()> {
        book.title.push('*');
        Ok(())
    }
}

pub(crate) async fn a_hook_adds_writes_to_a_change_or_rejects_it(place: Place) {
    let plain = table::<Book>(&place, &[] as &[&str]).await;
    let index = place.table(&[]).await;
    let hook = ByTitle { books: plain.clone(), index: index.clone() };
    let books = plain.clone().with_hook(hook);
    let entries = async || {
        let mut scan = index.scan(Scan::all()).unwrap();
        let mut found = Vec::new();
        while let Some(row) = scan.next_row().await.unwrap() {
            found.push(String::from_utf8(row.key().to_vec()).unwrap());
        }
        found
    };
    let other = Book { title: "Bigtable".into(), ..book(1) };
    books.put(&book(1)).await.unwrap();
    books.put(&book(2)).await.unwrap();
    assert_eq!(entries().await, ["HBase|1", "HBase|2"]);
    books.put(&other).await.unwrap();
    assert_eq!(entries().await, ["Bigtable|1", "HBase|2"]);

    let error = books.update(&other.isbn, Update::new().set(Book::TITLE, "x")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(plain.get(&other.isbn).await.unwrap(), Some(other.clone()));
    assert_eq!(books.increment(&other.isbn, Book::SEEN, 1).await.unwrap(), Some(1));

    // If a condition does not hold, the writes after the row are not made; those before it are.
    let third = Book { title: "Rust".into(), ..book(1) };
    assert!(!books.check_and_put(Book::TITLE, None, &third).await.unwrap().is_applied());
    assert_eq!(entries().await, ["Bigtable|1", "HBase|2", "Rust|1"]);

    assert_eq!(books.get(&other.isbn).await.unwrap().unwrap().title, "Bigtable*");
    let mut scan = books.scan(Isbn::scan()).rows();
    assert_eq!(scan.next_row().await.unwrap().unwrap().title, "Bigtable*");
    books.delete(&other.isbn).await.unwrap();
    assert_eq!(entries().await, ["HBase|2", "Rust|1"]);
}

pub(crate) async fn a_cell_is_set_or_deleted_by_an_option(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let isbn = Isbn { number: 1 };
    books.put(&book(1)).await.unwrap();
    let series = |name: Option<&str>| Update::new().set_option(Book::SERIES, name);
    let found = async || books.get(&isbn).await.unwrap().unwrap();
    books.update(&isbn, series(Some("Tools"))).await.unwrap();
    assert_eq!(found().await.series.as_deref(), Some("Tools"));
    books.update(&isbn, series(None).set_option(Book::PRICE, Some(2.0))).await.unwrap();
    assert_eq!((found().await.series, found().await.price), (None, Some(2.0)));

    // A row without a title could not be read.
    let name = format!("{}/{{number: 1}}", books.raw().unwrap().name());
    let text = "column b:t: without this cell the row cannot be read; make its field an Option or give it a default, or delete the row";
    let untitled = || Update::new().set_option(Book::TITLE, None::<&str>);
    let error = books.update(&isbn, untitled()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("update {name}: {text}"));
    let error =
        books.check_and_update(&isbn, Book::SERIES.is_absent(), untitled()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("check and update {name}: {text}"));
    assert_eq!(found().await.title, "HBase", "nothing was sent");
    // A counter is 0 without its cell.
    books.increment(&isbn, Book::SEEN, 2).await.unwrap();
    books.delete_cell(&isbn, Book::SEEN).await.unwrap();
    assert_eq!(found().await.seen, Counter(0));
}

pub(crate) async fn writes_of_a_table_have_its_time_and_time_to_live(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let at = |time| books.clone().with_timestamp(Timestamp::from_millis(time));
    let isbn = Isbn { number: 1 };
    let priced = |price| Book { price: Some(price), ..book(1) };
    let price = async |books: &tallrow::TypedTable<Book>| {
        books.get(&isbn).await.unwrap().map(|book| book.price.unwrap())
    };
    at(10).put(&priced(1.0)).await.unwrap();
    at(20).update(&isbn, Update::new().set(Book::PRICE, 2.0)).await.unwrap();
    let own = Update::new().set(Book::PRICE, 3.0).timestamp(Timestamp::from_millis(30));
    at(10).update(&isbn, own).await.unwrap();
    assert!(
        at(40).check_and_put(Book::PRICE, Some(&3.0), &priced(4.0)).await.unwrap().is_applied()
    );
    assert_eq!(price(&books).await, Some(4.0));
    for (time, wanted) in [(5, None), (15, Some(1.0)), (39, Some(3.0)), (40, Some(4.0))] {
        let then = books.clone().as_of(Timestamp::from_millis(time));
        if time > 20 {
            assert_eq!(price(&then).await, wanted, "{time}");
        }
        assert_eq!(then.exists(&isbn).await.unwrap(), wanted.is_some(), "{time}");
    }
    // Only what is as old or older is deleted.
    at(35).delete(&isbn).await.unwrap();
    assert_eq!(price(&books).await, Some(4.0));
    at(40).delete(&isbn).await.unwrap();
    assert_eq!(price(&books).await, None);

    let short = books.clone().with_ttl(Duration::from_millis(1));
    short.update(&isbn, Update::new().set(Book::TITLE, "soon gone")).await.unwrap();
    // So do cells that are added or appended to.
    let keys: Vec<_> = (2..6).map(|number| Isbn { number }).collect();
    short.increment(&keys[0], Book::SEEN, 1).await.unwrap();
    short.append(&keys[1], Book::SERIES, "soon gone").await.unwrap();
    let both = Update::new().add(Book::SEEN, 1).append(Book::SERIES, "soon gone");
    short.update(&keys[2], both.clone()).await.unwrap();
    short.batch(Batch::new().update(&keys[3], both)).await.into_result().unwrap();
    let started = Instant::now();
    for key in keys.iter().chain([&isbn]) {
        while books.exists(key).await.unwrap() {
            assert!(started.elapsed() < patience(), "{key:?} does not expire");
        }
    }
}

pub(crate) async fn an_update_changes_a_cell_once_or_adds_to_it(place: Place) {
    let books = table::<Book>(&place, &[] as &[&str]).await;
    let isbn = Isbn { number: 1 };
    let changed = books.update(&isbn, Update::new().add(Book::SEEN, 1).add(Book::SEEN, 2)).await;
    assert_eq!(changed.unwrap().get(Book::SEEN).unwrap(), Some(Counter(3)));
    let both = [(Book::SEEN, 1), (Book::LENT, 5), (Book::SEEN, 1)];
    assert_eq!(books.increment_columns(&isbn, both).await.unwrap(), Some([5, 5, 5]));
    let lines = Update::new().append(Book::SERIES, "a").append(Book::SERIES, "b");
    let changed = books.update(&isbn, lines.clone()).await.unwrap();
    assert_eq!(changed.get(Book::SERIES).unwrap(), Some("ab".into()));
    let batch = Batch::new().update(&isbn, lines);
    books.batch(batch).await.into_result().unwrap();
    let raw = books.raw().unwrap().get(isbn.encode()).await.unwrap().unwrap();
    assert_eq!(raw.value("b", "s"), Some(&b"abab"[..]));
    assert_eq!(raw.counter("c", "n").unwrap(), Some(5));

    let at = Timestamp::from_millis;
    let twice = [
        Update::new().set(Book::PRICE, 1.0).set(Book::PRICE, 2.0),
        Update::new().set(Book::PRICE, 1.0).unset(Book::PRICE),
        Update::new().set(Book::PRICE, 1.0).unset_family(Book::SERIES),
        Update::new().set(Book::PRICE, 1.0).unset(Book::PRICE).timestamp(at(5)),
        Update::new().set(Book::PRICE, 1.0).unset_family(Book::SERIES).timestamp(at(5)),
        Update::new().set(Book::PRICE, 1.0).unset_version(Book::PRICE, at(5)).timestamp(at(5)),
        Update::new().set(Book::SERIES, "a").append(Book::SERIES, "b"),
        Update::new().set(Book::SERIES, "a").append(Book::SERIES, "b").timestamp(at(5)),
        Update::new().unset(Book::TITLE).unset(Book::TITLE),
    ];
    for update in twice {
        let refused = |error: Error| {
            let found = (error.kind(), error.attempts());
            assert_eq!(found, (ErrorKind::InvalidArgument, 0), "{update:?}: {error}");
        };
        refused(books.update(&isbn, update.clone()).await.unwrap_err());
        let on = books.check_and_update(&isbn, Book::TITLE.is_absent(), update.clone());
        refused(on.await.unwrap_err());
        let batch = books.batch(Batch::new().update(&isbn, update.clone())).await;
        refused(batch.into_result().unwrap_err());
    }
    let row = books.raw().unwrap().get(isbn.encode()).await.unwrap().unwrap();
    assert_eq!(row.cells().len(), 3);
}
