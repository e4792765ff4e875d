//! What a new user calls before reading about tables.

use tallrow::{Client, RowKey, Table, TypedTable, Update};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "books")]
#[family("d")]
struct Book {
    #[key]
    id: Id,
    #[cell("d:t")]
    title: String,
    #[cell("d:p")]
    pages: Option<u32>,
}

async fn keys(books: &TypedTable<Book>, id: Id, book: Book) -> tallrow::Result<()> {
    books.get(id).await?;
    books.get(&7).await?;
    books.put(book).await?;
    books.delete(7).await
}

async fn scans(books: &TypedTable<Book>) -> tallrow::Result<()> {
    let _ = books.scan(Book::scan());
    let _ = books.scan(..);
    let _ = books.scan(&Id { id: 7 });
    for book in books.scan(Id::scan()).rows() {
        let _: Book = book;
    }
    Ok(())
}

async fn updates(books: &TypedTable<Book>, id: &Id) -> tallrow::Result<()> {
    books.update(id, Update::new().set("title", "A")).await?;
    books.update(id, Update::new().set(Book::TITLE, 5)).await?;
    books.update(id, Update::new().set(Book::PAGES, Some(5))).await?;
    books.update(id, Book::TITLE.set("A")).await?;
    Ok(())
}

fn filters(books: &TypedTable<Book>) {
    let _ = books.scan(Id::scan()).filter(Book::TITLE == "A");
    let _ = books.scan(Id::scan()).filter(Book::PAGES > 5);
    let _ = books.scan(Id::scan()).filter(|book: &Book| book.title == "A");
}

fn tables(client: &Client) {
    let _ = client.table("books");
    let _ = client.table::<Id>();
    let _ = client.table::<Book>("books");
}

fn main() {
    let _ = (keys, scans, updates, filters, tables);
}
