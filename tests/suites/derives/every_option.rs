#![deny(warnings, missing_docs)]
//! Every option of a family, every kind of field, in a crate that allows nothing.

/// Names that must not confuse the generated code.
pub mod names {
    /// Not the one of the prelude.
    pub type Result = u8;
    /// Not the one of the prelude.
    pub type Option = u8;
    /// Not the one of the prelude.
    pub type Vec = u8;
}

use std::option::Option as Maybe;

#[allow(unused_imports)]
use names::{Option, Result, Vec};

/// A key.
#[derive(tallrow::RowKey)]
pub struct Id {
    /// A number.
    pub id: u64,
}

/// A row.
#[derive(tallrow::Table)]
#[table(name = "ns:t-1.x")]
#[family("a", versions = 3, min_versions = 1, ttl = "30d", keep_deleted_cells = "ttl")]
#[family(
    "b",
    bloom = "rowcol",
    compression = "gz",
    block_size = 8192,
    in_memory = true,
    data_block_encoding = "fast_diff",
    keep_deleted_cells = true
)]
pub struct Row {
    /// The key.
    #[key]
    pub id: Id,
    /// A text.
    #[cell("a:t")]
    pub text: String,
    /// An optional number.
    #[cell("a:")]
    pub number: Maybe<i32>,
    /// A counter.
    #[cell("b:n")]
    pub r#type: tallrow::Counter,
    /// A column whose qualifier is not text.
    #[cell(b"b:\x80\x0b")]
    pub bytes: i16,
    /// Columns whose qualifiers start with bytes that are not text.
    #[cells(b"b:\xff/*")]
    pub more: std::collections::BTreeMap<u8, i16>,
}

#[test]
fn every_option_compiles() {
    use tallrow::Table;
    assert_eq!(Row::COLUMNS, [("a", &b"t"[..]), ("a", b""), ("b", b"n"), ("b", b"\x80\x0b")]);
    assert_eq!(Row::TYPE.qualifier(), b"n");
    assert_eq!(format!("{:?} {:?}", Row::BYTES, Row::MORE), r"b:\x80\x0B b:\xFF/*");
    let families = Row::families();
    assert_eq!(families[0].get("TTL"), Some("2592000"));
    assert_eq!(families[0].get("KEEP_DELETED_CELLS"), Some("TTL"));
    assert_eq!(families[1].get("KEEP_DELETED_CELLS"), Some("TRUE"));
    assert_eq!(families[1].get("DATA_BLOCK_ENCODING"), Some("FAST_DIFF"));
    assert_eq!(families[1].get("IN_MEMORY"), Some("true"));
}
