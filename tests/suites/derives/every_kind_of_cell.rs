#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
//! Every kind of cell, group, projection and record, in a crate that allows nothing, through a
//! renamed dependency.

use std::collections::BTreeMap;

/// A key.
#[derive(row::RowKey, Clone)]
#[row_key(crate = "::row")]
pub struct Id {
    /// A number.
    pub id: u64,
}

/// Cents as text.
#[derive(Debug)]
pub enum Text {}

impl row::value::EncodeCell<u64> for Text {
    fn encode(value: &u64, out: &mut Vec<u8>) -> Result<(), row::value::ValueError> {
        out.extend_from_slice(value.to_string().as_bytes());
        Ok(())
    }
}

impl row::value::DecodeCell<u64> for Text {
    fn decode(bytes: &[u8]) -> Result<u64, row::value::ValueError> {
        let text = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
        text.ok_or_else(|| row::value::ValueError::new("digits", "something else"))
    }
}

/// A group.
#[derive(row::CellGroup)]
#[table(crate = "::row")]
pub struct Group {
    /// A text.
    #[cell("d:s")]
    pub street: String,
    /// Its versions.
    #[cell("d:s", versions = 2)]
    pub past: row::value::Versions<String>,
}

fn is_even(number: &u64) -> Result<(), &'static str> {
    if number.is_multiple_of(2) { Ok(()) } else { Err("it is odd") }
}

fn fits(row: &Row) -> Result<(), String> {
    if row.price < 9.0 { Ok(()) } else { Err("too much".to_owned()) }
}

/// A row.
#[derive(row::Table)]
#[table(name = "t", crate = "::row", validate_put = fits)]
#[family("d", as = "details", replication_scope = 1)]
#[family("e")]
pub struct Row {
    /// The key.
    #[key]
    pub id: Id,
    /// A number with constraints and a codec.
    #[cell("d:c", codec = Text, validate = is_even, range = 0..100)]
    pub cents: u64,
    /// A number with a default.
    #[cell("details:p", range = 0.0..=1e6, default = 1.5)]
    pub price: f64,
    /// An optional number.
    #[cell("d:o", codec = ordered)]
    pub ordered: Option<i32>,
    /// The versions of the price.
    #[cell("d:p", versions)]
    pub past: row::value::Versions<f64>,
    /// The timestamp of the price.
    #[cell("d:p", read_timestamp)]
    pub since: Option<row::Timestamp>,
    /// The version.
    #[cell("d:v", row_version)]
    pub version: u64,
    /// Cells.
    #[cells("e:a/*", codec = Text)]
    pub cells: BTreeMap<row::key::FloorOffset<3600>, u64>,
    /// More cells.
    #[cells("e:b/*")]
    pub put: Vec<(i16, bool)>,
    /// A group.
    #[flatten(prefix = "h_")]
    pub home: Group,
    /// Another.
    #[flatten(prefix = "w_", family = "e")]
    pub r#type: Option<Group>,
}

/// A part of it.
#[derive(row::Table)]
#[table(projection_of = Row, crate = "::row")]
pub struct Part {
    /// The key.
    #[key]
    pub id: Id,
    /// As in the row.
    pub cents: Option<u64>,
    /// Under another name.
    #[cell(source_field = ordered)]
    pub number: Option<i32>,
    /// By its column.
    #[cell("d:p", read_timestamp)]
    pub since: Option<row::Timestamp>,
    /// Cells by their prefix.
    #[cells("e:b/*")]
    pub more: Vec<(i16, bool)>,
}

/// The key of several records.
#[derive(row::RowKey)]
#[row_key(crate = "::row", shared(customer))]
pub enum ShopKey {
    /// A customer.
    #[key(tag = 1)]
    Customer {
        /// Who.
        customer: u32,
    },
    /// An order.
    #[key(tag = 2)]
    Order {
        /// Whose.
        customer: u32,
        /// Which.
        order: u32,
    },
}

/// Customers and their orders.
#[derive(row::Table)]
#[table(name = "shop", crate = "::row")]
#[family("d")]
pub enum Shop {
    /// A customer.
    Customer(Customer),
    /// An order.
    Order(Order),
}

/// A customer.
#[derive(row::Table)]
#[table(variant_of = Shop, key_variant = ShopKey::Customer, crate = "::row")]
pub struct Customer {
    /// Who.
    #[key]
    pub customer: u32,
    /// A name.
    #[cell("d:n")]
    pub name: String,
}

/// An order.
#[derive(row::Table)]
#[table(variant_of = Shop, key_variant = ShopKey::Order, crate = "::row")]
pub struct Order {
    /// Whose.
    #[key]
    pub customer: u32,
    /// Which.
    #[key]
    pub order: u32,
    /// How much.
    #[cell("d:t")]
    pub total: f64,
}

#[test]
fn every_kind_of_cell_compiles() {
    use row::Table;
    let names = |names: &[(&str, &'static [u8])]| {
        names.iter().map(|(f, q)| format!("{f}:{}", q.escape_ascii())).collect::<Vec<_>>()
    };
    assert_eq!(names(Row::COLUMNS), ["d:c", "d:p", "d:o", "d:v", "d:h_s", "e:w_s"]);
    assert_eq!(names(Row::RANGES), ["e:a/", "e:b/"]);
    assert_eq!(Row::VERSIONS, i32::MAX as u32);
    assert_eq!(Row::families()[0].get("REPLICATION_SCOPE"), Some("1"));
    assert_eq!(Row::TYPE.column(Group::STREET).family(), "e");
    assert_eq!(names(Part::COLUMNS), ["d:p", "d:c", "d:o"]);
    assert_eq!(Part::VERSIONS, 1);
    assert_eq!((Shop::COLUMNS.len(), Order::TABLE), (2, "shop"));
    assert!(Row::CENTS.validate(&3).is_err() && Row::CENTS.validate(&4).is_ok());
}
