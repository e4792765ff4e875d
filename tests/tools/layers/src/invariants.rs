//! The invariants that modules state in their headers, which are the table "claim, code, test" of
//! the project: `ARCHITECTURE.md` says how one is written.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::workspace::Workspace;

/// What always holds, as the module that keeps it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The claim.
    pub claim: String,
    /// The file that keeps it, relative to the root of the workspace.
    pub file: String,
    /// What would show a violation: a file or a folder relative to the root of the workspace, a
    /// function of such a file as `file::name`, or only the name of a function that is in the file
    /// of the invariant or in its folder.
    pub tests: Vec<String>,
}

impl Invariant {
    /// The items below `# Invariants` in the `//!` lines of a file.
    ///
    /// # Errors
    /// When an item does not end with the tests that hold it.
    pub fn in_header(file: &str, text: &str) -> io::Result<Vec<Self>> {
        let header = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
        let mut items: Vec<String> = Vec::new();
        let section = header.skip_while(|line| *line != "# Invariants").skip(1);
        for line in section.take_while(|line| !line.starts_with('#')) {
            if let Some(begin) = line.strip_prefix("- ") {
                items.push(begin.to_owned());
            } else if let Some(item) = items.last_mut().filter(|_| !line.is_empty()) {
                item.push(' ');
                item.push_str(line);
            }
        }
        items.iter().map(|item| Self::of_item(file, item)).collect()
    }

    fn of_item(file: &str, item: &str) -> io::Result<Self> {
        let without = || io::Error::other(format!("{file}: no `Tests: ` at the end of {item:?}"));
        let (claim, tests) = item.rsplit_once(" Tests: ").ok_or_else(without)?;
        let tests = tests.trim_end_matches('.').split(", ").map(|test| test.trim_matches('`'));
        Ok(Self {
            claim: claim.trim_end_matches('.').to_owned(),
            file: file.to_owned(),
            tests: tests.map(str::to_owned).collect(),
        })
    }

    /// The tests that do not exist.
    ///
    /// # Errors
    /// When the files next to that of the invariant cannot be read.
    pub fn missing_tests(&self, root: &Path) -> io::Result<Vec<&str>> {
        let path = root.join(&self.file);
        let is_folder = path.file_name().is_some_and(|name| name == "mod.rs");
        let folder = if is_folder { path.parent().map(Path::to_owned) } else { None };
        let folder = folder.unwrap_or_else(|| path.with_extension(""));
        let mut own = if folder.is_dir() { sources(&folder)? } else { Vec::new() };
        own.push(path);
        let exists = |test: &&str| match test.split_once("::") {
            Some((file, name)) => has_function(&root.join(file), name),
            None if test.contains('/') => root.join(test).exists(),
            None => own.iter().any(|file| has_function(file, test)),
        };
        Ok(self.tests.iter().map(String::as_str).filter(|test| !exists(test)).collect())
    }
}

fn has_function(file: &Path, name: &str) -> bool {
    let has = |text: String| ["(", "<"].iter().any(|end| text.contains(&format!("fn {name}{end}")));
    fs::read_to_string(file).is_ok_and(has)
}

/// The invariants of all published crates, by file.
///
/// # Errors
/// When sources cannot be read, or an invariant names no tests.
pub fn invariants(workspace: &Workspace) -> io::Result<Vec<Invariant>> {
    let mut found = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.published) {
        let mut files = sources(&workspace.root.join(&package.folder).join("src"))?;
        files.sort();
        for path in files {
            let file = path.strip_prefix(&workspace.root).unwrap_or(&path).display().to_string();
            found.extend(Invariant::in_header(&file, &fs::read_to_string(&path)?)?);
        }
    }
    Ok(found)
}

/// The invariants as a Markdown table.
pub fn invariant_table(invariants: &[Invariant]) -> String {
    let mut text = String::from("| invariant | kept by | tests |\n|---|---|---|\n");
    for Invariant { claim, file, tests } in invariants {
        text += &format!("| {claim} | `{file}` | `{}` |\n", tests.join("`, `"));
    }
    text
}

/// The files of Rust in a folder and those below it.
///
/// # Errors
/// When a folder cannot be read.
pub fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}
