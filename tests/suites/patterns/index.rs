//! A row is found by its keys, and by no others.

use std::collections::BTreeMap;
use std::time::Duration;

use tallrow::{ErrorKind, Update};
use tallrow_tests::indexed::{BOOKS, BY_AUTHOR, BY_PLACE, Book, Isbn, Library};
use tallrow_tests::{Random, drop_table, tell, until};

use super::{Pattern, done};

/// Books that all processes write; each has one of its own as well.
const SHARED: u64 = 8;
const PLACES: u64 = 6;

pub(super) const PATTERN: Pattern = Pattern {
    name: "index",
    tables: &[BOOKS, BY_AUTHOR, BY_PLACE],
    create: |client| Box::pin(async move { drop(Library::create(&client).await) }),
    work: |client, number| {
        Box::pin(async move {
            let (library, mut random) = (Library::open(&client), Random::new(3, number));
            for step in 1.. {
                // The title of the own book counts the steps.
                let own = book(SHARED + number, &mut random, step);
                if done(library.books.put(&Book { place: None, ..own }).await).is_some() {
                    tell(format!("{number} {step}"));
                }
                let isbn = Isbn { number: random.below(SHARED) as u32 };
                let changed = match random.below(6) {
                    0 | 1 => library.books.delete(&isbn).await,
                    2 => {
                        let update = Update::new().set(Book::AUTHOR, author(&mut random));
                        library.books.update(&isbn, update).await
                    }
                    _ => {
                        let book = book(isbn.number.into(), &mut random, step);
                        library.books.put(&book).await
                    }
                };
                match changed.as_ref().map_err(tallrow::Error::kind) {
                    // Another book is on this place; there is no such book.
                    Err(ErrorKind::NotUnique | ErrorKind::Decode) => {}
                    _ => drop(done(changed)),
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let library = Library::open(&client);
            library.check("before the repair").await;
            // A server may still work on the last call of a process that was killed.
            until("nothing is left to repair", async || {
                library.books.repair(Duration::ZERO).await.unwrap().intents == 0
            })
            .await;
            library.check("after the repair").await;
            library.check_bytes("after the repair").await;
            let mut last = BTreeMap::new();
            for [process, step] in told.numbers() {
                last.insert(process, step);
            }
            for (process, step) in last {
                let isbn = Isbn { number: (SHARED + process) as u32 };
                let book = library.books.table().get(&isbn).await.unwrap();
                let found: u64 = book.expect("it was put").title.parse().unwrap();
                assert!(found >= step, "book {process} is of step {found}, {step} was made");
            }
            for table in [BOOKS, BY_AUTHOR, BY_PLACE] {
                drop_table(&client.admin(), table).await;
            }
        })
    },
};

fn author(random: &mut Random) -> &'static str {
    ["Ada", "Bob", "Eve"][random.index(3)]
}

fn book(number: u64, random: &mut Random, step: u64) -> Book {
    let place = (random.below(3) > 0).then(|| random.below(PLACES) as u16);
    let author = author(random).into();
    Book { isbn: Isbn { number: number as u32 }, author, title: step.to_string(), place }
}
