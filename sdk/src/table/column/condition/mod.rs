//! Conditions on the columns of a row type: evaluated by the server's filters, or on the client.

mod cells;
mod column;
mod on_row;
mod order;

pub use order::{BitCell, CellOrder, CompareCell, Operand, OperandRange, OrderedCell, TextCell};

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

use cells::CellSet;

use crate::model::show;
use crate::model::value::ValueError;
use crate::request::filter::SingleColumnValue;
use crate::{Error, ErrorKind, Filter, Result, Row, Scan};

/// A condition on the cells of a row, made from the columns of the row type and evaluated on the
/// server.
///
/// Conditions are made by methods of columns, such as [`gt`](crate::column::Column::gt),
/// [`eq`](crate::column::Column::eq), [`is_between`](crate::column::Column::is_between) and
/// [`is_absent`](crate::column::Column::is_absent), and are combined with `&`, `|` and `!`.
///
/// Values compare as in Rust: `-0.0` equals `0.0`, and a NaN is neither less than, equal to nor
/// greater than any value. Only the newest version of a cell is compared. **Every comparison with
/// an absent cell is false**, also `ne`, so `!` of such a comparison is true; but an absent counter
/// is 0. For a scan, a row that has none of the columns that the scan reads does not exist, so no
/// condition finds such a row.
///
/// A scan with a condition returns the whole rows for which [`matches`](Condition::matches) is
/// true.
///
/// ```
/// use tallrow::{RowKey, Table};
///
/// # #[derive(RowKey)] struct Device { id: u32 }
/// #[derive(Table)]
/// #[table(name = "readings")]
/// #[family("d")]
/// struct Reading {
///     #[key]
///     device: Device,
///     #[cell("d:n")]
///     number: i32,
///     #[cell("d:u")]
///     user: Option<String>,
/// }
///
/// let shown = |condition| format!("{condition:?}");
/// assert_eq!(shown(Reading::NUMBER.gt(-3)), "d:n > -3");
/// assert_eq!(shown(Reading::NUMBER.ge(5) & !Reading::NUMBER.ne(7)), "(d:n >= 5 & !d:n != 7)");
/// assert_eq!(
///     shown(Reading::NUMBER.lt(9) | Reading::USER.le("ada")),
///     r#"(d:n < 9 | d:u <= "ada")"#
/// );
/// assert_eq!(shown(Reading::NUMBER.is_between(1..=9)), "(d:n >= 1 & d:n <= 9)");
/// assert_eq!(shown(Reading::USER.one_of(["ada", "bob"])), r#"(d:u = "ada" | d:u = "bob")"#);
/// assert_eq!(
///     shown(Reading::USER.is_present() & Reading::NUMBER.is_absent()),
///     "(d:u is present & d:n is absent)"
/// );
/// assert_eq!(
///     shown(Reading::USER.starts_with("ad") | Reading::USER.contains("d.")),
///     r#"(d:u starts with "ad" | d:u contains "d.")"#
/// );
/// ```
///
/// ```
/// use tallrow::{Client, RowKey, Table, TableDescriptor};
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct Device {
///     id: u32,
/// }
///
/// #[derive(Table, Debug, PartialEq)]
/// #[table(name = "readings")]
/// #[family("d")]
/// struct Reading {
///     #[key]
///     device: Device,
///     #[cell("d:t")]
///     celsius: f64,
///     #[cell("d:u")]
///     user: Option<String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::of::<Reading>()?).await?;
/// let readings = client.table::<Reading>();
/// for (id, celsius, user) in [(1, -7.5, Some("ada")), (2, 91.0, None), (3, 95.5, Some("bob"))] {
///     readings
///         .put(&Reading { device: Device { id }, celsius, user: user.map(Into::into) })
///         .await?;
/// }
///
/// let hot = Reading::CELSIUS.gt(90.0);
/// let ours = Reading::USER.eq("ada") | Reading::USER.is_absent();
/// let mut rows = readings.scan(Device::scan()).filter(hot & ours).rows();
/// assert_eq!(rows.next_row().await?.unwrap().device.id, 2);
/// assert_eq!(rows.next_row().await?, None);
///
/// let mut cold = readings.scan(Device::scan()).filter(!Reading::CELSIUS.ge(0.0)).rows();
/// assert_eq!(cold.next_row().await?.unwrap().celsius, -7.5);
/// # Ok(())
/// # }
/// ```
#[must_use = "a condition does nothing until it is given to a scan"]
pub struct Condition<T> {
    node: Node,
    of: PhantomData<fn() -> T>,
}

#[derive(Clone)]
enum Node {
    Test(Test),
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
}

/// A test of one column.
#[derive(Clone)]
struct Test {
    family: &'static str,
    qualifier: Vec<u8>,
    /// The test as text.
    shown: String,
    /// Whether an absent cell passes.
    absent: bool,
    /// The cells that pass, on the server.
    cells: CellSet,
    /// Whether a cell passes, on the client.
    passes: Passes,
}

#[derive(Clone)]
enum Passes {
    Always,
    Never,
    Compare {
        compare: crate::request::filter::CompareOperator,
        operand: Vec<u8>,
        compares: Compares,
    },
    StartsWith {
        part: Vec<u8>,
        read: Reads,
    },
    Contains {
        part: Vec<u8>,
        read: Reads,
    },
    HasBits {
        mask: Vec<u8>,
        read: Reads,
    },
}

/// A function that returns whether `value <compare> operand` holds; the value and the operand are
/// passed as bytes.
type Compares =
    fn(&[u8], crate::request::filter::CompareOperator, &[u8]) -> Result<bool, ValueError>;

/// A function that checks whether bytes encode a value of a type.
type Reads = fn(&[u8]) -> Result<(), ValueError>;

impl<T> Condition<T> {
    fn test(test: Test) -> Self {
        Self::of(Node::Test(test))
    }

    fn of(node: Node) -> Self {
        Self { node, of: PhantomData }
    }

    /// Makes a condition that holds if both conditions hold; the same as `&`.
    ///
    /// See [`Condition`] for an example.
    pub fn and(self, other: Self) -> Self {
        self & other
    }

    /// Makes a condition that holds if at least one of the two conditions holds; the same as `|`.
    ///
    /// See [`Condition`] for an example.
    pub fn or(self, other: Self) -> Self {
        self | other
    }

    /// Makes a condition that holds if all of these conditions hold; it always holds if there are
    /// none.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, column::Condition};
    /// # #[derive(RowKey)] struct Device { id: u32 }
    /// # #[derive(Table)] #[table(name = "readings")] #[family("d")]
    /// # struct Reading { #[key] device: Device, #[cell("d:t")] celsius: f64 }
    /// let none = [13.0, 42.0].map(|unlucky| Reading::CELSIUS.ne(unlucky));
    /// assert_eq!(format!("{:?}", Condition::all(none)), "(d:t != 13.0 & d:t != 42.0)");
    /// ```
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::of(Node::All(conditions.into_iter().map(|c| c.node).collect()))
    }

    /// Makes a condition that holds if at least one of these conditions holds; it never holds if
    /// there are none.
    ///
    /// See [`all`](Condition::all) for an example.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::of(Node::Any(conditions.into_iter().map(|c| c.node).collect()))
    }

    /// Evaluates the condition on a row that was read, with the same result as on the server. The
    /// read must have included the columns of the condition.
    ///
    /// ```
    /// # use tallrow::{Client, Get, Put, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Device { id: u32 }
    /// # #[derive(Table)] #[table(name = "readings")] #[family("d")]
    /// # struct Reading { #[key] device: Device, #[cell("d:t")] celsius: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Reading>()?).await?;
    /// # let raw = client.raw_table("readings")?;
    /// raw.put(Put::new([0, 0, 0, 1]).cell("d", "t", 91.0f64.to_be_bytes())).await?;
    /// let row = raw.get([0, 0, 0, 1]).await?.unwrap();
    /// assert!(Reading::CELSIUS.is_between(90.0..100.0).matches(&row)?);
    /// assert!(!Reading::CELSIUS.is_absent().matches(&row)?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Decode`](crate::ErrorKind::Decode) for a cell that does not match the type of its column.
    /// The server does not check types, so a scan may or may not return such a row.
    pub fn matches(&self, row: &Row) -> Result<bool> {
        self.node.matches(row)
    }

    /// Returns the columns in the condition, each as family and qualifier.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table};
    /// # #[derive(RowKey)] struct Device { id: u32 }
    /// # #[derive(Table)] #[table(name = "readings")] #[family("d")]
    /// # struct Reading { #[key] device: Device, #[cell("d:t")] celsius: f64 }
    /// assert_eq!((!Reading::CELSIUS.gt(1.0)).columns(), [("d", b"t".to_vec())]);
    /// ```
    pub fn columns(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut columns = Vec::new();
        self.node.columns(&mut columns);
        columns
    }

    /// Adds the condition to a scan. Columns of the condition that the scan does not read are read
    /// only for the filter.
    pub(crate) fn add_to_scan(&self, scan: Scan) -> Scan {
        let hidden: Vec<_> = self
            .columns()
            .into_iter()
            .filter(|(f, q)| !scan.columns.contains(f.as_bytes(), q))
            .collect();
        let filter = self.node.filter(true, &hidden);
        hidden.iter().fold(scan, |scan, (f, q)| scan.column(f, q)).filter(filter)
    }
}

impl<T> From<Condition<T>> for Filter {
    /// Makes the filter that keeps the rows for which the condition holds; all columns of the
    /// condition must be read.
    fn from(condition: Condition<T>) -> Self {
        condition.node.filter(true, &[])
    }
}

impl Node {
    fn matches(&self, row: &Row) -> Result<bool> {
        match self {
            Self::Test(test) => test.matches(row),
            Self::All(nodes) => {
                for node in nodes {
                    if !node.matches(row)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(nodes) => {
                for node in nodes {
                    if node.matches(row)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Not(node) => node.matches(row).map(|holds| !holds),
        }
    }

    fn columns(&self, columns: &mut Vec<(&'static str, Vec<u8>)>) {
        match self {
            Self::Test(Test { family, qualifier, .. }) => {
                let column = (*family, qualifier.clone());
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|n| n.columns(columns)),
            Self::Not(node) => node.columns(columns),
        }
    }

    /// Returns the filter that keeps the rows for which this node holds or, if `holds` is false,
    /// those for which it does not hold. A negation is moved into the tests, because every test has
    /// an exact opposite.
    fn filter(&self, holds: bool, hidden: &[(&str, Vec<u8>)]) -> Filter {
        let each = |nodes: &[Node]| -> Vec<Filter> {
            nodes.iter().map(|node| node.filter(holds, hidden)).collect()
        };
        match self {
            Self::Not(node) => node.filter(!holds, hidden),
            Self::Test(test) => {
                let hide = hidden.iter().any(|(f, q)| (*f, q) == (test.family, &test.qualifier));
                let column = |compare, comparator| {
                    let test =
                        SingleColumnValue::new(test.family, &test.qualifier, compare, comparator);
                    if hide { test.exclude() } else { test }
                };
                match holds {
                    true => test.cells.filter(&column, test.absent),
                    false => test.cells.complement().filter(&column, !test.absent),
                }
            }
            Self::All(nodes) | Self::Any(nodes) => {
                let all = matches!(self, Self::All(_)) == holds;
                match (nodes.is_empty(), all) {
                    // No row key is less than the empty one.
                    (true, true) => {
                        Filter::row(crate::request::filter::CompareOperator::GreaterOrEqual, "")
                    }
                    (true, false) => Filter::row(crate::request::filter::CompareOperator::Less, ""),
                    (false, true) => Filter::all(each(nodes)),
                    (false, false) => Filter::any(each(nodes)),
                }
            }
        }
    }
}

impl Test {
    fn matches(&self, row: &Row) -> Result<bool> {
        let Some(value) = row.value(self.family, &self.qualifier) else { return Ok(self.absent) };
        let passes = match &self.passes {
            Passes::Always => Ok(true),
            Passes::Never => Ok(false),
            Passes::Compare { compare, operand, compares } => compares(value, *compare, operand),
            Passes::StartsWith { part, read } => read(value).map(|()| value.starts_with(part)),
            Passes::Contains { part, read } => read(value).map(|()| contains(value, part)),
            Passes::HasBits { mask, read } => read(value).map(|()| has_bits(value, mask)),
        };
        passes.map_err(|e| {
            let column = show::column(self.family.as_bytes(), &self.qualifier);
            let text = format!("column {column}: {e} in {}", show::bytes(value));
            Error::new(ErrorKind::Decode, text)
                .with_operation_if_unset("match row")
                .on_row(&row.copy_key())
        })
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

fn has_bits(bytes: &[u8], mask: &[u8]) -> bool {
    bytes.len() == mask.len() && bytes.iter().zip(mask).all(|(byte, mask)| byte & mask == *mask)
}

impl<T> BitAnd for Condition<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        match self.node {
            Node::All(mut nodes) => {
                nodes.push(other.node);
                Self::of(Node::All(nodes))
            }
            node => Self::of(Node::All(vec![node, other.node])),
        }
    }
}

impl<T> BitOr for Condition<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        match self.node {
            Node::Any(mut nodes) => {
                nodes.push(other.node);
                Self::of(Node::Any(nodes))
            }
            node => Self::of(Node::Any(vec![node, other.node])),
        }
    }
}

impl<T> Not for Condition<T> {
    type Output = Self;

    fn not(self) -> Self {
        match self.node {
            Node::Not(node) => Self::of(*node),
            node => Self::of(Node::Not(Box::new(node))),
        }
    }
}

impl<T> Clone for Condition<T> {
    fn clone(&self) -> Self {
        Self::of(self.node.clone())
    }
}

impl<T> fmt::Debug for Condition<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, between) = match self {
            Self::Test(test) => return f.write_str(&test.shown),
            Self::Not(node) => return write!(f, "!{node:?}"),
            Self::All(nodes) => (nodes, " & "),
            Self::Any(nodes) => (nodes, " | "),
        };
        f.write_str("(")?;
        for (at, node) in nodes.iter().enumerate() {
            write!(f, "{}{node:?}", if at == 0 { "" } else { between })?;
        }
        f.write_str(")")
    }
}
