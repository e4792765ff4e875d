//! Turns the options of a call into HBase's messages.

use crate::backend::hbase::rpc::HIGH_PRIORITY;
use crate::backend::hbase::table_name::is_system;
use crate::request::call_options::{Attribute, AttributeScope, CallOptions, Durability};
use crate::request::op::CallTarget;
use crate::wire::proto::{self, NameBytesPair};

/// Returns the attributes that these options set for a read.
pub(super) fn read_attributes(options: Option<&CallOptions>) -> Vec<NameBytesPair> {
    options
        .into_iter()
        .flat_map(|options| options.attributes(AttributeScope::Reads))
        .map(pair)
        .collect()
}

/// Returns the attributes that these options set for a write; fails with what is wrong with the
/// first invalid attribute.
pub(super) fn write_attributes(
    options: Option<&CallOptions>,
) -> Result<Vec<NameBytesPair>, String> {
    let attributes =
        options.into_iter().flat_map(|options| options.attributes(AttributeScope::Writes));
    let checked = attributes.map(|attribute| match &attribute.problem {
        Some(problem) => Err(problem.to_string()),
        None => Ok(pair(attribute)),
    });
    checked.collect()
}

fn pair(attribute: &Attribute) -> NameBytesPair {
    NameBytesPair { name: attribute.name.clone(), value: Some(attribute.value.clone()) }
}

/// The priority of an operation, which is at least [`HIGH_PRIORITY`] for HBase's own tables.
pub(super) fn priority(to: &CallTarget<'_>) -> u32 {
    to.priority().max(if is_system(to.table) { HIGH_PRIORITY } else { 0 })
}

pub(super) fn durability(durability: Durability) -> proto::Durability {
    match durability {
        Durability::UseDefault => proto::Durability::UseDefault,
        Durability::SkipWal => proto::Durability::SkipWal,
        Durability::AsyncWal => proto::Durability::AsyncWal,
        Durability::SyncWal => proto::Durability::SyncWal,
        Durability::FsyncWal => proto::Durability::FsyncWal,
    }
}
