//! The selection of the rows and columns of a table that are read.

use clap::Args;
use tallrow::Scan;
use tallrow::key::RowRange;

use crate::cells::column::FamilyOrColumn;
use crate::failure::{Failure, Result};
use crate::rows::open_table::OpenTable;

/// The flags that choose rows.
#[derive(Args, Clone, Debug)]
pub(crate) struct RowArguments {
    /// Rows in which these fields of the key have these values: NAME=VALUE, NAME=VALUE
    #[arg(long = "where", value_name = "VALUES", conflicts_with_all = ["prefix", "start", "stop"])]
    fields: Option<String>,

    /// Rows whose keys start with these bytes, as the HBase shell writes them
    #[arg(long, value_name = "BYTES", conflicts_with_all = ["start", "stop"])]
    prefix: Option<String>,

    /// From these bytes on, as the HBase shell writes them
    #[arg(long, value_name = "BYTES")]
    start: Option<String>,

    /// Before these bytes
    #[arg(long, value_name = "BYTES")]
    stop: Option<String>,
}

/// The flag that chooses families and columns.
#[derive(Args, Clone, Debug)]
pub(crate) struct ColumnArguments {
    /// Only this family, or this column; may be repeated
    #[arg(long, value_name = "FAMILY[:QUALIFIER]")]
    column: Vec<String>,
}

impl ColumnArguments {
    /// Parses the families and columns to read; an empty list means all.
    pub(crate) fn parse(&self, table: &OpenTable) -> Result<Vec<FamilyOrColumn>> {
        self.column.iter().map(|text| table.parse_family_or_column("--column", text)).collect()
    }
}

impl RowArguments {
    /// Whether `--start` may be added to the command, to go on after a row.
    pub(crate) fn accepts_start_flag(&self) -> bool {
        self.fields.is_none() && self.prefix.is_none()
    }

    /// Returns the flags that are given, each as a text, for comparison with another run.
    pub(crate) fn arguments_that_must_match(&self) -> Vec<String> {
        let Self { fields, prefix, start, stop } = self;
        let flags =
            [("--where", fields), ("--prefix", prefix), ("--start", start), ("--stop", stop)];
        let given = flags.iter().filter_map(|(flag, text)| Some((flag, text.as_deref()?)));
        given.map(|(flag, text)| format!("{flag} {text}")).collect()
    }

    /// Returns a scan for each range of rows, in the order of the row keys. The scans read these
    /// columns, or all columns if none are given.
    pub(crate) fn scans(&self, table: &OpenTable, columns: &[FamilyOrColumn]) -> Result<Vec<Scan>> {
        self.check_bytes(table)?;
        let (ranges, filter) = match (&self.fields, &self.prefix) {
            (Some(values), _) => table.keys.select(values)?,
            (_, Some(prefix)) => (vec![RowRange::prefix(&bytes("--prefix", prefix)?)], None),
            _ => (Vec::new(), None),
        };
        let mut scans: Vec<Scan> = ranges
            .iter()
            .map(|range| match range.stop() {
                Some(stop) => Scan::range(range.start()..stop),
                None => Scan::range(range.start()..),
            })
            .collect();
        if scans.is_empty() {
            let start = bytes("--start", self.start.as_deref().unwrap_or_default())?;
            scans.push(match &self.stop {
                Some(stop) => {
                    let end = bytes("--stop", stop)?;
                    if start > end {
                        let first = self.start.as_deref().unwrap_or_default();
                        let why = "no key is from the one up to the other";
                        return Err(Failure::usage(format!(
                            "--start {first:?} is after --stop {stop:?}: {why}"
                        ))
                        .advise(
                            "exchange them; rows are in the order of the bytes of their keys",
                        ));
                    }
                    Scan::range(start..end)
                }
                None => Scan::range(start..),
            });
        }
        if let Some(filter) = filter {
            scans = scans.into_iter().map(|scan| scan.filter(filter.clone())).collect();
        }
        let only = |scan: Scan, of: &FamilyOrColumn| match of {
            FamilyOrColumn::Family(family) => scan.family(family),
            FamilyOrColumn::Column(column) => scan.column(&column.family, &column.qualifier),
        };
        Ok(scans.into_iter().map(|scan| columns.iter().fold(scan, only)).collect())
    }

    /// Fails if values of fields are given in place of bytes.
    fn check_bytes(&self, table: &OpenTable) -> Result<()> {
        let Some(layouts) = table.keys.field_layouts() else { return Ok(()) };
        let flags = [("--prefix", &self.prefix), ("--start", &self.start), ("--stop", &self.stop)];
        for (flag, text) in flags {
            let Some(text) = text else { continue };
            let name = text.split(['=', ':']).next().unwrap_or_default().trim();
            if name.len() < text.trim().len() && layouts.field_names().contains(&name) {
                let why = format!(
                    "{flag} {text:?}: it takes the bytes of keys, not the values of fields"
                );
                return Err(Failure::usage(why).advise(format!("give --where {text:?}")));
            }
        }
        Ok(())
    }

    /// Returns advice for the case that no row was found; none if the rows were not selected by
    /// bytes, or if no layout is used.
    pub(crate) fn hint(&self, table: &OpenTable) -> Option<String> {
        let layouts = table.keys.field_layouts()?;
        let by_bytes = self.prefix.is_some() || self.start.is_some() || self.stop.is_some();
        by_bytes.then(|| {
            format!(
                "--prefix, --start and --stop take bytes as the HBase shell writes them; --where \
                 takes values, as {}",
                layouts.values_template()
            )
        })
    }
}

fn bytes(flag: &str, text: &str) -> Result<Vec<u8>> {
    tallrow::key::show::from_shell(text)
        .map_err(|error| Failure::usage(format!("{flag} {text:?}: {error}")))
}
