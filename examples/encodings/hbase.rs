//! The codecs `Bytes` and `MD5Hash`.

use tallrow::key::compat::hbase::Bytes;
use tallrow::key::{Encoding, Md5, RowBuf};

use crate::type_name::TypeName;
use crate::value::Value;
use crate::write::encoded;

pub(crate) fn bytes(ty: &TypeName<'_>, value: &Value) -> Result<Vec<u8>, String> {
    match ty.name {
        "long" => encoded::<Bytes, i64>(&value.int()?),
        "int" => encoded::<Bytes, i32>(&value.int()?),
        "short" => encoded::<Bytes, i16>(&value.int()?),
        "byte" => encoded::<Bytes, i8>(&value.int()?),
        "float" => encoded::<Bytes, f32>(&value.f32()?),
        "double" => encoded::<Bytes, f64>(&value.f64()?),
        "boolean" => encoded::<Bytes, bool>(&value.bool()?),
        "String" => encoded::<Bytes, String>(value.text()?),
        "bytes" | "byte[]" => encoded::<Bytes, Vec<u8>>(value.blob()?),
        "BigDecimal" => encoded::<Bytes, _>(&value.decimal()?),
        _ => Err(ty.unknown()),
    }
}

/// Returns the digest that `MD5Hash.getMD5AsHex` writes in hex.
pub(crate) fn md5(ty: &TypeName<'_>, value: &Value) -> Result<Vec<u8>, String> {
    let plain = match (ty.name, value) {
        ("String" | "long" | "int" | "short" | "double" | "float", value) => bytes(ty, value)?,
        (_, Value::Text(text)) => text.clone().into_bytes(),
        (_, Value::Blob(bytes)) => bytes.clone(),
        (_, Value::Int(_)) => encoded::<Bytes, i64>(&value.int()?)?,
        _ => return Err("expected text, bytes or an integer".into()),
    };
    let mut row = RowBuf::<16>::new();
    let Ok(()) = <Md5<16> as Encoding<[u8]>>::encode(&plain, &mut row);
    Ok(row.into())
}
