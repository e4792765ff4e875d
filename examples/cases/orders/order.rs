use serde::{Deserialize, Serialize};

/// An order, whose articles are shipped to several places.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Order {
    pub(crate) customer: u64,
    pub(crate) number: u32,
    pub(crate) date: String,
    pub(crate) shippings: Vec<Shipping>,
}

/// A place, and the lines that are shipped there.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Shipping {
    pub(crate) city: String,
    pub(crate) lines: Vec<Line>,
}

/// An article and its count.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) article: String,
    pub(crate) count: u32,
}
