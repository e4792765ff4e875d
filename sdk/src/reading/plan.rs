//! The plan of a scan: its ranges, regions and calls, and which part of the work the servers do.

use std::collections::BTreeSet;
use std::fmt;

use bytes::Bytes;

use crate::TableName;
use crate::key::RowRange;
use crate::model::columns::FamilyColumns;
use crate::model::region_location::RegionLocation;
use crate::model::show;
use crate::request::scan::{RowParts, Scan, ScanOrder};

/// The plan of a scan: the ranges, regions and calls that the scan needs, and which part of the
/// work the servers do.
///
/// No row is read to make a plan. The text of a plan (`{}`) is meant for people.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Filter, Scan, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["h", "q"]);
/// # client.admin().create_table(&table).await?;
/// # let table = client.raw_table("t")?;
/// let scan = Scan::range("a".."k").column("d", "q").filter(Filter::prefix("a"));
/// let plan = table.explain(scan).await?;
/// assert_eq!((plan.ranges.len(), plan.region_count(), plan.min_calls), (1, 2, 2));
/// assert_eq!(plan.pushed_down, ["column d:q", "1 version", r#"filter PrefixFilter("a")"#]);
/// assert!(plan.on_client.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ScanPlan {
    /// The table of the scan.
    pub table: TableName,
    /// The ranges of row keys that are read, such as one for each bucket of a salted key, with the
    /// regions of each.
    pub ranges: Vec<(RowRange, Vec<RegionLocation>)>,
    /// The work that the servers do, so that they send fewer rows or cells.
    pub pushed_down: Vec<String>,
    /// The work that the client does.
    pub on_client: Vec<String>,
    /// The number of calls if the rows of each region fit into one response: one call for each
    /// region of each range. If the scan has a limit, it is one call for each range, because the
    /// first region may have enough rows.
    pub min_calls: u64,
    /// The largest number of bytes of cells in a response, unless a single cell is larger.
    pub bytes_per_call: usize,
}

impl ScanPlan {
    pub(crate) fn new(
        table: TableName,
        ranges: Vec<(RowRange, Vec<RegionLocation>)>,
        (scan, order): (&Scan, ScanOrder),
        bytes_per_call: usize,
    ) -> Self {
        let calls = |regions: &Vec<RegionLocation>| match scan.limit {
            Some(0) => 0,
            Some(_) => regions.len().min(1),
            None => regions.len(),
        };
        let min_calls = ranges.iter().map(|(_, regions)| calls(regions) as u64).sum();
        let on_client = on_client(scan, order, ranges.len());
        Self { table, ranges, pushed_down: pushed_down(scan), on_client, min_calls, bytes_per_call }
    }

    /// The number of regions that are read, each counted once.
    ///
    /// See [`ScanPlan`] for an example.
    pub fn region_count(&self) -> usize {
        let regions = self.ranges.iter().flat_map(|(_, regions)| regions);
        regions.map(RegionLocation::start_key).collect::<BTreeSet<_>>().len()
    }
}

/// Describes the work of a scan that the servers do.
fn pushed_down(scan: &Scan) -> Vec<String> {
    let column = |columns: &FamilyColumns| match &columns.qualifiers[..] {
        [] => vec![format!("family {}", columns.family.escape_ascii())],
        names => {
            let name = |name: &Bytes| format!("column {}", show::column(&columns.family, name));
            names.iter().map(name).collect()
        }
    };
    let mut done: Vec<String> = scan.columns.families.iter().flat_map(column).collect();
    done.push(match scan.columns.versions {
        1 => "1 version".to_owned(),
        versions => format!("{versions} versions"),
    });
    if let Some(range) = scan.columns.time_range {
        let text = |time: Option<crate::Timestamp>, open: &str| {
            time.map_or(open.to_owned(), |time| time.as_millis().to_string())
        };
        let (from, to) = (text(range.from, "the first"), text(range.to, "the last"));
        done.push(format!("times from {from} up to {to} ms"));
    }
    done.extend(scan.filter.iter().map(|filter| format!("filter {filter:?}")));
    if scan.keys_only {
        done.push(match scan.filter.as_ref().is_none_or(|f| f.depends_on_key_only()) {
            true => "one cell of each row, without its value".to_owned(),
            false => "no values".to_owned(),
        });
    }
    if scan.cell_offset > 0 {
        done.push(format!("no cells before number {} of a family", scan.cell_offset));
    }
    done.extend(scan.cells_per_family.map(|cells| format!("{cells} cells of each family")));
    done.extend(scan.limit.map(|rows| format!("limit of {rows} rows")));
    done
}

/// Describes the work of a scan that the client does.
fn on_client(scan: &Scan, order: ScanOrder, ranges: usize) -> Vec<String> {
    let mut left = Vec::new();
    let width = scan.parallel.unwrap_or(1);
    if ranges > 1 && !scan.unordered {
        let levels = ranges.next_power_of_two().trailing_zeros();
        let salt = order.salt_len;
        left.push(format!(
            "merge of {ranges} ranges by their keys after {salt} bytes of salt, {levels} comparisons a row"
        ));
    } else if scan.unordered {
        left.push("rows as they come, in no order of all ranges".to_owned());
    }
    if width > 1 && (ranges == 1 || scan.unordered) {
        left.push(format!("{width} regions at the same time"));
    }
    if scan.limit.is_some() && (ranges > 1 || width > 1) {
        left.push("limit of all ranges together".to_owned());
    }
    if let RowParts::Batch(cells) = scan.parts {
        left.push(format!("parts of {cells} cells, where a page ended within one"));
    }
    left
}

impl fmt::Display for ScanPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ranges, regions) = (self.ranges.len(), self.region_count());
        let Self { table, min_calls, bytes_per_call, .. } = self;
        writeln!(
            f,
            "scan {table}: ranges {ranges}, regions {regions}, calls at least {min_calls}, up to {bytes_per_call} bytes each"
        )?;
        for (range, regions) in &self.ranges {
            let end = range.stop().map(|stop| show::row_key(stop).to_string());
            let end = end.unwrap_or_else(|| "the end".to_owned());
            writeln!(f, "  from {} up to {end}", show::row_key(range.start()))?;
            for region in regions {
                let start = show::row_key(region.start_key());
                writeln!(f, "    region from {start} on {}", region.server())?;
            }
        }
        let mut list = |title: &str, items: &[String]| match items {
            [] => Ok(()),
            items => writeln!(f, "  {title}: {}", items.join("; ")),
        };
        list("on the servers", &self.pushed_down)?;
        list("in the client", &self.on_client)
    }
}
