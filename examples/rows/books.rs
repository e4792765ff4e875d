//! A table of books: text, a date and files in cells, and a projection that does not read the
//! files.
//!
//! `cargo run --example books` prints the cells of the table as HBase's shell writes bytes:
//! ```text
//! tallrow_books
//!   hbase  b:a = Elton Stoneman
//!   hbase  b:c = \x89PNG\x0D\x0A\x1A\x0A
//!   hbase  b:d = \x00\x00\x01P\xD7\xA5\xB6Y
//!   hbase  b:f = %PDF-1.7
//!   hbase  b:t = HBase Succinctly
//!   rust  b:a = Ada
//!   rust  b:d = \x00\x00\x01P\xD7\xA5\xB6Y
//!   rust  b:f = %PDF-1.7
//!   rust  b:t = Row keys in Rust
//! HBase Succinctly, by Elton Stoneman
//! Row keys in Rust, by Ada
//! ```

use tallrow::{RowKey, Table, Timestamp};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct BookId {
    id: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_books")]
#[family("b")]
struct Book {
    #[key]
    id: BookId,
    #[cell("b:t")]
    title: String,
    #[cell("b:a")]
    author: String,
    #[cell("b:d")]
    published: Timestamp,
    #[cell("b:c")]
    cover: Option<Vec<u8>>,
    #[cell("b:f")]
    file: Vec<u8>,
}

/// The columns for a list of books.
#[derive(Table, Debug, PartialEq)]
#[table(projection_of = Book)]
struct Card {
    #[cell("b:t")]
    title: String,
    #[cell("b:a")]
    author: String,
}

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    let client = place::connect().await?;
    let books = place::empty::<Book>(&client).await?;

    let hbase = Book {
        id: BookId { id: "hbase".into() },
        title: "HBase Succinctly".into(),
        author: "Elton Stoneman".into(),
        published: Timestamp::from_millis(1_446_726_973_017),
        cover: Some(b"\x89PNG\r\n\x1a\n".to_vec()),
        file: b"%PDF-1.7".to_vec(),
    };
    let rust = Book {
        id: BookId { id: "rust".into() },
        title: "Row keys in Rust".into(),
        author: "Ada".into(),
        cover: None,
        ..hbase.clone()
    };
    for book in [&hbase, &rust] {
        books.put(book).await?;
    }
    assert_eq!(books.get(&hbase.id).await?, Some(hbase));
    assert_eq!(books.get(&rust.id).await?, Some(rust));

    place::print_cells(&client, Book::TABLE).await?;
    let mut cards = client.table::<Card>().scan(BookId::scan()).rows();
    while let Some(Card { title, author }) = cards.next_row().await? {
        println!("{title}, by {author}");
    }
    Ok(())
}
