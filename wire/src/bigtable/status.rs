//! `google.rpc`: the outcome of a call, and when it may be tried again.

use super::{Any, Duration};

/// A gRPC code with its text and its details.
#[doc(alias = "google.rpc.Status")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Status {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

/// Tells the client, in the details of a status, not to try again before the delay has passed.
#[doc(alias = "google.rpc.RetryInfo")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    pub retry_delay: Option<Duration>,
}

impl RetryInfo {
    /// Its type in an [`Any`].
    pub const TYPE_URL: &str = "type.googleapis.com/google.rpc.RetryInfo";
}
