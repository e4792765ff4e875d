//! Draws the crates and their modules into ARCHITECTURE.md, or shows circular dependencies between them.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use tallrow_layers::{ARCHITECTURE, Graph, Workspace, drawing, drawn_into};

const USAGE: &str = "\
usage: layers            draw the crates and their modules into ARCHITECTURE.md
       layers --check    check whether the drawing there is up to date
       layers --circles [CRATE ..]
                         show circles between the files of these crates, or of all; a crate is its folder

Exit codes: 0 done, 1 not current or circles found, 2 wrong usage.
";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        [] => draw(false),
        ["--check"] => draw(true),
        ["--circles", crates @ ..] => circles(crates),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("layers: {e}");
            ExitCode::FAILURE
        }
    }
}

fn draw(check: bool) -> io::Result<bool> {
    let workspace = Workspace::here()?;
    let path = workspace.root.join(ARCHITECTURE);
    let text = fs::read_to_string(&path)?;
    let new = drawn_into(&text, &drawing(&workspace.packages)?)?;
    if check && new != text {
        eprintln!("the drawing in {ARCHITECTURE} is out of date; run: cargo run -p tallrow-layers");
    } else if new != text {
        fs::write(&path, &new)?;
    }
    Ok(!check || new == text)
}

fn circles(crates: &[&str]) -> io::Result<bool> {
    let packages = Workspace::here()?.packages;
    for name in crates {
        if !packages.iter().any(|p| p.folder == *name && p.library.is_some()) {
            return Err(io::Error::other(format!("no crate in {name}")));
        }
    }
    let mut none = true;
    for package in packages {
        let wanted = crates.is_empty() || crates.contains(&package.folder.as_str());
        let Some(library) = package.library.as_deref().filter(|_| wanted) else { continue };
        for circle in Graph::of_library(Path::new(library))?.circles() {
            println!("{}: {circle}", package.folder);
            none = false;
        }
    }
    Ok(none)
}
