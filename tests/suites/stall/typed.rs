//! Row types.

use std::collections::BTreeMap;

use tallrow::{Counter, RowKey, Table, value::Packed};

#[derive(RowKey, Clone)]
pub(crate) struct Id {
    pub(crate) id: u32,
}

#[derive(Table, Clone)]
#[table(name = "items")]
#[family("f")]
pub(crate) struct Item {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
    #[cell("f:n")]
    pub(crate) count: Counter,
    #[cells("f:p/*")]
    pub(crate) parts: BTreeMap<u32, String>,
    #[cell("f:r", codec = Packed, default = Vec::new())]
    pub(crate) recent: Vec<String>,
}

/// A key with a name.
#[derive(RowKey)]
pub(crate) struct Named {
    #[key(lookup = "host")]
    pub(crate) host: u64,
}

/// Its name.
pub(crate) fn named(host: &str) -> NamedNames {
    NamedNames { host: host.into() }
}

impl Item {
    pub(crate) fn new(id: u32, what: &str) -> Self {
        let (parts, recent) = (BTreeMap::new(), Vec::new());
        Self { id: Id { id }, what: what.into(), count: Counter(0), parts, recent }
    }
}

/// A table that does not exist.
#[derive(Table)]
#[table(name = "creating")]
#[family("f")]
pub(crate) struct Creating {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
}

/// Another one.
#[derive(Table)]
#[table(name = "missing")]
#[family("f")]
pub(crate) struct Missing {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
}

/// A table as it exists.
#[derive(Table)]
#[table(name = "narrow")]
#[family("f")]
pub(crate) struct Narrow {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
}

/// The same table as it should be.
#[derive(Table)]
#[table(name = "narrow")]
#[family("f")]
#[family("g")]
pub(crate) struct Wide {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
    #[cell("g:w")]
    pub(crate) more: Option<String>,
}
