//! The name under which a package knows the library.

use std::path::Path;

/// Returns the other name that the package being compiled has for `library`, if it has one and does
/// not know it by its own name as well.
pub(super) fn other_name(library: &str) -> Option<String> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let manifest = std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).ok()?;
    in_manifest(&manifest, library)
}

/// Looks through the lines `name = { package = ".." }` and the tables `[dependencies.name]`.
fn in_manifest(manifest: &str, library: &str) -> Option<String> {
    let mut table = None;
    let mut found = None;
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let mut parts = name.rsplit('.');
            let last = parts.next().unwrap_or_default();
            table = parts.next().filter(|of| of.ends_with("dependencies")).map(|_| last);
            if table == Some(library) {
                return None;
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.replace(' ', ""));
        if key == library || key.strip_prefix(library).is_some_and(|rest| rest.starts_with('.')) {
            return None;
        }
        let quoted = format!("\"{library}\"");
        if key == "package" && value == quoted {
            found = found.or(table.map(str::to_owned));
        } else if value.contains(&format!("package={quoted}")) {
            found = found.or(Some(key.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::in_manifest;

    #[test]
    fn finds_the_other_name_of_a_renamed_dependency() {
        let inline = "[package]\nname = \"app\"\n[dependencies]\nkeys = { version = \"1\", package = \"tallrow\" }\n";
        assert_eq!(in_manifest(inline, "tallrow").as_deref(), Some("keys"));
        assert_eq!(in_manifest(inline, "tallrow-codec"), None);
        let table = "[dependencies.rows]\npackage = \"tallrow\"\nversion = \"1\"\n";
        assert_eq!(in_manifest(table, "tallrow").as_deref(), Some("rows"));
    }

    #[test]
    fn a_dependency_under_its_own_name_is_no_renamed_one() {
        let both =
            "[dependencies]\ntallrow = \"1\"\nold = { version = \"0.1\", package = \"tallrow\" }\n";
        assert_eq!(in_manifest(both, "tallrow"), None);
        assert_eq!(in_manifest("[dependencies]\ntallrow.workspace = true\n", "tallrow"), None);
        assert_eq!(in_manifest("[dependencies.tallrow]\nversion = \"1\"\n", "tallrow"), None);
        assert_eq!(in_manifest("[package]\nname = \"tallrow\"\n", "tallrow"), None);
    }
}
