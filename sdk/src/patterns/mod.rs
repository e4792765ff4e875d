//! Common ways to store data, each built on the public interface of tables: unique ids, lookup
//! tables, secondary indexes, lists, time series, and changes of row keys.

pub mod ids;
pub mod index;
pub mod key_migration;
pub mod list;
pub mod lookup;
pub mod series;
