//! Files with a split key on each line, as for the HBase shell's `SPLITS_FILE`.

use std::path::Path;

use crate::failure::{Failure, Result};
use crate::files::lines::lines;
use crate::keys::key_format::KeyFormat;

/// Reads split keys, which must be in ascending order.
pub(crate) fn read_splits(file: &Path, format: KeyFormat) -> Result<Vec<Vec<u8>>> {
    let mut splits: Vec<Vec<u8>> = Vec::new();
    for line in lines(file)? {
        let line = line?;
        let wrong =
            |why: String| Failure::new(format!("{}, {}: {why}", file.display(), line.place));
        let split = format.read(&line.text).map_err(|why| {
            wrong(why).advise(match format {
                KeyFormat::Shell => {
                    "write other bytes than printable ASCII as \\x00, as the HBase shell does"
                }
                _ => {
                    "--key-format says how the split keys are written: shell, hex, base64 or region"
                }
            })
        })?;
        if split.is_empty() {
            return Err(wrong("an empty line is no split key".into()).advise("remove the line"));
        }
        if splits.last().is_some_and(|last| *last >= split) {
            let text = format!("split key {} does not sort after the one before it", line.text);
            return Err(wrong(text).advise(
                "sort the file by bytes (LC_ALL=C sort -u for hex), and remove duplicates",
            ));
        }
        splits.push(split);
    }
    Ok(splits)
}
