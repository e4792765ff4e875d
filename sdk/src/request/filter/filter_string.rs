//! Filters as texts, in two forms: those of `Debug` and HBase's filter strings.

use std::fmt;

use super::Filter;
use super::argument::{Argument, debug_arguments, debug_bytes};
use super::class::Class;
use super::kind::Kind;
use crate::{Error, Result};

impl Filter {
    /// Returns the filter string that [`parse`](Filter::parse) and HBase's `ParseFilter` read as
    /// this filter. It is not always UTF-8, as it contains the bytes of row keys and values.
    ///
    /// ```
    /// use tallrow::{Filter, filter::CompareOperator};
    ///
    /// let filter = Filter::prefix("it's").or(Filter::value(CompareOperator::Less, [0xFF]).skip());
    /// assert_eq!(
    ///     filter.to_filter_string()?.escape_ascii().to_string(),
    ///     r"PrefixFilter(\'it\'\'s\') OR (SKIP ValueFilter(<, \'binary:\xff\'))",
    /// );
    /// assert_eq!(Filter::parse(filter.to_filter_string()?)?, filter);
    ///
    /// let error = Filter::random_row(0.5).to_filter_string().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "write filter string: RandomRowFilter(0.5) has no text in HBase's filter strings"
    /// );
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// The filter contains a filter or a comparator that filter strings cannot express:
    /// `RandomRowFilter`, `FuzzyRowFilter`, `MultiRowRangeFilter`, comparators of numbers and of
    /// bits, patterns on bytes, and custom classes.
    pub fn to_filter_string(&self) -> Result<Vec<u8>> {
        self.text().ok_or_else(|| {
            Error::invalid(format!("{self:?} has no text in HBase's filter strings"))
                .with_operation_if_unset("write filter string")
        })
    }

    fn text(&self) -> Option<Vec<u8>> {
        let (class, arguments) = match &self.0 {
            Kind::Rows(filter) => (filter.class(), filter.arguments()),
            Kind::Cells(filter) => (filter.class(), filter.arguments()),
            Kind::All(filters) => return joined(filters, " AND "),
            Kind::Any(filters) => return joined(filters, " OR "),
            Kind::Skip(filter) => return Some([b"SKIP ", &filter.operand()?[..]].concat()),
            Kind::WhileMatch(filter) => return Some([b"WHILE ", &filter.operand()?[..]].concat()),
            Kind::Custom(..) => return None,
        };
        let words = arguments.into_iter().map(|argument| argument.written);
        let words = words.collect::<Option<Vec<_>>>()?.concat();
        Some([class.name.as_bytes(), b"(", &words.join(&b", "[..]), b")"].concat())
    }

    /// Returns the filter string of an operand, in parentheses if it contains operators, because
    /// `ParseFilter` fails on two different operators in the same parentheses.
    fn operand(&self) -> Option<Vec<u8>> {
        let text = self.text()?;
        Some(match &self.0 {
            Kind::All(filters) | Kind::Any(filters) if filters.len() == 1 => text,
            Kind::All(_) | Kind::Any(_) | Kind::Skip(_) | Kind::WhileMatch(_) => {
                [b"(", &text[..], b")"].concat()
            }
            Kind::Rows(_) | Kind::Cells(_) | Kind::Custom(..) => text,
        })
    }
}

fn joined(filters: &[Filter], between: &str) -> Option<Vec<u8>> {
    match filters {
        [] => None,
        [one] => one.operand(),
        _ => {
            let operands: Vec<_> = filters.iter().map(Filter::operand).collect::<Option<_>>()?;
            Some(operands.join(between.as_bytes()))
        }
    }
}

/// Shows HBase's class names with their arguments.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |filters: &[Filter], between| {
            let filters: Vec<_> = filters.iter().map(|filter| format!("{filter:?}")).collect();
            format!("({})", filters.join(between))
        };
        match &self.0 {
            Kind::Rows(filter) => call(f, filter.class(), &filter.arguments()),
            Kind::Cells(filter) => call(f, filter.class(), &filter.arguments()),
            Kind::All(filters) => f.write_str(&list(filters, " AND ")),
            Kind::Any(filters) => f.write_str(&list(filters, " OR ")),
            Kind::Skip(filter) => write!(f, "SKIP {filter:?}"),
            Kind::WhileMatch(filter) => write!(f, "WHILE {filter:?}"),
            Kind::Custom(class, bytes) => write!(f, "{class}({})", debug_bytes(bytes)),
        }
    }
}

fn call(f: &mut fmt::Formatter<'_>, class: &Class, arguments: &[Argument]) -> fmt::Result {
    f.write_str(class.name)?;
    if arguments.is_empty() {
        return Ok(());
    }
    write!(f, "({})", debug_arguments(arguments))
}
