//! What the options of a call become.

use crate::backend::hbase::rpc::HIGH_PRIORITY;
use crate::backend::hbase::table_name::is_system;
use crate::request::call_options::{CallOptions, Durability, Of};
use crate::request::op::Target;
use crate::wire::proto::{self, NameBytesPair};

/// The attributes of a read or a write.
pub(super) fn attributes(options: Option<&CallOptions>, of: Of) -> Vec<NameBytesPair> {
    let attributes = options.into_iter().flat_map(|options| options.attributes(of));
    let pair =
        attributes.map(|a| NameBytesPair { name: a.name.clone(), value: Some(a.value.clone()) });
    pair.collect()
}

/// The priority of an operation: HBase's own tables have at least theirs.
pub(super) fn priority(to: &Target<'_>) -> u32 {
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
