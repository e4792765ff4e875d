//! The form of a script: one operation a line, as JSON.
//!
//! A line `{"table": ..}` makes a table, and the lines after it are operations on that table. All
//! keys, names and values are ASCII. A `time` that is absent is the time of the server.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operation {
    Table(TableOptions),
    Put(Change),
    Delete(Change),
    Increment(Change),
    Append(Change),
    /// Several changes of one row.
    Mutate(Vec<Operation>),
    Check(Check),
    Batch(Vec<Operation>),
    Get(Get),
    Exists(Get),
    Scan(Scan),
    Flush,
    /// A flush and a major compaction, with a wait for its end.
    Compact,
    /// Splits the region of this row there, and then is like `Compact`.
    Split(String),
    /// Merges all regions, and then is like `Compact`.
    Merge,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct TableOptions {
    pub(crate) name: String,
    pub(crate) families: Vec<FamilyOptions>,
    pub(crate) splits: Vec<String>,
    /// `hbase.server.keyvalue.maxsize`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_cell: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct FamilyOptions {
    pub(crate) name: String,
    pub(crate) versions: u64,
    pub(crate) min_versions: u64,
    /// As HBase writes it: `TRUE`, `FALSE`, `TTL`.
    pub(crate) keep_deleted: String,
    pub(crate) new_versions: bool,
    /// The time to live in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ttl: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Change {
    pub(crate) row: String,
    pub(crate) cells: Vec<Cell>,
    /// The time to live of the cells in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ttl: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Cell {
    pub(crate) kind: Kind,
    pub(crate) family: String,
    pub(crate) qualifier: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<u64>,
    /// What is written or appended.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) value: String,
    /// What is added.
    #[serde(default)]
    pub(crate) by: i64,
}

/// The kinds of cells, with HBase's names.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) enum Kind {
    Put,
    Delete,
    DeleteColumn,
    DeleteFamily,
    DeleteFamilyVersion,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Check {
    pub(crate) row: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) filter: Option<Filter>,
    /// The condition if there is no filter; without a value, that the cell does not exist.
    pub(crate) family: String,
    pub(crate) qualifier: String,
    pub(crate) operator: Operator,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) times: Option<(u64, u64)>,
    pub(crate) then: Box<Operation>,
}

/// What a get and a scan have in common.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Selection {
    pub(crate) versions: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) times: Option<(u64, u64)>,
    /// Families, some with a qualifier.
    pub(crate) columns: Vec<(String, Option<String>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) filter: Option<Filter>,
    /// `loadColumnFamiliesOnDemand`, which only the Java client can set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on_demand: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) store_limit: Option<u32>,
    #[serde(default)]
    pub(crate) store_offset: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Get {
    pub(crate) row: String,
    #[serde(flatten)]
    pub(crate) selection: Selection,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Scan {
    pub(crate) reversed: bool,
    pub(crate) raw: bool,
    /// The first row, and whether it is included; empty for no bound.
    pub(crate) from: (String, bool),
    pub(crate) to: (String, bool),
    #[serde(flatten)]
    pub(crate) selection: Selection,
    /// `setAllowPartialResults`
    pub(crate) partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) batch: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) caching: Option<u32>,
    /// `setNeedCursorResult`
    pub(crate) cursors: bool,
}

/// The operators, with HBase's names.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Operator {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

/// An operator and what it compares with.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Comparison {
    pub(crate) operator: Operator,
    pub(crate) comparator: Comparator,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Comparator {
    Binary(String),
    Prefix(String),
    Substring(String),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Filter {
    ColumnCount(u32),
    ColumnPage {
        limit: u32,
        offset: u32,
    },
    ColumnPageFrom {
        limit: u32,
        from: String,
    },
    ColumnPrefix(String),
    ColumnPrefixes(Vec<String>),
    ColumnRange {
        min: Option<(String, bool)>,
        max: Option<(String, bool)>,
    },
    ColumnValue {
        family: String,
        qualifier: String,
        comparison: Comparison,
    },
    DependentColumn {
        family: String,
        qualifier: String,
        drop: bool,
        value: Option<Comparison>,
    },
    Family(Comparison),
    FirstKeyOnly,
    /// Patterns and their masks.
    FuzzyRows(Vec<(String, Vec<u8>)>),
    InclusiveStop(String),
    /// Whether values are replaced by their lengths.
    KeyOnly(bool),
    Page(u64),
    Prefix(String),
    Qualifier(Comparison),
    Row(Comparison),
    /// Ranges by their first row, whether it is included, their last row, and whether it is.
    RowRanges(Vec<(String, bool, String, bool)>),
    SingleColumn {
        family: String,
        qualifier: String,
        comparison: Comparison,
        if_missing: bool,
        latest_only: bool,
        exclude: bool,
    },
    Timestamps {
        times: Vec<u64>,
        by_seeking: bool,
    },
    Value(Comparison),
    Skip(Box<Filter>),
    While(Box<Filter>),
    All(Vec<Filter>),
    Any(Vec<Filter>),
}

impl Filter {
    /// Whether the filter, or one in it, ends a scan by the number of columns of a row.
    pub(crate) fn counts_columns(&self) -> bool {
        match self {
            Self::ColumnCount(_) => true,
            Self::Skip(of) | Self::While(of) => of.counts_columns(),
            Self::All(members) | Self::Any(members) => members.iter().any(Self::counts_columns),
            _ => false,
        }
    }

    /// Whether the filter decides about whole rows.
    pub(crate) fn has_row_decision(&self) -> bool {
        match self {
            Self::DependentColumn { .. } | Self::Page(_) | Self::SingleColumn { .. } => true,
            Self::Skip(_) | Self::While(_) => true,
            Self::All(members) | Self::Any(members) => members.iter().any(Self::has_row_decision),
            _ => false,
        }
    }
}
