//! Who the client is to the service: the value of the header `authorization`.

use std::fmt;

use futures_util::future::BoxFuture;
use http::HeaderValue;

use crate::Result;

/// Where access tokens come from. It keeps them, and renews one before it ends.
pub(crate) trait Tokens: fmt::Debug + Send + Sync {
    /// `Bearer ..`, valid now.
    fn bearer(&self) -> BoxFuture<'_, Result<HeaderValue>>;
}
