//! Converts table definitions to Bigtable's messages, and back.

use super::value_type::{aggregate_word, value_type_of};
use super::{gc, key_schema};
use crate::backend::bigtable::filter::FamilyLimits;
use crate::model::descriptor::{
    AGGREGATE, AlterStep, CHANGE_STREAM_RETENTION, FamilyDescriptor, NO_AGGREGATE, OptionChange,
    SchemaDiff, TableDescriptor,
};
use crate::wire::bigtable::{
    ChangeStreamConfig, ColumnFamily, CreateTableRequest, Duration, FamilyChange, FieldMask,
    Modification, Split, Table, TimestampGranularity,
};
use crate::{Error, ErrorKind, Result, TableName};

/// The maximum length of a table id in bytes.
const MAX_ID: usize = 50;

/// The options of families that affect what reads return. All other options are about how HBase
/// stores cells.
const OPTIONS: [&str; 5] =
    ["VERSIONS", "MIN_VERSIONS", "TTL", "KEEP_DELETED_CELLS", "NEW_VERSION_BEHAVIOR"];

/// Returns the request that creates a table.
pub(super) fn create_request(
    parent: String,
    table: &TableDescriptor,
) -> Result<CreateTableRequest> {
    check_id(table.name().qualifier())?;
    let family = |family: &FamilyDescriptor| Ok((family.name().to_owned(), column_family(family)?));
    let column_families = table.families().iter().map(family).collect::<Result<_>>()?;
    let mut splits = table.split_keys().to_vec();
    splits.sort();
    splits.dedup();
    Ok(CreateTableRequest {
        parent,
        table_id: table.name().qualifier().to_owned(),
        table: Some(Table {
            column_families,
            granularity: TimestampGranularity::Millis as i32,
            row_key_schema: key_schema::key_schema_of(table),
            change_stream_config: change_stream_config(table.get(CHANGE_STREAM_RETENTION)),
            ..Table::default()
        }),
        initial_splits: splits.into_iter().map(|key| Split { key }).collect(),
    })
}

/// Converts the definition of a new family to Bigtable's message.
fn column_family(family: &FamilyDescriptor) -> Result<ColumnFamily> {
    Ok(ColumnFamily { gc_rule: Some(gc::gc_rule_of(family)?), value_type: value_type_of(family) })
}

/// Converts the option of a table with a change stream to Bigtable's message.
pub(super) fn change_stream_config(retention: Option<&str>) -> Option<ChangeStreamConfig> {
    let seconds = retention?.trim().parse().ok()?;
    Some(ChangeStreamConfig { retention_period: Some(Duration { seconds, nanos: 0 }) })
}

/// Returns the change of the change stream among the changes of a table's options; `None` if there
/// is none.
pub(super) fn change_of_stream(diff: &SchemaDiff) -> Option<Option<ChangeStreamConfig>> {
    diff.steps().iter().find_map(|step| match step {
        AlterStep::Table(changes) => {
            let change = changes.iter().find(|change| change.key == CHANGE_STREAM_RETENTION)?;
            Some(change_stream_config(Some(&change.to)))
        }
        _ => None,
    })
}

/// Converts Bigtable's message about a table to a table definition.
pub(super) fn table_descriptor(name: &TableName, table: &Table) -> Result<TableDescriptor> {
    let families = table.column_families.iter();
    let families = families.map(|(name, family)| {
        let described = gc::family_descriptor(name, family.gc_rule.as_ref())?;
        Ok(match &family.value_type {
            Some(of) => described.attribute(AGGREGATE, aggregate_word(of)),
            None => described,
        })
    });
    let families = families.collect::<Result<Vec<_>>>()?;
    let mut described = TableDescriptor::with_options(name.clone(), Vec::new(), Default::default());
    if let Some(config) = &table.change_stream_config {
        let seconds = config.retention_period.unwrap_or_default().seconds;
        described = described.attribute(CHANGE_STREAM_RETENTION, seconds);
    }
    let described = families.into_iter().fold(described, TableDescriptor::family);
    Ok(match key_schema::live_layout(name.qualifier(), table.row_key_schema.as_ref()) {
        Some(layout) => layout.record_in(described),
        None => described,
    })
}

/// Returns how many versions each family of a table keeps, and for how long.
pub(super) fn family_limits(table: &Table) -> FamilyLimits {
    let family =
        |(name, family): (&String, &ColumnFamily)| gc::family_limit(name, family.gc_rule.as_ref());
    FamilyLimits::new(table.column_families.iter().map(family))
}

/// Returns the part of a definition that Bigtable supports, so that a schema difference contains no
/// steps that Bigtable cannot carry out.
pub(crate) fn supported_part(table: &TableDescriptor) -> TableDescriptor {
    let mut empty =
        TableDescriptor::with_options(table.name().clone(), Vec::new(), Default::default());
    if let Some(retention) = table.get(CHANGE_STREAM_RETENTION) {
        empty = empty.attribute(CHANGE_STREAM_RETENTION, retention);
    }
    let empty = match key_schema::comparable_layout(table) {
        Some(layout) => layout.record_in(empty),
        None => empty,
    };
    table.families().iter().fold(empty, |table, family| {
        let same = OPTIONS.iter().filter_map(|key| family.get(key).map(|value| (key, value)));
        // What a definition does not say about aggregates is said here, because no ordinary write
        // succeeds in an aggregate family, and no addition in an ordinary one.
        let aggregate = family.get(AGGREGATE).unwrap_or(NO_AGGREGATE);
        let name = FamilyDescriptor::new(family.name()).attribute(AGGREGATE, aggregate);
        table.family(same.fold(name, |family, (key, value)| family.attribute(key, value)))
    })
}

/// Converts the steps of a schema difference to modifications of column families.
pub(super) fn modifications(diff: &SchemaDiff) -> Result<Vec<Modification>> {
    let mut all = Vec::new();
    for step in diff.steps() {
        match step {
            AlterStep::AddFamily(family) => {
                let rule = column_family(family)?;
                all.push(modification(family.name(), FamilyChange::Create(rule), None));
            }
            AlterStep::DeleteFamily(name) => {
                all.push(modification(name, FamilyChange::Drop(true), None))
            }
            AlterStep::ModifyFamily(name, changes) => {
                let live = diff.live.families().iter().find(|family| family.name() == name);
                let live = live.cloned().unwrap_or_else(|| FamilyDescriptor::new(name.clone()));
                let known = |change: &&OptionChange| OPTIONS.contains(&&*change.key);
                let wanted = changes
                    .iter()
                    .filter(known)
                    .fold(live, |family, change| family.attribute(&change.key, &change.to));
                let rule =
                    ColumnFamily { gc_rule: Some(gc::gc_rule_of(&wanted)?), value_type: None };
                let mask = FieldMask { paths: vec!["gc_rule".into()] };
                all.push(modification(name, FamilyChange::Update(rule), Some(mask)));
            }
            // The change stream is changed by a call of its own; the other options of tables, and
            // the record of the row key layouts, exist only on HBase.
            AlterStep::Table(_) | AlterStep::KeyLayouts { .. } => {}
        }
    }
    Ok(all)
}

fn modification(id: &str, change: FamilyChange, update_mask: Option<FieldMask>) -> Modification {
    Modification { id: id.to_owned(), r#mod: Some(change), update_mask }
}

fn check_id(id: &str) -> Result<()> {
    match id.len() {
        n if n > MAX_ID => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!(
                "the name {id:?} has {n} bytes; names of tables in Bigtable have {MAX_ID} at most"
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::schema::Schema;
    use crate::model::descriptor::{Aggregate, KeyLayout};
    use crate::wire::bigtable::{GarbageRule, GcRule};

    fn table() -> TableDescriptor {
        let d = FamilyDescriptor::new("d").versions(3).block_size(8_192);
        TableDescriptor::new("t").unwrap().family(d).family(FamilyDescriptor::new("e"))
    }

    fn versions(n: i32) -> ColumnFamily {
        ColumnFamily {
            gc_rule: Some(GcRule { rule: Some(GarbageRule::MaxNumVersions(n)) }),
            value_type: None,
        }
    }

    #[test]
    fn a_table_is_created_with_its_families_and_splits() {
        let request =
            create_request("projects/p/instances/i".into(), &table().splits(["m", "c", "m"]))
                .unwrap();
        assert_eq!((&*request.parent, &*request.table_id), ("projects/p/instances/i", "t"));
        let created = request.table.unwrap();
        assert_eq!(created.column_families["d"], versions(3));
        assert_eq!(created.column_families["e"], versions(1));
        assert_eq!(created.granularity, 1);
        let keys: Vec<_> = request.initial_splits.iter().map(|split| &split.key[..]).collect();
        assert_eq!(keys, [b"c", b"m"]);
        let long = TableDescriptor::new(&*"t".repeat(51)).unwrap();
        assert!(
            create_request(String::new(), &long).unwrap_err().to_string().contains("50 at most")
        );
    }

    #[test]
    fn aggregates_are_created_and_stay_as_they_are() {
        let family = |aggregate| FamilyDescriptor::new("c").aggregate(aggregate);
        let of = |family| TableDescriptor::new("t").unwrap().family(family);
        let plain = of(FamilyDescriptor::new("c"));
        for aggregate in [Aggregate::Sum, Aggregate::Min, Aggregate::Max, Aggregate::Hll] {
            let wanted = of(family(aggregate));
            let created = create_request(String::new(), &wanted).unwrap().table.unwrap();
            let live = table_descriptor(wanted.name(), &created).unwrap();
            assert!(supported_part(&wanted).diff(&live).is_empty());
            // An addition to the definition is created as it is.
            let diff = supported_part(&wanted).diff(&TableDescriptor::new("t").unwrap());
            let added = modifications(&diff).unwrap();
            let change = FamilyChange::Create(created.column_families["c"].clone());
            assert_eq!(added[0].r#mod, Some(change));
            // Neither the one nor the other can be altered.
            for diff in [
                supported_part(&plain).diff(&live),
                supported_part(&wanted).diff(&supported_part(&plain)),
            ] {
                assert!(!diff.is_empty() && diff.steps().is_empty(), "{diff}");
                let text = diff.check_alterable().unwrap_err().to_string();
                assert!(text.contains("family c: AGGREGATE is "), "{text}");
                assert!(text.contains("fixed when a family is created"), "{text}");
                assert!(diff.error_if_unusable().is_some());
            }
        }
    }

    /// A table whose row keys have this schema.
    fn keyed(schema: &str) -> TableDescriptor {
        let schema = Schema::parse(&format!("row key K\n{schema}")).unwrap();
        KeyLayout::of_schema(&schema).record_in(table())
    }

    #[test]
    fn a_table_is_created_with_the_row_key_schema_of_its_layout_and_compared_by_it() {
        let ordered = "user: text, compat = bigtable\nat: i64, compat = bigtable\n";
        let delimited = "user: text, sep = 0x23, chars = \"ab\"\npage: text, chars = \"cd\"\n";
        let cases = [ordered, delimited, "word: text\n", "id: uuid\n", "n: nonneg i64\n"];
        let live = |wanted: &TableDescriptor| {
            let created = create_request(String::new(), wanted).unwrap().table.unwrap();
            assert!(created.row_key_schema.is_some(), "{wanted}");
            table_descriptor(wanted.name(), &created).unwrap()
        };
        for wanted in cases {
            for other in cases {
                let diff = supported_part(&keyed(wanted)).diff(&live(&keyed(other)));
                assert_eq!(diff.is_empty(), wanted == other, "{wanted} {other} {diff}");
                let drift = diff.error_if_unusable().map(|error| error.to_string());
                assert_eq!(drift.is_none(), wanted == other, "{drift:?}");
            }
            // Other names of the fields are no other bytes.
            let named = wanted.replace("user", "who").replace("word", "name");
            assert!(supported_part(&keyed(&named)).diff(&live(&keyed(wanted))).is_empty());
            // What Bigtable cannot say has other bytes than what it reads.
            let unsaid = supported_part(&keyed("a: u64\nb: i64\n"));
            let text = unsaid.diff(&live(&keyed(wanted))).error_if_unusable().unwrap().to_string();
            assert!(text.contains("the row keys in it are of another layout"), "{text}");
            // A table without a row key schema fits any layout.
            let plain = table_descriptor(table().name(), &Table::default()).unwrap();
            assert_eq!(KeyLayout::of_table(&plain), None);
            assert!(
                supported_part(&keyed(wanted)).diff(&plain).incompatible_key_layouts().is_none()
            );
        }
        // Texts that may have characters below the delimiter are not said to the service, and have
        // the bytes of a table that others have made.
        let any = "user: text, sep = 0x23\npage: text\n";
        assert!(supported_part(&keyed(any)).diff(&live(&keyed(delimited))).is_empty());

        let none = |wanted: &TableDescriptor| {
            let created = create_request(String::new(), wanted).unwrap().table.unwrap();
            assert_eq!(created.row_key_schema, None, "{wanted}");
        };
        none(&keyed(any));
        none(&keyed("a: u64\n"));
        none(&keyed("d: text\n"));
        none(&keyed("word: text\n").without_key_layout());
        none(&table());
    }

    #[test]
    fn what_was_created_is_no_difference() {
        let created = create_request(String::new(), &table()).unwrap().table.unwrap();
        let live = table_descriptor(table().name(), &created).unwrap();
        assert!(
            supported_part(&table()).diff(&live).is_empty(),
            "{}",
            supported_part(&table()).diff(&live)
        );
        assert_eq!(family_limits(&created).get(b"d").unwrap().versions, Some(3));
    }

    #[test]
    fn a_change_stream_is_created_described_and_changed() {
        let with = |retention: &str| table().attribute(CHANGE_STREAM_RETENTION, retention);
        let created = create_request(String::new(), &with("86400")).unwrap().table.unwrap();
        let live = table_descriptor(table().name(), &created).unwrap();
        assert_eq!(live.get(CHANGE_STREAM_RETENTION), Some("86400"));
        let change = |wanted: &TableDescriptor, live: &TableDescriptor| {
            change_of_stream(&supported_part(wanted).diff(live))
        };
        assert_eq!(change(&with("86400"), &live), None);
        assert_eq!(change(&table(), &live), None);
        assert_eq!(change(&with("604800"), &live), Some(change_stream_config(Some("604800"))));
        assert_eq!(change(&with("none"), &live), Some(None));
        let diff = supported_part(&with("NONE")).diff(&live);
        assert_eq!(diff.disallowed(), ["CHANGE_STREAM_RETENTION"]);
        let created = create_request(String::new(), &with("NONE")).unwrap().table.unwrap();
        assert_eq!(created.change_stream_config, None);
        let live = table_descriptor(table().name(), &created).unwrap();
        assert_eq!(change(&with("NONE"), &live), None);
        assert_eq!(change(&with("86400"), &live), Some(change_stream_config(Some("86400"))));
    }

    #[test]
    fn a_difference_is_changes_of_families() {
        let created = create_request(String::new(), &table()).unwrap().table.unwrap();
        let live = table_descriptor(table().name(), &created).unwrap();
        let ttl = FamilyDescriptor::new("d").versions(5).ttl(std::time::Duration::from_secs(60));
        let wanted =
            TableDescriptor::new("t").unwrap().family(ttl).family(FamilyDescriptor::new("n"));
        let diff = supported_part(&wanted).diff(&live).delete_family("e");
        let changes = modifications(&diff).unwrap();
        let names: Vec<_> = changes.iter().map(|change| &*change.id).collect();
        assert_eq!(names.len(), 3);
        for change in &changes {
            match (&*change.id, change.r#mod.as_ref().unwrap()) {
                ("d", FamilyChange::Update(family)) => {
                    let wanted = supported_part(&wanted);
                    let rule = gc::gc_rule_of(&wanted.families()[0]).unwrap();
                    assert_eq!(family.gc_rule, Some(rule));
                    assert_eq!(change.update_mask.as_ref().unwrap().paths, ["gc_rule"]);
                }
                ("n", FamilyChange::Create(family)) => assert_eq!(*family, versions(1)),
                ("e", FamilyChange::Drop(true)) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
