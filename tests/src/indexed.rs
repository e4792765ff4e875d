//! A table of books with two indexes, and what must hold of them at any time.

use tallrow::index::{self, Index, IndexedTable};
use tallrow::{Client, RowKey, Scan, Table};

use crate::drop_table;

/// The key of a book.
#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Isbn {
    /// Its number.
    pub number: u32,
}

/// Books of an author.
#[derive(RowKey, Clone, Debug, PartialEq)]
pub struct ByAuthor {
    /// Their author.
    #[key(escaped)]
    pub author: String,
    /// The book.
    pub number: u32,
}

/// The book on a place of a shelf.
#[derive(RowKey, Clone, Debug, PartialEq)]
pub struct ByPlace {
    /// The place.
    pub place: u16,
}

/// A book, which may be on a shelf.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_indexed_books")]
#[family("b")]
pub struct Book {
    /// Its key.
    #[key]
    pub isbn: Isbn,
    /// Its author.
    #[cell("b:a")]
    pub author: String,
    /// Its title.
    #[cell("b:t")]
    pub title: String,
    /// Where it is.
    #[cell("b:p")]
    pub place: Option<u16>,
}

/// What the index by author holds.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(projection_of = Book)]
pub struct Title {
    /// The key of the book.
    #[key]
    pub isbn: Isbn,
    /// Its title.
    pub title: String,
}

/// The name of the table.
pub const BOOKS: &str = Book::TABLE;
/// The name of the table of the index by author.
pub const BY_AUTHOR: &str = "t_indexed_by_author";
/// The name of the table of the index by place.
pub const BY_PLACE: &str = "t_indexed_by_place";

/// The table with its indexes.
pub struct Library {
    /// A client.
    pub client: Client,
    /// The books.
    pub books: IndexedTable<Book>,
    /// Covers the titles.
    pub by_author: Index<Book, ByAuthor, Title>,
    /// Unique.
    pub by_place: Index<Book, ByPlace>,
}

impl Library {
    /// New tables.
    pub async fn create(client: &Client) -> Self {
        let admin = client.admin();
        for table in [Book::TABLE, BY_AUTHOR, BY_PLACE] {
            drop_table(&admin, table).await;
        }
        admin.create::<Book>().await.unwrap();
        // Most keys of a change are in different regions.
        for (table, splits) in
            [(BY_AUTHOR, [b"B", b"C"].map(Vec::from)), (BY_PLACE, [vec![0, 2], vec![0, 3]])]
        {
            let table = index::table_descriptor(table).unwrap();
            admin.create_table_with_splits(&table, splits).await.unwrap();
        }
        for table in [Book::TABLE, BY_AUTHOR, BY_PLACE] {
            client.prefetch_regions(table).await.unwrap();
        }
        Self::open(client)
    }

    /// The tables as another process sees them.
    pub fn open(client: &Client) -> Self {
        let by_author =
            Index::new("author", client.raw_table(BY_AUTHOR).unwrap(), |book: &Book| {
                [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
            });
        let by_place = Index::new("place", client.raw_table(BY_PLACE).unwrap(), |book: &Book| {
            book.place.map(|place| ByPlace { place })
        });
        let (by_author, by_place) = (by_author.covering::<Title>(), by_place.unique());
        let books = IndexedTable::builder(client.table::<Book>());
        let books = books.index(&by_author).index(&by_place).build().unwrap();
        Self { client: client.clone(), books, by_author, by_place }
    }

    /// All books, without the indexes.
    pub async fn all(&self) -> Vec<Book> {
        self.books.table().scan(Isbn::scan()).rows().try_collect().await.unwrap()
    }

    /// Panics unless every book is found by its keys in both indexes, and by no others. Nobody may
    /// write.
    pub async fn check(&self, when: &str) {
        let all = self.all().await;

        let mut expected: Vec<_> =
            all.iter().map(|book| (&book.author, book.isbn.number)).collect();
        expected.sort();
        let rows = self.books.scan_by(&self.by_author, ByAuthor::scan()).rows();
        let rows: Vec<_> = rows.try_collect().await.unwrap();
        let found: Vec<_> = rows.iter().map(|row| (&row.author, row.isbn.number)).collect();
        assert_eq!(found, expected, "by author, {when}");

        let title = |number| all.iter().find(|book| book.isbn.number == number).map(|b| &b.title);
        let rows = self.books.scan_by(&self.by_author, ByAuthor::scan()).covered();
        let covered: Vec<Title> = rows.try_collect().await.unwrap();
        for row in &covered {
            assert_eq!(title(row.isbn.number), Some(&row.title), "a covered title, {when}");
        }
        assert_eq!(covered.len(), all.len(), "covered rows, {when}");

        let mut expected: Vec<_> =
            all.iter().filter(|book| book.place.is_some()).cloned().collect();
        expected.sort_by_key(|book| book.place);
        let rows = self.books.scan_by(&self.by_place, ByPlace::scan()).rows();
        let found: Vec<Book> = rows.try_collect().await.unwrap();
        assert_eq!(found, expected, "by place, {when}");
        assert!(
            expected.windows(2).all(|two| two[0].place != two[1].place),
            "a place twice, {when}"
        );
    }

    /// Panics unless the tables of the indexes hold one entry for each key of each book, and no
    /// intents.
    pub async fn check_bytes(&self, when: &str) {
        let all = self.all().await;
        let placed = all.iter().filter(|book| book.place.is_some()).count();
        for (table, expected) in [(BY_AUTHOR, all.len()), (BY_PLACE, placed)] {
            let mut rows = self.client.raw_table(table).unwrap().scan(Scan::all()).unwrap();
            let mut cells = Vec::new();
            while let Some(row) = rows.next_row().await.unwrap() {
                cells.extend(row.cells().iter().map(|cell| cell.family().to_vec()));
            }
            assert_eq!(cells, vec![b"e".to_vec(); expected], "{table} {when}");
        }
    }
}
