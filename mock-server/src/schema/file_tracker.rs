//! How the files of a family are tracked. Has the checks of HBase's
//! `StoreFileTrackerValidationUtils` for a changed schema, and the change by which the master
//! migrates to another tracker. The mock has no files, so a tracker has no other effect.

use bytes::Bytes;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema, NameStringPair, TableSchema};

use super::attributes::{
    DEFAULT_FILE_TRACKER, FILE_TRACKER_KEY, attribute, set_attribute, table_option,
};
use super::names::table_text;
use crate::base::{RemoteResult, remote_exception};

/// The settings for the trackers between which `MIGRATION` migrates.
const SOURCE: &str = "hbase.store.file-tracker.migration.src.impl";
const TARGET: &str = "hbase.store.file-tracker.migration.dst.impl";

/// The tracker that reads the files of one tracker and writes those of two.
const MIGRATION: &str = "MIGRATION";

/// The exceptions of Java itself. A procedure that does not expect a setting ends with one of them.
const RUNTIME: &str = "java.lang.RuntimeException";
const NULL_POINTER: &str = "java.lang.NullPointerException";

/// The names of the trackers with their classes. A setting may name a tracker by its class too.
const TRACKERS: [(&str, &str); 3] = [
    ("DEFAULT", "org.apache.hadoop.hbase.regionserver.storefiletracker.DefaultStoreFileTracker"),
    ("FILE", "org.apache.hadoop.hbase.regionserver.storefiletracker.FileBasedStoreFileTracker"),
    (MIGRATION, "org.apache.hadoop.hbase.regionserver.storefiletracker.MigrationStoreFileTracker"),
];

/// Rejects families that would begin with a migration.
pub(crate) fn check_new_trackers(schema: &TableSchema) -> RemoteResult<()> {
    schema.column_families.iter().try_for_each(|family| check_new_family(schema, family))
}

fn check_new_family(schema: &TableSchema, family: &ColumnFamilySchema) -> RemoteResult<()> {
    match Tracking::of(schema, family).tracker()? {
        MIGRATION => {
            let text = format!(
                "Should not use {MIGRATION} as store file tracker for new family {}",
                of_table(schema, family)
            );
            Err(refused(text))
        }
        _ => Ok(()),
    }
}

/// Rejects a change of trackers that skips a step of a migration.
pub(crate) fn check_altered_trackers(
    before: &TableSchema,
    after: &TableSchema,
    enabled: bool,
) -> RemoteResult<()> {
    for family in &after.column_families {
        match before.column_families.iter().find(|old| old.name == family.name) {
            None => check_new_family(after, family)?,
            Some(old) => {
                let (old, new) = (Tracking::of(before, old), Tracking::of(after, family));
                check_step(&old, &new, after, family, enabled)?;
            }
        }
    }
    Ok(())
}

fn check_step(
    old: &Tracking<'_>,
    new: &Tracking<'_>,
    schema: &TableSchema,
    family: &ColumnFamilySchema,
    enabled: bool,
) -> RemoteResult<()> {
    let (was, is) = (old.tracker()?, new.tracker()?);
    let refuse =
        |text: String| Err(refused(format!("{text} for family {}", of_table(schema, family))));
    match (was == MIGRATION, is == MIGRATION) {
        (true, true) => {
            for (which, key) in [("src", SOURCE), ("dst", TARGET)] {
                let (was, is) = (old.migrates(key)?, new.migrates(key)?);
                if was != is {
                    return refuse(format!(
                        "The {which} tracker has been changed from {was} to {is}"
                    ));
                }
            }
            Ok(())
        }
        (true, false) if !enabled => {
            let text = format!(
                "Should not change store file tracker implementation from {MIGRATION} while table \
                 {} is disabled",
                table_of(schema)
            );
            Err(remote_exception(exception::TABLE_NOT_ENABLED, text))
        }
        (true, false) => {
            let target = old.migrates(TARGET)?;
            match target == is {
                true => Ok(()),
                false => refuse(format!("Should migrate tracker to {target} but got {is}")),
            }
        }
        (false, false) if was == is => Ok(()),
        (false, false) => {
            refuse(format!("Should change to {MIGRATION} first when migrating from {was}"))
        }
        (false, true) => {
            let (source, target) = (new.migrates(SOURCE)?, new.migrates(TARGET)?);
            if source != was {
                return refuse(format!(
                    "Should use src tracker {was} first but got {source} when migrating from {was}"
                ));
            }
            if target == was {
                return refuse(format!("The src tracker and dst tracker are both {was}"));
            }
            Ok(())
        }
    }
}

/// Rejects a tracker to which no table can be migrated. The table is looked up only after this
/// check.
pub(crate) fn check_tracker_target(target: &str) -> RemoteResult<()> {
    match tracker(target) {
        Some(MIGRATION) => Err(refused(format!("Do not need to transfer to {target}"))),
        Some(_) => Ok(()),
        None => {
            let text = format!("java.lang.ClassNotFoundException: {target}");
            Err(remote_exception(exception::IO, text))
        }
    }
}

/// Sets the tracker of a new table and of all of its families.
pub(crate) fn set_tracker(schema: &mut TableSchema, tracker: &str) {
    set_attribute(&mut schema.attributes, FILE_TRACKER_KEY, Some(tracker.to_owned()));
    for family in &mut schema.column_families {
        set_attribute(&mut family.attributes, FILE_TRACKER_KEY, None::<Bytes>);
        family.configuration.retain(|pair| pair.name != FILE_TRACKER_KEY);
    }
}

/// Makes the next step of a change of the tracker of a table, or of one of its families. Returns
/// false if no step is left. As on a real server, a migration that has already begun is ended
/// first. A new migration starts from the server's own tracker, so only a table with that tracker
/// can be migrated.
pub(crate) fn migrate_tracker_one_step(
    schema: &mut TableSchema,
    family: Option<&Bytes>,
    target: &str,
) -> RemoteResult<bool> {
    let before = schema.clone();
    let of_family = match family {
        None => None,
        Some(name) => {
            let found = before.column_families.iter().position(|f| f.name == *name);
            Some(found.ok_or_else(|| no_family(&before, name))?)
        }
    };
    let table = ColumnFamilySchema::default();
    let settings = of_family.and_then(|at| before.column_families.get(at)).unwrap_or(&table);
    let now = Tracking::of(&before, settings);
    let current = now.tracker()?;
    if Some(current) == tracker(target) {
        return Ok(false);
    }
    let step = match current {
        MIGRATION => {
            let began = now.setting(TARGET).unwrap_or_default();
            // The name is written as in the call that ends it.
            let end = if tracker(began) == tracker(target) { target } else { began };
            vec![(FILE_TRACKER_KEY, end)]
        }
        _ => vec![(FILE_TRACKER_KEY, MIGRATION), (SOURCE, DEFAULT_FILE_TRACKER), (TARGET, target)],
    };
    match of_family.and_then(|at| schema.column_families.get_mut(at)) {
        None => {
            schema.attributes.retain(|pair| !is_setting(&pair.first));
            schema.configuration.retain(|pair| !is_setting(pair.name.as_bytes()));
            schema.attributes.extend(step.iter().map(|(key, value)| BytesBytesPair {
                first: (*key).into(),
                second: (*value).to_owned().into(),
            }));
        }
        Some(family) => {
            family.configuration.retain(|pair| !is_setting(pair.name.as_bytes()));
            family.configuration.extend(step.iter().map(|(key, value)| NameStringPair {
                name: (*key).to_owned(),
                value: (*value).to_owned(),
            }));
        }
    }
    check_altered_trackers(&before, schema, true)?;
    Ok(true)
}

fn no_family(schema: &TableSchema, name: &[u8]) -> RemoteException {
    let text = format!("{} does not exist for table {}", name.escape_ascii(), table_of(schema));
    remote_exception(exception::NO_SUCH_COLUMN_FAMILY, text)
}

fn is_setting(key: &[u8]) -> bool {
    [FILE_TRACKER_KEY, SOURCE, TARGET].iter().any(|setting| setting.as_bytes() == key)
}

/// Returns the name of a tracker, by its name in any case or by its class.
fn tracker(text: &str) -> Option<&'static str> {
    let named =
        |(name, class): &&(&'static str, &str)| name.eq_ignore_ascii_case(text) || *class == text;
    TRACKERS.iter().find(named).map(|(name, _)| *name)
}

/// The settings of a family. The family's own settings take precedence over those of the table.
struct Tracking<'a> {
    schema: &'a TableSchema,
    family: &'a ColumnFamilySchema,
}

impl<'a> Tracking<'a> {
    fn of(schema: &'a TableSchema, family: &'a ColumnFamilySchema) -> Self {
        Self { schema, family }
    }

    fn setting(&self, key: &str) -> Option<&'a str> {
        let own = attribute(&self.family.attributes, key);
        let own = own.and_then(|value| std::str::from_utf8(value).ok());
        let configured = || {
            let pair = self.family.configuration.iter().find(|pair| pair.name == key);
            pair.map(|pair| pair.value.as_str())
        };
        own.or_else(configured).or_else(|| table_option(self.schema, key))
    }

    /// The tracker of the family.
    fn tracker(&self) -> RemoteResult<&'static str> {
        let text = self.setting(FILE_TRACKER_KEY).unwrap_or(DEFAULT_FILE_TRACKER);
        let class = || format!("java.lang.ClassNotFoundException: Class {text} not found");
        tracker(text).ok_or_else(|| {
            remote_exception(RUNTIME, format!("java.lang.RuntimeException: {}", class()))
        })
    }

    /// The tracker from which, or to which, a migration goes.
    fn migrates(&self, key: &str) -> RemoteResult<&'static str> {
        let text = self
            .setting(key)
            .ok_or_else(|| remote_exception(NULL_POINTER, format!("config {key} is not set")))?;
        tracker(text).ok_or_else(|| {
            remote_exception(RUNTIME, format!("java.lang.ClassNotFoundException: {text}"))
        })
    }
}

fn refused(text: String) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// A family with its table, for texts.
fn of_table(schema: &TableSchema, family: &ColumnFamilySchema) -> String {
    format!("{} of table {}", String::from_utf8_lossy(&family.name), table_of(schema))
}

/// The name of the table of a schema, for texts.
fn table_of(schema: &TableSchema) -> String {
    schema.table_name.as_ref().map(table_text).unwrap_or_default()
}
