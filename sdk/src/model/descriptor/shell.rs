//! Descriptors and changes as commands of the HBase shell.

use std::fmt;

use super::family::FamilyDescriptor;
use super::known::{self, Owner};
use super::options::Options;
use super::table::TableDescriptor;
use crate::key::show::shell_splits;

impl fmt::Display for TableDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&create(self))
    }
}

/// Returns the command that creates the table, without options that have the server's default.
fn create(table: &TableDescriptor) -> String {
    let mut out = format!("create {}", string_literal(table.name().as_str()));
    for family in table.families() {
        out += ", ";
        out += &family_as_ruby_hash(family);
    }
    for part in arguments(Owner::Table, &non_default_options(Owner::Table, table.options())) {
        out += ", ";
        out += &part;
    }
    if !table.split_keys().is_empty() {
        out += ", ";
        out += &shell_splits(table.split_keys());
    }
    out
}

/// Returns a family as a Ruby hash, as the commands `create` and `alter` accept it.
pub(super) fn family_as_ruby_hash(family: &FamilyDescriptor) -> String {
    options_as_ruby_hash(family.name(), &non_default_options(Owner::Family, family.options()))
}

/// Returns a Ruby hash with the name of a family and only these options.
pub(super) fn options_as_ruby_hash(family: &str, options: &Options) -> String {
    let mut out = format!("{{NAME => {}", string_literal(family));
    for part in arguments(Owner::Family, options) {
        out += ", ";
        out += &part;
    }
    out + "}"
}

/// Returns options as the arguments of a command.
pub(super) fn arguments(owner: Owner, options: &Options) -> Vec<String> {
    let (named, metadata): (Vec<_>, Vec<_>) = options
        .attributes
        .iter()
        .partition(|(key, _)| known::names(owner).any(|name| name == *key));
    let value = |key: &str, value: &str| match known::is_number(owner, key) {
        true if value.parse::<i64>().is_ok() => value.to_owned(),
        _ => string_literal(value),
    };
    let mut out: Vec<_> = named.iter().map(|(k, v)| format!("{k} => {}", value(k, v))).collect();
    let pairs = |name: &str, pairs: &mut dyn Iterator<Item = &(String, String)>| {
        let pairs: Vec<_> =
            pairs.map(|(k, v)| format!("{} => {}", string_literal(k), string_literal(v))).collect();
        (!pairs.is_empty()).then(|| format!("{name} => {{{}}}", pairs.join(", ")))
    };
    out.extend(pairs("METADATA", &mut metadata.into_iter()));
    out.extend(pairs("CONFIGURATION", &mut options.configuration.iter()));
    out
}

/// Returns the options that are not the server's defaults.
pub(super) fn non_default_options(owner: Owner, options: &Options) -> Options {
    let is_default = |key: &str, value: &str| {
        known::default(owner, key).is_some_and(|d| known::is_same_value(owner, key, d, value))
    };
    let mut stated = options.clone();
    stated.attributes.retain(|(k, v)| !is_default(k, v));
    stated
}

/// Returns a text as a string literal of Ruby.
pub(super) fn string_literal(text: &str) -> String {
    match text.chars().any(char::is_control) {
        true => format!("{:?}", text).replace('#', "\\#"),
        false => format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_ruby() {
        assert_eq!(string_literal(r"it's \"), r"'it\'s \\'");
        assert_eq!(string_literal("a\n#{b}\""), r##""a\n\#{b}\"""##);
    }
}
