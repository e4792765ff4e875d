//! The reader of one line: codec, type, direction, input.

use crate::type_name::{TypeName, fields, is_desc};
use crate::value::{Value, shorten};
use crate::{hbase, native, ordered, phoenix, splits, types};

/// Returns the bytes for a line, or the reason why there are none.
pub(crate) fn answer(line: &str) -> Result<Vec<u8>, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [codec, ty, direction, input] = columns[..] else {
        let found = columns.len();
        return Err(format!("expected codec, type, direction and input, found {found} columns"));
    };
    let desc = is_desc(direction)?;
    if codec == "RegionSplitter" {
        return splits::regions(ty, input);
    }
    if codec == "Phoenix.salt" {
        let value = if input == "-" { None } else { Some(Value::parse(input)?) };
        return phoenix::salt(ty, value.as_ref());
    }
    let value = Value::parse(input)?;
    match codec {
        "native" => native::bytes(ty, desc, &value),
        "Bytes" => hbase::bytes(&TypeName::parse(ty)?, &value),
        "MD5Hash" => hbase::md5(&TypeName::parse(ty)?, &value),
        "OrderedBytes" => ordered::bytes(&TypeName::parse(ty)?, desc, &value),
        "types.Struct" => types::row(&fields(ty)?, value.list()?),
        "types" if ty.trim_start().starts_with('{') => types::row(&fields(ty)?, value.list()?),
        "types" => types::bytes(&TypeName::parse(ty)?, desc, &value),
        "Phoenix" if ty.trim_start().starts_with('{') => phoenix::row(ty, value.list()?),
        "Phoenix" => phoenix::bytes(&TypeName::parse(ty)?, desc, &value),
        "Bytes.split" => splits::between(ty, &value),
        "HexSplits" => splits::hex(ty, &value),
        other => Err(format!("no codec {}; see --help", shorten(other))),
    }
}
