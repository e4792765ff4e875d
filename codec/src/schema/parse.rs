//! A schema from its text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::check::check;
use super::error::{Place, SchemaError};
use super::field::{Field, FieldForm};
use super::model::{KeyPrefix, Record, Schema};
use super::print::Fingerprint;
use super::ty::Type;
use super::words;
use crate::key::RowKey;

/// How deep keys may nest.
pub(super) const DEPTH: usize = 16;

impl Schema {
    /// Returns the schema whose text this is: a key's [`SCHEMA`](crate::RowKey::SCHEMA), a lock file, or
    /// one written by hand, which needs no fingerprint.
    ///
    /// # Errors
    /// When the text is none, when no key could have this layout, or when the fingerprint in its last
    /// line is that of another layout. The error names the line and the column.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::parse("row key Visit\nuser: text, escaped\nat: u64, time ms\n")?;
    /// assert_eq!(schema.fields().len(), 2);
    /// assert_eq!(schema.fields()[1].width(), Some(8));
    ///
    /// let error = Schema::parse("row key Visit\nuser: text\nat: u64\n").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(1)));
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let mut lines = Lines::new(text);
        let name = lines.head("row key ").ok_or_else(|| {
            lines.wrong(0, "a schema starts with the name of the key, as in \"row key Event\"")
        })?;
        let table = lines.head("table ").map(str::to_string);
        let version = match lines.head("version ") {
            Some(number) => Some(
                words::number(number).map_err(|message| lines.before(message, "version ".len()))?,
            ),
            None => None,
        };
        let lead = lines.lead()?;
        let fields = lines.fields(0, 0)?;
        let mut schema = Self {
            name: name.to_string(),
            table,
            version,
            lead,
            fields,
            records: Vec::new(),
            tag_width: 1,
        };
        lines.records(&mut schema)?;
        let given = lines.head("fingerprint ");
        if let Some(line) = lines.peek() {
            let message = if given.is_some() {
                "nothing follows the fingerprint".to_string()
            } else {
                format!("{:?} is no field, as in \"user: u32\"", line.text)
            };
            return Err(lines.wrong(0, message));
        }
        if let Err((item, message)) = check(&schema) {
            let line = lines.items.get(item).copied().unwrap_or(1);
            return Err(SchemaError { place: Place::Text { line, column: 1 }, message });
        }
        let own = Fingerprint(schema.fingerprint()).to_string();
        match given {
            Some(given) if given != own => {
                Err(lines.before(other_layout(given, &own), "fingerprint ".len()))
            }
            _ => Ok(schema),
        }
    }

    /// Returns the schema of a key type.
    ///
    /// # Errors
    /// None for a derived key of the library's own types; those of [`parse`](Self::parse) where a
    /// [`Field`](crate::Field) of one's own says a kind that its form does not fit.
    ///
    /// ```
    /// use tallrow_codec::RowKey;
    /// use tallrow_codec::schema::Schema;
    ///
    /// #[derive(RowKey)]
    /// struct User {
    ///     id: u32,
    /// }
    ///
    /// assert_eq!(Schema::of::<User>()?.fields()[0].ty().to_string(), "u32");
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn of<K: RowKey>() -> Result<Self, SchemaError> {
        Self::parse(K::SCHEMA)
    }
}

/// Returns the message for a fingerprint that is not that of the layout beside it.
pub(super) fn other_layout(given: &str, own: &str) -> String {
    format!(
        "{given:?} is the fingerprint of another layout, this one has {own}: one of the two was changed"
    )
}

/// One line, and what stands in front of its words.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

struct Lines<'t> {
    rest: Vec<Line<'t>>,
    next: usize,
    /// The line of the lead, then of each field and kind of rows.
    items: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let line = |(index, line): (usize, &'t str)| {
            let text = line.trim_start_matches(' ');
            Line { number: index + 1, indent: line.len() - text.len(), text }
        };
        Self { rest: text.lines().enumerate().map(line).collect(), next: 0, items: [1].to_vec() }
    }

    fn peek(&self) -> Option<Line<'t>> {
        self.rest.get(self.next).copied()
    }

    /// Takes the next line, if it starts with `start`.
    fn head(&mut self, start: &str) -> Option<&'t str> {
        let line = self.peek().filter(|line| line.indent == 0)?;
        let rest = line.text.strip_prefix(start)?;
        self.next += 1;
        Some(rest)
    }

    /// Returns the error at a byte of the next line.
    fn wrong(&self, at: usize, message: impl Into<String>) -> SchemaError {
        let last = self.rest.last().map_or(1, |line| line.number + 1);
        let (line, column) = match self.peek() {
            Some(line) => {
                let before = line.text.get(..at).unwrap_or(line.text).chars().count();
                (line.number, line.indent + before + 1)
            }
            None => (last, 1),
        };
        SchemaError { place: Place::Text { line, column }, message: message.into() }
    }

    /// Returns the error at a byte of the line taken last.
    fn before(&mut self, message: impl Into<String>, at: usize) -> SchemaError {
        self.next = self.next.saturating_sub(1);
        self.wrong(at, message)
    }

    fn lead(&mut self) -> Result<KeyPrefix, SchemaError> {
        let Some(line) = self.peek() else { return Ok(KeyPrefix::None) };
        if let Some(form) = line.text.strip_prefix("salt at random: ") {
            let lead = words::random_salt(form)
                .map_err(|message| self.wrong(line.text.len() - form.len(), message))?;
            self.items = [line.number].to_vec();
            self.next += 1;
            return Ok(lead);
        }
        let salt = line.text.strip_prefix("salt of ").map(|rest| ("salt", rest));
        let hash = line.text.strip_prefix("hash prefix of ").map(|rest| ("hash", rest));
        let Some((kind, rest)) = salt.or(hash).filter(|_| line.indent == 0) else {
            return Ok(KeyPrefix::None);
        };
        let Some((names, form)) = rest.split_once(": ") else {
            return Err(self.wrong(0, "names of fields, a colon and a form are expected"));
        };
        let of = names.split(", ").map(str::to_string).collect();
        let lead = words::lead(kind, of, form)
            .map_err(|message| self.wrong(line.text.len() - form.len(), message))?;
        self.items = [line.number].to_vec();
        self.next += 1;
        Ok(lead)
    }

    /// Reads the fields that stand `indent` spaces in.
    fn fields(&mut self, indent: usize, depth: usize) -> Result<Vec<Field>, SchemaError> {
        let mut fields = Vec::new();
        while let Some(line) = self.peek() {
            if line.indent < indent {
                break;
            }
            if line.indent > indent {
                let message = format!("{indent} spaces are expected in front of this field");
                return Err(self.wrong(0, message));
            }
            let Some((name, form)) = line.text.split_once(": ") else { break };
            if form.starts_with("tag ") {
                break;
            }
            self.name(name)?;
            fields.push(self.field(name, form, depth)?);
        }
        Ok(fields)
    }

    fn name(&self, name: &str) -> Result<(), SchemaError> {
        if is_name(name) {
            return Ok(());
        }
        Err(self.wrong(0, format!("{name:?} is no name: letters, digits and _")))
    }

    fn field(&mut self, name: &str, text: &str, depth: usize) -> Result<Field, SchemaError> {
        let mut parts = words::parts(text).into_iter();
        let start = name.len() + 2;
        let (_, word) = parts.next().unwrap_or_default();
        let mut ty = words::ty(word).map_err(|message| self.wrong(start, message))?;
        let mut form = FieldForm::default();
        for (at, part) in parts {
            words::part(part, &mut form).map_err(|message| self.wrong(start + at, message))?;
        }
        if depth == DEPTH && matches!(ty.innermost(), Type::Key(_)) {
            return Err(self.wrong(start, format!("keys nest at most {DEPTH} deep")));
        }
        let indent = self.peek().map_or(0, |line| line.indent);
        self.items.extend(self.peek().map(|line| line.number));
        self.next += 1;
        if let Some(inner) = ty.inner_fields() {
            *inner = self.fields(indent + 2, depth + 1)?;
        }
        Ok(Field { name: name.to_string(), ty, form })
    }

    fn records(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        while let Some(line) = self.peek().filter(|line| line.indent == 0) {
            let Some((name, rest)) = line.text.split_once(": ") else { break };
            self.name(name)?;
            let start = name.len() + 2;
            let (tag, width) = words::tag(rest).map_err(|message| self.wrong(start, message))?;
            if !schema.records.is_empty() && width != schema.tag_width {
                return Err(self.wrong(start, "all tags of a key have one width"));
            }
            schema.tag_width = width;
            self.items.push(line.number);
            self.next += 1;
            let fields = self.fields(2, 0)?;
            schema.records.push(Record { name: name.to_string(), tag, fields });
        }
        Ok(())
    }
}

/// Says whether `name` can be that of a field, which is a word or, in a tuple, a number.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric())
}
