use std::fmt;

use super::known::{self, Owner};
use super::options::Options;
use super::{Family, shell};
use crate::TableName;
use crate::wire::proto::{BytesBytesPair, NameStringPair, TableSchema};

/// An option of a family or table that is not what a definition says.
///
/// See [`SchemaDiff`](crate::SchemaDiff) for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionChange {
    family: Option<String>,
    pub(super) key: String,
    from: Option<String>,
    pub(super) to: String,
    pub(super) is_configuration: bool,
}

impl OptionChange {
    /// The change that makes `live` what the definition says; none if it is that already.
    pub(super) fn new(
        family: Option<&str>,
        (key, to): (&str, &str),
        live: Option<&str>,
        is_configuration: bool,
    ) -> Option<Self> {
        let owner = owner(family);
        let from = live.or_else(|| known::default(owner, key));
        (!from.is_some_and(|from| known::same(owner, key, from, to))).then(|| Self {
            family: family.map(str::to_owned),
            key: key.to_owned(),
            from: from.map(str::to_owned),
            to: to.to_owned(),
            is_configuration,
        })
    }

    /// The name by which it is allowed: `d.VERSIONS` for an option of family `d`, `DURABILITY` for one of the table.
    pub fn name(&self) -> String {
        match &self.family {
            Some(family) => format!("{family}.{}", self.key),
            None => self.key.clone(),
        }
    }

    /// What of the stored data is lost by it: `older versions`, `older cells`; none for most options.
    pub fn loses(&self) -> Option<&'static str> {
        known::loss(owner(self.family.as_deref()), &self.key, self.from.as_deref()?, &self.to)
    }
}

fn owner(family: Option<&str>) -> Owner {
    family.map_or(Owner::Table, |_| Owner::Family)
}

impl fmt::Display for OptionChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(family) = &self.family {
            write!(f, "family {family}: ")?;
        }
        let from = self.from.as_deref().unwrap_or("not set");
        write!(f, "{} is {from}, the definition says {}", self.key, self.to)?;
        match self.loses() {
            Some(what) => write!(f, " (that loses {what})"),
            None => Ok(()),
        }
    }
}

/// One step of altering a table.
///
/// See [`SchemaDiff`](crate::SchemaDiff) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AlterStep {
    /// Sets options of the table.
    Table(Vec<OptionChange>),
    /// Adds a family.
    Add(Family),
    /// Sets options of this family.
    Modify(String, Vec<OptionChange>),
    /// Deletes this family, with all its cells.
    Delete(String),
}

impl AlterStep {
    /// The options that it sets.
    ///
    /// See [`SchemaDiff`](crate::SchemaDiff) for an example.
    pub fn changes(&self) -> &[OptionChange] {
        match self {
            Self::Table(changes) | Self::Modify(_, changes) => changes,
            Self::Add(_) | Self::Delete(_) => &[],
        }
    }

    /// The command of the HBase shell for it.
    pub(super) fn to_shell(&self, table: &TableName) -> String {
        let arguments = match self {
            Self::Table(changes) => shell::parts(Owner::Table, &options(changes)).join(", "),
            Self::Add(family) => shell::family_hash(family),
            Self::Modify(family, changes) => shell::hash(family, &options(changes)),
            Self::Delete(family) => format!("'delete' => {}", shell::text(family)),
        };
        format!("alter {}, {arguments}", shell::text(table.as_str()))
    }

    pub(super) fn apply(&self, schema: &mut TableSchema) {
        let families = &mut schema.column_families;
        match self {
            Self::Table(changes) => {
                set(&mut schema.attributes, &mut schema.configuration, changes);
            }
            Self::Add(family) => families.push(family.to_proto()),
            Self::Modify(name, changes) => {
                for family in families.iter_mut().filter(|f| f.name == name.as_bytes()) {
                    set(&mut family.attributes, &mut family.configuration, changes);
                }
            }
            Self::Delete(name) => families.retain(|f| f.name != name.as_bytes()),
        }
    }
}

impl fmt::Display for AlterStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(changes) | Self::Modify(_, changes) => {
                let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
                f.write_str(&changes.join("; "))
            }
            Self::Add(family) => write!(f, "there is no family {}", family.name()),
            Self::Delete(family) => {
                write!(f, "family {family} is to be deleted (that loses its cells)")
            }
        }
    }
}

/// What the options are to become.
fn options(changes: &[OptionChange]) -> Options {
    let mut options = Options::default();
    for change in changes {
        match change.is_configuration {
            true => options.configure(&change.key, &change.to),
            false => options.set(&change.key, &change.to),
        }
    }
    options
}

fn set(
    attributes: &mut Vec<BytesBytesPair>,
    configuration: &mut Vec<NameStringPair>,
    changes: &[OptionChange],
) {
    for OptionChange { key, to, is_configuration, .. } in changes {
        match is_configuration {
            false => {
                attributes.retain(|a| a.first != key.as_bytes());
                let (first, second) = (key.clone().into(), to.clone().into());
                attributes.push(BytesBytesPair { first, second });
            }
            true => {
                configuration.retain(|c| c.name != *key);
                configuration.push(NameStringPair { name: key.clone(), value: to.clone() });
            }
        }
    }
}
