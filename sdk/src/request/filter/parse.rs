//! The parser of HBase's filter strings (`ParseFilter`). A filter string consists of filters with
//! arguments, which operators combine.

use super::arguments::Arguments;
use super::class::Parse;
use super::kind::{Filter, Kind};
use super::text::{FilterStringReader, ParseErrorText};
use super::{of_cells, of_rows};
use crate::{Error, Result};

/// How deep operators and parentheses may be nested. The same limit applies to a filter that is
/// sent.
const DEPTH: usize = 64;

impl Filter {
    /// Reads a filter string, as HBase's shell, its Thrift and REST gateways and its `ParseFilter`
    /// read it: `PrefixFilter('a') AND (ValueFilter(=, 'substring:x') OR SKIP QualifierFilter(>,
    /// 'binary:m'))`.
    ///
    /// Arguments in quotes may be any bytes, with `''` for a quote. `SKIP` and `WHILE` bind
    /// tightest, then `AND`, then `OR`. A comparator is its kind followed by its operand; the kinds
    /// are `binary:`, `binaryprefix:`, `regexstring:`, `regexstringnocase:` and `substring:`. The
    /// tables of [`Filter`] list the arguments of each filter that filter strings can contain.
    ///
    /// ```
    /// use tallrow::{
    ///     Filter,
    ///     filter::{Comparator, CompareOperator},
    /// };
    ///
    /// let filter = Filter::parse("PrefixFilter('it''s') AND ValueFilter(!=, 'substring:old')")?;
    /// let old = Filter::value(CompareOperator::NotEqual, Comparator::substring("old"));
    /// assert_eq!(filter, Filter::prefix("it's").and(old));
    ///
    /// let error =
    ///     Filter::parse("PrefixFilter('a') AND ValueFilter(==, 'substring:old')").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "parse filter: at byte 34: expected an operator, one of <, <=, =, !=, >= and >, found ==",
    /// );
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// `text` is not a filter string; the error contains the position at which parsing failed.
    /// Unlike Java's parser, this one refuses parentheses without an end, operators after their
    /// operands and arguments without commas, and it accepts different operators in one pair of
    /// parentheses.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        let mut text = FilterStringReader::new(text.as_ref());
        let parsed = text.any(DEPTH).and_then(|filter| {
            text.skip_spaces();
            match text.peek() {
                None => Ok(filter),
                Some(_) => Err(text.fault(text.position(), "AND, OR or the end")),
            }
        });
        parsed.map_err(|fault| Error::invalid(fault).with_operation_if_unset("parse filter"))
    }
}

impl FilterStringReader<'_> {
    fn any(&mut self, depth: usize) -> Result<Filter, ParseErrorText> {
        self.joined(depth, "OR", Self::all, Kind::Any)
    }

    fn all(&mut self, depth: usize) -> Result<Filter, ParseErrorText> {
        self.joined(depth, "AND", Self::one, Kind::All)
    }

    /// Reads operands that are separated by this word.
    fn joined(
        &mut self,
        depth: usize,
        word: &str,
        operand: fn(&mut Self, usize) -> Result<Filter, ParseErrorText>,
        list: fn(Vec<Filter>) -> Kind,
    ) -> Result<Filter, ParseErrorText> {
        let first = operand(self, depth)?;
        let mut further = Vec::new();
        while self.take_word(word) {
            further.push(operand(self, depth)?);
        }
        if further.is_empty() {
            return Ok(first);
        }
        further.insert(0, first);
        Ok(Filter(list(further)))
    }

    fn one(&mut self, depth: usize) -> Result<Filter, ParseErrorText> {
        self.skip_spaces();
        let start = self.position();
        let Some(depth) = depth.checked_sub(1) else {
            return Err(format!("at byte {start}: filters are nested more than {DEPTH} deep"));
        };
        if self.take_word("SKIP") {
            Ok(self.one(depth)?.skip())
        } else if self.take_word("WHILE") {
            Ok(self.one(depth)?.while_match())
        } else if self.take(b'(') {
            let filter = self.any(depth)?;
            self.skip_spaces();
            match self.take(b')') {
                true => Ok(filter),
                false => {
                    let opened = format!("AND, OR or the ) for the ( at byte {start}");
                    Err(self.fault(self.position(), &opened))
                }
            }
        } else {
            self.simple()
        }
    }

    /// Reads a filter with arguments.
    fn simple(&mut self) -> Result<Filter, ParseErrorText> {
        const FILTER: &str = "a filter, SKIP, WHILE or (";
        let start = self.position();
        let name = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let name = String::from_utf8_lossy(name).into_owned();
        if name.is_empty() || matches!(&*name, "AND" | "OR") {
            return Err(self.fault(start, FILTER));
        }
        while self.take(b' ') {}
        if !self.take(b'(') {
            return Err(self.fault(self.position(), &format!("the ( of the arguments of {name}")));
        }
        let mut items = Vec::new();
        while self.take(b' ') {}
        if !self.take(b')') {
            loop {
                while self.take(b' ') {}
                items.push(self.argument()?);
                while self.take(b' ') {}
                if self.take(b')') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.fault(self.position(), &format!("a comma or the ) of {name}")));
                }
            }
        }
        let mut arguments = Arguments::new(self, items);
        let filter = parser(&name, start)?(&mut arguments)?;
        arguments.end(&name).map(|()| filter)
    }
}

/// Returns the function that reads the arguments of the filter with this name, which is at byte
/// `at`.
fn parser(name: &str, at: usize) -> Result<Parse, ParseErrorText> {
    let class = of_rows::CLASSES.iter().chain(of_cells::CLASSES).find(|class| class.name == name);
    class.and_then(|class| class.parse).ok_or_else(|| {
        format!(
            "at byte {at}: there is no {name} in filter strings; Filter::parse lists those there are"
        )
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::Timestamp;
    use crate::request::filter::{
        Comparator, CompareOperator, DependentColumn, RegexPattern, SingleColumnValue,
    };

    #[test]
    fn an_error_names_the_place_and_what_was_expected_there() {
        for (text, error) in [
            ("", "at byte 0: expected a filter, SKIP, WHILE or (, found the end"),
            ("PrefixFilter('a') AND", "at byte 18: expected AND, OR or the end, found AND"),
            (
                "PrefixFilter('a') AND ",
                "at byte 22: expected a filter, SKIP, WHILE or (, found the end",
            ),
            ("SKIP AND PageFilter(1)", "at byte 5: expected a filter, SKIP, WHILE or (, found AND"),
            (
                "(PageFilter(1)",
                "at byte 14: expected AND, OR or the ) for the ( at byte 0, found the end",
            ),
            ("PageFilter 5", "at byte 11: expected the ( of the arguments of PageFilter, found 5"),
            (
                "PageFilter(x)",
                "at byte 11: expected how many rows, a number from 0 to 9223372036854775807, found x",
            ),
            (
                "PageFilter()",
                "at byte 11: expected how many rows, a number from 0 to 9223372036854775807, found )",
            ),
            ("PageFilter(1, 2)", "at byte 14: expected the ) of PageFilter, found 2"),
            ("PageFilter(1 2)", "at byte 13: expected a comma or the ) of PageFilter, found 2"),
            ("PrefixFilter('a", "at byte 13: the quote that starts here has no end"),
            ("PrefixFilter(a)", "at byte 13: expected a prefix in quotes, found a"),
            (
                "KeyOnlyFilter('true')",
                "at byte 14: expected whether lengths are returned, true or false (it has no quotes), found \\'true\\'",
            ),
            (
                "RowFilter(=, 'long:1')",
                "at byte 13: expected a comparator that starts with binary:, binaryprefix:, regexstring:, regexstringnocase: or substring:, found \\'long:1\\'",
            ),
            (
                "ValueFilter(<, 'substring:x')",
                "at byte 12: Less does not apply to a substring, which is equal or not equal only",
            ),
            (
                "RandomRowFilter(1)",
                "at byte 0: there is no RandomRowFilter in filter strings; Filter::parse lists those there are",
            ),
        ] {
            let found = Filter::parse(text).unwrap_err();
            assert_eq!(found.kind(), crate::ErrorKind::InvalidArgument);
            assert_eq!(found.to_string(), format!("parse filter: {error}"));
        }
        let deep = |n| format!("{}PageFilter(1){}", "(".repeat(n), ")".repeat(n));
        assert_eq!(Filter::parse(deep(DEPTH - 1)).unwrap(), Filter::page(1));
        assert!(Filter::parse(deep(1_000_000)).unwrap_err().to_string().contains("64 deep"));
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        vec(prop_oneof![any::<u8>(), Just(b'\''), Just(b')'), Just(b','), Just(b' ')], 0..6)
    }

    fn compare() -> impl Strategy<Value = CompareOperator> {
        use CompareOperator::*;
        proptest::sample::select(vec![Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater])
    }

    fn comparison() -> impl Strategy<Value = (CompareOperator, Comparator)> {
        let ordered = prop_oneof![
            bytes().prop_map(Comparator::binary),
            bytes().prop_map(Comparator::binary_prefix),
        ];
        let found = prop_oneof![
            "[a-zÄ:') ]{0,5}".prop_map(Comparator::regex),
            "[a-z')]{0,5}"
                .prop_map(|p| Comparator::regex(RegexPattern::new(p).ignore_ascii_case())),
            "[A-zä:' ]{0,5}".prop_map(Comparator::substring),
        ];
        let equal = prop_oneof![Just(CompareOperator::Equal), Just(CompareOperator::NotEqual)];
        prop_oneof![(compare(), ordered), (equal, found)]
    }

    fn filter() -> impl Strategy<Value = Filter> {
        let column = || (bytes(), bytes());
        let simple = prop_oneof![
            comparison().prop_map(|(op, to)| Filter::row(op, to)),
            comparison().prop_map(|(op, to)| Filter::family(op, to)),
            comparison().prop_map(|(op, to)| Filter::qualifier(op, to)),
            comparison().prop_map(|(op, to)| Filter::value(op, to)),
            (column(), comparison())
                .prop_map(|((f, q), (op, to))| Filter::column_value(f, q, op, to)),
            (column(), comparison(), any::<[bool; 3]>()).prop_map(
                |((f, q), (op, to), [a, b, c])| {
                    let test = SingleColumnValue::new(f, q, op, to);
                    let test = test.filter_if_missing(a).latest_version_only(b);
                    if c { test.exclude().into() } else { test.into() }
                }
            ),
            (column(), proptest::option::of(comparison()), any::<bool>()).prop_map(
                |((f, q), value, drop)| {
                    let mut test = DependentColumn::new(f, q);
                    if let Some((op, to)) = value {
                        test = test.value(op, to);
                    }
                    if drop { test.drop_column().into() } else { test.into() }
                }
            ),
            bytes().prop_map(Filter::prefix),
            bytes().prop_map(Filter::inclusive_stop),
            vec(bytes(), 1..4).prop_map(Filter::column_prefixes),
            (vec(any::<u8>(), 1..3), vec(any::<u8>(), 1..3))
                .prop_map(|(a, b)| Filter::column_range(a..b)),
            bytes().prop_map(|a| match a.is_empty() {
                true => Filter::column_range::<Vec<u8>>(..),
                false => Filter::column_range(..=a),
            }),
            (0..=i32::MAX as u32, 0..=i32::MAX as u32)
                .prop_map(|(a, b)| Filter::column_pagination(a, b)),
            (0..=i32::MAX as u32).prop_map(Filter::column_count),
            (0..=i64::MAX as u64).prop_map(Filter::page),
            Just(Filter::first_key_only()),
            Just(Filter::key_only()),
            Just(Filter::value_lengths()),
            vec(0..=i64::MAX as u64, 1..4).prop_map(|times| Filter::timestamps(
                times.into_iter().map(Timestamp::from_millis)
            )),
        ];
        simple.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                vec(inner.clone(), 2..4).prop_map(Filter::all),
                vec(inner.clone(), 2..4).prop_map(Filter::any),
                inner.clone().prop_map(Filter::skip),
                inner.prop_map(Filter::while_match),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same_filter(filter in filter()) {
            let text = filter.to_filter_string().unwrap();
            prop_assert_eq!(Filter::parse(&text).unwrap(), filter, "{}", text.escape_ascii());
        }

        #[test]
        fn any_bytes_are_a_filter_or_an_error(text in vec(prop_oneof![
            any::<u8>().prop_map(|b| vec![b]),
            proptest::sample::select(vec!["SKIP ", "(", ")", "'", "PrefixFilter(", "RowFilter(=,", " AND ", "'binary:x'", ","])
                .prop_map(|s| s.as_bytes().to_vec()),
        ], 0..20)) {
            let _ = Filter::parse(text.concat());
        }
    }
}
