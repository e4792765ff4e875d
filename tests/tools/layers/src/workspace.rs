//! The packages of the workspace and their dependencies, as `cargo metadata` lists them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The packages of the workspace.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// By folder.
    pub packages: Vec<Package>,
}

/// A package of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name in Cargo.
    pub name: String,
    /// Its folder, relative to the root of the workspace.
    pub folder: String,
    /// The root file of its library, if it has one.
    pub library: Option<PathBuf>,
    /// Its dependencies, without those of tests.
    pub dependencies: Vec<String>,
    /// Its dev-dependencies.
    pub dev_dependencies: Vec<String>,
    /// Whether it is published.
    pub published: bool,
}

impl Workspace {
    /// The workspace of the current directory.
    ///
    /// # Errors
    /// When `cargo metadata` fails.
    pub fn here() -> io::Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
        }
        let metadata: Value = serde_json::from_slice(&output.stdout).map_err(io::Error::other)?;
        let root = PathBuf::from(metadata["workspace_root"].as_str().unwrap_or_default());
        let packages = array(&metadata["packages"]);
        let mut packages: Vec<_> = packages.filter_map(|p| package(p, &root)).collect();
        packages.sort_by(|a, b| a.folder.cmp(&b.folder));
        Ok(Self { root, packages })
    }
}

fn package(package: &Value, root: &Path) -> Option<Package> {
    let manifest = Path::new(package["manifest_path"].as_str()?);
    let folder = manifest.parent()?.strip_prefix(root).ok()?;
    let library = array(&package["targets"])
        .find(|target| array(&target["kind"]).any(|kind| kind == "lib" || kind == "proc-macro"));
    let dependencies = |kind: Option<&str>| {
        let mut names: Vec<_> = array(&package["dependencies"])
            .filter(|d| d["kind"].as_str() == kind)
            .filter_map(|d| d["name"].as_str().map(str::to_owned))
            .collect();
        names.sort();
        names
    };
    Some(Package {
        name: package["name"].as_str()?.to_owned(),
        folder: folder.to_str()?.to_owned(),
        library: library.and_then(|l| l["src_path"].as_str()).map(PathBuf::from),
        dependencies: dependencies(None),
        dev_dependencies: dependencies(Some("dev")),
        published: package["publish"].is_null(),
    })
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
