//! The cell that counts the writes of a row.

use crate::model::value::{EncodeCell, NativeCodec};
use crate::{Error, ErrorKind, Result};

/// The bytes of the cell; none for 0, the version of a row without one.
pub(crate) fn version_bytes(version: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if version > 0 {
        NativeCodec::encode(&version, &mut bytes).map_err(|e| Error::invalid(e.to_string()))?;
    }
    Ok(bytes)
}

/// The error of a change of a row that has another version.
pub(crate) fn not_version(version: u64) -> Error {
    let text =
        format!("the row is not version {version} any more; read it again, and decide again");
    Error::new(ErrorKind::Conflict, text)
}
