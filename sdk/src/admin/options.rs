use crate::wire::proto::{BytesBytesPair, NameStringPair};

/// The options of a family or table, as text.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Options {
    pub(super) attributes: Vec<(String, String)>,
    /// What is otherwise read from the configuration of the servers.
    pub(super) configuration: Vec<(String, String)>,
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

    pub(super) fn is_configuration(&self, key: &str) -> bool {
        self.configuration.iter().any(|(k, _)| k == key)
    }

    pub(super) fn to_proto(&self) -> (Vec<BytesBytesPair>, Vec<NameStringPair>) {
        let pair = |(k, v): &(String, String)| BytesBytesPair {
            first: k.clone().into(),
            second: v.clone().into(),
        };
        let named =
            |(k, v): &(String, String)| NameStringPair { name: k.clone(), value: v.clone() };
        (self.attributes.iter().map(pair).collect(), self.configuration.iter().map(named).collect())
    }

    pub(super) fn from_proto(
        attributes: &[BytesBytesPair],
        configuration: &[NameStringPair],
    ) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            attributes: attributes.iter().map(|a| (text(&a.first), text(&a.second))).collect(),
            configuration: configuration
                .iter()
                .map(|c| (c.name.clone(), c.value.clone()))
                .collect(),
        }
    }
}

fn set(options: &mut Vec<(String, String)>, key: &str, value: &str) {
    options.retain(|(k, _)| k != key);
    options.push((key.to_owned(), value.to_owned()));
}
