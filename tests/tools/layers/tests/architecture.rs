//! The page about the architecture names what exists.

use std::fs;
use std::path::Path;

use tallrow_layers::Workspace;

/// The files and folders below a folder, as paths with `/` from its root; folders end with one.
fn below(folder: &Path, name: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let file = entry.file_name().into_string().unwrap();
        if file == "target" || file == ".git" {
            continue;
        }
        let is_folder = entry.file_type().unwrap().is_dir();
        let path = format!("{name}{file}{}", if is_folder { "/" } else { "" });
        if is_folder {
            below(&entry.path(), &path, found);
        }
        found.push(path);
    }
}

#[test]
fn what_the_page_names_exists() {
    let root = Workspace::here().unwrap().root;
    let mut all = Vec::new();
    below(&root, "/", &mut all);
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let quoted = page.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| text.ends_with(".rs") || text.ends_with('/');
    let named: Vec<_> = quoted.filter(is_path).collect();
    assert!(named.len() > 60, "the reader of the page is broken: {named:?}");
    let exists = |name: &str| all.iter().any(|path| path.ends_with(&format!("/{name}")));
    let gone: Vec<_> = named.into_iter().filter(|name| !exists(name)).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names what does not exist: {gone:?}");
}
