//! What sets a client's settings besides the program: HBase's own files and the address; and a
//! report of it.
//!
//! A setting of the program ([`Config`](crate::Config)) takes precedence over one in the address
//! (`hbase+zk://host?pause=20ms`), that over a property of a file, and that over the default.
//! Nothing is left out silently: what is not used is in the [`ConfigReport`], and what cannot be
//! used is an error.

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

pub(crate) use load::with_files;
pub(crate) use resolve::{Resolved, resolve};
