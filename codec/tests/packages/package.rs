use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A user's package with one key, in a folder that ends with it.
pub(crate) struct Package(PathBuf);

impl Package {
    /// A new package.
    pub(crate) fn new(name: &str) -> Self {
        // Another run at the same time has a folder of its own.
        let folder = format!("{name}-{}", std::process::id());
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(folder);
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
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let cargo = cargo
            .current_dir(&self.0)
            .args([command, "--quiet", "--lib", "--target-dir"])
            .arg(tmp.join("packages/target"))
            // Where the workspace has built what they depend on.
            .env("CARGO_BUILD_BUILD_DIR", tmp.parent().unwrap())
            .env_remove("TALLROW_LOCK")
            .envs(lock.map(|v| ("TALLROW_LOCK", v)));
        let output = cargo.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(errors) }
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
