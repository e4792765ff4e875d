//! Ways to store data that many tables need, each built on the public interface of tables: unique
//! ids, lookup tables, secondary indexes, lists, time series, and the change of a row key.

pub mod ids;
pub mod index;
pub mod key_migration;
pub mod list;
pub mod lookup;
pub mod series;
