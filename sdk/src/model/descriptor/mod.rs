//! Definitions of tables: their families and options, the layout of their row keys, and the
//! differences between two definitions.

mod aggregate;
mod diff;
mod family;
mod key_layout;
mod known;
mod options;
mod shell;
mod splits;
mod step;
mod table;

pub use aggregate::Aggregate;
pub use diff::SchemaDiff;
pub use family::{BlockCompression, Bloom, DataBlockEncoding, FamilyDescriptor, KeepDeletedCells};
pub use key_layout::KeyLayout;
pub use step::{AlterStep, OptionChange};
pub use table::TableDescriptor;

#[cfg(feature = "bigtable")]
pub(crate) use known::{AGGREGATE, NO_AGGREGATE};
pub(crate) use known::{CHANGE_STREAM_RETENTION, NO_CHANGE_STREAM};
pub(crate) use options::Options;
pub(crate) use splits::bucket_splits;
