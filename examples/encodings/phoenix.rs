//! The codecs `Phoenix` and `Phoenix.salt`.

use tallrow::key::compat::hbase::Bytes;
use tallrow::key::compat::phoenix::{Column, Nullable, Separated, Timestamp, UnsignedFloat};
use tallrow::key::{Desc, JavaArraysHash, NonNeg, SaltHash};

use crate::splits::Point;
use crate::type_name::{FieldType, TypeName, fields};
use crate::value::Value;
use crate::write::{directed, encoded, inverted};

/// Returns what `PDataType.toBytes` returns, padded if the type has a width.
pub(crate) fn bytes(ty: &TypeName<'_>, desc: bool, value: &Value) -> Result<Vec<u8>, String> {
    match (ty.name, value) {
        ("VARCHAR" | "VARBINARY" | "DECIMAL", Value::Null) => Ok(Vec::new()),
        // These bytes differ from those in a row of a table.
        ("BOOLEAN", value) => encoded::<Column, bool>(&(value.bool()? != desc)),
        ("VARCHAR", value) => Ok(inverted(encoded::<Column, String>(value.text()?)?, desc)),
        ("VARBINARY", value) => Ok(inverted(encoded::<Column, Vec<u8>>(value.blob()?)?, desc)),
        ("DECIMAL", value) => Ok(inverted(encoded::<Column, _>(&decimal(value)?)?, desc)),
        _ => fixed(ty, desc, value),
    }
}

/// Returns a number rounded to 38 digits, as Phoenix rounds it.
fn decimal(value: &Value) -> Result<tallrow::key::compat::Decimal, String> {
    Ok(value.decimal()?.normalized().rounded(38))
}

fn fixed(ty: &TypeName<'_>, desc: bool, value: &Value) -> Result<Vec<u8>, String> {
    macro_rules! unsigned {
        ($int:ty) => {{
            let value: $int = value.int()?;
            let value = NonNeg::try_from(value).map_err(|_| "the value must not be negative")?;
            directed::<Column, NonNeg<$int>>(&value, desc)
        }};
    }
    match ty.name {
        "BIGINT" | "DATE" | "TIME" => directed::<Column, i64>(&value.int()?, desc),
        "INTEGER" => directed::<Column, i32>(&value.int()?, desc),
        "SMALLINT" => directed::<Column, i16>(&value.int()?, desc),
        "TINYINT" => directed::<Column, i8>(&value.int()?, desc),
        "UNSIGNED_LONG" | "UNSIGNED_DATE" | "UNSIGNED_TIME" => unsigned!(i64),
        "UNSIGNED_INT" => unsigned!(i32),
        "UNSIGNED_SMALLINT" => unsigned!(i16),
        "UNSIGNED_TINYINT" => unsigned!(i8),
        "FLOAT" => directed::<Column, f32>(&value.f32()?, desc),
        "DOUBLE" => directed::<Column, f64>(&value.f64()?, desc),
        // The typed encoding refuses -0, and in a float any NaN.
        "UNSIGNED_FLOAT" if value.f32()? == 0.0 || value.f32()?.is_nan() => {
            directed::<Bytes, f32>(&value.f32()?, desc)
        }
        "UNSIGNED_DOUBLE" if value.f64()? == 0.0 => directed::<Bytes, f64>(&value.f64()?, desc),
        "UNSIGNED_FLOAT" => directed::<UnsignedFloat, f32>(&value.f32()?, desc),
        "UNSIGNED_DOUBLE" => directed::<UnsignedFloat, f64>(&value.f64()?, desc),
        "BOOLEAN" => directed::<Column, bool>(&value.bool()?, desc),
        "TIMESTAMP" => directed::<Column, Timestamp>(&timestamp(value)?, desc),
        "UNSIGNED_TIMESTAMP" => {
            let time = timestamp(value)?;
            let millis = NonNeg::try_from(time.millis());
            let millis = millis.map_err(|_| "the value must not be negative")?;
            let millis = directed::<Column, NonNeg<i64>>(&millis, desc)?;
            Ok([millis, inverted(time.nanos_after_millis().to_be_bytes().into(), desc)].concat())
        }
        "CHAR" => {
            let text = value.text()?;
            match text.find(|c: char| !c.is_ascii()) {
                Some(at) => Err(format!(
                    "expected only ASCII in a CHAR, found another character at byte {at}"
                )),
                None => filled(text.as_bytes(), ty.width()?, b' ', desc),
            }
        }
        "BINARY" => filled(value.blob()?, ty.width()?, 0, desc),
        _ => Err(ty.unknown()),
    }
}

/// Reads milliseconds, or milliseconds and nanoseconds.
fn timestamp(value: &Value) -> Result<Timestamp, String> {
    let (millis, nanos) = match value {
        Value::List(parts) => match &parts[..] {
            [millis, nanos] => (millis.int()?, nanos.int()?),
            _ => return Err("expected milliseconds and nanoseconds, as in [1000,456]".into()),
        },
        value => (value.int()?, 0),
    };
    Timestamp::new(millis, nanos).ok_or_else(|| "less than a million nanoseconds fit".into())
}

/// Pads in ascending and descending order. In Phoenix, a value that ends in the padding byte loses
/// these bytes.
fn filled(value: &[u8], width: usize, pad: u8, desc: bool) -> Result<Vec<u8>, String> {
    if value.len() > width {
        return Err(format!("{} bytes do not fit a width of {width}", value.len()));
    }
    let mut filled = value.to_vec();
    filled.resize(width, pad);
    Ok(inverted(filled, desc))
}

/// Returns the row key of a table: `{VARCHAR asc,BIGINT desc}`, `{..} SALT_BUCKETS=16`.
pub(crate) fn row(ty: &str, values: &[Value]) -> Result<Vec<u8>, String> {
    let (columns, buckets) = match ty.split_once("SALT_BUCKETS=") {
        Some((columns, buckets)) => (columns, Some(bucket_count(buckets)?)),
        None => (ty, None),
    };
    let columns = fields(columns)?;
    if values.len() != columns.len() {
        return Err(format!("{} values for {} columns", values.len(), columns.len()));
    }
    let last = values.iter().rposition(|value| !is_null(value));
    let last = last.ok_or("a row key must not be empty")?;
    let mut row = Vec::new();
    for (at, (column, value)) in columns.iter().zip(values).enumerate().take(last + 1) {
        row.extend(part(column, value, at == last)?);
    }
    match buckets {
        Some(buckets) => Ok([vec![bucket(&row, buckets)?], row].concat()),
        None => Ok(row),
    }
}

fn is_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::Blob(bytes) => bytes.is_empty(),
        _ => false,
    }
}

fn part(column: &FieldType<'_>, value: &Value, last: bool) -> Result<Vec<u8>, String> {
    let FieldType { ty, desc } = column;
    match ty.name {
        "VARCHAR" | "DECIMAL" if is_null(value) => {
            encoded::<Nullable<Separated>, Option<String>>(&None)
        }
        // Phoenix writes this and cannot read it back, so the typed encodings refuse it.
        "VARCHAR" if value.text()?.contains('\0') && (*desc || !last) => {
            let text = value.text()?.clone();
            Ok(inverted([text.into_bytes(), vec![0]].concat(), *desc))
        }
        "VARCHAR" if *desc => encoded::<Desc<Separated>, String>(value.text()?),
        "VARCHAR" if last => encoded::<Column, String>(value.text()?),
        "VARCHAR" => encoded::<Separated, String>(value.text()?),
        "DECIMAL" if *desc => encoded::<Desc<Separated>, _>(&decimal(value)?),
        "DECIMAL" if last => encoded::<Column, _>(&decimal(value)?),
        "DECIMAL" => encoded::<Separated, _>(&decimal(value)?),
        "VARBINARY" if last && !desc => encoded::<Column, Vec<u8>>(value.blob()?),
        "VARBINARY" => Err("VARBINARY is the last column of a key, ascending".into()),
        _ if is_null(value) => Err(format!("{} has no null", ty.name)),
        _ => fixed(ty, *desc, value),
    }
}

fn bucket_count(text: &str) -> Result<u32, String> {
    let buckets = text.trim().parse().ok().filter(|buckets| (1..=256).contains(buckets));
    buckets.ok_or_else(|| "there are 1 to 256 buckets".into())
}

fn bucket(row: &[u8], buckets: u32) -> Result<u8, String> {
    let mut hash = JavaArraysHash::default();
    hash.feed(row);
    u8::try_from(hash.bucket(buckets)).map_err(|error| error.to_string())
}

/// Returns the salt of a row, or one of the split keys: `buckets=16`, `buckets=16 point 0 of 15`.
pub(crate) fn salt(ty: &str, value: Option<&Value>) -> Result<Vec<u8>, String> {
    let shape = "expected the buckets, as in buckets=16 or buckets=16 point 0 of 15";
    let rest = ty.trim().strip_prefix("buckets=").ok_or(shape)?;
    if let Some((buckets, point)) = rest.split_once(' ') {
        let buckets = bucket_count(buckets)?;
        let points: Vec<[u8; 1]> = (1..buckets).map(|first| [first as u8]).collect();
        return Point::parse(point)?.of(&points);
    }
    let buckets = bucket_count(rest)?;
    match value {
        Some(Value::Blob(row)) => Ok(vec![bucket(row, buckets)?]),
        Some(Value::Text(row)) => Ok(vec![bucket(row.as_bytes(), buckets)?]),
        _ => Err("expected a row key without its salt, as text or bytes".into()),
    }
}
