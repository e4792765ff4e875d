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
    let mut out = format!("create {}", text(table.name().as_str()));
    for family in table.families() {
        out += ", ";
        out += &family_hash(family);
    }
    for part in parts(Owner::Table, &stated(Owner::Table, table.options())) {
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
pub(super) fn family_hash(family: &FamilyDescriptor) -> String {
    hash(family.name(), &stated(Owner::Family, family.options()))
}

/// Returns a Ruby hash with the name of a family and only these options.
pub(super) fn hash(family: &str, options: &Options) -> String {
    let mut out = format!("{{NAME => {}", text(family));
    for part in parts(Owner::Family, options) {
        out += ", ";
        out += &part;
    }
    out + "}"
}

/// Returns options as the arguments of a command.
pub(super) fn parts(owner: Owner, options: &Options) -> Vec<String> {
    let (named, metadata): (Vec<_>, Vec<_>) = options
        .attributes
        .iter()
        .partition(|(key, _)| known::names(owner).any(|name| name == *key));
    let value = |key: &str, value: &str| match known::is_number(owner, key) {
        true if value.parse::<i64>().is_ok() => value.to_owned(),
        _ => text(value),
    };
    let mut out: Vec<_> = named.iter().map(|(k, v)| format!("{k} => {}", value(k, v))).collect();
    let pairs = |name: &str, pairs: &mut dyn Iterator<Item = &(String, String)>| {
        let pairs: Vec<_> = pairs.map(|(k, v)| format!("{} => {}", text(k), text(v))).collect();
        (!pairs.is_empty()).then(|| format!("{name} => {{{}}}", pairs.join(", ")))
    };
    out.extend(pairs("METADATA", &mut metadata.into_iter()));
    out.extend(pairs("CONFIGURATION", &mut options.configuration.iter()));
    out
}

/// Returns the options that are not the server's defaults.
pub(super) fn stated(owner: Owner, options: &Options) -> Options {
    let is_default = |key: &str, value: &str| {
        known::default(owner, key).is_some_and(|d| known::same(owner, key, d, value))
    };
    let mut stated = options.clone();
    stated.attributes.retain(|(k, v)| !is_default(k, v));
    stated
}

/// Returns a text as a string literal of Ruby.
pub(super) fn text(text: &str) -> String {
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
        assert_eq!(text(r"it's \"), r"'it\'s \\'");
        assert_eq!(text("a\n#{b}\""), r##""a\n\#{b}\"""##);
    }
}
