use serde::{Deserialize, Serialize};

/// An order, whose things go to several places.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Order {
    pub(crate) customer: u64,
    pub(crate) number: u32,
    pub(crate) date: String,
    pub(crate) shippings: Vec<Shipping>,
}

/// A place, and what goes there.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Shipping {
    pub(crate) city: String,
    pub(crate) lines: Vec<Line>,
}

/// How many of an article.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) article: String,
    pub(crate) count: u32,
}
