//! The path of the library in generated code.

use syn::{Ident, Path};

use super::errors::Errors;
use super::message;

/// Returns the path of the library: the path that `attribute` gives, or `default` if it gives none.
///
/// If the package has renamed this dependency and the attribute gives no path, reports an error
/// that contains the path to write, and returns `None`, because no item of the library would be
/// found.
pub(crate) fn library_path(
    given: Option<Path>,
    default: &str,
    attribute: &str,
    on: &Ident,
    errors: &mut Errors,
) -> Option<Path> {
    if given.is_some() {
        return given;
    }
    let package = default.trim_start_matches(':').replace('_', "-");
    if let Some(name) = other_name(&package) {
        errors.report_at_tokens(on, message::renamed(&package, &name, attribute));
        return None;
    }
    syn::parse_str(default).ok()
}

/// Returns the other name under which the package being compiled depends on `library`, unless the
/// package also depends on `library` under the library's own name.
fn other_name(library: &str) -> Option<String> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let manifest = std::path::Path::new(&folder).join("Cargo.toml");
    in_manifest(&std::fs::read_to_string(manifest).ok()?, library)
}

/// Searches the text of a manifest for another name of `library`, in lines such as
/// `name = { package = ".." }` and in tables such as `[dependencies.name]`. Returns `None` if the
/// manifest also has a dependency called `library`.
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
        let inline = "[package]\nname = \"app\"\n[dependencies]\nkeys = { version = \"1\", package \
             = \"tallrow\" }\n";
        assert_eq!(in_manifest(inline, "tallrow").as_deref(), Some("keys"));
        assert_eq!(in_manifest(inline, "tallrow-codec"), None);
        let table = "[dependencies.rows]\npackage = \"tallrow\"\nversion = \"1\"\n";
        assert_eq!(in_manifest(table, "tallrow").as_deref(), Some("rows"));
    }

    #[test]
    fn a_dependency_under_its_own_name_is_not_renamed() {
        let both =
            "[dependencies]\ntallrow = \"1\"\nold = { version = \"0.1\", package = \"tallrow\" }\n";
        assert_eq!(in_manifest(both, "tallrow"), None);
        assert_eq!(in_manifest("[dependencies]\ntallrow.workspace = true\n", "tallrow"), None);
        assert_eq!(in_manifest("[dependencies.tallrow]\nversion = \"1\"\n", "tallrow"), None);
        assert_eq!(in_manifest("[package]\nname = \"tallrow\"\n", "tallrow"), None);
    }
}
