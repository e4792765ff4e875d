//! Writes filters as texts: as `Debug` shows them, and as HBase's filter strings.

use std::fmt::{self, Display};

use bytes::Bytes;

use super::class::Class;
use super::comparator::Operand;
use super::kind::Kind;
use super::{Comparator, Compare, Filter, LetterCase};
use crate::model::show;
use crate::{Error, Result};

/// An argument of a filter.
pub(super) struct Argument {
    /// As `Debug` shows it.
    shown: String,
    /// As a filter string has it, in one word or several; `None` if filter strings cannot have it.
    written: Option<Vec<Vec<u8>>>,
}

impl Argument {
    pub(super) fn new(shown: String, written: Option<Vec<Vec<u8>>>) -> Self {
        Self { shown, written }
    }

    /// One that filter strings cannot have.
    pub(super) fn unwritten(shown: impl Display) -> Self {
        Self::new(shown.to_string(), None)
    }

    pub(super) fn bytes(bytes: &Bytes) -> Self {
        Self::new(shown(bytes), Some(vec![quoted(bytes)]))
    }

    pub(super) fn number(number: impl Display) -> Self {
        Self::new(number.to_string(), Some(vec![bare(&number)]))
    }

    /// A number, or `true` or `false`, that is shown with its name.
    pub(super) fn named(name: &str, value: impl Display) -> Self {
        Self::new(format!("{name}: {value}"), Some(vec![bare(&value)]))
    }

    pub(super) fn comparison(compare: Compare, comparator: &Comparator) -> Self {
        let shown = format!("{} {comparator:?}", compare.sign());
        Self::new(shown, compared(compare, comparator).map(Vec::from))
    }

    /// A comparison of the values of a column.
    pub(super) fn column(
        (family, qualifier): (&Bytes, &Bytes),
        compare: Compare,
        comparator: &Comparator,
    ) -> Self {
        let of = Self::comparison(compare, comparator);
        let column = show::column(family, qualifier);
        let written = of.written.map(|of| [column_words(family, qualifier).into(), of].concat());
        Self::new(format!("{column} {}", of.shown), written)
    }

    /// Several of one kind. No filter string has none of them.
    pub(super) fn list(arguments: impl IntoIterator<Item = Self>) -> Self {
        let (shown, written): (Vec<_>, Vec<_>) =
            arguments.into_iter().map(|argument| (argument.shown, argument.written)).unzip();
        let words = written.into_iter().collect::<Option<Vec<_>>>().map(|words| words.concat());
        Self::new(shown.join(", "), words.filter(|words| !words.is_empty()))
    }
}

impl Filter {
    /// Returns the filter string that [`parse`](Filter::parse) and HBase's `ParseFilter` read as this filter. It is not
    /// always UTF-8, as it contains the bytes of row keys and values.
    ///
    /// ```
    /// use tallrow::{Filter, filter::Compare};
    ///
    /// let filter = Filter::prefix("it's").or(Filter::value(Compare::Less, [0xFF]).skip());
    /// assert_eq!(
    ///     filter.to_filter_string()?.escape_ascii().to_string(),
    ///     r"PrefixFilter(\'it\'\'s\') OR (SKIP ValueFilter(<, \'binary:\xff\'))",
    /// );
    /// assert_eq!(Filter::parse(filter.to_filter_string()?)?, filter);
    ///
    /// let error = Filter::random_row(0.5).to_filter_string().unwrap_err();
    /// assert_eq!(error.to_string(), "write filter string: RandomRowFilter(0.5) has no text in HBase's filter strings");
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A filter or a comparator that filter strings do not have: `RandomRowFilter`, `FuzzyRowFilter`,
    /// `MultiRowRangeFilter`, numbers, bits, patterns on bytes, your own classes.
    pub fn to_filter_string(&self) -> Result<Vec<u8>> {
        self.text().ok_or_else(|| {
            Error::invalid(format!("{self:?} has no text in HBase's filter strings"))
                .during("write filter string")
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

    /// The text in parentheses if it has operators: `ParseFilter` fails on two different ones in the same parentheses.
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

/// A word without quotes.
pub(super) fn bare(word: impl Display) -> Vec<u8> {
    word.to_string().into_bytes()
}

/// A word in quotes.
pub(super) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let escaped = bytes.iter().flat_map(|byte| match byte {
        b'\'' => &b"''"[..],
        byte => std::slice::from_ref(byte),
    });
    b"'".iter().chain(escaped).chain(b"'").copied().collect()
}

/// The operator and the comparator of a comparison.
pub(super) fn compared(compare: Compare, comparator: &Comparator) -> Option<[Vec<u8>; 2]> {
    Some([bare(compare.sign()), operand(comparator)?])
}

/// The family and the qualifier of a column.
pub(super) fn column_words(family: &[u8], qualifier: &[u8]) -> [Vec<u8>; 2] {
    [quoted(family), quoted(qualifier)]
}

fn operand(comparator: &Comparator) -> Option<Vec<u8>> {
    let (kind, operand) = match &comparator.0 {
        Operand::Binary(bytes) => ("binary", &bytes[..]),
        Operand::BinaryPrefix(bytes) => ("binaryprefix", &bytes[..]),
        Operand::Substring(text) => ("substring", text.as_bytes()),
        Operand::Regex(regex) if !regex.latin_1 => match regex.ignore_case {
            LetterCase::Exact => ("regexstring", regex.pattern.as_bytes()),
            LetterCase::AnyAscii => ("regexstringnocase", regex.pattern.as_bytes()),
            LetterCase::Any => return None,
        },
        Operand::Regex(_)
        | Operand::BinaryComponent(..)
        | Operand::Bit(..)
        | Operand::Long(_)
        | Operand::BigDecimal(_)
        | Operand::Null
        | Operand::Custom(..) => return None,
    };
    Some(quoted(&[kind.as_bytes(), b":", operand].concat()))
}

/// Bytes as `Debug` shows them.
pub(super) fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

/// HBase's class names with their arguments.
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
            Kind::Custom(class, bytes) => write!(f, "{class}({})", shown(bytes)),
        }
    }
}

fn call(f: &mut fmt::Formatter<'_>, class: &Class, arguments: &[Argument]) -> fmt::Result {
    f.write_str(class.name)?;
    if arguments.is_empty() {
        return Ok(());
    }
    write!(f, "({})", shown_list(arguments))
}

/// Arguments as `Debug` shows them.
pub(super) fn shown_list(arguments: &[Argument]) -> String {
    let shown: Vec<_> = arguments.iter().map(|argument| &*argument.shown).collect();
    shown.join(", ")
}
