//! The parts of a table's schema that its regions need.

use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception;
use tallrow_wire::proto::{ColumnFamilySchema, TableName, TableSchema};

use super::attributes::{MAX_CELL_BYTES_KEY, attribute, table_option};
use super::names::table_text;
use super::text::{FOREVER_SECONDS, format_schema};
use crate::base::{RemoteResult, limits, remote_exception};

/// Whether a family keeps deleted cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepDeleted {
    /// `FALSE`
    No,
    /// `TRUE`
    Yes,
    /// `TTL`: until the marker is older than the family's TTL.
    UntilExpired,
}

/// The attributes of a family that decide which cells are kept and seen.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The name.
    pub(crate) name: Bytes,
    /// `VERSIONS`
    pub(crate) max_versions: u32,
    /// `MIN_VERSIONS`
    pub(crate) min_versions: u32,
    /// `TTL` in ms; none if cells never expire.
    pub(crate) ttl: Option<u64>,
    /// `KEEP_DELETED_CELLS`
    pub(crate) keep_deleted: KeepDeleted,
    /// `NEW_VERSION_BEHAVIOR`
    pub(crate) new_version_behavior: bool,
    /// Bigtable's rule, if the other attributes cannot express it.
    #[cfg(feature = "bigtable")]
    pub(crate) gc_rule: Option<Arc<tallrow_wire::bigtable::GcRule>>,
    /// How the cells combine what Bigtable's clients add to them; `None` if the family is not an
    /// aggregate.
    #[cfg(feature = "bigtable")]
    pub(crate) aggregation: Option<super::Aggregation>,
}

impl Family {
    /// The oldest timestamp that has not expired at `now`.
    pub(crate) fn oldest_unexpired(&self, now: u64) -> u64 {
        self.ttl.map_or(0, |ttl| now.saturating_sub(ttl))
    }
}

/// The parts of a schema that a region needs.
#[derive(Debug)]
pub(crate) struct RegionSchema {
    /// The families, sorted by name.
    pub(crate) families: Vec<Family>,
    /// `READONLY`
    pub(crate) read_only: bool,
    /// `REGION_REPLICATION`: the number of replicas of a region, including the primary replica.
    pub(crate) region_replication: u16,
    /// `SPLIT_ENABLED`
    pub(crate) split_enabled: bool,
    /// `MAX_FILESIZE` of the table, or `hbase.hregion.max.filesize` in its configuration.
    pub(crate) max_filesize: Option<u64>,
    /// Whether `SPLIT_POLICY` lets a region split at all. Policies other than the disabling one
    /// only affect splits that a server begins by itself.
    pub(crate) policy_splits: bool,
    /// `MERGE_ENABLED`
    pub(crate) merge_enabled: bool,
    /// `hbase.server.keyvalue.maxsize`: the maximum size of a cell in bytes; none if there is no
    /// limit.
    pub(crate) max_cell_bytes: Option<usize>,
    /// The classes of the table's coprocessors.
    pub(crate) coprocessors: Vec<String>,
    /// The schema as displayed in error texts.
    pub(crate) text: String,
}

/// The policy that lets no region split.
const DISABLED_SPLIT_POLICY: &str =
    "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";

impl RegionSchema {
    /// Takes these parts from the schema of a table.
    pub(crate) fn of(schema: &TableSchema) -> Arc<Self> {
        let mut families: Vec<Family> = schema.column_families.iter().map(family).collect();
        families.sort_by(|a, b| a.name.cmp(&b.name));
        let value = |key| table_option(schema, key);
        let max_cell_bytes: Option<i64> = value(MAX_CELL_BYTES_KEY).and_then(|v| v.parse().ok());
        Arc::new(Self {
            families,
            read_only: value("READONLY").is_some_and(is_true),
            region_replication: value("REGION_REPLICATION")
                .and_then(|v| v.parse().ok())
                .unwrap_or(1),
            split_enabled: value("SPLIT_ENABLED").is_none_or(is_true),
            policy_splits: value("SPLIT_POLICY").is_none_or(|class| class != DISABLED_SPLIT_POLICY),
            merge_enabled: value("MERGE_ENABLED").is_none_or(is_true),
            max_filesize: value("MAX_FILESIZE")
                .or_else(|| value("hbase.hregion.max.filesize"))
                .and_then(|v| v.parse().ok())
                .filter(|bytes| *bytes > 0),
            max_cell_bytes: match max_cell_bytes {
                None => Some(limits::CELL_BYTES),
                Some(bytes) => usize::try_from(bytes).ok().filter(|bytes| *bytes > 0),
            },
            coprocessors: coprocessors(schema),
            text: format_schema(schema),
        })
    }

    /// Rejects names of families that the schema does not have, as a flush does.
    pub(crate) fn check_families(&self, names: &[Bytes], table: &TableName) -> RemoteResult<()> {
        let unknown = names.iter().filter(|name| self.family(name).is_none());
        let unknown: Vec<_> = unknown.map(|name| String::from_utf8_lossy(name)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let text = format!(
            "Column families [{}] don't exist in table {}",
            unknown.join(", "),
            table_text(table)
        );
        Err(remote_exception(exception::NO_SUCH_COLUMN_FAMILY, text))
    }

    /// Returns the family with this name.
    pub(crate) fn family(&self, name: &[u8]) -> Option<&Family> {
        find_by_name(&self.families, |family| &family.name, name)
    }
}

/// Returns the first item with this name of a list that is sorted by name. Every cell that is
/// written is looked up so, and a table may have a thousand families.
fn find_by_name<'a, T>(
    sorted: &'a [T],
    name_of: impl Fn(&T) -> &[u8],
    name: &[u8],
) -> Option<&'a T> {
    let at = sorted.partition_point(|item| name_of(item) < name);
    sorted.get(at).filter(|item| name_of(item) == name)
}

/// Parses a boolean as Java's `Boolean.valueOf` does.
fn is_true(value: &str) -> bool {
    value.eq_ignore_ascii_case("true")
}

/// Returns the classes in the attributes `coprocessor$1`, .., whose values are
/// `path of a jar|class|priority|arguments`.
fn coprocessors(schema: &TableSchema) -> Vec<String> {
    let specs = schema.attributes.iter().filter(|a| a.first.starts_with(b"coprocessor$"));
    let class = |spec: &str| spec.split('|').nth(1).map(|class| class.trim().to_owned());
    specs.filter_map(|a| class(&String::from_utf8_lossy(&a.second))).collect()
}

fn family(schema: &ColumnFamilySchema) -> Family {
    let text = |key| attribute(&schema.attributes, key).and_then(|v| std::str::from_utf8(v).ok());
    let number = |key, default| text(key).and_then(|v| v.parse().ok()).unwrap_or(default);
    let ttl = number("TTL", FOREVER_SECONDS);
    let keep = text("KEEP_DELETED_CELLS").unwrap_or("FALSE").to_ascii_uppercase();
    Family {
        name: schema.name.clone(),
        max_versions: u32::try_from(number("VERSIONS", 1)).unwrap_or(u32::MAX),
        min_versions: u32::try_from(number("MIN_VERSIONS", 0)).unwrap_or(u32::MAX),
        ttl: (ttl < FOREVER_SECONDS).then_some(ttl.saturating_mul(1000)),
        keep_deleted: match keep.as_str() {
            "TRUE" => KeepDeleted::Yes,
            "TTL" => KeepDeleted::UntilExpired,
            _ => KeepDeleted::No,
        },
        new_version_behavior: text("NEW_VERSION_BEHAVIOR").is_some_and(is_true),
        #[cfg(feature = "bigtable")]
        gc_rule: super::gc_rule::rule_if_inexpressible(schema).map(Arc::new),
        #[cfg(feature = "bigtable")]
        aggregation: super::aggregation_of_family(schema),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::schema::add_defaults;
    use crate::schema::sample_table as table;

    #[test]
    fn a_family_among_thousands_is_found_in_a_few_steps() {
        let names: Vec<String> = (0..4_096).map(|n| format!("f{n:04}")).collect();
        let steps = Cell::new(0);
        let find = |name: &str| {
            steps.set(0);
            let count = || steps.set(steps.get() + 1);
            find_by_name(
                &names,
                |of| {
                    count();
                    of.as_bytes()
                },
                name.as_bytes(),
            )
        };
        for name in &names {
            assert_eq!(find(name), Some(name));
            assert!(steps.get() <= 14, "{name}: {} steps", steps.get());
        }
        for missing in ["", "f", "f0001 ", "g"] {
            assert_eq!(find(missing), None);
        }
        let mut schema = table(&[]);
        let of =
            |name: &str| ColumnFamilySchema { name: name.to_owned().into(), ..Default::default() };
        schema.column_families = ["b", "d", "a", "c"].map(of).into();
        let schema = RegionSchema::of(&schema);
        for name in ["a", "b", "c", "d"] {
            assert_eq!(schema.family(name.as_bytes()).unwrap().name, name);
        }
    }

    #[test]
    fn absent_attributes_are_written_out_and_present_ones_kept() {
        let mut schema = table(&[("VERSIONS", "3")]);
        add_defaults(&mut schema);
        let family = &schema.column_families[0];
        assert_eq!(attribute(&family.attributes, "VERSIONS"), Some(&b"3"[..]));
        assert_eq!(attribute(&family.attributes, "TTL"), Some(&b"2147483647"[..]));
        assert_eq!(attribute(&schema.attributes, "IS_META"), Some(&b"false"[..]));
        let read = RegionSchema::of(&schema);
        assert_eq!((read.families[0].max_versions, read.families[0].ttl), (3, None));
    }
}
