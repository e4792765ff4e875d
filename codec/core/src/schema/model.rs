//! A schema: a checked layout.

use core::fmt;

use tallrow_layout::{
    Field, Layout, RecordVariant, SaltOrHash, check, fingerprint_error, parse, print,
};

use super::error::{SchemaError, SchemaPlace};
use crate::key::RowKey;

/// The layout of a row key as a value, which decodes, encodes, splits and describes rows without
/// their Rust type.
///
/// ```
/// use tallrow_codec::RowKey;
/// use tallrow_codec::schema::Schema;
///
/// #[derive(RowKey)]
/// struct Login {
///     user: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let schema = Schema::parse(Login::SCHEMA)?;
/// let row = Login { user: 7, at: 1_700_000_000_000 }.encode();
/// let fields = schema.decode(&row)?;
/// assert_eq!(fields.to_string(), "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)");
/// assert_eq!(schema.encode_text("user=7, at=2023-11-14T22:13:20Z")?, row);
/// assert_eq!(schema.to_string(), Login::SCHEMA);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub(super) layout: Layout,
}

impl Schema {
    /// Returns the schema that `text` describes: a key's [`SCHEMA`](crate::RowKey::SCHEMA), the
    /// text of a lock file, or a text written by hand, which needs no fingerprint.
    ///
    /// # Errors
    /// When the text is not a schema, when no key can have this layout, or when the fingerprint in
    /// its last line is that of another layout. The error names the line and the column.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema =
    ///     Schema::parse("row key Visit\nuser: text, escaped\nat: u64, display_time = ms\n")?;
    /// assert_eq!(schema.fields().len(), 2);
    /// assert_eq!(schema.fields()[1].width(), Some(8));
    ///
    /// let error = Schema::parse("row key Visit\nuser: text\nat: u64\n").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(7)));
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let source = parse(text).map_err(|error| SchemaError {
            place: SchemaPlace::Text(error.position),
            message: error.message,
        })?;
        let at = |position, message| SchemaError { place: SchemaPlace::Text(position), message };
        if let Some(first) = check(&source.layout, &|_, _| None).into_iter().next() {
            return Err(at(source.positions.of(first.place), first.message.into_owned()));
        }
        if let Some((given, position)) = source.fingerprint
            && let Some(message) = fingerprint_error(&source.layout, &given)
        {
            return Err(at(position, message));
        }
        Ok(Self { layout: source.layout })
    }

    /// Returns the schema of a key type.
    ///
    /// # Errors
    /// None for a derived key whose fields have the library's own types. The errors of
    /// [`parse`](Self::parse) if a custom [`Field`](crate::Field) names a type that its encoding
    /// does not fit.
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

    /// Returns the name of the key type.
    pub fn name(&self) -> &str {
        &self.layout.name
    }

    /// Returns the name of the table for the keys, if the key names a table.
    pub fn table(&self) -> Option<&str> {
        self.layout.table.as_deref()
    }

    /// Returns the number of the layout, if the key has a number.
    pub fn layout_number(&self) -> Option<u64> {
        self.layout.number
    }

    /// Returns the salt or hash prefix before the fields.
    pub fn salt_or_hash(&self) -> &SaltOrHash {
        &self.layout.prefix
    }

    /// Returns the fields every row starts with: all fields of a struct, or the fields that all
    /// variants of an enum share.
    pub fn fields(&self) -> &[Field] {
        &self.layout.fields
    }

    /// Returns the record variants of an enum; none for a struct.
    pub fn records(&self) -> &[RecordVariant] {
        &self.layout.records
    }

    /// Returns how many bytes the tag of a record variant takes.
    pub fn tag_width(&self) -> usize {
        self.layout.tag_width
    }

    /// Returns the record variant with this name.
    pub(super) fn record(&self, name: &str) -> Option<&RecordVariant> {
        self.records().iter().find(|record| record.name() == name)
    }

    /// Returns the fingerprint of the layout; equal to the key's
    /// [`FINGERPRINT`](crate::RowKey::FINGERPRINT).
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
    /// assert_eq!(Schema::parse(User::SCHEMA)?.fingerprint(), User::FINGERPRINT);
    /// assert_eq!(Schema::parse("row key Any\nother: u32\n")?.fingerprint(), User::FINGERPRINT);
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.layout.fingerprint()
    }
}

/// Writes the text of the key's [`SCHEMA`](crate::RowKey::SCHEMA).
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(&self.layout))
    }
}
