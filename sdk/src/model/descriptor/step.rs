//! The steps by which a table is altered: for each step, the options that it sets, the data that it
//! loses, and its command in the HBase shell.

use std::fmt;

use super::family::FamilyDescriptor;
use super::key_layout::KeyLayout;
use super::known::{self, Owner};
use super::options::Options;
use super::shell;
use crate::TableName;

/// The name that allows a step to drop row key layouts.
const KEY: &str = "KEY";

/// A change of an option of a family or table, from its live value to the value in the definition.
///
/// See [`SchemaDiff`](crate::admin::SchemaDiff) for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionChange {
    family: Option<String>,
    pub(crate) key: String,
    from: Option<String>,
    pub(crate) to: String,
    pub(crate) is_configuration: bool,
}

impl OptionChange {
    /// Returns the change that makes `live` match the definition; `None` if it already matches.
    pub(super) fn new(
        family: Option<&str>,
        (key, to): (&str, &str),
        live: Option<&str>,
        is_configuration: bool,
    ) -> Option<Self> {
        let owner = owner(family);
        let from = live.or_else(|| known::default(owner, key));
        (!from.is_some_and(|from| known::is_same_value(owner, key, from, to))).then(|| Self {
            family: family.map(str::to_owned),
            key: key.to_owned(),
            from: from.map(str::to_owned),
            to: to.to_owned(),
            is_configuration,
        })
    }

    /// The name by which [`SchemaDiff::allow`](crate::admin::SchemaDiff::allow) allows the change:
    /// such as `d.VERSIONS` for an option of family `d`, or `DURABILITY` for an option of the
    /// table.
    pub fn name(&self) -> String {
        match &self.family {
            Some(family) => format!("{family}.{}", self.key),
            None => self.key.clone(),
        }
    }

    /// A description of the stored data that the change loses, such as `older versions` or `older
    /// cells`; `None` if it loses no data, as most changes do.
    pub fn data_loss(&self) -> Option<&'static str> {
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
        match self.data_loss() {
            Some(what) => write!(f, " (that loses {what})"),
            None => Ok(()),
        }
    }
}

/// One step of altering a table.
///
/// See [`SchemaDiff`](crate::admin::SchemaDiff) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AlterStep {
    /// Sets options of the table.
    Table(Vec<OptionChange>),
    /// Adds a family.
    AddFamily(FamilyDescriptor),
    /// Sets options of this family.
    ModifyFamily(String, Vec<OptionChange>),
    /// Deletes this family, with all its cells.
    DeleteFamily(String),
    /// Replaces the recorded layouts of the row keys by the layouts of the definition.
    KeyLayouts {
        /// The layouts that are recorded from now on.
        record: KeyLayout,
        /// Each layout that was not recorded, as its name and its fingerprint.
        added: Vec<String>,
        /// Each recorded layout that the definition does not read. The table must have no rows of
        /// such a layout any more.
        dropped: Vec<String>,
    },
}

impl AlterStep {
    /// The options that the step sets.
    ///
    /// See [`SchemaDiff`](crate::admin::SchemaDiff) for an example.
    pub fn changes(&self) -> &[OptionChange] {
        match self {
            Self::Table(changes) | Self::ModifyFamily(_, changes) => changes,
            Self::AddFamily(_) | Self::DeleteFamily(_) | Self::KeyLayouts { .. } => &[],
        }
    }

    /// The names of the changes in this step that lose data; a program allows them by these names.
    pub(super) fn lossy_change_names(&self) -> Vec<String> {
        match self {
            Self::KeyLayouts { dropped, .. } if !dropped.is_empty() => vec![KEY.to_owned()],
            _ => {
                let lossy = self.changes().iter().filter(|change| change.data_loss().is_some());
                lossy.map(OptionChange::name).collect()
            }
        }
    }

    /// Whether a program reads and writes the table correctly even before this step is made.
    pub(super) fn can_wait(&self) -> bool {
        matches!(self, Self::KeyLayouts { dropped, .. } if dropped.is_empty())
    }

    /// Returns the command of the HBase shell for this step.
    pub(super) fn to_shell(&self, table: &TableName) -> String {
        let arguments = match self {
            Self::Table(changes) => shell::arguments(Owner::Table, &options(changes)).join(", "),
            Self::AddFamily(family) => shell::family_as_ruby_hash(family),
            Self::ModifyFamily(family, changes) => {
                shell::options_as_ruby_hash(family, &options(changes))
            }
            Self::DeleteFamily(family) => format!("'delete' => {}", shell::string_literal(family)),
            Self::KeyLayouts { record, .. } => {
                let mut options = Options::default();
                record.attributes().into_iter().for_each(|(key, value)| options.set(key, value));
                shell::arguments(Owner::Table, &options).join(", ")
            }
        };
        format!("alter {}, {arguments}", shell::string_literal(table.as_str()))
    }
}

impl fmt::Display for AlterStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(changes) | Self::ModifyFamily(_, changes) => {
                let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
                f.write_str(&changes.join("; "))
            }
            Self::AddFamily(family) => write!(f, "there is no family {}", family.name()),
            Self::DeleteFamily(family) => {
                write!(f, "family {family} is to be deleted (that loses its cells)")
            }
            Self::KeyLayouts { added, dropped, .. } => {
                let lacks =
                    |added: &String| format!("the record of its row keys lacks the layout {added}");
                let unread = |dropped: &String| {
                    format!(
                        "the table may hold rows of the layout {dropped}, which the definition does not read (that loses them)"
                    )
                };
                let parts: Vec<_> =
                    added.iter().map(lacks).chain(dropped.iter().map(unread)).collect();
                f.write_str(&parts.join("; "))
            }
        }
    }
}

/// The new values of the options.
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
