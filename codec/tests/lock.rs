//! A lock file is written by a test run with `TALLROW_LOCK=overwrite`, and held by every build after it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A package with one locked key, as its user would have it.
struct Package {
    place: PathBuf,
}

impl Package {
    fn new() -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lock");
        let codec = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir_all(place.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             tallrow-codec.path = {codec:?}\n"
        );
        fs::write(place.join("Cargo.toml"), manifest).unwrap();
        // The same versions as everywhere here.
        fs::copy(codec.join("../Cargo.lock"), place.join("Cargo.lock")).unwrap();
        let _ = fs::remove_dir_all(place.join("schema"));
        Self { place }
    }

    fn lock(&self) -> PathBuf {
        self.place.join("schema/event.key")
    }

    fn write(&self, fields: &str) {
        let source = format!(
            "#![no_std]\n#[derive(tallrow_codec::RowKey)]\n#[row_key(lock_file = \"schema/event.key\")]\n\
             pub struct Event {{ {fields} }}\n"
        );
        fs::write(self.place.join("src/lib.rs"), source).unwrap();
    }

    /// Runs cargo, and returns what it says if it fails.
    fn cargo(&self, command: &str, lock: Option<&str>) -> Result<(), String> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(&self.place).args([command, "--quiet", "--lib", "--target-dir"]);
        cargo
            .arg(self.place.join("target"))
            .env_remove("TALLROW_LOCK")
            .envs(lock.map(|v| ("TALLROW_LOCK", v)));
        let output = cargo.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    }
}

#[test]
fn a_lock_is_written_and_held() {
    let package = Package::new();
    let overwrite = Some("overwrite");
    package.write("user: u32, at: i64");
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("there is no schema/event.key in the package yet"), "{said}");
    assert!(said.contains("`TALLROW_LOCK=overwrite cargo test`"), "{said}");

    package.cargo("test", overwrite).unwrap();
    let text = "row key Event\nuser: u32\nat: i64\nfingerprint ";
    let written = fs::read_to_string(package.lock()).unwrap();
    assert!(written.starts_with(text), "{written}");
    package.cargo("check", None).unwrap();

    // The file is read again when it has changed, and a name in it is not the layout.
    fs::write(package.lock(), written.replace("user: u32", "user: u64")).unwrap();
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("locked: user: u64") && said.contains("now:    user: u32"), "{said}");
    fs::write(package.lock(), written.replace("user: u32", "name: u32")).unwrap();
    package.cargo("check", None).unwrap();

    // A build that is to write the file does not check it; the next one does, though nothing but the variable changed.
    package.write("user: u32, at: u64");
    package.cargo("check", overwrite).unwrap();
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("locked: at: i64") && said.contains("now:    at: u64"), "{said}");
    package.cargo("test", overwrite).unwrap();
    assert!(fs::read_to_string(package.lock()).unwrap().contains("at: u64"));
    package.cargo("test", None).unwrap();
    fs::remove_file(package.lock()).unwrap();
    assert!(package.cargo("check", None).unwrap_err().contains("there is no schema/event.key"));
}
