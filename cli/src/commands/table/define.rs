//! The commands `tallrow table create`, `diff` and `drop`, which work on the definitions of tables.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tallrow::admin::{KeyLayout, SchemaDiff};
use tallrow::{FamilyDescriptor, TableDescriptor};

use crate::cluster::connection::ConnectionArguments;
use crate::cluster::tables;
use crate::failure::{Failure, Result};
use crate::keys::key_format::KeyFormat;
use crate::keys::layouts;
use crate::keys::split_file::read_splits;
use crate::terminal::confirm::Confirm;
use crate::terminal::output::{Output, count_with_noun, say};

const CREATE: &str = "\
A schema is recorded with the table, so that the other commands know the layout of its keys.

Examples:
  tallrow table create events --family d --schema event.key --regions 16
  tallrow table create logs --family d,VERSIONS=3,TTL=86400 --splits splits.txt
  tallrow table create logs --family d --dry-run";

/// Create a table
#[derive(Args, Debug)]
#[command(after_help = CREATE)]
pub(crate) struct CreateTable {
    /// The name of the table, with its namespace if it is not the default one
    table: String,

    /// A family, with options under HBase's names: NAME,OPTION=VALUE,..
    #[arg(long, required = true, value_name = "FAMILY")]
    family: Vec<String>,

    /// A file with the schema of the keys
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// How many regions, split by the schema; without it, one for each bucket of its salt, up to
    /// 256
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "splits")]
    regions: Option<usize>,

    /// A file with a split key on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    splits: Option<PathBuf>,

    /// Only print the command of the HBase shell that creates it
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl CreateTable {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let descriptor = self.descriptor()?;
        if self.dry_run {
            return output.write_result(
                descriptor.to_string(),
                || json!({ "shell": descriptor.to_string() }),
            );
        }
        let client = self.connection.connect().await?;
        client.admin().create_table(&descriptor).await?;
        let regions = descriptor.split_keys().len() + 1;
        let name = descriptor.name().to_string();
        output.write_summary(
            format!("created table {name} in {}", count_with_noun(regions as u64, "region")),
            || json!({ "table": name, "regions": regions }),
        )
    }

    fn descriptor(&self) -> Result<TableDescriptor> {
        if let (Some(regions), None) = (self.regions, &self.schema) {
            let text = format!("--regions {regions}: where to split is not known without --schema");
            return Err(Failure::usage(text).advise(
                "give --schema FILE, or --splits FILE: `tallrow splits uniform` and `splits hex` \
                 make such files",
            ));
        }
        let mut descriptor = TableDescriptor::new(&self.table)?;
        for text in &self.family {
            descriptor = descriptor.family(family(text)?);
        }
        if let Some(file) = &self.schema {
            descriptor = descriptor.with_key_schemas(layouts::of_file(file)?.all());
            if let Some(regions) = self.regions {
                descriptor = descriptor.regions(regions).map_err(|error| {
                    Failure::new(error.message())
                        .advise("`tallrow splits` makes split keys for --splits in other ways")
                })?;
            }
        }
        if let Some(file) = &self.splits {
            descriptor = descriptor.splits(read_splits(file, KeyFormat::Shell)?);
        }
        Ok(descriptor)
    }
}

const DIFF: &str = "\
Prints the commands of the HBase shell that make the table as it is defined, and exits with code 3
if there are differences. Only what is given is compared: families and options that are not named
are left as they are.

Examples:
  tallrow table diff events --family d,VERSIONS=3 --schema event.key
  tallrow table diff events --schema event.key | hbase shell -n";

/// Compare a live table with its definition; exit code 3 if they differ
#[derive(Args, Debug)]
#[command(after_help = DIFF)]
pub(crate) struct DiffTable {
    /// The table
    table: String,

    /// A family, with options under HBase's names: NAME,OPTION=VALUE,..
    #[arg(long, value_name = "FAMILY")]
    family: Vec<String>,

    /// A file with the schema of the keys
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl DiffTable {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        if self.family.is_empty() && self.schema.is_none() {
            let text = format!("there is nothing to compare {} with", self.table);
            return Err(Failure::usage(text).advise(
                "give --family NAME,OPTION=VALUE,.. or --schema FILE; `tallrow table describe` \
                 shows the table",
            ));
        }
        let mut wanted = TableDescriptor::new(&self.table)?;
        for text in &self.family {
            wanted = wanted.family(family(text)?);
        }
        let schema = match &self.schema {
            Some(file) => Some(KeyLayout::of_schemas(layouts::of_file(file)?.all())),
            None => None,
        };
        let client = self.connection.connect().await?;
        let live = tables::describe(&client, &self.table).await?;
        // If the table records no layout, a given layout is a difference: the shell commands record
        // it, but whether the rows have it was not compared.
        let unrecorded = schema.as_ref().filter(|_| KeyLayout::of_table(&live).is_none());
        if let Some(layout) = &schema {
            wanted = layout.record_in(wanted);
        }
        let diff = client.admin().diff_table(&wanted).await?;
        if diff.is_empty() && unrecorded.is_none() {
            say(format!("{} is as it is defined", self.table));
            return if output.is_json() { self.write(&diff, output) } else { Ok(()) };
        }
        self.write(&diff, output)?;
        let mut found = Vec::new();
        if !diff.is_empty() {
            found.push(diff.to_string());
        }
        if unrecorded.is_some() {
            found.push("it records no layout of its row keys, so that was not compared".into());
        }
        let lost = diff.disallowed();
        let failure = Failure::not_found(format!(
            "{} is not as it is defined: {}",
            self.table,
            found.join("; ")
        ));
        Err(match (diff.incompatible_key_layouts(), lost.is_empty()) {
            (Some(_), _) => failure
                .advise("copy the rows to a new table: `tallrow table create`, export, import"),
            (None, false) => failure.advise(format!(
                "run the printed commands in `hbase shell -n` only if what they lose is not \
                 needed: {}",
                lost.join(", ")
            )),
            (None, true) if diff.is_empty() => failure.advise(
                "`tallrow table sample` and `tallrow key decode` show whether its rows have the \
                 layout",
            ),
            (None, true) => failure.advise("run the printed commands in `hbase shell -n`"),
        })
    }

    fn write(&self, diff: &SchemaDiff, output: &mut Output) -> Result<()> {
        if !output.is_json() {
            return output.write_text(&diff.to_shell());
        }
        let steps = diff.steps().iter().map(ToString::to_string);
        output.write_result("", || {
            json!({
                "table": self.table,
                "same": diff.is_empty(),
                "steps": steps.collect::<Vec<_>>(),
                "shell": diff.to_shell().lines().collect::<Vec<_>>(),
                "loses": diff.disallowed(),
                "not_compared": diff.unmanaged(),
                "other_layout": diff.incompatible_key_layouts().map(|(live, _)| live.schema()),
            })
        })
    }
}

/// Disable and delete a table with all its rows
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tallrow table drop events --yes")]
pub(crate) struct DropTable {
    /// The table
    table: String,

    #[command(flatten)]
    confirm: Confirm,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl DropTable {
    pub(super) async fn run(self, output: &mut Output) -> Result<()> {
        let client = self.connection.connect().await?;
        let (admin, table) = (client.admin(), &*self.table);
        // A missing table is reported before the user is asked to confirm. Tables of Bigtable are
        // never disabled.
        let enabled = match admin.hbase() {
            Ok(hbase) => {
                let is_enabled = hbase.is_table_enabled(table).await;
                tables::suggest_similar_table(&client, table, is_enabled).await?.then_some(hbase)
            }
            Err(_) => tables::describe(&client, table).await.map(|_| None)?,
        };
        self.confirm.ask(&format!("drop table {table} with all its rows"))?;
        if let Some(hbase) = enabled {
            hbase.disable_table(table).await?;
        }
        admin.delete_table(table).await?;
        output.write_summary(format!("dropped table {table}"), || json!({ "table": table }))
    }
}

/// Parses a family with its options, such as `d,VERSIONS=3`.
fn family(text: &str) -> Result<FamilyDescriptor> {
    let mut parts = text.split(',');
    let mut family = FamilyDescriptor::new(parts.next().unwrap_or_default());
    for option in parts {
        let (name, value) = option.split_once('=').ok_or_else(|| {
            Failure::usage(format!("--family {text}: {option:?} is not OPTION=VALUE")).advise(
                "write options as --family d,VERSIONS=3,TTL=86400, and give --family once for \
                 each family",
            )
        })?;
        let (name, value) = (name.trim(), value.trim());
        // Properties of hbase-site.xml have dots in their names.
        if name.contains('.') {
            family = family.configuration(name, value);
            continue;
        }
        let option = name.to_uppercase();
        if !FamilyDescriptor::attribute_names().any(|known| known == option) {
            let known: Vec<_> = FamilyDescriptor::attribute_names().collect();
            return Err(Failure::usage(format!("--family {text}: HBase has no option {option}"))
                .advise(format!("it has {}", known.join(", "))));
        }
        family = family.attribute(&option, value);
    }
    Ok(family)
}
