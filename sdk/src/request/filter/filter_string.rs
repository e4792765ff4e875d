//! Writes HBase's filter strings.

use std::ops::Bound;

use bytes::Bytes;

use super::comparator::Operand;
use super::kind::{Filter, Kind};
use super::{Comparator, Compare, DependentColumn, LetterCase, SingleColumnValue};
use crate::{Error, Result};

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
        let of = |op: &Compare, to: &Comparator| Some([bare(op.sign()), comparator(to)?]);
        let arguments: Vec<Vec<u8>> = match &self.0 {
            Kind::Row(op, to) => of(op, to)?.into(),
            Kind::Family(op, to) => of(op, to)?.into(),
            Kind::Qualifier(op, to) => of(op, to)?.into(),
            Kind::Value(op, to) => of(op, to)?.into(),
            Kind::SingleColumnValue(test) => single_column_value(test)?,
            Kind::ColumnValue { family, qualifier, compare, comparator: to } => {
                vec![quoted(family), quoted(qualifier), bare(compare.sign()), comparator(to)?]
            }
            Kind::Dependent(test) => dependent_column(test)?,
            Kind::Prefix(bytes) | Kind::InclusiveStop(bytes) => vec![quoted(bytes)],
            Kind::ColumnPrefixes(prefixes) if prefixes.is_empty() => return None,
            Kind::ColumnPrefixes(prefixes) => prefixes.iter().map(|p| quoted(p)).collect(),
            Kind::ColumnRange(from, to) => {
                let (Bound::Included(to_bytes) | Bound::Excluded(to_bytes)) = to else {
                    return call("ColumnRangeFilter", [&first(from)?[..], &no_bound()].concat());
                };
                // '' would be no limit at all.
                let included = matches!(to, Bound::Included(_)).to_string();
                let to = (!to_bytes.is_empty()).then(|| vec![quoted(to_bytes), bare(&included)]);
                [first(from)?, to?].concat()
            }
            Kind::ColumnPagination { limit, offset } => {
                vec![bare(&limit.to_string()), bare(&offset.to_string())]
            }
            Kind::ColumnCount(limit) => vec![bare(&limit.to_string())],
            Kind::Page(rows) => vec![bare(&rows.to_string())],
            Kind::FirstKeyOnly | Kind::KeyOnly { len_as_val: false } => Vec::new(),
            Kind::KeyOnly { len_as_val: true } => vec![bare("true")],
            Kind::Timestamps(timestamps) if timestamps.is_empty() => return None,
            Kind::Timestamps(timestamps) => {
                timestamps.iter().map(|t| bare(&t.as_millis().to_string())).collect()
            }
            Kind::All(filters) => return joined(filters, " AND "),
            Kind::Any(filters) => return joined(filters, " OR "),
            Kind::Skip(filter) => return Some([b"SKIP ", &filter.operand()?[..]].concat()),
            Kind::WhileMatch(filter) => return Some([b"WHILE ", &filter.operand()?[..]].concat()),
            Kind::ColumnPaginationFrom { .. }
            | Kind::FirstKeyMatching(_)
            | Kind::FuzzyRows(_)
            | Kind::RowRanges(_)
            | Kind::RandomRow(_)
            | Kind::Custom(..) => return None,
        };
        call(self.class()?, arguments)
    }

    fn class(&self) -> Option<&'static str> {
        Some(match &self.0 {
            Kind::Row(..) => "RowFilter",
            Kind::Family(..) => "FamilyFilter",
            Kind::Qualifier(..) => "QualifierFilter",
            Kind::Value(..) => "ValueFilter",
            Kind::SingleColumnValue(test) => test.class(),
            Kind::ColumnValue { .. } => "ColumnValueFilter",
            Kind::Dependent(_) => "DependentColumnFilter",
            Kind::Prefix(_) => "PrefixFilter",
            Kind::ColumnPrefixes(prefixes) if prefixes.len() == 1 => "ColumnPrefixFilter",
            Kind::ColumnPrefixes(_) => "MultipleColumnPrefixFilter",
            Kind::ColumnRange(..) => "ColumnRangeFilter",
            Kind::ColumnPagination { .. } => "ColumnPaginationFilter",
            Kind::ColumnCount(_) => "ColumnCountGetFilter",
            Kind::FirstKeyOnly => "FirstKeyOnlyFilter",
            Kind::KeyOnly { .. } => "KeyOnlyFilter",
            Kind::Page(_) => "PageFilter",
            Kind::InclusiveStop(_) => "InclusiveStopFilter",
            Kind::Timestamps(_) => "TimestampsFilter",
            _ => return None,
        })
    }

    /// The text in parentheses if it has operators: `ParseFilter` fails on two different ones in the same parentheses.
    fn operand(&self) -> Option<Vec<u8>> {
        let text = self.text()?;
        Some(match &self.0 {
            Kind::All(filters) | Kind::Any(filters) if filters.len() == 1 => text,
            Kind::All(_) | Kind::Any(_) | Kind::Skip(_) | Kind::WhileMatch(_) => {
                [b"(", &text[..], b")"].concat()
            }
            _ => text,
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

fn call(class: &str, arguments: Vec<Vec<u8>>) -> Option<Vec<u8>> {
    Some([class.as_bytes(), b"(", &arguments.join(&b", "[..]), b")"].concat())
}

fn bare(word: &str) -> Vec<u8> {
    word.as_bytes().to_vec()
}

fn quoted(bytes: &[u8]) -> Vec<u8> {
    let escaped = bytes.iter().flat_map(|byte| match byte {
        b'\'' => &b"''"[..],
        byte => std::slice::from_ref(byte),
    });
    b"'".iter().chain(escaped).chain(b"'").copied().collect()
}

fn comparator(comparator: &Comparator) -> Option<Vec<u8>> {
    let (kind, operand) = match &comparator.0 {
        Operand::Binary(bytes) => ("binary", &bytes[..]),
        Operand::BinaryPrefix(bytes) => ("binaryprefix", &bytes[..]),
        Operand::Substring(text) => ("substring", text.as_bytes()),
        Operand::Regex(regex) if !regex.latin_1 => match regex.ignore_case {
            LetterCase::Exact => ("regexstring", regex.pattern.as_bytes()),
            LetterCase::AnyAscii => ("regexstringnocase", regex.pattern.as_bytes()),
            LetterCase::Any => return None,
        },
        _ => return None,
    };
    Some(quoted(&[kind.as_bytes(), b":", operand].concat()))
}

fn no_bound() -> Vec<Vec<u8>> {
    vec![quoted(b""), bare("false")]
}

/// The first qualifier of a range. From '' on is everything, after '' has no text.
fn first(from: &Bound<Bytes>) -> Option<Vec<Vec<u8>>> {
    match from {
        Bound::Unbounded => Some(no_bound()),
        Bound::Included(bytes) => Some(vec![quoted(bytes), bare("true")]),
        Bound::Excluded(bytes) if bytes.is_empty() => None,
        Bound::Excluded(bytes) => Some(vec![quoted(bytes), bare("false")]),
    }
}

fn single_column_value(test: &SingleColumnValue) -> Option<Vec<Vec<u8>>> {
    Some(vec![
        quoted(&test.family),
        quoted(&test.qualifier),
        bare(test.compare.sign()),
        comparator(&test.comparator)?,
        bare(&test.filter_if_missing.to_string()),
        bare(&test.latest_version_only.to_string()),
    ])
}

fn dependent_column(test: &DependentColumn) -> Option<Vec<Vec<u8>>> {
    let mut arguments =
        vec![quoted(&test.family), quoted(&test.qualifier), bare(&test.drop.to_string())];
    if let Some((compare, to)) = &test.value {
        arguments.extend([bare(compare.sign()), comparator(to)?]);
    }
    Some(arguments)
}
