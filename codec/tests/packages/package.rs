//! A user's package in a folder of its own: written, built by cargo, and removed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A user's package with one key. Its folder and what was built of it end with it.
pub(crate) struct Package(PathBuf);

impl Package {
    /// A new package.
    pub(crate) fn new(name: &str) -> Self {
        // Another run at the same time has a folder of its own, and results: cargo tells packages
        // apart by their names.
        let name = format!("{name}-{}", std::process::id());
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(&name);
        let codec = Path::new(env!("CARGO_MANIFEST_DIR"));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             tallrow-codec.path = {codec:?}\n"
        );
        fs::write(place.join("Cargo.toml"), manifest).unwrap();
        // The same versions as in the workspace.
        fs::copy(codec.join("../Cargo.lock"), place.join("Cargo.lock")).unwrap();
        Self(place)
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// Writes its key.
    pub(crate) fn write(&self, key: &str) {
        let source = format!("#![no_std]\n#[derive(tallrow_codec::RowKey)]\n{key}");
        fs::write(self.path("src/lib.rs"), source).unwrap();
    }

    /// Runs cargo, and returns its error output if it fails.
    pub(crate) fn cargo(&self, command: &str, lock: Option<&str>) -> Result<(), String> {
        let mut cargo = self.command(command);
        cargo.arg("--lib").envs(lock.map(|v| ("TALLROW_LOCK", v)));
        let output = cargo.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(errors) }
    }

    fn command(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        cargo.current_dir(&self.0).args([command, "--quiet", "--target-dir"]);
        cargo.arg(tmp.join("packages/target")).env_remove("TALLROW_LOCK");
        // Where the workspace has built what they depend on.
        cargo.env("CARGO_BUILD_BUILD_DIR", tmp.parent().unwrap());
        cargo
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let name = self.0.file_name().unwrap_or_default();
        // No package of another run has this name. What is left is in nobody's way.
        let _ = self.command("clean").arg("--package").arg(name).status();
        let _ = fs::remove_dir_all(&self.0);
    }
}
