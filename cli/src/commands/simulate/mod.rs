//! The command `tallrow simulate`.

mod design;
mod document;
mod field_value;
mod generator;
mod html;
mod numbers;
mod outcome;
mod progress;
mod records;
mod scans;
mod storage;
mod table_splits;
mod text;

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use tallrow::key::schema::Schema;
use tallrow::simulate::{Simulation, ValueGenerator};

use self::design::Design;
use self::generator::Generator;
use self::outcome::{DesignOutcome, StorageReport};
use self::progress::SimulationProgress;
use self::records::Records;
use self::scans::DesignScan;
use self::storage::{CellSizes, StorageArguments};
use self::table_splits::{DesignSplitArguments, TableSplits};
use crate::cluster::connection::ConnectionArguments;
use crate::failure::{Failure, Result};
use crate::keys::equal_keys::DuplicateKeyCounter;
use crate::keys::layouts::{self, OtherLayoutFlag};
use crate::rows::sampling::Sampling;
use crate::terminal::output::{Output, say};

/// Show which regions the rows of key designs would be in, before there is a table
#[derive(Args, Debug)]
#[command(after_help = generator::HELP)]
pub(crate) struct Simulate {
    /// A file with the schema of the keys; several are compared, each with the same events
    #[arg(long, value_name = "FILE", required = true)]
    schema: Vec<PathBuf>,

    /// Where the values of a field come from, as in user=zipf:100000; for each field
    #[arg(long, value_name = "FIELD=GENERATOR")]
    field: Vec<String>,

    /// A CSV file with events in the order of their time; its first line has the names of the
    /// columns
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// A live table, of an earlier design: its keys give the values of fields without a generator,
    /// unless --csv does; its regions are those of each design, unless --regions or --splits are
    /// given (needs --url)
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,

    /// The schema of the keys of --table, if the table does not record it
    #[arg(long, value_name = "FILE", requires = "table", conflicts_with = "csv")]
    table_schema: Option<PathBuf>,

    #[command(flatten)]
    other_layout: OtherLayoutFlag,

    #[command(flatten)]
    sampling: Sampling,

    /// How many keys are made; without it as many as the records of --csv, or 1,000,000
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,

    /// Where random numbers start: with the same seed, keys are the same
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    splits: DesignSplitArguments,

    #[command(flatten)]
    storage: StorageArguments,

    /// Show what a scan costs for the rows in which these fields have these values; may be repeated
    #[arg(long, value_name = "VALUES")]
    scan: Vec<String>,

    /// Write a report with pictures to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Exit with 3 if the largest region of a design has more than RATIO times the rows of the
    /// smallest
    #[arg(long, value_name = "RATIO")]
    fail_above: Option<f64>,

    #[command(flatten)]
    connection: ConnectionArguments,
}

/// The number of example keys that a report shows.
const EXAMPLES: u64 = 3;

impl Simulate {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        let generators = self.generators()?;
        let schemas = self.schemas()?;
        let records = self.records(&schemas, &generators)?;
        let designs = self.designs(schemas, &generators, records.as_ref())?;
        let table = self.table.as_deref().map(|table| (table, &self.connection));
        let splits = self.splits.read(designs.len(), table)?;
        let cells = self.storage.cells()?;
        let scans = self.scans(&designs)?;
        let of_file = records.as_ref().filter(|_| self.csv.is_some()).map(|r| r.len() as u64);
        let keys = self.rows.or(of_file).unwrap_or(1_000_000);
        let progress = SimulationProgress::new(keys.saturating_mul(designs.len() as u64));
        let mut outcomes = Vec::new();
        let mut before = 0_u64;
        for ((design, splits), scans) in designs.iter().zip(splits).zip(scans) {
            progress.start_design(&design.name, keys);
            let show = |made| progress.show(before.saturating_add(made));
            outcomes.push(self.simulate(design, splits, keys, scans, &cells, &show)?);
            before = before.saturating_add(keys);
        }
        progress.finish();
        if let Some(file) = &self.html {
            html::write(file, &html::page(&self.key_sources(keys, records.as_ref()), &outcomes))?;
            say(format!("wrote {}", file.display()));
        }
        self.print(keys, &outcomes, output)?;
        self.check(&outcomes)
    }

    fn generators(&self) -> Result<Vec<Generator>> {
        let mut generators: Vec<Generator> = Vec::new();
        for text in &self.field {
            let generator = Generator::read(text)?;
            if generators.iter().any(|other| other.field == generator.field) {
                return Err(Failure::usage(format!(
                    "--field {text}: field {} has a generator already",
                    generator.field
                ))
                .advise("give one --field for each field"));
            }
            generators.push(generator);
        }
        Ok(generators)
    }

    fn schemas(&self) -> Result<Vec<Schema>> {
        self.schema.iter().map(|file| layouts::of_file(file)?.only().cloned()).collect()
    }

    /// Returns the records from which fields take their values: the lines of `--csv`, or the keys
    /// of `--table` if a field needs them.
    fn records(&self, schemas: &[Schema], generators: &[Generator]) -> Result<Option<Records>> {
        let Some(table) = &self.table else {
            return self.csv.as_deref().map(Records::of_csv).transpose();
        };
        let takes_column = generators.iter().any(Generator::is_column)
            || schemas.iter().flat_map(design::fields).any(|(_, field)| {
                generators.iter().all(|generator| generator.field != field.name())
            });
        let takes_keys = takes_column && self.csv.is_none();
        if !takes_keys && (self.splits.are_given() || self.table_schema.is_some()) {
            let text = format!(
                "nothing is taken from table {table}: {}",
                match takes_column {
                    true => "--csv gives the values of the fields",
                    false => "every field has a generator",
                }
            );
            return Err(Failure::usage(text).advise(
                "leave out --table; or leave out --regions, --splits and --table-schema for its \
                 regions, or the generators of the fields that its keys give",
            ));
        }
        match &self.csv {
            Some(file) => Records::of_csv(file).map(Some),
            None if takes_keys => {
                let schema = (self.table_schema.as_deref(), self.other_layout);
                Records::of_table(table, schema, &self.connection, &self.sampling).map(Some)
            }
            None => Ok(None),
        }
    }

    fn designs<'g>(
        &self,
        schemas: Vec<Schema>,
        generators: &'g [Generator],
        records: Option<&Records>,
    ) -> Result<Vec<Design<'g>>> {
        let mut designs: Vec<Design<'g>> = Vec::new();
        for (schema, file) in schemas.into_iter().zip(&self.schema) {
            let mut design = Design::new(schema, generators, records)?;
            if designs.iter().any(|other| other.name == design.name) {
                design.name = format!("{} ({})", design.name, file.display());
            }
            designs.push(design);
        }
        if let Some(records) = records
            && !designs.iter().any(Design::uses_records)
        {
            let text = format!("no field takes a column of {}", records.name);
            let columns = records.columns.join(", ");
            return Err(Failure::usage(text)
                .advise(format!("give --field FIELD=column:NAME; its columns are {columns}")));
        }
        let is_known = |name: &str| designs.iter().any(|design| design.has(name));
        match generators.iter().find(|generator| !is_known(&generator.field)) {
            Some(unknown) => {
                let text = format!("--field {}: no design has such a field", unknown.field);
                let names = designs.iter().flat_map(|design| design.schema.fields());
                let names: Vec<_> = names.map(|field| field.name()).collect();
                Err(Failure::usage(text).advise(format!("the fields are {}", names.join(", "))))
            }
            None => Ok(designs),
        }
    }

    fn scans(&self, designs: &[Design<'_>]) -> Result<Vec<Vec<DesignScan>>> {
        let of = |design: &Design<'_>| {
            self.scan.iter().map(|text| DesignScan::new(&design.schema, text)).collect()
        };
        designs.iter().map(of).collect()
    }

    fn simulate(
        &self,
        design: &Design<'_>,
        splits: TableSplits,
        keys: u64,
        scans: Vec<DesignScan>,
        cells: &CellSizes,
        show: &(dyn Fn(u64) + Sync),
    ) -> Result<DesignOutcome> {
        // The first error of a key, with the line of its record. The simulation itself does not
        // know this line.
        let wrong = Mutex::new(None);
        let key = |draw: &mut ValueGenerator| {
            design.schema.encode(&design.values(draw)).map_err(|error| {
                let place = design.record_place(draw);
                let place = place.unwrap_or_else(|| format!("key {}", draw.index()));
                let mut wrong = wrong.lock().unwrap_or_else(|e| e.into_inner());
                wrong.get_or_insert(format!("{place}: {error}"));
                error.into()
            })
        };
        let of_design =
            |error: Failure| match wrong.lock().unwrap_or_else(|e| e.into_inner()).take() {
                Some(text) => Failure::new(text)
                    .advise("choose a generator whose values fit the field, or correct the record"),
                None => error,
            };
        let own = |regions| design.schema.split_keys(regions);
        let splits = splits.keys(self.seed, own, key);
        let simulation = Simulation::new(splits.map_err(of_design)?)?.keys(keys).seed(self.seed);
        let examples = Mutex::new(Vec::new());
        let keys_made = SharedKeys::new();
        let spread = simulation.on_progress(show).run_rows(|draw| {
            let row = key(draw)?;
            keys_made.add(&row);
            scans.iter().for_each(|scan| scan.count_row(&row));
            if draw.index() < EXAMPLES {
                examples.lock().unwrap_or_else(|e| e.into_inner()).push(row.clone());
            }
            Ok(row)
        });
        let spread = spread.map_err(|error| of_design(error.into()))?;
        let storage = self.storage.storage(cells, spread.mean_key_len());
        let rows = self.storage.rows(keys);
        let row_bytes = storage.as_ref().map_or(spread.mean_key_len() as u64, |s| s.row_bytes());
        let times = rows as f64 / keys as f64;
        let scans =
            scans.into_iter().map(|scan| scan.report(spread.region_map(), times, row_bytes));
        Ok(DesignOutcome {
            name: design.name.clone(),
            equal_keys: keys_made.count(),
            scans: scans.collect(),
            examples: examples.into_inner().unwrap_or_else(|e| e.into_inner()),
            storage: storage.map(|storage| StorageReport {
                rows,
                row_bytes,
                regions: storage.forecast(&spread, rows),
            }),
            spread,
        })
    }

    /// Returns lines that say from what the keys were made.
    fn key_sources(&self, keys: u64, records: Option<&Records>) -> Vec<String> {
        let mut sources = vec![format!("{} keys for each design", numbers::grouped(keys))];
        if let Some(records) = records {
            let count = numbers::grouped(records.len() as u64);
            sources.push(format!("{count} records of {}", records.name));
        }
        sources.extend(self.field.iter().cloned());
        sources
    }

    fn print(&self, keys: u64, outcomes: &[DesignOutcome], output: &mut Output) -> Result<()> {
        if output.is_json() {
            return output.write_result("", || document::document(keys, outcomes));
        }
        let mut designs: Vec<String> = outcomes.iter().map(text::design).collect();
        if outcomes.len() > 1 {
            designs.push(text::comparison(outcomes));
        }
        output.write_text(&designs.join("\n"))
    }

    fn check(&self, outcomes: &[DesignOutcome]) -> Result<()> {
        let Some(limit) = self.fail_above else { return Ok(()) };
        let uneven = |outcome: &&DesignOutcome| outcome.spread.largest_to_smallest() > limit;
        let found: Vec<String> = outcomes
            .iter()
            .filter(uneven)
            .map(|outcome| match outcome.largest_to_smallest_ratio() {
                Some(ratio) => format!(
                    "{}: the largest region has {ratio:.2} times the rows of the smallest",
                    outcome.name
                ),
                None => format!(
                    "{}: {} regions have no row",
                    outcome.name,
                    outcome.spread.empty_regions()
                ),
            })
            .collect();
        match &found[..] {
            [] => Ok(()),
            found => Err(Failure::not_found(format!(
                "{}; --fail-above is {limit}",
                found.join("; ")
            ))
            .advise(
                "choose other split keys (--split-by sample), or a key that starts with a salt or \
                 a hash",
            )),
        }
    }
}

/// A counter of equal keys that all threads share.
struct SharedKeys(Vec<Mutex<DuplicateKeyCounter>>);

impl SharedKeys {
    /// The number of parts into which keys are divided by their hash, so that threads seldom wait
    /// for each other.
    const PARTS: usize = 16;

    fn new() -> Self {
        let part = |_| Mutex::new(DuplicateKeyCounter::with_max_hashes((1 << 20) / Self::PARTS));
        Self((0..Self::PARTS).map(part).collect())
    }

    fn add(&self, row: &[u8]) {
        let hash = DuplicateKeyCounter::hash(row);
        let part = usize::try_from(hash % Self::PARTS as u128).unwrap_or_default();
        if let Some(part) = self.0.get(part) {
            part.lock().unwrap_or_else(|e| e.into_inner()).add_hash(hash);
        }
    }

    fn count(self) -> std::result::Result<u64, String> {
        self.0
            .into_iter()
            .map(|part| part.into_inner().unwrap_or_else(|e| e.into_inner()).count())
            .sum()
    }
}
