//! The version of a row: a cell that counts the writes of the row.

use crate::model::value::{EncodeCell, NativeCodec};
use crate::{Error, ErrorKind, Result};

/// Returns the bytes of the version cell; no bytes for 0, the version of a row without the cell.
pub(crate) fn version_bytes(version: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if version > 0 {
        NativeCodec::encode(&version, &mut bytes).map_err(|e| Error::invalid(e.to_string()))?;
    }
    Ok(bytes)
}

/// Returns the error for a change that expected this version of a row, but found another one.
pub(crate) fn version_conflict(version: u64) -> Error {
    let text =
        format!("the row is not version {version} any more; read it again, and decide again");
    Error::new(ErrorKind::Conflict, text)
}
