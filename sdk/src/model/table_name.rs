//! The name of a table: a namespace and a qualifier, and how errors show the table's rows.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::RowKeyDisplay;
use crate::key::schema::Schema;

/// The maximum number of characters that an error shows of the fields of a row key.
const FIELDS_SHOWN: usize = 200;

/// The text between the name of a table and the name of its authorized view.
const AUTHORIZED_VIEW: &str = "/authorizedViews/";

/// What is before the name of a materialized view.
const MATERIALIZED_VIEW: &str = "materializedViews/";

/// What a name stands for.
#[cfg_attr(not(feature = "bigtable"), allow(dead_code, reason = "only Bigtable has views"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named<'n> {
    Table(&'n str),
    AuthorizedView { table: &'n str, view: &'n str },
    MaterializedView(&'n str),
}

/// The name of a table: a namespace and a qualifier, written `namespace:qualifier`, or just
/// `qualifier` in namespace `default`.
///
/// Namespaces hold letters, digits and `_`; qualifiers also `-` and `.`, but not as the first
/// character. Cloning is cheap.
///
/// ```
/// use tallrow::TableName;
///
/// let name: TableName = "iot:readings".parse().unwrap();
/// assert_eq!((name.namespace(), name.qualifier()), ("iot", "readings"));
/// assert_eq!("default:t".parse::<TableName>().unwrap().to_string(), "t");
/// assert_eq!(
///     "a b".parse::<TableName>().unwrap_err().to_string(),
///     r#"table name "a b": ' ' is not allowed; use letters, digits, '_', '-' and '.'"#
/// );
/// ```
#[derive(Clone)]
pub struct TableName {
    /// The name as `hbase:meta` spells it: without `default:`.
    text: Arc<str>,
    /// Where the qualifier starts.
    qualifier: usize,
    /// How the client that resolved the name shows the row keys of the table. Comparisons of names
    /// ignore it.
    row_keys: RowKeyDisplay,
    /// The schema of the table's row keys, if its rows are values of a row type. Comparisons of
    /// names ignore it.
    schema: Option<&'static str>,
}

impl TableName {
    /// Creates a name from parts that are known to be legal, in a namespace other than `default`.
    pub(crate) fn from_parts(namespace: &str, qualifier: &str) -> Self {
        Self {
            text: format!("{namespace}:{qualifier}").into(),
            qualifier: namespace.len() + 1,
            row_keys: RowKeyDisplay::default(),
            schema: None,
        }
    }

    /// Returns the name of an authorized view of this table, or what is wrong with it. Its text is
    /// the end of the view's name in the service, so it is not equal to the name of any table.
    pub(crate) fn authorized_view(&self, view: &str) -> Result<Self, String> {
        Self::check_view(view)?;
        Ok(Self { text: format!("{self}{AUTHORIZED_VIEW}{view}").into(), ..self.clone() })
    }

    /// Returns the name of a materialized view, or what is wrong with it.
    pub(crate) fn materialized_view(view: &str) -> Result<Self, String> {
        Self::check_view(view)?;
        Ok(Self {
            text: format!("{MATERIALIZED_VIEW}{view}").into(),
            qualifier: 0,
            row_keys: RowKeyDisplay::default(),
            schema: None,
        })
    }

    fn check_view(view: &str) -> Result<(), String> {
        match view.contains(':') {
            true => Err("':' is not allowed in the name of a view".into()),
            false => Self::parse(view).map(drop),
        }
    }

    /// What the name stands for, in an instance of Bigtable.
    pub(crate) fn named(&self) -> Named<'_> {
        if let Some(view) = self.qualifier().strip_prefix(MATERIALIZED_VIEW) {
            return Named::MaterializedView(view);
        }
        match self.qualifier().split_once(AUTHORIZED_VIEW) {
            Some((table, view)) => Named::AuthorizedView { table, view },
            None => Named::Table(self.qualifier()),
        }
    }

    /// Sets how the row keys of the table are shown.
    pub(crate) fn with_row_key_display(self, row_keys: RowKeyDisplay) -> Self {
        Self { row_keys, ..self }
    }

    /// Sets the schema of the table's row keys; an empty text means that there is no schema.
    pub(crate) fn with_key_schema(self, schema: &'static str) -> Self {
        Self { schema: Some(schema).filter(|schema| !schema.is_empty()), ..self }
    }

    /// Returns a row key of the table as errors show it: as the values of its fields, if row keys
    /// are shown and the schema is known.
    pub(crate) fn show_row(&self, row: &[u8]) -> String {
        match self.fields_of(row).filter(|_| self.row_keys == RowKeyDisplay::Shown) {
            Some(fields) => fields,
            None => self.row_keys.display(row).to_string(),
        }
    }

    /// The values of the fields of a row key, as the command line shows them. They are decoded only
    /// when there is an error.
    fn fields_of(&self, row: &[u8]) -> Option<String> {
        let layouts = Schema::parse_layouts(self.schema?).ok()?;
        let fields = layouts.iter().find_map(|schema| schema.decode(row).ok())?;
        let text = format!("{{{fields}}}");
        Some(match text.char_indices().nth(FIELDS_SHOWN) {
            Some((end, _)) => format!("{}..", text.get(..end).unwrap_or_default()),
            None => text,
        })
    }

    /// How the row keys of the table are shown.
    pub(crate) fn row_key_display(&self) -> RowKeyDisplay {
        self.row_keys
    }

    /// The namespace, `default` if none was written.
    ///
    /// See [`TableName`] for an example.
    pub fn namespace(&self) -> &str {
        match self.qualifier {
            0 => "default",
            at => self.text.get(..at - 1).unwrap_or_default(),
        }
    }

    /// The name inside the namespace.
    ///
    /// See [`TableName`] for an example.
    pub fn qualifier(&self) -> &str {
        self.text.get(self.qualifier..).unwrap_or_default()
    }

    /// The name as text, without `default:`.
    ///
    /// ```
    /// assert_eq!("ns:t".parse::<tallrow::TableName>().unwrap().as_str(), "ns:t");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Checks the name of a namespace, or returns what is wrong with it.
    pub(crate) fn check_namespace(namespace: &str) -> Result<(), String> {
        if namespace.is_empty() {
            return Err("it must not be empty".into());
        }
        match namespace.chars().find(|c| !c.is_alphanumeric() && *c != '_') {
            Some(c) => {
                let rule = "use letters, digits and '_'";
                Err(format!("{c:?} is not allowed in the namespace; {rule}"))
            }
            None => Ok(()),
        }
    }

    /// Parses a name, or returns what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (namespace, qualifier) = text.split_once(':').unwrap_or(("default", text));
        if namespace.is_empty() || qualifier.is_empty() {
            return Err("it must not be empty; write \"table\" or \"namespace:table\"".into());
        }
        Self::check_namespace(namespace)?;
        if let Some(c) = qualifier.chars().find(|c| !c.is_alphanumeric() && !"_-.".contains(*c)) {
            return Err(format!("{c:?} is not allowed; use letters, digits, '_', '-' and '.'"));
        }
        if qualifier.starts_with(['-', '.']) {
            return Err("it must not start with '-' or '.'".into());
        }
        let row_keys = RowKeyDisplay::default();
        Ok(match namespace {
            "default" => Self { text: qualifier.into(), qualifier: 0, row_keys, schema: None },
            _ => Self { text: text.into(), qualifier: namespace.len() + 1, row_keys, schema: None },
        })
    }
}

impl PartialEq for TableName {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for TableName {}

impl Hash for TableName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for TableName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TableName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}
