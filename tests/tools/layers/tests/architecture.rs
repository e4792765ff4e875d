//! The pages name what exists.

use std::collections::{BTreeSet, HashSet};
use std::fs;

use tallrow_layers::{Workspace, sources};

#[test]
fn what_the_page_names_exists() {
    let here = Workspace::here().unwrap();
    // Their files and folders, from which on a path may be written.
    let mut all: BTreeSet<String> = BTreeSet::new();
    for package in &here.packages {
        for file in sources(&here.root.join(&package.folder)).unwrap() {
            let folders = file.ancestors().skip(1).take_while(|folder| *folder != here.root);
            all.extend(folders.map(|folder| format!("{}/", folder.display())));
            all.insert(file.display().to_string());
        }
    }
    let page = fs::read_to_string(here.root.join("ARCHITECTURE.md")).unwrap();
    let quoted = page.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| text.ends_with(".rs") || text.ends_with('/');
    let named: Vec<_> = quoted.filter(is_path).collect();
    assert!(named.len() > 60, "the reader of the page is broken: {named:?}");
    let exists = |name: &str| all.iter().any(|path| path.ends_with(&format!("/{name}")));
    let gone: Vec<_> = named.into_iter().filter(|name| !exists(name)).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names what does not exist: {gone:?}");
}

/// Other crates that the pages name.
const OTHERS: [&str; 1] = ["tracing_subscriber"];

#[test]
fn what_other_pages_name_exists() {
    let here = Workspace::here().unwrap();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = HashSet::new();
    for package in &here.packages {
        for file in sources(&here.root.join(&package.folder)).unwrap() {
            let text = fs::read_to_string(file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            words.extend(code.flat_map(|line| line.split(|c| !is_word(c))).map(str::to_owned));
        }
    }
    let docs = fs::read_dir(here.root.join("docs")).unwrap().map(|page| page.unwrap().path());
    let others = ["README.md", "CONTRIBUTING.md"].map(|page| here.root.join(page));
    let (mut named, mut gone) = (0, Vec::new());
    for page in docs.chain(others).filter(|page| page.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        // What is outside of programs, whose names the compiler knows.
        let prose = text.split("```").step_by(2);
        for path in prose.flat_map(|part| part.split('`').skip(1).step_by(2)) {
            let parts: Vec<_> = path.split("::").collect();
            let is_path = parts.len() > 1 && parts.iter().all(|part| part.chars().all(is_word));
            if !is_path || OTHERS.contains(&parts[0]) {
                continue;
            }
            named += 1;
            // A derive makes constants of the names of fields.
            let is_gone = |part: &&&str| !words.contains(**part) && **part != part.to_uppercase();
            if parts.iter().any(|part| is_gone(&part)) {
                gone.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(named > 100, "the reader of the pages is broken: {named}");
    assert!(gone.is_empty(), "pages name what does not exist: {gone:#?}");
}
