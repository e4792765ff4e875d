//! The codec `OrderedBytes`.

use tallrow::key::compat::ordered::{BlobCopy, BlobCopyDesc, Nullable, Numeric, Ordered};

use crate::type_name::TypeName;
use crate::value::Value;
use crate::write::{directed, encoded};

pub(crate) fn bytes(ty: &TypeName<'_>, desc: bool, value: &Value) -> Result<Vec<u8>, String> {
    if *value == Value::Null {
        return match ty.name {
            // A null is terminated like any other value, although no reader looks for the
            // terminator.
            "blobCopy" if desc => Ok([null(desc)?, vec![0xff]].concat()),
            "string" | "blobVar" | "blobCopy" | "numeric" | "null" => null(desc),
            "int8" | "int16" | "int32" | "int64" | "float32" | "float64" => {
                Err(format!("{} has no null", ty.name))
            }
            _ => Err(ty.unknown()),
        };
    }
    match ty.name {
        "int8" => directed::<Ordered, i8>(&value.int()?, desc),
        "int16" => directed::<Ordered, i16>(&value.int()?, desc),
        "int32" => directed::<Ordered, i32>(&value.int()?, desc),
        "int64" => directed::<Ordered, i64>(&value.int()?, desc),
        "float32" => directed::<Ordered, f32>(&value.f32()?, desc),
        "float64" => directed::<Ordered, f64>(&value.f64()?, desc),
        "string" => directed::<Ordered, String>(value.text()?, desc),
        "blobVar" => directed::<Ordered, Vec<u8>>(value.blob()?, desc),
        "blobCopy" if desc => encoded::<BlobCopyDesc, Vec<u8>>(value.blob()?),
        "blobCopy" => encoded::<BlobCopy, Vec<u8>>(value.blob()?),
        "numeric" => numeric(desc, value),
        "null" => Err("expected null".into()),
        _ => Err(ty.unknown()),
    }
}

pub(crate) fn null(desc: bool) -> Result<Vec<u8>, String> {
    directed::<Nullable<Ordered>, Option<String>>(&None, desc)
}

/// Writes a number of any kind, rounded to 31 digits as HBase rounds it.
pub(crate) fn numeric(desc: bool, value: &Value) -> Result<Vec<u8>, String> {
    match value {
        Value::Bits64(_) => directed::<Numeric, f64>(&value.f64()?, desc),
        Value::Bits32(_) => directed::<Numeric, f64>(&value.f32()?.into(), desc),
        _ => directed::<Numeric, _>(&value.decimal()?.normalized().rounded(31), desc),
    }
}
