//! Which instance a client is connected to, and how its services are reached.

use std::sync::Arc;

#[cfg(not(feature = "google-credentials"))]
use crate::Error;
use crate::config::access_tokens::AccessTokens;
use crate::config::address::bigtable::BigtableUrl;
use crate::{Config, Result};

/// An instance, and how its services are reached.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) project: String,
    pub(crate) instance: String,
    /// The app profile; empty for the default profile.
    pub(crate) app_profile: String,
    /// `host:port` of the service for rows.
    pub(crate) data: Arc<str>,
    /// `host:port` of the service for tables.
    pub(crate) admin: Arc<str>,
    /// Whether connections have no TLS, as to an emulator or a mock.
    pub(crate) plaintext: bool,
    /// Whether reads leave out cells that are due for garbage collection.
    pub(crate) exclude_garbage: bool,
    /// The access tokens; `None` for connections without TLS.
    pub(crate) tokens: Option<AccessTokens>,
}

impl Endpoint {
    /// Makes the endpoint of an address, with the tokens that its services need.
    pub(crate) fn of(url: &BigtableUrl, config: &Config) -> Result<Self> {
        let tokens = match (url.location.is_secure(), &config.access_tokens) {
            // Without TLS, tokens would be sent as plain text.
            (false, _) => None,
            (true, Some(tokens)) => Some(tokens.clone()),
            (true, None) => Some(application_default(url)?),
        };
        Ok(Self {
            project: url.project.clone(),
            instance: url.instance.clone(),
            app_profile: url.app_profile.clone().unwrap_or_default(),
            data: url.location.data_address().into(),
            admin: url.location.admin_address().into(),
            plaintext: !url.location.is_secure(),
            exclude_garbage: url.exclude_garbage,
            tokens,
        })
    }

    /// `projects/P/instances/I`.
    pub(crate) fn instance_name(&self) -> String {
        format!("projects/{}/instances/{}", self.project, self.instance)
    }
}

#[cfg(feature = "google-credentials")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature it fails")]
fn application_default(_: &BigtableUrl) -> Result<AccessTokens> {
    Ok(super::credentials::application_default())
}

#[cfg(not(feature = "google-credentials"))]
fn application_default(url: &BigtableUrl) -> Result<AccessTokens> {
    let text = format!(
        "{url} wants credentials: enable the feature `google-credentials` of tallrow for those of the environment, or give \
         your own tokens to Config::access_tokens; an emulator is named by BIGTABLE_EMULATOR_HOST or endpoint=host:port"
    );
    Err(Error::invalid(text).with_operation_if_unset("connect"))
}
