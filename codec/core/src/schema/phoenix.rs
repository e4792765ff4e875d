//! The primary key of a Phoenix table that has the same bytes as a row key.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tallrow_layout::{
    CompatTarget, End, Field, Int, Limit, RevTsKind, SaltFunction, SaltOrHash, Type,
};

use super::model::Schema;

/// The columns of a Phoenix primary key that has the same bytes as a row key.
///
/// Displays as the text in the parentheses of `CREATE TABLE`. In Phoenix an empty text is null,
/// unsigned types have the maximum of the signed types, and a `CHAR` is ASCII; all other values
/// have the same bytes in Phoenix and in the row key.
///
/// ```
/// use tallrow_codec::schema::Schema;
///
/// let text =
///     "row key Login\ntable logins\ntenant: u32\nuser: text, nul_terminated\nat: i64, rev_ts\n";
/// let key = Schema::parse(text)?.phoenix_key()?;
/// assert_eq!(
///     key.to_string(),
///     r#""tenant" UNSIGNED_INT NOT NULL, "user" VARCHAR NOT NULL, "at" BIGINT NOT NULL CONSTRAINT pk PRIMARY KEY ("tenant", "user", "at" DESC)"#
/// );
/// assert_eq!(key.salt_buckets(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoenixKey {
    table: Option<String>,
    columns: Vec<PhoenixColumn>,
    salt_buckets: Option<u32>,
}

/// One column of a Phoenix primary key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoenixColumn {
    /// The name of the column. For a field of a nested key it is the name of the key, a `_` and the
    /// name of the field.
    pub name: String,
    /// The type of the column: `BIGINT`, `CHAR(8)`.
    pub ty: String,
    /// Whether the column may be null.
    pub nullable: bool,
    /// Whether the column is descending.
    pub desc: bool,
}

impl PhoenixKey {
    /// Returns the columns in key order.
    pub fn columns(&self) -> &[PhoenixColumn] {
        &self.columns
    }

    /// Returns the `SALT_BUCKETS` of the table, if it is salted.
    pub fn salt_buckets(&self) -> Option<u32> {
        self.salt_buckets
    }

    /// Returns the Phoenix statement that creates a table over these rows, with only the columns of
    /// the primary key; `None` if the schema names no table.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let text = "row key Event\ntable events\nsalt of id: buckets = 16, width = 1, hash = java_arrays_hash\nid: u64\n";
    /// assert_eq!(
    ///     Schema::parse(text)?.phoenix_key()?.create_table_statement().as_deref(),
    ///     Some(
    ///         r#"CREATE TABLE "events" ("id" UNSIGNED_LONG NOT NULL CONSTRAINT pk PRIMARY KEY ("id")) SALT_BUCKETS = 16"#
    ///     )
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create_table_statement(&self) -> Option<String> {
        let table = self.table.as_deref()?;
        // A namespace of HBase is a schema of Phoenix.
        let table = table.split(':').map(quoted).collect::<Vec<_>>().join(".");
        let salt = self.salt_buckets.map(|buckets| format!(" SALT_BUCKETS = {buckets}"));
        Some(format!("CREATE TABLE {table} ({self}){}", salt.unwrap_or_default()))
    }
}

impl fmt::Display for PhoenixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, column) in self.columns.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let null = if column.nullable { "" } else { " NOT NULL" };
            write!(f, "{comma}{} {}{null}", quoted(&column.name), column.ty)?;
        }
        f.write_str(" CONSTRAINT pk PRIMARY KEY (")?;
        for (index, column) in self.columns.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}{}", quoted(&column.name), if column.desc { " DESC" } else { "" })?;
        }
        f.write_str(")")
    }
}

/// Returns a name in quotes, because Phoenix converts a name without quotes to upper case.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The error for a key whose bytes no Phoenix primary key has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoenixError {
    field: Option<String>,
    reason: &'static str,
}

impl PhoenixError {
    /// Returns the name of the field that Phoenix cannot encode; `None` if the error is not about a
    /// field.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }
}

impl fmt::Display for PhoenixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("describe a key to Phoenix: ")?;
        if let Some(field) = &self.field {
            write!(f, "field {field}: ")?;
        }
        f.write_str(self.reason)
    }
}

impl core::error::Error for PhoenixError {}

impl Schema {
    /// Returns the Phoenix primary key whose bytes are those of this key.
    ///
    /// # Errors
    /// When there is no such primary key: for encodings that Phoenix does not have, for record
    /// variants, and for any key prefix except a `java_arrays_hash` salt of all fields in one byte.
    ///
    /// See [`PhoenixKey`] for an example.
    pub fn phoenix_key(&self) -> Result<PhoenixKey, PhoenixError> {
        let wrong = |reason| Err(PhoenixError { field: None, reason });
        if !self.records().is_empty() {
            return wrong("its tables have no record variants");
        }
        let salt_buckets = match &self.salt_or_hash() {
            SaltOrHash::None => None,
            SaltOrHash::Salt {
                buckets,
                bucket_offset: 0,
                width: 1,
                hash: SaltFunction::JavaArraysHash,
                fields,
            } if fields.len() == self.fields().len() => Some(*buckets),
            _ => {
                return wrong(
                    "its salt is one byte, by java_arrays_hash over the whole key: `salt(buckets = \
                     N, hash = java_arrays_hash)`",
                );
            }
        };
        let mut columns = Vec::new();
        let mut path = Path { name: String::new(), inverted: false, last: true };
        add(self.fields(), &mut path, &mut columns)?;
        Ok(PhoenixKey { table: self.table().map(str::to_string), columns, salt_buckets })
    }
}

/// The place of the fields of a nested key in the row key.
struct Path {
    /// The text with which the names of their columns start.
    name: String,
    inverted: bool,
    /// Whether the last of these fields is the last field of the row key.
    last: bool,
}

fn add(
    fields: &[Field],
    path: &mut Path,
    columns: &mut Vec<PhoenixColumn>,
) -> Result<(), PhoenixError> {
    for (index, field) in fields.iter().enumerate() {
        let name = format!("{}{}", path.name, field.name());
        let last = path.last && index + 1 == fields.len();
        let desc = path.inverted != field.attributes().desc;
        match field.ty() {
            Type::Key(inner) => {
                let mut inside = Path { name: format!("{name}_"), inverted: desc, last };
                add(inner, &mut inside, columns)?;
            }
            _ => {
                let column = column(field, last, desc);
                let (ty, desc) =
                    column.map_err(|reason| PhoenixError { field: Some(name.clone()), reason })?;
                let null = matches!(field.ty(), Type::Optional(_));
                columns.push(PhoenixColumn { name, ty, nullable: null, desc });
            }
        }
    }
    Ok(())
}

/// Returns the type of the column that writes the bytes of a field, and whether the column is
/// descending.
fn column(field: &Field, last: bool, desc: bool) -> Result<(String, bool), &'static str> {
    let attributes = field.attributes();
    let sized = |name: &str, len: usize| format!("{name}({len})");
    if let Some(md5) = attributes.md5 {
        return Ok((sized(if md5.hex { "CHAR" } else { "BINARY" }, md5.len), desc));
    }
    match attributes.rev_ts {
        // The bytes are those of the number itself, inverted.
        Some(RevTsKind::Max) => return Ok(("BIGINT".to_string(), !desc)),
        Some(RevTsKind::Inverted) => return Ok(("UNSIGNED_LONG".to_string(), !desc)),
        None => {}
    }
    match attributes.compat {
        None => {}
        Some(CompatTarget::Phoenix) => return phoenix_column(field).map(|ty| (ty, desc)),
        Some(_) => return Err("it has the encoding of another system"),
    }
    if let Some(digits) = attributes.digits {
        return Ok((sized("CHAR", digits), desc));
    }
    let ty = match (field.ty(), attributes.end()) {
        (Type::Int(int), _) => integer(*int, attributes.raw_be)?.to_string(),
        (Type::Bool, _) => "BOOLEAN".to_string(),
        (Type::Array(len) | Type::Digest(len), _) => sized("BINARY", *len),
        (Type::Uuid, _) => sized("BINARY", 16),
        (Type::Uid(len), _) => match len {
            1 => "UNSIGNED_TINYINT".to_string(),
            2 => "UNSIGNED_SMALLINT".to_string(),
            4 => "UNSIGNED_INT".to_string(),
            8 => "UNSIGNED_LONG".to_string(),
            len => sized("BINARY", *len),
        },
        (Type::Text, End::Native) => "VARCHAR".to_string(),
        // In descending order the last column has the end mark too.
        (Type::Text, End::Byte(0)) if !last || desc => "VARCHAR".to_string(),
        (Type::Text, End::Byte(0)) => {
            return Err("the last VARCHAR has no end; remove `nul_terminated`");
        }
        (Type::Text, End::Width { width, pad: b' ' }) => sized("CHAR", width),
        (Type::Text, End::Width { .. }) => {
            return Err("its CHAR is padded with spaces: `width = N, pad = ' '`");
        }
        (Type::Text, _) => return Err("its VARCHAR ends with 00: `nul_terminated`"),
        (Type::Bytes, End::Native) => "VARBINARY".to_string(),
        (Type::Bytes, _) => return Err("its VARBINARY is the last column, as it is"),
        (Type::Float(_), _) => return Err("its FLOAT and DOUBLE have other bytes"),
        (Type::Optional(_), _) => return Err("its nulls have other bytes"),
        (Type::Char, _) => return Err("it has no type of one character in 4 bytes"),
        _ => return Err("its columns hold one value"),
    };
    Ok((ty, desc))
}

/// Returns the type of the column for a field that has Phoenix's own encoding.
fn phoenix_column(field: &Field) -> Result<String, &'static str> {
    Ok(match (field.ty().innermost(), field.attributes().end()) {
        (Type::Int(int), _) => integer(*int, false)?.to_string(),
        (Type::Float(4), _) => "FLOAT".to_string(),
        (Type::Float(_), _) => "DOUBLE".to_string(),
        (Type::Bool, _) => "BOOLEAN".to_string(),
        (Type::Array(len), _) => format!("BINARY({len})"),
        (Type::Text, End::Width { width, .. }) => format!("CHAR({width})"),
        (Type::Text, _) => "VARCHAR".to_string(),
        (Type::Foreign("decimal"), _) => "DECIMAL".to_string(),
        (Type::Foreign("timestamp"), _) => "TIMESTAMP".to_string(),
        (Type::Bytes, _) => "VARBINARY".to_string(),
        _ => return Err("no column of Phoenix has this type"),
    })
}

fn integer(int: Int, raw: bool) -> Result<&'static str, &'static str> {
    let plain = raw || !int.signed || int.limit == Limit::NonNeg;
    match (int.bytes, plain) {
        (1, true) => Ok("UNSIGNED_TINYINT"),
        (2, true) => Ok("UNSIGNED_SMALLINT"),
        (4, true) => Ok("UNSIGNED_INT"),
        (8, true) => Ok("UNSIGNED_LONG"),
        (1, false) => Ok("TINYINT"),
        (2, false) => Ok("SMALLINT"),
        (4, false) => Ok("INTEGER"),
        (8, false) => Ok("BIGINT"),
        _ => Err("its numbers have up to 64 bits"),
    }
}
