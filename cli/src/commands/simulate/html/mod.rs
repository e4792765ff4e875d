//! The report: one HTML file that needs no other file, without scripts, for light and dark screens.

mod element;
mod page;
mod picture;
mod spread_pictures;

use std::fs;
use std::path::Path;

pub(super) use self::page::page;
use crate::failure::{Failure, Result};
use crate::files::with_suffix;

/// Writes a file as a whole, or not at all.
pub(super) fn write(file: &Path, html: &str) -> Result<()> {
    let part = with_suffix(file, ".part");
    let written = match fs::metadata(file) {
        // A target such as /dev/stdout is written directly.
        Ok(found) if !found.is_file() => fs::write(file, html),
        _ => fs::write(&part, html).and_then(|()| fs::rename(&part, file)),
    };
    written.map_err(|error| {
        // Remove the incomplete file, if there is one.
        let _ = fs::remove_file(&part);
        Failure::new(format!("write the report {}", file.display())).caused_by(error).advise(
            "nothing is left of it; check that there is space, and that the folder exists and may \
             be written",
        )
    })
}
