//! Which instance a client is of, and how its service is reached.

use std::sync::Arc;

use super::address::BigtableUrl;
use super::tokens::Tokens;

/// An instance, and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) project: String,
    pub(crate) instance: String,
    /// The default one if it is empty.
    pub(crate) app_profile: String,
    /// `host:port` of the service for rows.
    pub(crate) data: Arc<str>,
    /// `host:port` of the service for tables.
    pub(crate) admin: Arc<str>,
    /// Without TLS: an emulator, or a mock.
    pub(crate) plaintext: bool,
    /// Whether reads leave out what is going to be collected.
    pub(crate) exclude_garbage: bool,
    /// None for an emulator.
    pub(crate) tokens: Option<Arc<dyn Tokens>>,
}

impl Endpoint {
    /// That of an address, whose service wants these tokens.
    pub(crate) fn of(url: &BigtableUrl, tokens: Option<Arc<dyn Tokens>>) -> Self {
        Self {
            project: url.project.clone(),
            instance: url.instance.clone(),
            app_profile: url.app_profile.clone().unwrap_or_default(),
            data: url.place.data().into(),
            admin: url.place.admin().into(),
            plaintext: !url.place.is_secure(),
            exclude_garbage: url.exclude_garbage,
            tokens,
        }
    }

    /// `projects/P/instances/I`.
    pub(crate) fn instance_name(&self) -> String {
        format!("projects/{}/instances/{}", self.project, self.instance)
    }
}
