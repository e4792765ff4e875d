//! The Bigtable backend: its connections, retries and messages.

mod admin;
mod batch;
mod call;
mod changes;
mod channel;
mod codec;
mod connect;
#[cfg(feature = "google-credentials")]
mod credentials;
mod endpoint;
mod entry;
mod explanation;
mod failure;
pub(crate) mod filter;
mod headers;
mod instance;
mod lower;
mod messages;
pub(crate) mod micros;
mod outcome;
mod query;
mod reaction;
mod read_groups;
mod reads;
mod regions;
mod remaining;
mod replay_token;
mod request_room;
mod retry;
mod rows;
mod samples;
mod scan;
mod single;
#[cfg(test)]
mod tests;
mod warming;

pub use admin::{
    AuthorizedViewDescriptor, Backup, BackupDescriptor, BackupName, BigtableAdmin,
    LongRunningOperation, OperationProgress, OperationResult, OperationStatus, SchemaBundle,
};
pub(crate) use admin::{
    alter, create_table, delete_table, describe, list_tables, supported_part, table_exists,
    truncate_table,
};
pub use changes::{ChangeStream, ChangeStreamBuilder};
pub(crate) use changes::{ChangesOf, decode_changes};
pub(crate) use endpoint::Endpoint;
pub(crate) use instance::Instance;
pub(crate) use lower::unsupported;
pub(crate) use messages::Messages;
pub use query::{BoundQuery, PreparedQuery, QueryRows};
pub(crate) use query::{decode_results, prepare};
pub(crate) use regions::{
    all_regions, forget_all_regions, forget_regions, forget_server, known_regions, locate,
    prefetch_regions, regions_in,
};
pub use samples::KeySample;
pub(crate) use scan::{PageSettings, Scanner};
