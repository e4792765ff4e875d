//! The syntax of types in the second column: `VARCHAR`, `CHAR(8)`,
//! `TerminatedWrapper(OrderedString,"/")`, `{OrderedString asc,OrderedInt64 desc}`.

use tallrow::key::show;

use crate::value::{json, shorten, split};

/// A name, and the text in parentheses after it.
#[derive(Clone, Debug)]
pub(crate) struct TypeName<'a> {
    pub(crate) name: &'a str,
    pub(crate) arguments: Vec<&'a str>,
}

impl<'a> TypeName<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, String> {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return Ok(Self { name: text, arguments: Vec::new() });
        };
        let inner = rest
            .strip_suffix(')')
            .ok_or_else(|| format!("a parenthesis is not closed in {}", shorten(text)))?;
        Ok(Self { name: name.trim(), arguments: split(inner)? })
    }

    /// Returns the number that is the last argument in parentheses.
    pub(crate) fn width(&self) -> Result<usize, String> {
        let width = self.arguments.last().and_then(|width| width.trim().parse().ok());
        let width = width.filter(|width| (1..=65_536).contains(width));
        width.ok_or_else(|| format!("{} needs a width of 1 to 65536, as in {0}(8)", self.name))
    }

    /// Returns the bytes that are the last argument in parentheses, given as text or bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        let last = self.arguments.last().map_or("", |last| last.trim());
        match last.strip_prefix("0x") {
            Some(hex) => show::from_hex(hex).map_err(|error| error.to_string()),
            None => json(last).map(String::into_bytes),
        }
    }

    /// Returns the type that is the first of two arguments in parentheses.
    pub(crate) fn inner(&self) -> Result<TypeName<'a>, String> {
        match self.arguments[..] {
            [inner, _] => TypeName::parse(inner),
            _ => Err(format!("{} needs a type and one more argument in parentheses", self.name)),
        }
    }

    pub(crate) fn unknown(&self) -> String {
        format!("no type {} in this codec; see --help", shorten(self.name))
    }
}

/// One field of `{A asc,B desc}`.
#[derive(Clone, Debug)]
pub(crate) struct FieldType<'a> {
    pub(crate) ty: TypeName<'a>,
    pub(crate) desc: bool,
}

/// Returns whether a direction is descending.
pub(crate) fn is_desc(direction: &str) -> Result<bool, String> {
    match direction.trim().to_ascii_lowercase().as_str() {
        "asc" | "-" | "" => Ok(false),
        "desc" => Ok(true),
        other => Err(format!("the direction is asc, desc or -, found {}", shorten(other))),
    }
}

/// Reads `{A asc,B desc}`.
pub(crate) fn fields(text: &str) -> Result<Vec<FieldType<'_>>, String> {
    let inner = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.ok_or("expected the types of the fields, as in {VARCHAR asc,BIGINT desc}")?;
    let field = |part| {
        let part: &str = part;
        let part = part.trim();
        let (ty, direction) = match part.rsplit_once(' ') {
            Some((ty, direction)) if !direction.ends_with(')') => (ty, direction),
            _ => (part, "-"),
        };
        Ok(FieldType { ty: TypeName::parse(ty)?, desc: is_desc(direction)? })
    };
    split(inner)?.into_iter().map(field).collect()
}
