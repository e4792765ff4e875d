//! The arguments of a filter as texts, in two forms: those of `Debug` and those of filter strings.

use std::fmt::Display;

use bytes::Bytes;

use super::comparator::Operand;
use super::{Comparator, CompareOperator, LetterCase};
use crate::model::show;

/// An argument of a filter.
pub(super) struct Argument {
    /// The text that `Debug` shows.
    pub(super) shown: String,
    /// The words of the argument in a filter string; `None` if filter strings cannot contain this
    /// argument.
    pub(super) written: Option<Vec<Vec<u8>>>,
}

impl Argument {
    pub(super) fn new(shown: String, written: Option<Vec<Vec<u8>>>) -> Self {
        Self { shown, written }
    }

    /// Makes an argument that filter strings cannot contain.
    pub(super) fn debug_only(shown: impl Display) -> Self {
        Self::new(shown.to_string(), None)
    }

    pub(super) fn bytes(bytes: &Bytes) -> Self {
        Self::new(debug_bytes(bytes), Some(vec![quoted(bytes)]))
    }

    pub(super) fn number(number: impl Display) -> Self {
        Self::new(number.to_string(), Some(vec![bare(&number)]))
    }

    /// Makes an argument that is a number, `true` or `false`. Only `Debug` shows its name.
    pub(super) fn bare_with_debug_name(name: &str, value: impl Display) -> Self {
        Self::new(format!("{name}: {value}"), Some(vec![bare(&value)]))
    }

    pub(super) fn comparison(compare: CompareOperator, comparator: &Comparator) -> Self {
        let shown = format!("{} {comparator:?}", compare.symbol());
        Self::new(shown, comparison_words(compare, comparator).map(Vec::from))
    }

    /// Makes an argument for a comparison with the values of a column.
    pub(super) fn column(
        (family, qualifier): (&Bytes, &Bytes),
        compare: CompareOperator,
        comparator: &Comparator,
    ) -> Self {
        let of = Self::comparison(compare, comparator);
        let column = show::column(family, qualifier);
        let written = of.written.map(|of| [column_words(family, qualifier).into(), of].concat());
        Self::new(format!("{column} {}", of.shown), written)
    }

    /// Combines several arguments of the same kind into one. Filter strings cannot contain an empty
    /// list.
    pub(super) fn list(arguments: impl IntoIterator<Item = Self>) -> Self {
        let (shown, written): (Vec<_>, Vec<_>) =
            arguments.into_iter().map(|argument| (argument.shown, argument.written)).unzip();
        let words = written.into_iter().collect::<Option<Vec<_>>>().map(|words| words.concat());
        Self::new(shown.join(", "), words.filter(|words| !words.is_empty()))
    }
}

/// Returns a word without quotes.
pub(super) fn bare(word: impl Display) -> Vec<u8> {
    word.to_string().into_bytes()
}

/// Returns a word in quotes.
pub(super) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let escaped = bytes.iter().flat_map(|byte| match byte {
        b'\'' => &b"''"[..],
        byte => std::slice::from_ref(byte),
    });
    b"'".iter().chain(escaped).chain(b"'").copied().collect()
}

/// Returns the words of a comparison: its operator and its comparator.
pub(super) fn comparison_words(
    compare: CompareOperator,
    comparator: &Comparator,
) -> Option<[Vec<u8>; 2]> {
    Some([bare(compare.symbol()), operand(comparator)?])
}

/// Returns the words of a column: its family and its qualifier.
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
        | Operand::AllBits(_)
        | Operand::Long(_)
        | Operand::BigDecimal(_)
        | Operand::Null
        | Operand::Custom(..) => return None,
    };
    Some(quoted(&[kind.as_bytes(), b":", operand].concat()))
}

/// Returns bytes as `Debug` shows them.
pub(super) fn debug_bytes(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

/// Returns arguments as `Debug` shows them.
pub(super) fn debug_arguments(arguments: &[Argument]) -> String {
    let shown: Vec<_> = arguments.iter().map(|argument| &*argument.shown).collect();
    shown.join(", ")
}
