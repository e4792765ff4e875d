//! The page about the architecture names what exists.

use std::collections::BTreeSet;
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
