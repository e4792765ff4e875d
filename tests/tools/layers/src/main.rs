//! Prints the crates and their modules, the circles between their files, or the invariants that
//! modules state in their headers.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use tallrow_layers::{Graph, Workspace, drawing, invariant_table, invariants};

const USAGE: &str = "\
usage: layers               print the crates and their modules in layers: all arrows point down
       layers --invariants  print what modules promise to keep, and the tests that hold it
       layers --circles [CRATE ..]
                            print circles between the files of these crates, or of all; a crate is its folder

Exit codes: 0 done, 1 circles found or sources that cannot be read, 2 wrong usage.
";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        [] => modules(),
        ["--invariants"] => promises(),
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

fn modules() -> io::Result<bool> {
    print!("{}", drawing(&Workspace::here()?.packages)?);
    Ok(true)
}

fn promises() -> io::Result<bool> {
    print!("{}", invariant_table(&invariants(&Workspace::here()?)?));
    Ok(true)
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
