//! Encodes the requests of `Client.proto` that carry operations, and decodes the response of
//! `Multi`, without prost's structs.
//!
//! A busy client sends and receives more of these messages than of any other. The functions here
//! append operations that are already encoded to a buffer, and read results in place, so that
//! nothing is allocated for an operation. The bytes are the same as those of
//! [`proto`](crate::proto), and the tests compare the two.

mod request;
mod response;

pub use request::{
    Action, RegionAction, column_len, put_column, put_get_request, put_mutate_request,
    put_nonce_group,
};
pub use response::{
    ActionOutcome, ActionResult, ActionResults, OperationResult, RegionResult, RegionResults,
};
