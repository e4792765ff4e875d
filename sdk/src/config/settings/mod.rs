//! How HBase's own files and the address set a client's settings, in addition to the program. The
//! report lists all these settings.
//!
//! The order of precedence is: the program ([`Config`](crate::Config)), the address
//! (`hbase+zk://host?pause=20ms`), a property of a file, the default. Nothing is ignored silently:
//! the [`ConfigReport`] lists every property and setting that is not used, and a value that cannot
//! be used is an error.

mod authentication;
mod encryption;
#[cfg(test)]
mod host_lists;
#[cfg(feature = "bigtable")]
mod instance;
mod load;
mod property_group;
mod registry;
mod report;
mod resolve;
mod setting_value;
mod table;
#[cfg(test)]
mod tests;
mod unused_properties;

pub use crate::config::address::registry_hosts;
pub use report::{ConfigEntry, ConfigReport, EffectiveSetting, EntryStatus};

pub(crate) use load::resolve_for;
pub(crate) use resolve::ResolvedConfig;
