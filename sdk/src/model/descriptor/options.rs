//! The options of a table or family by HBase's names, with their values as text.

use super::known::{self, Owner};

/// The options of a family or table, as text.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Options {
    pub(crate) attributes: Vec<(String, String)>,
    /// Properties that override the configuration of the servers.
    pub(crate) configuration: Vec<(String, String)>,
}

impl Options {
    pub(super) fn set(&mut self, key: &str, value: &str) {
        set(&mut self.attributes, key, value);
    }

    pub(super) fn configure(&mut self, key: &str, value: &str) {
        set(&mut self.configuration, key, value);
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.iter().find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().chain(&self.configuration).map(|(k, v)| (k.as_str(), v.as_str()))
    }

    /// What is wrong with the first option that HBase cannot parse.
    pub(super) fn problem(&self, owner: Owner) -> Option<String> {
        self.attributes.iter().find_map(|(key, value)| known::problem(owner, key, value))
    }

    pub(super) fn is_configuration(&self, key: &str) -> bool {
        self.configuration.iter().any(|(k, _)| k == key)
    }
}

fn set(options: &mut Vec<(String, String)>, key: &str, value: &str) {
    options.retain(|(k, _)| k != key);
    options.push((key.to_owned(), value.to_owned()));
}
