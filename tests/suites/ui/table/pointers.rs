//! Pointers to what a cell could hold, and the type that is held instead.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use tallrow::{Counter, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a")]
    shared: Arc<str>,
    #[cell("d:b")]
    either: Cow<'static, str>,
    #[cell("d:c")]
    boxed: Box<String>,
    #[cell("d:d")]
    local: Rc<u32>,
    #[cell("d:e")]
    bytes: &'static [u8],
    #[cell("d:f")]
    counters: Vec<Counter>,
}

fn main() {}
