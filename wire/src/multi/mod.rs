//! The requests of `Client.proto` that carry operations, and the answer to `Multi`, without prost's
//! structs.
//!
//! These are the messages of which a busy client sends and receives the most: what is here appends
//! operations that are already encoded to a buffer, and reads results where they are, so that
//! neither allocates anything for an operation. The bytes are those of [`proto`](crate::proto),
//! with which the tests compare them.

mod request;
mod response;

pub use request::{
    Action, RegionAction, column_len, put_column, put_get_request, put_mutate_request,
    put_nonce_group,
};
pub use response::{
    ActionOutcome, ActionResult, ActionResults, OperationResult, RegionResult, RegionResults,
};
