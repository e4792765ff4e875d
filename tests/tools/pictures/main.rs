//! Draws the pictures of docs/pictures from derived row keys: the bytes of their fields, how their
//! rows sort, and which regions they are written to.
//!
//! ```text
//! cargo run -p tallrow-tests --features tools --bin pictures              write them
//! cargo run -p tallrow-tests --features tools --bin pictures -- --check   compare them with the code
//! ```
//!
//! Exit codes: 0 done, 1 a picture is not current, 2 wrong usage.

mod field_bytes;
mod keys;
mod order_picture;
mod row_picture;
mod spread_picture;
mod spreads;
mod svg;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use keys::Picture;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let check = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("usage: pictures [--check]");
            return ExitCode::from(2);
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let pictures = [keys::pictures(), spreads::pictures()].concat();
    let done = if check { compare(&folder, &pictures) } else { write(&folder, &pictures) };
    done.unwrap_or_else(|e| {
        eprintln!("pictures: {}: {e}", folder.display());
        ExitCode::FAILURE
    })
}

fn write(folder: &Path, pictures: &[Picture]) -> io::Result<ExitCode> {
    for picture in pictures {
        fs::write(folder.join(picture.file), &picture.svg)?;
    }
    for path in unknown(folder, pictures)? {
        fs::remove_file(path)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn compare(folder: &Path, pictures: &[Picture]) -> io::Result<ExitCode> {
    let current = |picture: &&Picture| {
        fs::read(folder.join(picture.file)).is_ok_and(|svg| svg == picture.svg.as_bytes())
    };
    let old = pictures.iter().filter(|picture| !current(picture)).map(|p| folder.join(p.file));
    let old: Vec<_> = old.chain(unknown(folder, pictures)?).collect();
    for path in &old {
        eprintln!(
            "{} is out of date; run: cargo run -p tallrow-tests --features tools --bin pictures",
            path.display()
        );
    }
    Ok(if old.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the files that are none of the pictures.
fn unknown(folder: &Path, pictures: &[Picture]) -> io::Result<Vec<PathBuf>> {
    let mut unknown = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !pictures.iter().any(|picture| entry.file_name() == picture.file) {
            unknown.push(entry.path());
        }
    }
    Ok(unknown)
}
