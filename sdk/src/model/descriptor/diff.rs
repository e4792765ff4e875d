//! The differences between a live table and its definition, and the steps that remove them.
//!
//! # Invariants
//!
//! - Altering loses no data unless that is allowed by name. Tests:
//!   `tests/suites/client/schema.rs::changes_that_lose_data_are_rejected_unless_allowed_by_name`,
//!   `tests/suites/client/schema.rs::a_key_of_another_layout_is_reported_and_cannot_be_altered`.

use std::fmt;

use super::key_layout::{KeyLayout, Layout, is_layout_attribute};
use super::known::{AGGREGATE, Owner};
use super::options::Options;
use super::shell;
use super::step::{AlterStep, OptionChange};
use super::table::TableDescriptor;
use crate::{Error, ErrorKind};

/// The differences between a live table and its definition, and the steps that remove them;
/// [`Admin::alter`](crate::Admin::alter) applies the steps.
///
/// Only the options and families in the definition are compared; other options and families are not
/// changed. An option that is not set on the live table has the server's default. Changes that lose
/// stored data, such as fewer versions or a shorter time to live, are also steps, but are rejected
/// unless they are [`allow`](SchemaDiff::allow)ed by name. A family is deleted only if
/// [`delete_family`](SchemaDiff::delete_family) requests this.
///
/// ```
/// use tallrow::{FamilyDescriptor, TableDescriptor};
///
/// let live =
///     TableDescriptor::new("t")?.family(FamilyDescriptor::new("d").versions(5).block_size(8_192));
/// let wanted = TableDescriptor::new("t")?
///     .family(FamilyDescriptor::new("d").versions(3))
///     .family(FamilyDescriptor::new("e"));
///
/// let diff = wanted.diff(&live);
/// assert_eq!(
///     diff.to_string(),
///     "there is no family e; family d: VERSIONS is 5, the definition says 3 (that loses older versions)"
/// );
/// assert_eq!(
///     diff.to_shell(),
///     "alter 't', {NAME => 'e'}\nalter 't', {NAME => 'd', VERSIONS => 3}\n"
/// );
/// assert_eq!(diff.unmanaged(), ["family d: BLOCKSIZE 8192"]);
/// assert_eq!(diff.disallowed(), ["d.VERSIONS"]);
/// assert!(diff.allow("d.VERSIONS").disallowed().is_empty());
/// assert!(wanted.diff(&wanted).is_empty());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a difference does nothing until it is given to `Admin::alter`"]
pub struct SchemaDiff {
    pub(crate) live: TableDescriptor,
    steps: Vec<AlterStep>,
    unmanaged: Vec<String>,
    /// The layouts of the live row keys and of the row keys that the definition writes, if they
    /// have no layout in common.
    key: Option<(KeyLayout, KeyLayout)>,
    /// The families whose aggregate differs from that of the definition; one of them may be no
    /// aggregate.
    aggregates: Vec<OptionChange>,
    allowed: Vec<String>,
    problem: Option<String>,
}

impl SchemaDiff {
    fn new(wanted: &TableDescriptor, live: &TableDescriptor) -> Self {
        let mut steps = Vec::new();
        let mut unmanaged = Vec::new();
        let changes = changes(None, wanted.options(), live.options());
        if !changes.is_empty() {
            steps.push(AlterStep::Table(changes));
        }
        let (mut modified, mut aggregates) = (Vec::new(), Vec::new());
        for family in wanted.families() {
            let name = family.name();
            let Some(there) = live.families().iter().find(|f| f.name() == name) else {
                steps.push(AlterStep::AddFamily(family.clone()));
                continue;
            };
            let changes = self::changes(Some(name), family.options(), there.options());
            let (fixed, changes): (Vec<_>, Vec<_>) =
                changes.into_iter().partition(|change| change.key == AGGREGATE);
            aggregates.extend(fixed);
            if !changes.is_empty() {
                modified.push(AlterStep::ModifyFamily(name.to_owned(), changes));
            }
        }
        steps.append(&mut modified);

        unmanaged.extend(unnamed(Owner::Table, live.options(), wanted.options()));
        for there in live.families() {
            let name = there.name();
            match wanted.families().iter().find(|f| f.name() == name) {
                None => unmanaged.push(format!("family {name}")),
                Some(family) => unmanaged.extend(
                    unnamed(Owner::Family, there.options(), family.options())
                        .map(|option| format!("family {name}: {option}")),
                ),
            }
        }
        let mut key = None;
        if let Some((there, wanted)) = KeyLayout::of_table(live).zip(KeyLayout::of_table(wanted)) {
            match layouts(&there, wanted.clone()) {
                Ok(step) => steps.extend(step),
                Err(()) => key = Some((there, wanted)),
            }
        }
        let (allowed, problem) = (Vec::new(), wanted.problem());
        Self { live: live.clone(), steps, unmanaged, key, aggregates, allowed, problem }
    }

    /// Whether the table matches its definition.
    ///
    /// See [`SchemaDiff`] for an example of this and the other functions.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.key.is_none() && self.aggregates.is_empty()
    }

    /// The steps in their order: options of the table, new families, changed families, layouts of
    /// the row keys, deleted families.
    ///
    /// ```
    /// # use tallrow::{FamilyDescriptor, TableDescriptor, admin::AlterStep};
    /// # let live = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"));
    /// let wanted = TableDescriptor::new("t")?
    ///     .attribute("READONLY", true)
    ///     .family(FamilyDescriptor::new("d").versions(3));
    /// let steps = wanted.diff(&live).steps().to_vec();
    /// assert!(
    ///     matches!(&steps[..], [AlterStep::Table(_), AlterStep::ModifyFamily(family, _)] if family == "d")
    /// );
    /// assert_eq!(steps[1].changes()[0].name(), "d.VERSIONS");
    /// assert_eq!(steps[1].changes()[0].data_loss(), None);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn steps(&self) -> &[AlterStep] {
        &self.steps
    }

    /// The families and options of the live table that are not in the definition, as text. Options
    /// that have the server's default are left out.
    pub fn unmanaged(&self) -> &[String] {
        &self.unmanaged
    }

    /// The layouts of the row keys in the table, and the layouts that the definition writes, if
    /// they have no layout in common. No step can change the layout of stored row keys.
    ///
    /// See [`Admin::alter`](crate::Admin::alter) for an example.
    pub fn incompatible_key_layouts(&self) -> Option<(&KeyLayout, &KeyLayout)> {
        self.key.as_ref().map(|(there, wanted)| (there, wanted))
    }

    /// The names of the changes that lose data and are not allowed yet.
    ///
    /// | change | name, for family `d` | what is lost |
    /// |---|---|---|
    /// | fewer versions | `d.VERSIONS` | older versions |
    /// | fewer versions after their time to live | `d.MIN_VERSIONS` | expired versions |
    /// | a shorter time to live | `d.TTL` | older cells |
    /// | `KEEP_DELETED_CELLS` from `TRUE` to `TTL`, or to `FALSE` | `d.KEEP_DELETED_CELLS` | deleted cells |
    /// | a weaker `DURABILITY` of the table | `DURABILITY` | acknowledged writes, when a server dies |
    /// | a shorter retention of the change stream, or its end | `CHANGE_STREAM_RETENTION` | changes in the stream |
    /// | a layout of row keys that is no longer read | `KEY` | the rows of that layout, to this type |
    pub fn disallowed(&self) -> Vec<String> {
        let lossy = self.steps.iter().flat_map(AlterStep::lossy_change_names);
        lossy.filter(|name| !self.allowed.contains(name)).collect()
    }

    /// Allows a change that loses data, by its [`name`](OptionChange::name) such as `d.VERSIONS`;
    /// the name `KEY` allows that layouts of the row keys are [dropped](AlterStep::KeyLayouts).
    pub fn allow(mut self, change: &str) -> Self {
        self.allowed.push(change.to_owned());
        self
    }

    /// Adds the step that deletes this family, which is not in the definition, and all its cells.
    ///
    /// ```
    /// # use tallrow::{FamilyDescriptor, TableDescriptor};
    /// let live = TableDescriptor::new("t")?
    ///     .family(FamilyDescriptor::new("d"))
    ///     .family(FamilyDescriptor::new("old"));
    /// let wanted = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"));
    /// assert!(wanted.diff(&live).is_empty());
    /// assert_eq!(
    ///     wanted.diff(&live).delete_family("old").to_shell(),
    ///     "alter 't', 'delete' => 'old'\n"
    /// );
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn delete_family(mut self, family: &str) -> Self {
        let line = format!("family {family}");
        match self.unmanaged.iter().position(|l| *l == line) {
            Some(at) => {
                self.unmanaged.remove(at);
                self.steps.push(AlterStep::DeleteFamily(family.to_owned()));
            }
            None => {
                let text = format!(
                    "family {family} cannot be deleted: it is not in the table, or the definition has it"
                );
                self.problem.get_or_insert(text);
            }
        }
        self
    }

    /// The commands of the HBase shell for the steps, one line each.
    pub fn to_shell(&self) -> String {
        let name = self.live.name();
        self.steps.iter().map(|step| step.to_shell(name) + "\n").collect()
    }

    /// Returns an error if the table cannot be altered by these steps; the error says why.
    pub(crate) fn check_alterable(&self) -> Result<(), Error> {
        if self.key.is_some() || !self.aggregates.is_empty() {
            return Err(self.as_error());
        }
        if let Some(problem) = &self.problem {
            return Err(Error::invalid(problem.clone()));
        }
        let disallowed = self.disallowed();
        if disallowed.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = disallowed.iter().map(|name| format!("allow({name:?})")).collect();
        Err(Error::invalid(format!(
            "it would lose stored data: {self}; if that is intended, call {}",
            names.join(" and ")
        )))
    }

    /// Returns an error if a program cannot read and write the table in its present state; the
    /// error says why.
    pub(crate) fn error_if_unusable(&self) -> Option<Error> {
        let fits = self.key.is_none()
            && self.aggregates.is_empty()
            && self.steps.iter().all(AlterStep::can_wait);
        (!fits).then(|| self.as_error())
    }

    fn as_error(&self) -> Error {
        let commands = self.to_shell().trim_end().replace('\n', "; ");
        let fix = match (&self.key, commands.is_empty()) {
            (Some(_), _) => "copy the rows to a new table".to_owned(),
            _ if !self.aggregates.is_empty() => {
                "correct the definition, or define a family of another name".to_owned()
            }
            (None, true) => "correct the definition".to_owned(),
            (None, false) => format!("fix it with Admin::alter, or in the shell: {commands}"),
        };
        let text = format!("the table is not as it is defined: {self}; {fix}");
        Error::new(ErrorKind::SchemaDrift, text)
    }
}

impl TableDescriptor {
    /// Compares a live table with this definition, and returns the differences and the steps that
    /// remove them.
    ///
    /// See [`SchemaDiff`] for an example.
    pub fn diff(&self, live: &Self) -> SchemaDiff {
        SchemaDiff::new(self, live)
    }
}

impl fmt::Display for SchemaDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<_> = self.steps.iter().map(ToString::to_string).collect();
        if let Some((there, wanted)) = &self.key {
            parts.insert(
                0,
                format!(
                    "the row keys in it are of another layout, which nothing can alter: written as ({there}), \
                     defined as ({wanted})"
                ),
            );
        }
        let fixed =
            |change: &OptionChange| format!("{change}, which is fixed when a family is created");
        parts.extend(self.aggregates.iter().map(fixed));
        f.write_str(&parts.join("; "))
    }
}

/// Returns the step that replaces the recorded layouts of the row keys by those of the definition,
/// or `None` if they are the same. Fails if the definition can read none of the rows.
fn layouts(there: &KeyLayout, wanted: KeyLayout) -> Result<Option<AlterStep>, ()> {
    let (live, defined) = (there.layouts(), wanted.layouts());
    let without = |all: &[Layout], others: &[Layout]| -> Vec<String> {
        all.iter().filter(|one| !others.contains(one)).map(ToString::to_string).collect()
    };
    let (added, dropped) = (without(&defined, &live), without(&live, &defined));
    match (added.is_empty(), dropped.len()) {
        (true, 0) => Ok(None),
        (_, dropped) if dropped == live.len() => Err(()),
        _ => Ok(Some(AlterStep::KeyLayouts { record: wanted, added, dropped })),
    }
}

/// Returns the changes that set the live options to the values of the stated options.
fn changes(family: Option<&str>, stated: &Options, live: &Options) -> Vec<OptionChange> {
    let stated = stated.iter().map(|o| (o, stated.is_configuration(o.0)));
    stated
        .filter(|((key, _), _)| family.is_some() || !is_layout_attribute(key))
        .filter_map(|(option, configuration)| {
            OptionChange::new(family, option, live.get(option.0), configuration)
        })
        .collect()
}

/// Returns the live options that are not in the definition and that differ from the server's
/// defaults.
fn unnamed(owner: Owner, live: &Options, named: &Options) -> impl Iterator<Item = String> {
    let set = shell::non_default_options(owner, live);
    let left = set.iter().filter(|(key, _)| named.get(key).is_none() && !is_layout_attribute(key));
    let shown: Vec<_> = left.map(|(key, value)| format!("{key} {value}")).collect();
    shown.into_iter()
}
