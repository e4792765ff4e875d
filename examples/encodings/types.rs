//! The codecs `types` and `types.Struct`.

use tallrow::key::compat::ordered::{BlobCopy, BlobCopyDesc, Ordered};
use tallrow::key::compat::{hbase, types};

use crate::ordered;
use crate::type_name::{FieldType, TypeName};
use crate::value::Value;
use crate::write::{directed, encoded, inverted};

pub(crate) fn bytes(ty: &TypeName<'_>, desc: bool, value: &Value) -> Result<Vec<u8>, String> {
    if *value == Value::Null && is_plain(ty) {
        return if ty.name == "OrderedBlob" {
            ordered::bytes(&named("blobCopy"), desc, value)
        } else if holds_null(ty) {
            ordered::null(desc)
        } else {
            Err(format!("{} has no null", ty.name))
        };
    }
    match ty.name {
        "RawByte" => encoded::<hbase::Bytes, i8>(&value.int()?),
        "RawShort" => encoded::<hbase::Bytes, i16>(&value.int()?),
        "RawInteger" => encoded::<hbase::Bytes, i32>(&value.int()?),
        "RawLong" => encoded::<hbase::Bytes, i64>(&value.int()?),
        "RawFloat" => encoded::<hbase::Bytes, f32>(&value.f32()?),
        // `RawDouble` writes only one NaN, unlike `RawFloat` and `Bytes`.
        "RawDouble" if value.f64()?.is_nan() => encoded::<hbase::Bytes, f64>(&f64::NAN),
        "RawDouble" => encoded::<hbase::Bytes, f64>(&value.f64()?),
        "RawString" => Ok(inverted(value.text()?.clone().into_bytes(), desc)),
        // The bytes are the same in either direction.
        "RawBytes" => encoded::<hbase::Bytes, Vec<u8>>(value.blob()?),
        "RawStringTerminated" => terminated(&named("RawString"), ty, desc, value),
        "RawBytesTerminated" => terminated(&named("RawBytes"), ty, desc, value),
        "RawStringFixedLength" => fixed_length(&named("RawString"), ty, desc, value),
        "RawBytesFixedLength" => fixed_length(&named("RawBytes"), ty, desc, value),
        "TerminatedWrapper" => terminated(&ty.inner()?, ty, desc, value),
        "FixedLengthWrapper" => fixed_length(&ty.inner()?, ty, desc, value),
        "OrderedInt8" => directed::<Ordered, i8>(&value.int()?, desc),
        "OrderedInt16" => directed::<Ordered, i16>(&value.int()?, desc),
        "OrderedInt32" => directed::<Ordered, i32>(&value.int()?, desc),
        "OrderedInt64" => directed::<Ordered, i64>(&value.int()?, desc),
        "OrderedFloat32" => directed::<Ordered, f32>(&value.f32()?, desc),
        "OrderedFloat64" => directed::<Ordered, f64>(&value.f64()?, desc),
        "OrderedNumeric" => ordered::numeric(desc, value),
        "OrderedString" => directed::<Ordered, String>(value.text()?, desc),
        "OrderedBlobVar" => directed::<Ordered, Vec<u8>>(value.blob()?, desc),
        "OrderedBlob" if desc => encoded::<BlobCopyDesc, Vec<u8>>(value.blob()?),
        "OrderedBlob" => encoded::<BlobCopy, Vec<u8>>(value.blob()?),
        _ => Err(ty.unknown()),
    }
}

fn named(name: &str) -> TypeName<'_> {
    TypeName { name, arguments: Vec::new() }
}

fn is_wrapper(ty: &TypeName<'_>) -> bool {
    matches!(ty.name, "TerminatedWrapper" | "FixedLengthWrapper")
}

fn is_plain(ty: &TypeName<'_>) -> bool {
    !is_wrapper(ty) && ty.arguments.is_empty()
}

/// Returns whether a type writes nulls.
fn holds_null(ty: &TypeName<'_>) -> bool {
    if is_wrapper(ty) {
        return ty.inner().is_ok_and(|inner| holds_null(&inner));
    }
    matches!(ty.name, "OrderedNumeric" | "OrderedString" | "OrderedBlob" | "OrderedBlobVar")
}

/// Returns whether a reader can find the end of a value of the type.
fn is_skippable(ty: &TypeName<'_>) -> bool {
    !matches!(ty.name, "RawString" | "RawBytes" | "OrderedBlob")
}

fn terminated(
    inner: &TypeName<'_>,
    ty: &TypeName<'_>,
    desc: bool,
    value: &Value,
) -> Result<Vec<u8>, String> {
    let raw = ["RawByte", "RawShort", "RawInteger", "RawLong", "RawFloat", "RawDouble"];
    if raw.contains(&inner.name) {
        return Err(format!("{} has no order, which TerminatedWrapper needs", inner.name));
    }
    let terminator = inverted(ty.bytes()?, desc);
    let encoded = bytes(inner, desc, value)?;
    types::append_terminator(encoded, &terminator).map_err(|fault| fault.to_string())
}

fn fixed_length(
    inner: &TypeName<'_>,
    ty: &TypeName<'_>,
    desc: bool,
    value: &Value,
) -> Result<Vec<u8>, String> {
    let encoded = bytes(inner, desc, value)?;
    types::pad_to_width(encoded, ty.width()?).map_err(|fault| fault.to_string())
}

pub(crate) fn row(fields: &[FieldType<'_>], values: &[Value]) -> Result<Vec<u8>, String> {
    if values.len() > fields.len() {
        return Err(format!("{} values for {} fields", values.len(), fields.len()));
    }
    // HBase checks every field except the last two.
    let inner = fields.len().saturating_sub(2);
    if let Some(field) = fields.iter().take(inner).find(|field| !is_skippable(&field.ty)) {
        return Err(format!(
            "{} extends to the end of the row, so it must be the last field",
            field.ty.name
        ));
    }
    // Nulls at the end are not written.
    let dropped = fields.iter().zip(values).fold(0, |dropped, (field, value)| {
        if *value == Value::Null && holds_null(&field.ty) { dropped + 1 } else { 0 }
    });
    let mut row = Vec::new();
    for (field, value) in fields.iter().zip(values).take(values.len() - dropped) {
        row.extend(bytes(&field.ty, field.desc, value)?);
    }
    Ok(row)
}
