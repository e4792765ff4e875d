//! Refuses the schemas whose compactions cannot work. No table can switch these checks off. The mock
//! has no files, so the settings have no other effect.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{ColumnFamilySchema, TableSchema};

use super::attributes::{attribute, table_option};
use super::text::FOREVER_SECONDS;
use crate::base::{RemoteResult, remote_exception};

/// The text at the end of each refusal of a schema, most of which a table can switch off.
pub(super) const BYPASS: &str = " Set hbase.table.sanity.checks to false at conf or table \
                                 descriptor if you want to bypass sanity checks";

/// The setting for the policy that selects the files of a compaction.
const POLICY: &str = "hbase.hstore.defaultengine.compactionpolicy.class";

/// The policy that only drops files whose cells have all expired.
const FIFO: &str = "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy";

/// The setting for the number of files from which on writes wait.
const BLOCKING_FILES: &str = "hbase.hstore.blockingStoreFiles";

/// The number of files from which on writes wait, without a setting, and the least one with [`FIFO`].
const DEFAULT_BLOCKING_FILES: i32 = 16;
const LEAST_BLOCKING_FILES: i32 = 1_000;

/// Rejects families that the policy of their compactions does not suit.
pub(super) fn check_policies(schema: &TableSchema) -> RemoteResult<()> {
    for family in &schema.column_families {
        let policy = setting(family, POLICY).or_else(|| table_option(schema, POLICY));
        if policy != Some(FIFO) {
            continue;
        }
        let number = |key| {
            let value = attribute(&family.attributes, key);
            value.and_then(|value| std::str::from_utf8(value).ok()?.parse::<u64>().ok())
        };
        if number("TTL").is_none_or(|ttl| ttl >= FOREVER_SECONDS) {
            return Err(refused("Default TTL is not supported for FIFO compaction"));
        }
        if number("MIN_VERSIONS").is_some_and(|versions| versions > 0) {
            return Err(refused("MIN_VERSION > 0 is not supported for FIFO compaction"));
        }
        let blocking =
            setting(family, BLOCKING_FILES).or_else(|| table_option(schema, BLOCKING_FILES));
        let not_a_number = |text: &str| refused(&format!("For input string: \"{text}\""));
        let blocking = match blocking {
            None => DEFAULT_BLOCKING_FILES,
            Some(text) => text.parse().map_err(|_| not_a_number(text))?,
        };
        if blocking < LEAST_BLOCKING_FILES {
            return Err(refused(&format!(
                "Blocking file count '{BLOCKING_FILES}' {blocking} is below recommended minimum of \
                 {LEAST_BLOCKING_FILES} for column family {}",
                String::from_utf8_lossy(&family.name)
            )));
        }
    }
    Ok(())
}

/// Rejects tables and families whose files are to be tiered by time, but not compacted so.
pub(super) fn check_tiering(schema: &TableSchema) -> RemoteResult<()> {
    const TIERING: &str = "hbase.hstore.datatiering.type";
    const ENGINE: &str = "hbase.hstore.engine.class";
    const BY_DATE: &str = "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine";
    let of_table = (table_option(schema, TIERING), table_option(schema, ENGINE));
    let of_family = |family| {
        let tiering = setting(family, TIERING).or(of_table.0);
        (tiering, setting(family, ENGINE).or(of_table.1))
    };
    let mut all = std::iter::once(of_table).chain(schema.column_families.iter().map(of_family));
    match all.any(|(tiering, engine)| tiering == Some("TIME_RANGE") && engine != Some(BY_DATE)) {
        true => {
            let text = "Time Range Data Tiering should be enabled with Date Tiered Compaction.";
            Err(refused(text))
        }
        false => Ok(()),
    }
}

/// A setting of a family.
fn setting<'a>(family: &'a ColumnFamilySchema, key: &str) -> Option<&'a str> {
    let pair = family.configuration.iter().find(|pair| pair.name == key);
    pair.map(|pair| pair.value.as_str())
}

fn refused(text: &str) -> RemoteException {
    remote_exception(exception::DO_NOT_RETRY, format!("{text}{BYPASS}"))
}

#[cfg(test)]
mod tests {
    use tallrow_wire::proto::NameStringPair;

    use super::*;
    use crate::schema::sample_table;

    fn text(
        attributes: &[(&'static str, &'static str)],
        settings: &[(&str, &str)],
        check: fn(&TableSchema) -> RemoteResult<()>,
    ) -> String {
        let mut schema = sample_table(attributes);
        let pair = |(name, value): &(&str, &str)| NameStringPair {
            name: (*name).to_owned(),
            value: (*value).to_owned(),
        };
        schema.column_families[0].configuration = settings.iter().map(pair).collect();
        let of_family = check(&schema).map_err(|e| e.message.replace(BYPASS, ""));
        // The same settings of the table, which have no others beside them here.
        schema.configuration = std::mem::take(&mut schema.column_families[0].configuration);
        assert_eq!(check(&schema).map_err(|e| e.message.replace(BYPASS, "")), of_family);
        of_family.err().unwrap_or_default()
    }

    #[test]
    fn a_policy_that_only_drops_files_needs_cells_that_expire() {
        let policy = [(POLICY, FIFO)];
        let checked = |attributes: &[(&'static str, &'static str)], settings: &[(&str, &str)]| {
            text(attributes, settings, check_policies)
        };
        assert_eq!(checked(&[], &[(POLICY, "other")]), "");
        let forever = "Default TTL is not supported for FIFO compaction";
        assert_eq!(checked(&[], &policy), forever);
        assert_eq!(
            checked(&[("TTL", "9"), ("MIN_VERSIONS", "1")], &policy),
            "MIN_VERSION > 0 is not supported for FIFO compaction"
        );
        assert_eq!(
            checked(&[("TTL", "9")], &policy),
            "Blocking file count 'hbase.hstore.blockingStoreFiles' 16 is below recommended minimum \
             of 1000 for column family f"
        );
        assert_eq!(checked(&[("TTL", "9")], &[(POLICY, FIFO), (BLOCKING_FILES, "1000")]), "");
    }

    #[test]
    fn files_are_tiered_by_time_only_if_they_are_compacted_so() {
        let tiering = ("hbase.hstore.datatiering.type", "TIME_RANGE");
        let engine = "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine";
        let engine = ("hbase.hstore.engine.class", engine);
        assert_eq!(
            text(&[], &[tiering], check_tiering),
            "Time Range Data Tiering should be enabled with Date Tiered Compaction."
        );
        assert_eq!(text(&[], &[tiering, engine], check_tiering), "");
    }
}
