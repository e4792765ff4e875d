//! The arguments of each filter in a filter string.

use std::ops::Bound;
use std::vec::IntoIter;

use bytes::Bytes;

use super::kind::Filter;
use super::text::{Argument, Fault, Text};
use super::{Comparator, Compare, DependentColumn, RegexPattern, SingleColumnValue};
use crate::Timestamp;

/// The arguments of one filter that are not read yet.
pub(super) struct Arguments<'t> {
    /// Read up to their end.
    text: &'t Text<'t>,
    items: IntoIter<Argument<'t>>,
}

/// The filter of this name, which is at `at`.
pub(super) fn filter_of(
    name: &str,
    at: usize,
    mut arguments: Arguments<'_>,
) -> Result<Filter, Fault> {
    let a = &mut arguments;
    let filter = match name {
        "FirstKeyOnlyFilter" => Filter::first_key_only(),
        "KeyOnlyFilter" => match !a.is_empty() && a.boolean("whether lengths are returned")? {
            true => Filter::value_lengths(),
            false => Filter::key_only(),
        },
        "PrefixFilter" => Filter::prefix(a.bytes("a prefix")?),
        "ColumnPrefixFilter" => Filter::column_prefix(a.bytes("a prefix")?),
        "MultipleColumnPrefixFilter" => {
            let mut prefixes = vec![a.bytes("a prefix")?];
            while !a.is_empty() {
                prefixes.push(a.bytes("a prefix")?);
            }
            Filter::column_prefixes(prefixes)
        }
        "InclusiveStopFilter" => Filter::inclusive_stop(a.bytes("a row")?),
        "PageFilter" => Filter::page(a.number("how many rows", i64::MAX)?),
        "ColumnCountGetFilter" => Filter::column_count(a.int("how many columns")?),
        "ColumnPaginationFilter" => {
            Filter::column_pagination(a.int("a limit")?, a.int("an offset")?)
        }
        "TimestampsFilter" => {
            let mut times = vec![a.number("a time", i64::MAX)?];
            while !a.is_empty() {
                times.push(a.number("a time", i64::MAX)?);
            }
            Filter::timestamps(times.into_iter().map(Timestamp::from_millis))
        }
        "ColumnRangeFilter" => {
            let from = a.bound("a first qualifier")?;
            let to = a.bound("a last qualifier")?;
            Filter::column_range::<Bytes>((from, to))
        }
        "RowFilter" => with_comparison(a, Filter::row)?,
        "FamilyFilter" => with_comparison(a, Filter::family)?,
        "QualifierFilter" => with_comparison(a, Filter::qualifier)?,
        "ValueFilter" => with_comparison(a, Filter::value)?,
        "ColumnValueFilter" => {
            let (family, qualifier) = a.column()?;
            let (compare, comparator) = a.comparison()?;
            Filter::column_value(family, qualifier, compare, comparator)
        }
        "SingleColumnValueFilter" => single_column_value(a)?.into(),
        "SingleColumnValueExcludeFilter" => single_column_value(a)?.exclude().into(),
        "DependentColumnFilter" => dependent_column(a)?.into(),
        _ => {
            return Err(format!(
                "at byte {at}: there is no {name} in filter strings; Filter::parse lists those there are"
            ));
        }
    };
    match arguments.items.next() {
        None => Ok(filter),
        Some(extra) => Err(arguments.text.fault(extra.at, &format!("the ) of {name}"))),
    }
}

fn with_comparison(
    a: &mut Arguments<'_>,
    filter: fn(Compare, Comparator) -> Filter,
) -> Result<Filter, Fault> {
    let (compare, comparator) = a.comparison()?;
    Ok(filter(compare, comparator))
}

fn single_column_value(a: &mut Arguments<'_>) -> Result<SingleColumnValue, Fault> {
    let (family, qualifier) = a.column()?;
    let (compare, comparator) = a.comparison()?;
    let test = SingleColumnValue::new(family, qualifier, compare, comparator);
    if a.is_empty() {
        return Ok(test);
    }
    let missing = a.boolean("whether rows without the column are dropped")?;
    let latest = a.boolean("whether only the newest version decides")?;
    Ok(test.filter_if_missing(missing).latest_version_only(latest))
}

fn dependent_column(a: &mut Arguments<'_>) -> Result<DependentColumn, Fault> {
    let (family, qualifier) = a.column()?;
    let mut test = DependentColumn::new(family, qualifier);
    if !a.is_empty() && a.boolean("whether the column is left out")? {
        test = test.drop_column();
    }
    if a.is_empty() {
        return Ok(test);
    }
    let (compare, comparator) = a.comparison()?;
    Ok(test.value(compare, comparator))
}

impl<'t> Arguments<'t> {
    pub(super) fn new(text: &'t Text<'t>, items: Vec<Argument<'t>>) -> Self {
        Self { text, items: items.into_iter() }
    }

    fn is_empty(&self) -> bool {
        self.items.len() == 0
    }

    fn next(&mut self, expected: &str) -> Result<Argument<'t>, Fault> {
        self.items.next().ok_or_else(|| self.text.fault(self.text.at().saturating_sub(1), expected))
    }

    fn bytes(&mut self, what: &str) -> Result<Bytes, Fault> {
        let expected = format!("{what} in quotes");
        let argument = self.next(&expected)?;
        argument.quoted.ok_or_else(|| self.text.fault(argument.at, &expected))
    }

    /// An argument without quotes.
    fn bare(&mut self, expected: &str) -> Result<(&'t [u8], usize), Fault> {
        let argument = self.next(expected)?;
        match argument.quoted {
            None => Ok((argument.bare, argument.at)),
            Some(_) => Err(self.text.fault(argument.at, &format!("{expected} (it has no quotes)"))),
        }
    }

    fn number(&mut self, what: &str, max: i64) -> Result<u64, Fault> {
        let expected = format!("{what}, a number from 0 to {max}");
        let (digits, at) = self.bare(&expected)?;
        let number = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'));
        let number = number.and_then(|text| text.parse::<i64>().ok()).filter(|n| *n <= max);
        let number = number.and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| self.text.fault(at, &expected))
    }

    fn int(&mut self, what: &str) -> Result<u32, Fault> {
        let number = self.number(what, i32::MAX.into())?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn boolean(&mut self, what: &str) -> Result<bool, Fault> {
        let expected = format!("{what}, true or false");
        let (word, at) = self.bare(&expected)?;
        match () {
            () if word.eq_ignore_ascii_case(b"true") => Ok(true),
            () if word.eq_ignore_ascii_case(b"false") => Ok(false),
            () => Err(self.text.fault(at, &expected)),
        }
    }

    /// A qualifier, and whether it is included; the empty one is none.
    fn bound(&mut self, what: &str) -> Result<Bound<Bytes>, Fault> {
        let qualifier = self.bytes(what)?;
        let included = self.boolean("whether it is included")?;
        Ok(match (qualifier.is_empty(), included) {
            (true, _) => Bound::Unbounded,
            (false, true) => Bound::Included(qualifier),
            (false, false) => Bound::Excluded(qualifier),
        })
    }

    fn column(&mut self) -> Result<(Bytes, Bytes), Fault> {
        Ok((self.bytes("a family")?, self.bytes("a qualifier")?))
    }

    fn comparison(&mut self) -> Result<(Compare, Comparator), Fault> {
        const OPERATOR: &str = "an operator, one of <, <=, =, !=, >= and >";
        let (sign, at) = self.bare(OPERATOR)?;
        let compare = match sign {
            b"<" => Compare::Less,
            b"<=" => Compare::LessOrEqual,
            b"=" => Compare::Equal,
            b"!=" => Compare::NotEqual,
            b">=" => Compare::GreaterOrEqual,
            b">" => Compare::Greater,
            _ => return Err(self.text.fault(at, OPERATOR)),
        };
        let argument = self.next("a comparator in quotes")?;
        let Some(quoted) = &argument.quoted else {
            return Err(self.text.fault(argument.at, "a comparator in quotes"));
        };
        let comparator = self.comparator(quoted, argument.at)?;
        match comparator.problem(compare) {
            None => Ok((compare, comparator)),
            Some(problem) => Err(format!("at byte {at}: {problem}")),
        }
    }

    /// A kind, a colon and an operand.
    fn comparator(&self, quoted: &Bytes, at: usize) -> Result<Comparator, Fault> {
        let expected = "a comparator that starts with binary:, binaryprefix:, regexstring:, \
                        regexstringnocase: or substring:";
        let colon = quoted.iter().position(|byte| *byte == b':');
        let parts = colon.and_then(|colon| quoted.split_at_checked(colon));
        let (kind, operand) = parts.ok_or_else(|| self.text.fault(at, expected))?;
        let operand = operand.get(1..).unwrap_or_default();
        let text = || {
            String::from_utf8(operand.to_vec()).map_err(|_| {
                let kind = kind.escape_ascii();
                format!("at byte {at}: the operand of {kind}: is not UTF-8")
            })
        };
        Ok(match kind {
            b"binary" => Comparator::binary(operand),
            b"binaryprefix" => Comparator::binary_prefix(operand),
            b"regexstring" => Comparator::regex(text()?),
            b"regexstringnocase" => {
                Comparator::regex(RegexPattern::new(text()?).ignore_ascii_case())
            }
            b"substring" => Comparator::substring(text()?),
            _ => return Err(self.text.fault(at, expected)),
        })
    }
}
