//! Creates the target table of a copy like the source table, or checks a target table that exists.

use tallrow::admin::KeyLayout;
use tallrow::{FamilyDescriptor, Scan, TableDescriptor};

use super::fit::check_family;
use super::side::{CopyEndpoint, Store};
use crate::cluster::tables;
use crate::failure::{Failure, Result};
use crate::keys::layouts::{self, OtherLayoutFlag};
use crate::terminal::output::{count_with_noun, say};

/// The maximum number of split keys of a new target whose source is in the other kind of store. The
/// regions of that store have other sizes.
const SPLITS: usize = 100;

/// The family options that can make the target drop copied cells if they differ from the source.
const KEPT: [&str; 4] = ["VERSIONS", "MIN_VERSIONS", "TTL", "KEEP_DELETED_CELLS"];

/// The state of the target table.
pub(super) enum TargetTable {
    /// The table exists, and can hold the rows of the source. `first_row` is the key of its first
    /// row, if it has rows.
    Exists { first_row: Option<Vec<u8>> },
    /// The table does not exist, and has to be created by this definition.
    Missing(TableDescriptor),
}

/// Returns whether the target exists; fails if it cannot hold the rows of the source.
pub(super) async fn examine(
    from: &CopyEndpoint,
    to: &CopyEndpoint,
    other_layout: OtherLayoutFlag,
) -> Result<TargetTable> {
    let definition = tables::describe(&from.client, &from.name).await?;
    for family in definition.families() {
        check_family(to.store, family.name()).map_err(|why| {
            Failure::new(format!("copy {}: {why}", from.display_name()))
                .advise("copy the family to another one first; nothing was written")
        })?;
    }
    if !to.client.admin().table_exists(&*to.name).await? {
        return as_in(definition, from, to).await.map(TargetTable::Missing);
    }
    let live = to.client.admin().describe(&*to.name).await?;
    has_families(&definition, &live, to)?;
    if let Some(given) = layouts::recorded_layouts(&definition)? {
        let live = layouts::recorded_layouts(&live)?;
        other_layout.check((&from.name, &given), &to.display_name(), live.as_ref())?;
    }
    keeps_as_much(&definition, &live, to)?;
    let mut rows = to.table.scan(Scan::all().keys_only().limit(1))?;
    Ok(TargetTable::Exists { first_row: rows.next_row().await?.map(|row| row.key().to_vec()) })
}

/// Creates the target table.
pub(super) async fn create(to: &CopyEndpoint, definition: &TableDescriptor) -> Result<()> {
    to.client.admin().create_table(definition).await.map_err(|error| {
        let failure = Failure::from(error);
        failure.advise(format!("create {} yourself; the copy then uses it as it is", to.name))
    })?;
    let regions = definition.split_keys().len() + 1;
    let part = if to.store == Store::Bigtable { "part" } else { "region" };
    say(format!("created {} in {}", to.display_name(), count_with_noun(regions as u64, part)));
    Ok(())
}

/// Returns the definition of a new target: the definition of the source with the name of the target
/// and the split keys of the source. If the target is in the other kind of store, at most `SPLITS`
/// of these split keys are used.
async fn as_in(
    definition: TableDescriptor,
    from: &CopyEndpoint,
    to: &CopyEndpoint,
) -> Result<TableDescriptor> {
    if to.store == Store::Bigtable && KeyLayout::of_table(&definition).is_some() {
        say(format!(
            "the layout of the row keys is not recorded with {}: Bigtable has no place for it",
            to.name
        ));
    }
    let mut keys = tables::split_keys(&from.client, &from.name).await?;
    if from.store != to.store && keys.len() > SPLITS {
        let step = keys.len().div_ceil(SPLITS);
        keys = keys.into_iter().skip(step - 1).step_by(step).collect();
    }
    Ok(definition.with_name(&*to.name)?.splits(keys))
}

fn has_families(
    definition: &TableDescriptor,
    live: &TableDescriptor,
    to: &CopyEndpoint,
) -> Result<()> {
    let names = |of: &TableDescriptor| -> Vec<String> {
        of.families().iter().map(|family| family.name().to_owned()).collect()
    };
    let there = names(live);
    let missing: Vec<_> = names(definition).into_iter().filter(|n| !there.contains(n)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!(
        "{} has no family {}; it has {}",
        to.display_name(),
        missing.join(", "),
        there.join(", ")
    );
    Err(Failure::not_found(text)
        .advise("add the families, or copy to a table that is not there yet"))
}

/// Fails if the servers of the target would drop cells that the servers of the source keep.
fn keeps_as_much(
    definition: &TableDescriptor,
    live: &TableDescriptor,
    to: &CopyEndpoint,
) -> Result<()> {
    // The target keeps less if changing the options of the source into those of the target would
    // lose cells.
    let kept = |table: &TableDescriptor| -> Result<TableDescriptor> {
        let mut same = TableDescriptor::new("t")?;
        for family in table.families() {
            let options = KEPT.iter().filter_map(|key| family.get(key).map(|value| (key, value)));
            let empty = FamilyDescriptor::new(family.name());
            same = same.family(options.fold(empty, |all, (key, value)| all.attribute(key, value)));
        }
        Ok(same)
    };
    let less = kept(live)?.diff(&kept(definition)?);
    let lost = less.disallowed();
    if lost.is_empty() {
        return Ok(());
    }
    let steps = less.steps().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let text = format!(
        "{} keeps less than what is copied ({}); compared with the source: {steps}",
        to.display_name(),
        lost.join(", ")
    );
    Err(Failure::new(text).advise("alter its families to keep as much, or copy to a new table"))
}
