//! The reader of the arguments of a filter in a filter string.

use std::ops::Bound;
use std::vec::IntoIter;

use bytes::Bytes;

use super::text::{ArgumentText, FilterStringReader, ParseErrorText};
use super::{Comparator, CompareOperator, Filter, RegexPattern};

/// The arguments of one filter that are not read yet.
pub(super) struct Arguments<'t> {
    /// The filter string, which is read up to the end of these arguments.
    text: &'t FilterStringReader<'t>,
    items: IntoIter<ArgumentText<'t>>,
}

impl<'t> Arguments<'t> {
    pub(super) fn new(text: &'t FilterStringReader<'t>, items: Vec<ArgumentText<'t>>) -> Self {
        Self { text, items: items.into_iter() }
    }

    /// Fails if there are arguments that the filter with this name has not read.
    pub(super) fn end(mut self, name: &str) -> Result<(), ParseErrorText> {
        match self.items.next() {
            None => Ok(()),
            Some(extra) => Err(self.text.fault(extra.at, &format!("the ) of {name}"))),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.len() == 0
    }

    fn next(&mut self, expected: &str) -> Result<ArgumentText<'t>, ParseErrorText> {
        self.items
            .next()
            .ok_or_else(|| self.text.fault(self.text.position().saturating_sub(1), expected))
    }

    pub(super) fn bytes(&mut self, what: &str) -> Result<Bytes, ParseErrorText> {
        let expected = format!("{what} in quotes");
        let argument = self.next(&expected)?;
        argument.quoted.ok_or_else(|| self.text.fault(argument.at, &expected))
    }

    /// Reads one or more arguments by calling `read` for each of them.
    pub(super) fn several<A>(
        &mut self,
        read: impl Fn(&mut Self) -> Result<A, ParseErrorText>,
    ) -> Result<Vec<A>, ParseErrorText> {
        let mut several = vec![read(self)?];
        while !self.is_empty() {
            several.push(read(self)?);
        }
        Ok(several)
    }

    /// Reads an argument without quotes.
    fn bare(&mut self, expected: &str) -> Result<(&'t [u8], usize), ParseErrorText> {
        let argument = self.next(expected)?;
        match argument.quoted {
            None => Ok((argument.bare, argument.at)),
            Some(_) => Err(self.text.fault(argument.at, &format!("{expected} (it has no quotes)"))),
        }
    }

    pub(super) fn number(&mut self, what: &str, max: i64) -> Result<u64, ParseErrorText> {
        let expected = format!("{what}, a number from 0 to {max}");
        let (digits, at) = self.bare(&expected)?;
        let number = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'));
        let number = number.and_then(|text| text.parse::<i64>().ok()).filter(|n| *n <= max);
        let number = number.and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| self.text.fault(at, &expected))
    }

    pub(super) fn int(&mut self, what: &str) -> Result<u32, ParseErrorText> {
        let number = self.number(what, i32::MAX.into())?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    pub(super) fn boolean(&mut self, what: &str) -> Result<bool, ParseErrorText> {
        let expected = format!("{what}, true or false");
        let (word, at) = self.bare(&expected)?;
        match () {
            () if word.eq_ignore_ascii_case(b"true") => Ok(true),
            () if word.eq_ignore_ascii_case(b"false") => Ok(false),
            () => Err(self.text.fault(at, &expected)),
        }
    }

    /// Reads a qualifier, and whether it is included; the empty qualifier means no bound.
    pub(super) fn bound(&mut self, what: &str) -> Result<Bound<Bytes>, ParseErrorText> {
        let qualifier = self.bytes(what)?;
        let included = self.boolean("whether it is included")?;
        Ok(match (qualifier.is_empty(), included) {
            (true, _) => Bound::Unbounded,
            (false, true) => Bound::Included(qualifier),
            (false, false) => Bound::Excluded(qualifier),
        })
    }

    pub(super) fn column(&mut self) -> Result<(Bytes, Bytes), ParseErrorText> {
        Ok((self.bytes("a family")?, self.bytes("a qualifier")?))
    }

    pub(super) fn comparison(&mut self) -> Result<(CompareOperator, Comparator), ParseErrorText> {
        const OPERATOR: &str = "an operator, one of <, <=, =, !=, >= and >";
        let (sign, at) = self.bare(OPERATOR)?;
        let compare =
            CompareOperator::ALL.into_iter().find(|compare| compare.symbol().as_bytes() == sign);
        let compare = compare.ok_or_else(|| self.text.fault(at, OPERATOR))?;
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

    /// Reads a filter that has no arguments besides a comparison.
    pub(super) fn comparison_filter(
        &mut self,
        filter: fn(CompareOperator, Comparator) -> Filter,
    ) -> Result<Filter, ParseErrorText> {
        let (compare, comparator) = self.comparison()?;
        Ok(filter(compare, comparator))
    }

    /// Reads a comparator, which is a kind, a colon and an operand.
    fn comparator(&self, quoted: &Bytes, at: usize) -> Result<Comparator, ParseErrorText> {
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
