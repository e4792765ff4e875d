//! Makes the values of a field from what a generator drew, and from texts.

use tallrow::key::schema::{Field, Limit, Schema, Type, Unit, Value};

use super::generator::Drawn;

/// Converts what a generator drew into a value of the field; none if the field cannot have such
/// values.
pub(super) fn drawn_value(field: &Field, drawn: Drawn) -> Option<Value> {
    let drawn = match (drawn, field.attributes().display_time) {
        (Drawn::Millis(time), Some(Unit::Days)) => {
            Drawn::Number(time.div_euclid(86_400_000).into())
        }
        (Drawn::Millis(time), Some(Unit::Seconds)) => Drawn::Number(time.div_euclid(1_000).into()),
        (Drawn::Millis(time), Some(Unit::Micros)) => Drawn::Number(i128::from(time) * 1_000),
        (Drawn::Millis(time), _) => Drawn::Number(time.into()),
        (drawn, _) => drawn,
    };
    if field.tags().is_some() {
        return None;
    }
    let value = match (field.ty().innermost(), drawn) {
        (Type::Int(int), Drawn::Random(bytes)) => {
            let spare = 128_u32.saturating_sub(8 * u32::try_from(int.bytes).ok()?);
            let number = first(&bytes).map(u128::from_be_bytes)? >> spare;
            // Negative numbers are not used, because some encodings refuse them.
            let positive = int.signed || int.limit == Limit::NonNeg;
            let number = if positive { number >> 1 } else { number };
            let end = field.attributes().digits.map(|digits| 10_u128.checked_pow(digits as u32));
            let number = end.flatten().map_or(number, |end| number % end);
            Value::Unsigned(if int.limit == Limit::NonZero { number.max(1) } else { number })
        }
        (Type::Uid(bytes), Drawn::Random(random)) => {
            let spare = 128_u32.saturating_sub(8 * u32::try_from(*bytes).ok()?);
            Value::Unsigned(first(&random).map(u128::from_be_bytes)? >> spare)
        }
        (Type::Int(_) | Type::Uid(_), Drawn::Number(number)) => match u128::try_from(number) {
            Ok(number) => Value::Unsigned(number),
            Err(_) => Value::Signed(number),
        },
        (Type::Float(4), Drawn::Number(number)) => Value::Float32(number as f32),
        (Type::Float(_), Drawn::Number(number)) => Value::Float64(number as f64),
        (Type::Bool, Drawn::Number(number)) => Value::Bool(number != 0),
        (Type::Bool, Drawn::Random(bytes)) => Value::Bool(bytes.first()? & 1 == 1),
        (Type::Text, Drawn::Number(number)) => Value::Text(number.to_string()),
        (Type::Text, Drawn::Random(bytes)) => Value::Text(hex(bytes.get(..16)?)),
        (Type::Text, Drawn::Uuid(uuid)) => Value::Text(Value::Uuid(uuid).to_string()),
        (Type::Bytes, Drawn::Number(number)) => Value::Bytes(number.to_string().into_bytes()),
        (Type::Bytes, Drawn::Random(bytes)) => Value::Bytes(bytes.get(..16)?.to_vec()),
        (Type::Bytes, Drawn::Uuid(uuid)) => Value::Bytes(uuid.to_vec()),
        (Type::Array(len) | Type::Digest(len), Drawn::Random(bytes)) => {
            Value::Bytes(bytes.get(..*len)?.to_vec())
        }
        (Type::Array(16), Drawn::Uuid(uuid)) => Value::Bytes(uuid.to_vec()),
        (Type::Uuid, Drawn::Uuid(uuid)) => Value::Uuid(uuid),
        (Type::Uuid, Drawn::Random(bytes)) => Value::Uuid(first(&bytes)?),
        _ => return None,
    };
    Some(value)
}

/// Parses the value of a field from a text, as it is written in a CSV file or after `values:`.
///
/// # Errors
/// The error text says what was expected instead.
pub(super) fn text_value(schema: &Schema, field: &Field, text: &str) -> Result<Value, String> {
    let ty = match field.ty() {
        Type::Optional(_) if text.is_empty() => return Ok(Value::None),
        Type::Optional(some) => some,
        ty => ty,
    };
    match ty {
        Type::Text if field.tags().is_none() => return Ok(Value::from(text)),
        Type::Bytes | Type::Array(_) if !text.starts_with("0x") => {
            return Ok(Value::from(text.as_bytes()));
        }
        _ => {}
    }
    let values = schema.parse_values(&format!("{}={text}", field.name()));
    match values.as_deref() {
        Ok([(_, value)]) => Ok(value.clone()),
        Ok(_) => Err(format!("field {}: found {text:?}, expected one value", field.name())),
        Err(error) => Err(error.to_string()),
    }
}

fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.first_chunk().copied()
}

fn hex(bytes: &[u8]) -> String {
    tallrow::key::show::hex(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "row key All\na: u8\nb: i16\nc: u128\nd: text, escaped\ne: uuid\nf: [u8; \
                          4]\ng: bool\nh: f64\n\
                          i: i64, display_time = s\nj: nonzero u8\n";

    #[test]
    fn what_is_drawn_fits_the_type() {
        let schema = Schema::parse(SCHEMA).unwrap();
        let random = Drawn::Random([0xff; 32]);
        let row: Option<Vec<_>> = schema
            .fields()
            .iter()
            .map(|field| {
                let drawn = match field.ty() {
                    Type::Float(_) => Drawn::Number(-7),
                    _ if field.name() == "i" => Drawn::Millis(-1),
                    _ => random,
                };
                Some((field.name(), drawn_value(field, drawn)?))
            })
            .collect();
        let row = schema.encode(&row.unwrap()).unwrap();
        let values = schema.decode(&row).unwrap();
        assert_eq!(values.get("a"), Some(&Value::Unsigned(255)));
        assert_eq!(values.get("b"), Some(&Value::Signed(32_767)));
        assert_eq!(values.get("i").unwrap().to_string(), "1969-12-31T23:59:59Z (-1)");
        let bool = schema.fields().iter().find(|field| field.name() == "g").unwrap();
        assert_eq!(drawn_value(bool, Drawn::Uuid([0; 16])), None);
    }

    #[test]
    fn texts_are_read_by_the_type() {
        let schema = Schema::parse(SCHEMA).unwrap();
        let read = |name: &str, text: &str| {
            let field = schema.fields().iter().find(|field| field.name() == name).unwrap();
            text_value(&schema, field, text)
        };
        assert_eq!(read("d", "a, \"b\""), Ok(Value::from("a, \"b\"")));
        assert_eq!(read("a", "7"), Ok(Value::Unsigned(7)));
        assert_eq!(read("f", "0x00ff00ff"), Ok(Value::Bytes(vec![0, 255, 0, 255])));
        assert!(read("a", "NA").unwrap_err().contains("field a: found \"NA\""));
        assert!(read("a", "7, b=1").unwrap_err().contains("expected one value"));
    }

    #[test]
    fn optional_texts_are_texts_unless_they_are_empty() {
        let schema = Schema::parse("row key Optional\na: optional u8\nb: optional text\n").unwrap();
        let [number, text] = schema.fields() else { panic!("two fields") };
        for word in ["a, b", "none", "\"b\"", " a", "0x00"] {
            assert_eq!(text_value(&schema, text, word), Ok(Value::from(word)));
        }
        assert_eq!(text_value(&schema, text, ""), Ok(Value::None));
        assert_eq!(text_value(&schema, number, ""), Ok(Value::None));
        assert_eq!(text_value(&schema, number, "7"), Ok(Value::Unsigned(7)));
    }
}
