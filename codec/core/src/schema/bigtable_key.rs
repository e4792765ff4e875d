//! The row key schema by which Bigtable reads the fields of a row key.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tallrow_layout::{
    Attributes, CompatTarget, End, Field, Int, Layout, Limit, SaltOrHash, Type, check,
};

use super::model::Schema;

/// A row key schema of Bigtable: the columns that the service reads from the bytes of a row key,
/// and that queries in SQL can name.
///
/// Displays as a list of the columns, and how they are joined.
///
/// ```
/// use tallrow_codec::RowKey;
/// use tallrow_codec::schema::Schema;
///
/// #[derive(RowKey)]
/// #[row_key(compat = "bigtable")]
/// struct Visit {
///     user: String,
///     at: i64,
/// }
///
/// let key = Schema::of::<Visit>()?.bigtable_key()?;
/// assert_eq!(key.to_string(), "user STRING, at INT64 in ordered code; joined in ordered code");
/// assert_eq!(Schema::from_bigtable_key("Visit", &key)?.to_string(), Visit::SCHEMA);
///
/// let plain = Schema::parse("row key Visit\nuser: u64\n")?;
/// let reason = plain.bigtable_key().unwrap_err();
/// assert_eq!(
///     reason.to_string(),
///     "describe a key to Bigtable: field user: it may be larger than an i64, the only integer of \
///      a row key schema: use `NonNeg<i64>`"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigtableKey {
    columns: Vec<BigtableColumn>,
    join: BigtableJoin,
}

/// One column of a row key schema of Bigtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigtableColumn {
    /// The name of the column.
    pub name: String,
    /// The type and the encoding of its values.
    pub ty: BigtableType,
}

/// The type of a column of a row key schema, with its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BigtableType {
    /// `STRING`, as UTF-8.
    Text,
    /// `BYTES`, as they are.
    Bytes,
    /// `INT64`.
    Int64(BigtableInteger),
    /// `TIMESTAMP`, as microseconds since 1970.
    Timestamp(BigtableInteger),
}

/// The encoding of an integer in a row key schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BigtableInteger {
    /// Eight bytes, the highest first, of numbers that are not negative.
    BigEndian,
    /// One to ten bytes, which sort as all numbers do.
    OrderedCode,
}

/// How the columns of a row key schema are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BigtableJoin {
    /// The row key is its only column.
    Singleton,
    /// These bytes are between two columns. Each byte of a value is above the first byte of the
    /// delimiter.
    Delimited(Vec<u8>),
    /// 00 01 is between two columns, and a 00 in a value is 00 FF.
    OrderedCode,
}

impl BigtableKey {
    /// Returns a row key schema with these columns.
    ///
    /// ```
    /// use tallrow_codec::schema::{BigtableColumn, BigtableJoin, BigtableKey, BigtableType};
    ///
    /// let word = BigtableColumn { name: "word".into(), ty: BigtableType::Text };
    /// let key = BigtableKey::new([word], BigtableJoin::Singleton);
    /// assert_eq!(key.to_string(), "word STRING; the row key is this column");
    /// ```
    pub fn new(columns: impl IntoIterator<Item = BigtableColumn>, join: BigtableJoin) -> Self {
        Self { columns: columns.into_iter().collect(), join }
    }

    /// Returns the columns in key order.
    pub fn columns(&self) -> &[BigtableColumn] {
        &self.columns
    }

    /// Returns how the columns are joined.
    pub fn join(&self) -> &BigtableJoin {
        &self.join
    }
}

impl fmt::Display for BigtableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, column) in self.columns.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {}", column.name, column.ty)?;
        }
        match &self.join {
            BigtableJoin::Singleton => f.write_str("; the row key is this column"),
            BigtableJoin::Delimited(by) => write!(f, "; joined by \"{}\"", by.escape_ascii()),
            BigtableJoin::OrderedCode => f.write_str("; joined in ordered code"),
        }
    }
}

impl fmt::Display for BigtableType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("STRING"),
            Self::Bytes => f.write_str("BYTES"),
            Self::Int64(encoding) => write!(f, "INT64 {encoding}"),
            Self::Timestamp(encoding) => write!(f, "TIMESTAMP {encoding}"),
        }
    }
}

impl fmt::Display for BigtableInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BigEndian => "in 8 bytes",
            Self::OrderedCode => "in ordered code",
        })
    }
}

/// The reason why Bigtable has no row key schema for a layout, or why there is no layout for a row
/// key schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigtableKeyError {
    field: Option<String>,
    reason: Cow<'static, str>,
}

impl BigtableKeyError {
    /// Returns the name of the field that is the reason; `None` if the reason is not a field.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    fn of_key(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { field: None, reason: reason.into() }
    }

    fn of_field(field: &str, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { field: Some(field.to_string()), reason: reason.into() }
    }
}

impl fmt::Display for BigtableKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("describe a key to Bigtable: ")?;
        if let Some(field) = &self.field {
            write!(f, "field {field}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl core::error::Error for BigtableKeyError {}

type Result<T, E = BigtableKeyError> = core::result::Result<T, E>;

/// The names that a column of a row key schema may not have.
const RESERVED: [&str; 2] = ["_key", "_timestamp"];

impl Schema {
    /// Returns the row key schema by which Bigtable reads the fields of this key from its bytes.
    ///
    /// # Errors
    /// When there is none: for encodings that Bigtable does not have, for record variants, and for
    /// a salt or a hash before the fields. The error says which field is the reason, and what to
    /// use in its place.
    ///
    /// See [`BigtableKey`] for an example.
    pub fn bigtable_key(&self) -> Result<BigtableKey> {
        self.to_bigtable_key(true)
    }

    /// Returns the layout whose bytes Bigtable reads by this row key schema. The name is that of
    /// the key type.
    ///
    /// # Errors
    /// When no key that can be derived has these bytes: with delimiters of several bytes, and with
    /// values other than strings between delimiters.
    ///
    /// See [`BigtableKey`] for an example.
    pub fn from_bigtable_key(name: &str, key: &BigtableKey) -> Result<Self> {
        let fields = fields_of(key)?;
        let layout = Layout { name: name.to_string(), fields, ..Layout::default() };
        match check(&layout, &|_, _| None).into_iter().next() {
            None => Ok(Self { layout }),
            Some(violation) => Err(BigtableKeyError::of_key(violation.message)),
        }
    }

    /// Converts this layout to a row key schema, and returns the layout of that schema. It lacks
    /// the restrictions of texts that a row key schema cannot express. Returns this layout itself
    /// if Bigtable has no row key schema for it.
    #[doc(hidden)]
    pub fn round_trip_through_bigtable(&self) -> Self {
        let left = self.to_bigtable_key(false);
        let left = left.and_then(|key| Self::from_bigtable_key(self.name(), &key));
        left.unwrap_or_else(|_| self.clone())
    }

    /// Returns the row key schema. If `strict` is false, texts between delimiters may be any that
    /// this library writes there.
    fn to_bigtable_key(&self, strict: bool) -> Result<BigtableKey> {
        match self.salt_or_hash() {
            SaltOrHash::None => {}
            SaltOrHash::Salt { .. } | SaltOrHash::RandomSalt { .. } => {
                return Err(BigtableKeyError::of_key(
                    "the key begins with a salt, and a row key schema has no column for it",
                ));
            }
            SaltOrHash::HashPrefix { .. } => {
                return Err(BigtableKeyError::of_key(
                    "the key begins with a hash, and a row key schema has no column for it",
                ));
            }
        }
        if !self.records().is_empty() {
            return Err(BigtableKeyError::of_key(
                "the fields differ by record type, and a row key schema has the same columns for \
                 all rows",
            ));
        }
        let Some((last, others)) = self.fields().split_last() else {
            return Err(BigtableKeyError::of_key("the key has no fields"));
        };
        self.fields().iter().try_for_each(check_field)?;
        let (join, types) = match others.first() {
            None => (BigtableJoin::Singleton, Vec::from([alone(last)?])),
            Some(first) if first.attributes().compat.is_some() => {
                let types = self.fields().iter().map(in_ordered_code).collect::<Result<_>>()?;
                (BigtableJoin::OrderedCode, types)
            }
            Some(first) => {
                let End::Byte(delimiter) = first.attributes().end() else {
                    return Err(BigtableKeyError::of_field(
                        first.name(),
                        "the next field follows without a delimiter, and a row key schema joins \
                         columns by a delimiter or in ordered code: use `compat = \"bigtable\"`",
                    ));
                };
                let mut types = Vec::with_capacity(self.fields().len());
                for field in others {
                    types.push(delimited(field, delimiter, (false, strict))?);
                }
                types.push(delimited(last, delimiter, (true, strict))?);
                (BigtableJoin::Delimited(Vec::from([delimiter])), types)
            }
        };
        let columns = self.fields().iter().zip(types);
        let column = |(field, ty): (&Field, BigtableType)| BigtableColumn {
            name: field.name().to_string(),
            ty,
        };
        Ok(BigtableKey::new(columns.map(column), join))
    }
}

/// Checks what all fields of a row key schema have in common.
fn check_field(field: &Field) -> Result<()> {
    let wrong = |reason: &'static str| Err(BigtableKeyError::of_field(field.name(), reason));
    if RESERVED.contains(&field.name()) {
        return wrong("Bigtable has a column of this name in every query: rename the field");
    }
    if field.tags().is_some() {
        return wrong("it is an enum, which a row key schema has not");
    }
    let attributes = field.attributes();
    if attributes.compat.is_some_and(|target| target != CompatTarget::Bigtable) {
        return wrong("it has the encoding of another system");
    }
    // These attributes are in the row key schema, or do not change how a value is encoded.
    let kept = Attributes {
        chars: attributes.chars,
        digits: attributes.digits,
        raw_be: attributes.raw_be,
        floor: attributes.floor,
        display_time: attributes.display_time,
        compat: attributes.compat,
        sep: attributes.sep,
        nul_terminated: attributes.nul_terminated,
        ..Attributes::default()
    };
    match kept == *attributes {
        true => Ok(()),
        false => wrong(
            "an attribute changes its bytes, and a row key schema cannot say how: use the value as \
             it is",
        ),
    }
}

/// Returns the type of the only field of a key.
fn alone(field: &Field) -> Result<BigtableType> {
    let wrong = |reason: &'static str| Err(BigtableKeyError::of_field(field.name(), reason));
    let attributes = field.attributes();
    match (field.ty(), attributes.end()) {
        _ if attributes.compat.is_some() => in_ordered_code(field),
        (Type::Text, End::Native) => Ok(BigtableType::Text),
        (Type::Int(_), _) if attributes.digits.is_some() => Ok(BigtableType::Text),
        (Type::Int(int), _) => big_endian(field, *int),
        (
            Type::Bytes | Type::Array(_) | Type::Uuid | Type::Uid(_) | Type::Digest(_),
            End::Native,
        ) => Ok(BigtableType::Bytes),
        (_, End::Native) => wrong(NO_TYPE),
        _ => wrong("its end is marked, and a row key of one column has the value alone"),
    }
}

/// The reason why most types are in no row key schema.
const NO_TYPE: &str = "its type is none of a row key schema, whose columns are strings, bytes and \
                       64-bit integers";

/// Returns the type of a number that is written as 8 bytes, the highest first.
fn big_endian(field: &Field, int: Int) -> Result<BigtableType> {
    let wrong = |reason: Cow<'static, str>| Err(BigtableKeyError::of_field(field.name(), reason));
    let is_plain = int.limit == Limit::NonNeg || field.attributes().raw_be;
    match int {
        Int { bytes: 8, signed: true, .. } if is_plain => {
            Ok(BigtableType::Int64(BigtableInteger::BigEndian))
        }
        Int { bytes: 8, signed: true, .. } => wrong(
            "its sign bit is inverted, and the integers of a row key schema are not: use \
             `NonNeg<i64>`, `raw_be`, or `compat = \"bigtable\"` for negative numbers"
                .into(),
        ),
        Int { bytes: 8, .. } => wrong(
            "it may be larger than an i64, the only integer of a row key schema: use `NonNeg<i64>`"
                .into(),
        ),
        Int { bytes, .. } => wrong(
            format!("it has {bytes} bytes, and the integers of a row key schema are `i64`").into(),
        ),
    }
}

/// Returns the type of a field with `compat = "bigtable"`.
fn in_ordered_code(field: &Field) -> Result<BigtableType> {
    let attributes = field.attributes();
    let wrong = |reason: &'static str| Err(BigtableKeyError::of_field(field.name(), reason));
    match field.ty() {
        _ if attributes.compat != Some(CompatTarget::Bigtable) => {
            wrong("other fields are in ordered code, and this field is not")
        }
        Type::Text => Ok(BigtableType::Text),
        Type::Bytes => Ok(BigtableType::Bytes),
        Type::Int(Int { bytes: 8, signed: true, limit }) => {
            let is_ordered = *limit == Limit::Any && !attributes.raw_be;
            Ok(BigtableType::Int64(match is_ordered {
                true => BigtableInteger::OrderedCode,
                false => BigtableInteger::BigEndian,
            }))
        }
        _ => wrong(NO_TYPE),
    }
}

/// Returns the type of a field of a key that is joined by `delimiter`.
fn delimited(
    field: &Field,
    delimiter: u8,
    (is_last, strict): (bool, bool),
) -> Result<BigtableType> {
    let wrong = |reason: Cow<'static, str>| Err(BigtableKeyError::of_field(field.name(), reason));
    let attributes = field.attributes();
    let shown = delimiter.escape_ascii();
    let expected = if is_last { End::Native } else { End::Byte(delimiter) };
    if attributes.compat.is_some() {
        return wrong("it is in ordered code, and other fields are not".into());
    }
    let is_digits = is_last && attributes.digits.is_some();
    match field.ty() {
        Type::Text if attributes.end() == expected => {}
        Type::Int(_) if is_digits && strict && delimiter >= b'0' => {
            return wrong(format!("its digits are not above the delimiter \"{shown}\"").into());
        }
        Type::Int(_) if is_digits => return Ok(BigtableType::Text),
        Type::Text => {
            return wrong(format!("it does not end as a column before \"{shown}\" does").into());
        }
        _ => return wrong(format!("its bytes may contain the delimiter \"{shown}\"").into()),
    }
    let up_to = u128::MAX >> 127_u8.saturating_sub(delimiter);
    let is_above = match attributes.chars {
        Some(chars) => delimiter < 0x80 && chars & up_to == 0,
        // A text that ends with 00 has no 00.
        None => delimiter == 0 && !is_last,
    };
    if strict && !is_above {
        return wrong(
            format!(
                "it may have characters up to the delimiter \"{shown}\", which Bigtable does not \
                 read as part of a column: list the characters that it has, all above the \
                 delimiter, with `chars`"
            )
            .into(),
        );
    }
    Ok(BigtableType::Text)
}

/// Returns the type of the values of a column.
fn type_of(ty: BigtableType) -> Type {
    match ty {
        BigtableType::Text => Type::Text,
        BigtableType::Bytes => Type::Bytes,
        BigtableType::Int64(encoding) | BigtableType::Timestamp(encoding) => {
            let limit = match encoding {
                BigtableInteger::BigEndian => Limit::NonNeg,
                BigtableInteger::OrderedCode => Limit::Any,
            };
            Type::Int(Int { bytes: 8, signed: true, limit })
        }
    }
}

/// Returns the fields that have the bytes of these columns.
fn fields_of(key: &BigtableKey) -> Result<Vec<Field>> {
    let Some((last, others)) = key.columns.split_last() else {
        return Err(BigtableKeyError::of_key("the row key schema has no columns"));
    };
    let field = |column: &BigtableColumn, attributes: Attributes| {
        Field::new(column.name.clone(), type_of(column.ty), attributes)
    };
    let one_of_many = !others.is_empty();
    match &key.join {
        BigtableJoin::Singleton | BigtableJoin::Delimited(_) if !one_of_many => {
            let is_ordered = matches!(
                last.ty,
                BigtableType::Int64(BigtableInteger::OrderedCode)
                    | BigtableType::Timestamp(BigtableInteger::OrderedCode)
            );
            let compat = is_ordered.then_some(CompatTarget::Bigtable);
            Ok(Vec::from([field(last, Attributes { compat, ..Attributes::default() })]))
        }
        BigtableJoin::Singleton => {
            Err(BigtableKeyError::of_key("a row key of several columns says how they are joined"))
        }
        BigtableJoin::OrderedCode if !one_of_many => Err(BigtableKeyError::of_key(
            "its only column is in ordered code, and a derived key of one field is its value alone",
        )),
        BigtableJoin::OrderedCode => {
            let column = |column: &BigtableColumn| {
                let compat = Some(CompatTarget::Bigtable);
                field(column, Attributes { compat, ..Attributes::default() })
            };
            Ok(key.columns.iter().map(column).collect())
        }
        BigtableJoin::Delimited(delimiter) => {
            let &[delimiter] = delimiter.as_slice() else {
                let text = format!(
                    "its delimiter \"{}\" has {} bytes, and that of a derived key has one",
                    delimiter.escape_ascii(),
                    delimiter.len()
                );
                return Err(BigtableKeyError::of_key(text));
            };
            let count = key.columns.len();
            let column = |(at, column): (usize, &BigtableColumn)| {
                if column.ty != BigtableType::Text {
                    let reason = "only texts are joined by a delimiter in a derived key";
                    return Err(BigtableKeyError::of_field(&column.name, reason));
                }
                let sep = (at + 1 < count).then_some(delimiter);
                Ok(field(column, Attributes { sep, ..Attributes::default() }))
            };
            key.columns.iter().enumerate().map(column).collect()
        }
    }
}
